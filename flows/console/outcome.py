"""`council outcome`: what turned out to be right, for one deliberation or for a file of them."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from flows.console.terminal import err, out, plain, print_json


class _OrderOfWords(TyperGroup):
    """Lets `council outcome ID …` stand for `council outcome record ID …`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the word in where the first one is no command."""
        if args and args[0] not in self.commands and args[0] not in {"--help", "-h"}:
            args = ["record", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    help="Record what turned out to be right: `council outcome ID --right OPTION`.",
    no_args_is_help=True,
    cls=_OrderOfWords,
)

ByOption = Annotated[str | None, typer.Option(help="Who says so; else your user name.")]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON on stdout.")]


@app.command("record")
def record(
    deliberation_id: Annotated[str, typer.Argument(help="Its id, or the start of it.")],
    right: Annotated[str, typer.Option(help="An option of the question, or `other` for none.")],
    by: ByOption = None,
    note: Annotated[str, typer.Option(help="How it is known.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Record what was right in one deliberation; a later record corrects an earlier one."""
    from contracts.settings import settings
    from tasks.outcomes import record_outcome
    from tasks.stages import now

    outcome, found = record_outcome(
        settings().home, deliberation_id, right, by=by or user_name(), note=note, at=now()
    )
    if as_json:
        print_json(outcome.model_dump(mode="json"))
        return
    verdict = found.verdict
    said = verdict.option or verdict.status.replace("_", " ")
    held = "right" if verdict.option == outcome.right_option else "not right"
    out.print(f"recorded: {plain(outcome.right_option)} was right", markup=False)
    out.print(f"the council was {held}: {plain(said)}, {verdict.confidence:.0%}", markup=False)
    err.print("council refit learns from it now; the nightly flow does so by itself", style="dim")


@app.command("import")
def import_file(
    file: Annotated[Path, typer.Argument(help="csv or jsonl.")],
    by: ByOption = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Record the good rows.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Record a file: `deliberation_id` or `batch_id` and `key`, and `right`, in each row."""
    from contracts.settings import settings
    from tasks.outcomes import explain, import_outcomes
    from tasks.stages import now

    done = import_outcomes(settings().home, file, by=by or user_name(), at=now(), skip_bad=skip_bad)
    figures: dict[str, Any] = {
        "recorded": done.recorded,
        "corrected": done.corrected,
        "unchanged": done.unchanged,
        "bad": len(done.faults),
    }
    if as_json:
        print_json(figures)
        return
    out.print(", ".join(f"{count} {what}" for what, count in figures.items()))
    if done.faults:
        err.print(plain_lines(explain(file, done.faults)), markup=False, style="yellow")


def user_name() -> str:
    """Return the name of whoever is at the terminal."""
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"


def plain_lines(text: str) -> str:
    """Return foreign text without control characters, its lines kept."""
    return "\n".join(plain(line) for line in text.splitlines())
