"""Documents into tables: each once, whole batches in one transaction."""

import gc
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import duckdb

from contracts.base import canonical_json
from contracts.errors import MigrationFailed, StoreDamaged
from data.database import append
from data.documents import Document, Unreadable, decode
from data.rows import READINGS, TooNew, rows_of
from data.schema import transaction

_UNFIT = (
    duckdb.DataError,
    duckdb.InvalidInputException,
    duckdb.ConstraintException,
    OverflowError,
)
"""What a value that does not fit its column raises, as opposed to a disk that is full."""

_ONCE = {"questions": "question_id"}
"""Tables whose rows many documents bring: the first brings it, and all bring the same."""

Tables = dict[str, list[dict[str, Any]]]


class Line(NamedTuple):
    """A document as bytes, with the file name by which it is known."""

    name: str
    data: bytes = b""
    fault: str = ""
    """Why it cannot be read, where that is known without reading it."""


class Loaded(NamedTuple):
    """What became of some lines."""

    new: int = 0
    """Documents that the database did not hold before."""
    kept: tuple[str, ...] = ()
    """Names of the documents that it holds now."""
    refused: tuple[tuple[str, str], ...] = ()
    """Names of those that cannot be read, each with the reason."""
    held: tuple[str, ...] = ()
    """Names of those that a newer Council wrote."""

    def __or__(self, other: "Loaded") -> "Loaded":
        """Both together."""
        return Loaded(
            self.new + other.new,
            self.kept + other.kept,
            self.refused + other.refused,
            self.held + other.held,
        )


class Ready(NamedTuple):
    """A document that can be loaded."""

    name: str
    document: Document
    tables: Tables

    @property
    def key(self) -> tuple[str, str]:
        """Kind and id as the database holds them."""
        return self.document.kind, text_of(self.document.document_id)


def prepare(lines: Iterable[Line]) -> tuple[list[Ready], Loaded]:
    """Return the documents that can be loaded, and what became of the others.

    A document that does not read is refused alone and stops no other.
    """
    ready: list[Ready] = []
    result = Loaded()
    with _collector_paused():
        for line in lines:
            try:
                ready.append(_prepared(line))
            except TooNew:
                result |= Loaded(held=(line.name,))
            except (Unreadable, StoreDamaged, RecursionError) as error:
                result |= Loaded(refused=((line.name, str(error)),))
    return ready, result


def load(connection: duckdb.DuckDBPyConnection, ready: Sequence[Ready]) -> Loaded:
    """Bring those documents into the tables that are not there yet."""
    fresh = _unknown(connection, ready)
    names = {one.name for one in fresh}
    there = tuple(one.name for one in ready if one.name not in names)
    return Loaded(kept=there) | _insert(connection, fresh)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Hold off the garbage collector: many rows and no cycles, and it would look at all of them."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def text_of(text: str) -> str:
    """Return `text` as UTF-8 can hold it: lone surrogates become U+FFFD, the rest stays."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _prepared(line: Line) -> Ready:
    if line.fault:
        raise Unreadable(line.fault)
    document = decode(line.data)
    if line.name != document.name:
        raise Unreadable(f"it is the {document.kind} {document.document_id!r} under another name")
    tables: Tables = {}
    for table, row in rows_of(document):
        tables.setdefault(table, []).append(row)
    tables["documents"] = [
        {
            "kind": document.kind,
            "document_id": document.document_id,
            "schema_number": document.schema_number,
            "document_sha256": hashlib.sha256(line.data).hexdigest(),
            "body": None if document.kind in READINGS else canonical_json(document.body),
        }
    ]
    return Ready(line.name, document, tables)


def _unknown(connection: duckdb.DuckDBPyConnection, ready: Sequence[Ready]) -> list[Ready]:
    """Return those that the database does not hold, each once."""
    once = {one.key: one for one in ready}
    held = connection.execute(
        "select kind, document_id from documents"
        " semi join (select unnest($kinds) as kind, unnest($ids) as document_id)"
        " using (kind, document_id)",
        {"kinds": [kind for kind, _ in once], "ids": [name for _, name in once]},
    ).fetchall()
    known = set(held)
    return [one for key, one in once.items() if key not in known]


def _insert(connection: duckdb.DuckDBPyConnection, fresh: Sequence[Ready]) -> Loaded:
    """Insert all in one transaction; where a value does not fit, halve until it stands alone."""
    if not fresh:
        return Loaded()
    try:
        with transaction(connection):
            _append(connection, fresh)
    except _UNFIT as error:
        if len(fresh) == 1:
            return Loaded(refused=((fresh[0].name, f"a value does not fit: {error}"),))
        middle = len(fresh) // 2
        return _insert(connection, fresh[:middle]) | _insert(connection, fresh[middle:])
    return Loaded(new=len(fresh), kept=tuple(one.name for one in fresh))


def _append(connection: duckdb.DuckDBPyConnection, fresh: Sequence[Ready]) -> None:
    tables: Tables = {}
    for one in fresh:
        for table, rows in one.tables.items():
            tables.setdefault(table, []).extend(rows)
    for table, rows in tables.items():
        columns = _columns(connection, table)
        wanted = _absent(connection, table, _ONCE[table], rows) if table in _ONCE else rows
        append(connection, table, [_fitted(row, columns) for row in wanted])


def _columns(connection: duckdb.DuckDBPyConnection, table: str) -> list[str]:
    found = connection.execute(
        "select column_name from duckdb_columns() where table_name = $table"
        " and database_name = current_database() order by column_index",
        {"table": table},
    ).fetchall()
    return [name for (name,) in found]


def _absent(
    connection: duckdb.DuckDBPyConnection, table: str, key: str, rows: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return the rows whose key is not in the table, each key once."""
    once = {row[key]: row for row in rows}
    found = connection.execute(
        f"select {key} from {table} where {key} in (select unnest($keys))",  # noqa: S608 - ours
        {"keys": list(once)},
    ).fetchall()
    known = {name for (name,) in found}
    return [row for name, row in once.items() if name not in known]


def _fitted(row: dict[str, Any], columns: Sequence[str]) -> list[Any]:
    """Return the values in the order of the columns; a column of a later form stays null."""
    if unknown := row.keys() - set(columns):
        raise MigrationFailed(f"No migration made a column for {', '.join(sorted(unknown))}.")
    return [_value(row.get(name)) for name in columns]


def _value(value: Any) -> Any:
    if isinstance(value, str):
        return text_of(value)
    if isinstance(value, list | tuple):
        return [_value(one) for one in value]
    return value
