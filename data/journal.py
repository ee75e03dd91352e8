"""The truth: one JSON document per deliberation, outcome, rule … in a directory of files.

    journal/outbox/       documents that the database does not know yet
    journal/archive/      documents that it knows: loose files, and packs of older days
    journal/quarantine/   files that could not be read, each with its reason beside it
    journal/tmp/          files being written

A writer takes no lock and opens no database: temporary file → fsync → link (create if absent, so
the first verdict wins) → fsync of the directory. A document always stands under its name in at
least one place of the order outbox → archive → pack; it moves in that order, and whoever looks
follows it.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from contracts.base import Record
from contracts.errors import StoreDamaged, StoreError
from data.archive import Archive
from data.documents import Document, Unreadable, decode, document_name, encode, kind_of
from data.files import create, make_directory, sync_directory
from data.packindex import members


class Journal:
    """The journal of one home. Any number of processes may use it at once."""

    def __init__(self, home: Path) -> None:
        """Name the home; nothing is created before the first document."""
        root = home / "journal"
        self.outbox = root / "outbox"
        self.quarantine = root / "quarantine"
        self.scratch = root / "tmp"
        self.archive = Archive(root / "archive", self.scratch)

    def put(self, kind: str, document_id: str, document: Record) -> bool:
        """Keep a document; return False, changing nothing, when one of that kind and id is kept.

        On return it is on the disk. `kind` is any lowercase word: `deliberation`, `outcome` …

        Raises:
            StoreError: when it cannot be written, with the cause.
        """
        name = document_name(kind, document_id)
        line = encode(kind, document_id, document)
        try:
            if self._has(name):
                return False
            self.prepare()
            created = create(self.outbox / name, line, self.scratch)
            return created and not self._lost_to_archive(name, line)
        except OSError as error:
            raise StoreError(
                f"The {kind} {document_id!r} could not be kept in {self.outbox}: "
                f"{error.strerror or error}. Free space there, or set COUNCIL_HOME to a local "
                "directory that you may write."
            ) from error

    def has(self, kind: str, document_id: str) -> bool:
        """Whether a document of that kind and id is kept."""
        return self._has(document_name(kind, document_id))

    def get(self, kind: str, document_id: str) -> Document | None:
        """Return a document, None when there is none of that kind and id.

        Raises:
            StoreDamaged: when it is there and cannot be read.
        """
        name = document_name(kind, document_id)
        data = self._read(name)
        return None if data is None else _readable(name, data)

    def iter(self, kind: str | None = None) -> Iterator[Document]:
        """Yield every readable document once, of one kind if it is given; in no certain order."""
        seen: set[str] = set()
        for name in [*self.pending(), *self.archive.loose()]:
            if kind_of(name) != (kind or kind_of(name)) or name in seen:
                continue
            data = self._read(name)
            with suppress(Unreadable):
                if data is not None:
                    yield decode(data)
                    seen.add(name)
        for pack in self.archive.packs(kind or "*"):
            for line, _ in members(pack):
                document = decode(line)
                if document.name not in seen:
                    yield document

    def pending(self) -> list[str]:
        """Return the names of the files in the outbox, documents or not, sorted."""
        if not self.outbox.is_dir():
            return []
        names = (path.name for path in self.outbox.iterdir())
        return sorted(name for name in names if not name.startswith("."))

    def waiting(self, kind: str) -> list[str]:
        """Return the ids of the readable documents of one kind in the outbox."""
        ids = []
        for name in self.pending():
            with suppress(Unreadable, OSError):
                if kind_of(name) == kind:
                    ids.append(decode((self.outbox / name).read_bytes()).document_id)
        return ids

    def prepare(self) -> None:
        """Create the directories where they are missing."""
        for directory in (self.outbox, self.scratch, self.archive.directory, self.quarantine):
            make_directory(directory)

    def settle(self, names: list[str]) -> None:
        """Move documents that the database holds from the outbox to the archive."""
        for name in names:
            if not self.archive.has(name):
                os.link(self.outbox / name, self.archive.directory / name)
            elif self._lost_to_archive(name, (self.outbox / name).read_bytes()):
                self.set_aside(name, "another document of the same kind and id was kept first")
        if names:
            sync_directory(self.archive.directory)
        for name in names:
            (self.outbox / name).unlink(missing_ok=True)

    def set_aside(self, name: str, reason: str) -> None:
        """Move a file of the outbox to the quarantine and write the reason beside it."""
        note = self.quarantine / f"{name}.reason.txt"
        note.write_text(reason + "\n", encoding="utf-8", errors="replace")
        with suppress(FileNotFoundError):
            (self.outbox / name).rename(self.quarantine / name)

    def sweep(self, before: float) -> None:
        """Remove what killed writers left half written before that time (seconds since 1970)."""
        for path in self.scratch.iterdir():
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < before:
                    path.unlink()

    def _has(self, name: str) -> bool:
        return (self.outbox / name).exists() or self.archive.has(name)

    def _read(self, name: str) -> bytes | None:
        try:
            return (self.outbox / name).read_bytes()
        except FileNotFoundError:
            return self.archive.read(name)

    def _lost_to_archive(self, name: str, mine: bytes) -> bool:
        """Whether another document of this name came first and was archived meanwhile."""
        kept = self.archive.read(name)
        return kept is not None and kept != mine


def _readable(name: str, data: bytes) -> Document:
    try:
        return decode(data)
    except Unreadable as error:
        raise StoreDamaged(
            f"The document {name} of the journal cannot be read: {error}. "
            "The next drain moves it to the quarantine with its reason."
        ) from None
