"""The fresh folder of one attempt, and a watch on everything of the home that lies outside it."""

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tasks.verifying.folder import TooMany, changes, footprint
from tasks.verifying.paths import Mark, open_root

FINISHED = "record.json"
"""Lies in the folder of a delegation that has ended; nothing in it changes any more."""

_BUSY = frozenset({"journal", "snapshots", "heard", "prefect", "hermes", "logs", "cache", "tmp"})
"""Folders of the home in which Council's own programs write at any time."""

_BUSY_ENDS = (".lock", ".duckdb", ".wal", ".log", ".tmp")


class AttemptFolder(NamedTuple):
    """Where one attempt happens."""

    path: Path
    root: int
    """Descriptor of the folder, opened before the child could touch its name."""
    before: Mapping[str, Mark]
    """What the parent put there."""


@contextmanager
def fresh_folder(path: Path, prompt: str, seeds: Mapping[str, bytes]) -> Iterator[AttemptFolder]:
    """Create `path`, which must not exist, with the seeds in it; yield it with its descriptor.

    The prompt is kept beside it, as `<path>.prompt.md`.

    Raises:
        FileExistsError: it exists, so it would not be fresh.
    """
    path.mkdir(mode=0o700)
    path.with_name(f"{path.name}.prompt.md").write_text(prompt, encoding="utf-8")
    before = {name: _seed(path / name, data) for name, data in seeds.items()}
    with open_root(path) as root:
        yield AttemptFolder(path, root, before)


class Watch:
    """Tells which files of a home changed since the watch began, outside one attempt's folder.

    What Council itself writes at any time is left out (journal, snapshots, locks, the audit trail,
    which has its own chain), and so are delegations that were under way beside this one.
    """

    def __init__(self, home: Path, attempt: AttemptFolder) -> None:
        """Note how everything stands."""
        self._home = home
        self._attempt = attempt
        self._own = _inside(home, attempt.path.parent)
        self._skipped = _inside(home, attempt.path)
        self._finished = _finished(home)
        self._before = self._look()

    def changes(self) -> tuple[str, ...]:
        """Return the paths below the home that are new, changed or gone, sorted."""
        after = self._look()
        moved = () if self._in_place() else (self._skipped,)
        if self._before is None or after is None:
            return (*moved, "more files than can be watched") if self._before != after else moved
        return (*moved, *changes(self._before, after))

    def _look(self) -> dict[str, tuple[int, ...]] | None:
        try:
            return footprint(self._home, self._enters)
        except TooMany:
            return None

    def _enters(self, path: str) -> bool:
        top, *rest = path.split("/")
        if top in _BUSY or top.startswith("audit") or path.endswith(_BUSY_ENDS):
            return False
        if top == "delegations" and rest:
            return path != self._skipped and (
                rest[0] in self._finished or f"{top}/{rest[0]}" == self._own
            )
        return True

    def _in_place(self) -> bool:
        try:
            now = self._attempt.path.lstat()
        except OSError:
            return False
        return os.path.samestat(now, os.fstat(self._attempt.root))


def _seed(target: Path, data: bytes) -> Mark:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    status = target.stat()
    return Mark(status.st_ino, status.st_size, status.st_mtime_ns, hashlib.sha256(data).hexdigest())


def _inside(home: Path, path: Path) -> str:
    return path.relative_to(home).as_posix()


def _finished(home: Path) -> frozenset[str]:
    return frozenset(record.parent.name for record in home.glob(f"delegations/*/{FINISHED}"))
