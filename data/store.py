"""The store of one home: what was decided, read back. DuckDB is imported when it is needed.

Reading drains first where nobody else is at it, then opens the newest snapshot. So a reader sees
everything that was kept before it asked, or, while another process drains, the last whole state.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contracts.deliberation import Deliberation
from contracts.errors import NotFound, StoreDamaged, StoreError
from data.documents import Document
from data.journal import Journal
from data.queries import queries, query
from data.rows import READINGS, TooNew, record_of
from data.table import Table

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from data.drain import Drainer, DrainReport

WAIT_SECONDS = 30.0
MAX_ROWS = 1_000_000
"""Rows that one answer brings at most."""

_LOG = logging.getLogger("council.store")
_OPENINGS = 5
_SHOWN = 5

__all__ = ["Store", "Table"]


class Store:
    """The store under `home`. It may not exist yet: then every table is there and empty."""

    def __init__(self, home: Path) -> None:
        """Name the home; nothing is touched yet."""
        self.home = home
        self.journal = Journal(home)

    def drain(self, wait_seconds: float = WAIT_SECONDS) -> "DrainReport":
        """Bring the database up to the journal.

        With `wait_seconds` 0 it goes on at once when another process is at it (`ran` is False).

        Raises:
            StoreError: when the database cannot be written; the journal keeps everything.
        """
        return self._drainer().drain(wait_seconds)

    def rebuild(self, wait_seconds: float = 600.0) -> "DrainReport":
        """Make the database again from the journal, equal to the old one row for row."""
        return self._drainer().rebuild(wait_seconds)

    def query(self, name: str, **parameters: Any) -> Table:
        """Answer a named query. Parameters left out, or None, mean all.

        Raises:
            NotFound: when there is no such query, with the nearest names.
            UsageError: for a parameter that it does not take or a value that does not read.
        """
        found = query(name)
        return self._answer(found.text, found.bound(parameters))

    def named_queries(self) -> Table:
        """Return the names of all queries with the question that each answers."""
        rows = tuple((name, found.question) for name, found in queries().items())
        return Table(("query", "question"), rows, ("VARCHAR", "VARCHAR"))

    def sql(self, text: str, max_rows: int = MAX_ROWS) -> Table:
        """Answer one `select` of the user's own. It can change nothing and read nothing else.

        Raises:
            UsageError: when it does not read, is not one select, or reaches outside.
            StoreError: when it takes too long or too much memory.
        """
        return self._answer(text, {}, max_rows)

    def history(
        self,
        limit: int = 20,
        *,
        since: datetime | str | None = None,
        topic: str | None = None,
        batch: str | None = None,
    ) -> Table:
        """Return the latest verdicts, newest first, at most `limit`."""
        return self.query("history", limit=limit, since=since, topic=topic, batch=batch)

    def deliberation(self, id_or_prefix: str) -> Deliberation:
        """Return a deliberation from the journal, by its id or the first characters of it.

        Raises:
            NotFound: when there is none, with the nearest ids, or when several begin like that.
            StoreDamaged: when it cannot be read.
        """
        wanted = id_or_prefix.strip()
        document = self.journal.get("deliberation", wanted) if wanted else None
        if document is None:
            document = self.journal.get("deliberation", self._whole_id(wanted))
        if document is None:
            raise NotFound(f"The deliberation {wanted!r} is gone from the journal.")
        return _deliberation(document)

    @contextmanager
    def connection(self) -> "Iterator[DuckDBPyConnection]":
        """Open the newest snapshot for several questions of a report or a gate; sealed, read-only.

        Raises:
            StoreDamaged: when it does not open.
        """
        from data.database import snapshot  # noqa: PLC0415 - imports DuckDB

        for _ in range(_OPENINGS):
            try:
                connection = snapshot(self._newest())
                break
            except FileNotFoundError:  # replaced by newer ones between the look and the opening
                continue
        else:
            raise StoreError("The snapshots change faster than they can be opened. Try again.")
        with connection:
            yield connection

    def _answer(self, text: str, bound: dict[str, Any], max_rows: int = MAX_ROWS) -> Table:
        from data.database import answer  # noqa: PLC0415 - imports DuckDB

        with self.connection() as connection:
            return answer(connection, text, bound, max_rows)

    def _drainer(self) -> "Drainer":
        from data.drain import Drainer  # noqa: PLC0415 - imports DuckDB

        return Drainer(self.home)

    def _newest(self) -> Path | None:
        """Return the newest snapshot after a drain, None for a home that holds nothing."""
        drainer = self._drainer()
        try:
            report = drainer.drain(0)
            if not report.ran and drainer.snapshots.newest() is None:
                drainer.drain(WAIT_SECONDS)
        except StoreError as error:
            if drainer.snapshots.newest() is None:
                raise
            _LOG.warning("answering from the last snapshot: %s", error)
        newest = drainer.snapshots.newest()
        return newest.path if newest else None

    def _whole_id(self, prefix: str) -> str:
        """Return the one id that begins with `prefix`."""
        found = self._ids(prefix)
        if prefix and len(found) == 1:
            return found[0]
        if prefix and found:
            shown = ", ".join(found[:_SHOWN]) + (" …" if len(found) > _SHOWN else "")
            raise NotFound(
                f"Several deliberations begin with {prefix!r}: {shown}. Type more of it."
            )
        known = self._ids("")
        near = get_close_matches(prefix, known, n=3, cutoff=0.4) or known[:3]
        hint = f"Nearest: {', '.join(near)}." if near else "The store is empty."
        raise NotFound(f"There is no deliberation {prefix!r}. {hint} `council history` lists them.")

    def _ids(self, prefix: str) -> list[str]:
        """Return ids that begin with `prefix`, newest first, those of the outbox included."""
        text = (
            "select deliberation_id from deliberations where starts_with(deliberation_id, $prefix)"
            " order by finished_at desc"
        )
        known = [name for (name,) in self._answer(text, {"prefix": prefix}, 1000).rows]
        waiting = self.journal.waiting("deliberation")
        return list(dict.fromkeys([*(w for w in waiting if w.startswith(prefix)), *known]))


def _deliberation(document: Document) -> Deliberation:
    try:
        record = record_of(document, READINGS["deliberation"])
    except TooNew as error:
        raise StoreDamaged(
            f"A newer Council wrote the deliberation {document.document_id!r} ({error}). "
            "Read it with that one."
        ) from None
    if not isinstance(record, Deliberation):
        raise StoreDamaged(f"{document.document_id!r} is no deliberation.")
    return record
