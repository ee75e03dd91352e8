"""Immutable copies of the database, one file each: written as a draft, published by rename.

    snapshots/council-000000000042-1f2e3d4c.duckdb      number and fingerprint of the schema

A reader opens the newest and keeps it as long as it likes: an open file outlives its name.
"""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from contracts.errors import StoreError
from data.files import flush, make_directory, sync_directory

KEPT = 3
"""Newest snapshots that stay, for readers that are about to open one."""

_NAME = re.compile(r"council-(\d{12})-([0-9a-f]{8})\.duckdb")


class Snapshot(NamedTuple):
    """One published file."""

    number: int
    schema: str
    path: Path


class Snapshots:
    """The snapshots of one home."""

    def __init__(self, home: Path) -> None:
        """Name the home; nothing is created."""
        self.directory = home / "snapshots"

    def all(self) -> list[Snapshot]:
        """Return the published snapshots, oldest first."""
        if not self.directory.is_dir():
            return []
        found = [(_NAME.fullmatch(path.name), path) for path in self.directory.iterdir()]
        return sorted(Snapshot(int(m[1]), m[2], path.resolve()) for m, path in found if m)

    def newest(self) -> Snapshot | None:
        """Return the snapshot to read."""
        return max(self.all(), default=None)

    @contextmanager
    def draft(self, base: Snapshot | None) -> Iterator[Path]:
        """Yield the path of a private copy of `base`, or of a file yet to be; remove it after."""
        make_directory(self.directory)
        for left in self.directory.glob("draft*"):
            left.unlink(missing_ok=True)
        path = self.directory / "draft.duckdb"
        try:
            if base is not None:
                shutil.copyfile(base.path, path)
            yield path
        finally:
            for left in self.directory.glob("draft*"):
                left.unlink(missing_ok=True)

    def publish(self, draft: Path, schema: str) -> Path:
        """Give a closed draft its name and remove what is too old; return its path.

        Raises:
            StoreError: when DuckDB left part of it in a write-ahead log.
        """
        if draft.with_name(f"{draft.name}.wal").exists():
            raise StoreError(f"DuckDB did not finish {draft}. The documents stay in the journal.")
        with draft.open("rb+") as file:
            flush(file)
        last = self.newest()
        number = last.number + 1 if last else 1
        target = self.directory / f"council-{number:012}-{schema}.duckdb"
        draft.rename(target)
        sync_directory(self.directory)
        for old in self.all()[:-KEPT]:
            with suppress(OSError):
                old.path.unlink()
        return target

    def set_aside(self, broken: Snapshot) -> None:
        """Keep a snapshot that does not read under another name, for whoever wants to look."""
        broken.path.rename(self.directory / f"damaged-{broken.path.name}")
