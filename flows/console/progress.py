"""The line that moves while the council works."""

from typing import TYPE_CHECKING, Self

from flows.console.terminal import err, plain

if TYPE_CHECKING:
    from tasks.deliberate import Event

_DOING = {
    "asking": "the jurors answer, each alone",
    "opinion": "the jurors answer",
    "debate": "each reads the others and answers again",
    "arena": "the verdict is attacked from every side",
    "bout": "the verdict is attacked from every side",
    "verdict": "recording the verdict",
    "delegating": "work is done, and verified on the disk",
    "escalated": "a person is asked: see the run in the dashboard",
}
_NAMED = {"opinion", "bout", "delegated", "escalated", "held_back"}


class Progress:
    """Watches a deliberation or an arena: a spinner, and a line for what was said."""

    def __init__(self, first: str) -> None:
        """Begin with `first` beside the spinner."""
        self._status = err.status(first)

    def __enter__(self) -> Self:
        """Start to move."""
        self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop."""
        self._status.stop()

    def __call__(self, event: "Event") -> None:
        """Show what just happened."""
        if event.kind in _NAMED:
            err.print(f"  {plain(event.subject)}: {plain(event.text)}", style="dim", markup=False)
        elif event.kind in {"debate", "arena"}:
            err.print(f"  {plain(event.text)}", style="dim", markup=False)
        elif event.kind == "warning":
            err.print(f"  {plain(event.text)}", style="yellow", markup=False)
        if event.kind in _DOING:
            self._status.update(_DOING[event.kind])
