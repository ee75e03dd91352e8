"""From the journal into a new snapshot: the one process at a time that holds the lock.

    outbox → private copy of the newest snapshot → rows, committed → closed → published by rename
           → documents moved to the archive

The copy makes a kill harmless at any point: what is published is whole, what is not is thrown away,
and a document that was published but not yet moved is recognised the next time.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

import duckdb
from filelock import FileLock, Timeout

from contracts.base import Record
from contracts.errors import StoreDamaged, StoreError
from data.database import documents_in, draft
from data.documents import MAX_BYTES, decode, kind_of
from data.ingest import Line, Loaded, Ready, load, prepare
from data.journal import Journal
from data.packindex import members
from data.schema import fingerprint, migrate
from data.snapshots import Snapshots

BATCH = 1_000
"""Documents of one transaction and one snapshot."""

_STALE_SECONDS = 86_400


class DrainReport(Record):
    """What a drain did."""

    ran: bool = True
    """False when another process was draining, and all is left to that one."""
    documents: int = 0
    """Documents that are new in the database."""
    quarantined: tuple[str, ...] = ()
    """Files that could not be read, each with the reason."""
    held: int = 0
    """Documents that a newer Council wrote, or that may not be read: they wait in the outbox."""
    remaining: int = 0
    """Files in the outbox at the end."""


class Drainer:
    """Brings the database of one home up to its journal."""

    def __init__(self, home: Path) -> None:
        """Name the home; nothing is created."""
        self.journal = Journal(home)
        self.snapshots = Snapshots(home)
        self._home = home

    def drain(self, wait_seconds: float) -> DrainReport:
        """Load what is in the outbox now; wait up to `wait_seconds` for another that does it.

        Raises:
            StoreError: when the snapshot cannot be written.
            MigrationFailed: when the tables cannot be brought to this program's form.
        """
        if not self.needed():
            return DrainReport()
        with self._lock(wait_seconds) as mine:
            if not mine:
                return DrainReport(ran=False, remaining=len(self.journal.pending()))
            self._bring_up()
            return self._empty_outbox()

    def rebuild(self, wait_seconds: float) -> DrainReport:
        """Make the database again from the journal.

        Raises:
            StoreError: when another process drains for longer than `wait_seconds`.
            StoreDamaged: naming the pack of the archive that cannot be read.
        """
        with self._lock(wait_seconds) as mine:
            if not mine:
                raise StoreError(
                    f"Another process has been draining for {wait_seconds:g} s. Try again later."
                )
            self.journal.archive.reindex()
            made = self._remake()
            rest = self._empty_outbox()
        quarantined = (*_reasons(made), *rest.quarantined)
        documents, held = made.new + rest.documents, len(made.held) + rest.held
        return rest.model_copy(
            update={"documents": documents, "held": held, "quarantined": quarantined}
        )

    def needed(self) -> bool:
        """Whether there is anything to do."""
        newest = self.snapshots.newest()
        if self.journal.pending():
            return True
        if newest is None:
            return bool(self.journal.archive.loose() or self.journal.archive.packs())
        return newest.schema != fingerprint()

    @contextmanager
    def _lock(self, wait_seconds: float) -> Iterator[bool]:
        """Hold the lock from before a file is opened until after it is closed; yield whether."""
        with _said(self._home):
            self.journal.prepare()
            lock = FileLock(self._home / "drain.lock")
            try:
                lock.acquire(timeout=wait_seconds)
            except Timeout:
                yield False
                return
            try:
                yield True
            finally:
                lock.release()

    def _bring_up(self) -> None:
        """Give the newest snapshot the tables of this program, from the journal where need be."""
        newest = self.snapshots.newest()
        if newest is not None and newest.schema == fingerprint():
            return
        if newest is None or not self._migrated():
            self._remake()

    def _migrated(self) -> bool:
        with self.snapshots.draft(self.snapshots.newest()) as path:
            try:
                with draft(path) as connection:
                    done = migrate(connection)
            except duckdb.Error:
                return False
            if done:
                self.snapshots.publish(path, fingerprint())
        return done

    def _remake(self) -> Loaded:
        """Publish a database made of the whole archive.

        Raises:
            StoreError: when the journal lacks documents that the newest snapshot holds.
        """
        result = Loaded()
        with self.snapshots.draft(None) as path:
            with draft(path) as connection:
                migrate(connection)
                for batch in _batches(self._archived()):
                    ready, others = prepare(batch)
                    result |= others | load(connection, ready)
            found = result.new + len(result.held) + len(result.refused)
            self._check_journal(found + len(self.journal.pending()))
            self.snapshots.publish(path, fingerprint())
        return result

    def _check_journal(self, found: int) -> None:
        """Refuse to put a database with fewer documents in the place of one with more."""
        newest = self.snapshots.newest()
        try:
            held = documents_in(newest.path) if newest else 0
        except StoreDamaged:
            return
        if found < held:
            raise StoreError(
                f"The journal has {found:,} documents and the last snapshot {held:,}. Restore "
                f"{self.journal.outbox.parent} from a backup; or, to go on without them, move "
                f"{self.snapshots.directory} aside."
            )

    def _empty_outbox(self) -> DrainReport:
        """Load what is there at this moment, so that it ends also under a steady stream."""
        result = Loaded()
        for batch in _batches(self._waiting(self.journal.pending())):
            ready, others = prepare(batch)
            loaded = others | (self._publish(ready) if ready else Loaded())
            self.journal.settle(list(loaded.kept))
            for name, reason in loaded.refused:
                self.journal.set_aside(name, reason)
            result |= loaded
        self._pack()
        return DrainReport(
            documents=result.new,
            quarantined=_reasons(result),
            held=len(result.held),
            remaining=len(self.journal.pending()),
        )

    def _publish(self, ready: Sequence[Ready]) -> Loaded:
        """Publish the newest snapshot with these documents; a broken one is made again first."""
        try:
            return self._extended(ready)
        except duckdb.Error:
            self._remake()
            return self._extended(ready)

    def _extended(self, ready: Sequence[Ready]) -> Loaded:
        with self.snapshots.draft(self.snapshots.newest()) as path:
            with draft(path) as connection:
                loaded = load(connection, ready)
            if loaded.new:
                self.snapshots.publish(path, fingerprint())
        return loaded

    def _waiting(self, names: Sequence[str]) -> Iterator[Line]:
        """Yield the files of the outbox; what is no file of ours is not even opened."""
        for name in names:
            path = self.journal.outbox / name
            if kind_of(name) is None or path.is_symlink() or not path.is_file():
                yield Line(name, fault="not a file that the journal wrote")
            elif path.stat().st_size > MAX_BYTES + 1:
                yield Line(name, fault=f"longer than {MAX_BYTES:,} bytes")
            else:
                yield Line(name, path.read_bytes())

    def _archived(self) -> Iterator[Line]:
        archive = self.journal.archive
        for name in archive.loose():
            yield Line(name, archive.read(name) or b"")
        for pack in archive.packs():
            for line, _ in members(pack):
                yield Line(decode(line).name, line)

    def _pack(self) -> None:
        """Once a day, pack the days before and remove what killed writers left."""
        now = datetime.now(UTC)
        mark = self.journal.archive.directory / "packed"
        packed = mark.exists() and _day(mark) >= now.date()
        if not packed and not self.journal.archive.pack(now.date()):
            self.journal.sweep(now.timestamp() - _STALE_SECONDS)
            mark.touch()


@contextmanager
def _said(home: Path) -> Iterator[None]:
    """Say in words what the disk or the database did not like."""
    try:
        yield
    except (OSError, duckdb.Error) as error:
        said = (str(error).splitlines() or [type(error).__name__])[0]
        raise StoreError(
            f"The database in {home} could not be written: {said}. The journal has every verdict; "
            "once the cause is gone, the next command brings the database up to it."
        ) from error


def _batches(source: Iterable[Line]) -> Iterator[list[Line]]:
    """Yield the lines in lists of `BATCH`, or fewer where they are long."""
    batch: list[Line] = []
    size = 0
    for line in source:
        batch.append(line)
        size += len(line.data)
        if len(batch) == BATCH or size > MAX_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _reasons(loaded: Loaded) -> tuple[str, ...]:
    return tuple(f"{name}: {reason}" for name, reason in loaded.refused)


def _day(mark: Path) -> date:
    return datetime.fromtimestamp(mark.stat().st_mtime, UTC).date()
