"""The only module that opens a database, and how: never by the bare path.

DuckDB 2.0.0 and 2.0.1 read a file's headers before they lock it and use them afterwards; the prefix
`duckdb:`, or the type given to `attach`, takes the path that does not. A file that is written is a
draft that nobody else knows.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from contracts.errors import StoreDamaged, StoreError, UsageError
from data.schema import migrate
from data.table import Table

STORAGE_VERSION = "v1.5.0"
"""Form of the files, so that every DuckDB since 1.5 opens them."""

MEMORY_LIMIT = "2GB"
SECONDS = 60.0
"""What one query may take."""

_CLOSED: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "python_enable_replacements": False,
    "memory_limit": MEMORY_LIMIT,
    "temp_directory": "",
}
_ASKED_WRONGLY = (
    duckdb.ParserException,
    duckdb.BinderException,
    duckdb.CatalogException,
    duckdb.PermissionException,
    duckdb.ConversionException,
    duckdb.OutOfRangeException,
    duckdb.InvalidInputException,
    duckdb.NotImplementedException,
    duckdb.SyntaxException,
)
_SELECTS = (duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN)
_BROKEN = (
    duckdb.IOException,
    duckdb.SerializationException,
    duckdb.InternalException,
    duckdb.FatalException,
)


@contextmanager
def draft(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open a database for writing that no other process knows of; checkpoint and close it."""
    config = {**_CLOSED, "storage_compatibility_version": STORAGE_VERSION}
    connection = duckdb.connect(f"duckdb:{path}", config=config)
    try:
        connection.execute("set TimeZone = 'UTC'")
        yield connection
        connection.execute("checkpoint")
    finally:
        connection.close()


def snapshot(path: Path | None) -> duckdb.DuckDBPyConnection:
    """Open a snapshot so that nothing can be changed and nothing else on the machine be read.

    Each connection is a database of its own that the file is attached to, so any number of threads
    may open it. Without a path all tables are there and empty.

    Raises:
        FileNotFoundError: when the snapshot has just been replaced by a newer one.
        StoreDamaged: when it does not open.
    """
    connection = duckdb.connect(":memory:", config=_CLOSED)
    try:
        if path is None:
            migrate(connection)
        else:
            connection.execute(f"attach {_quoted(path)} as council (read_only, type duckdb)")
            connection.execute("use council")
        connection.execute("set TimeZone = 'UTC'")
        connection.execute("set enable_external_access = false")
        connection.execute("set lock_configuration = true")
    except duckdb.Error as error:
        connection.close()
        if path is not None and not path.exists():
            raise FileNotFoundError(path) from None
        raise damaged(error) from None
    return connection


def documents_in(path: Path) -> int:
    """Return the number of documents that a snapshot holds.

    Raises:
        StoreDamaged: when it does not read.
    """
    with snapshot(path) as connection, limited(connection, SECONDS):
        (number,) = connection.execute("select count(*) from documents").fetchall()[0]
    return int(number)


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def answer(
    connection: duckdb.DuckDBPyConnection, text: str, bound: dict[str, Any], max_rows: int
) -> Table:
    """Run one select on a sealed connection and fetch up to `max_rows` rows.

    Raises:
        UsageError: when it does not read, is not one select, or asks for what a reader may not do.
        StoreError: when it takes more than `SECONDS` or `MEMORY_LIMIT`.
        StoreDamaged: when the file does not read.
    """
    with limited(connection, SECONDS):
        statements = connection.extract_statements(text)
        if len(statements) != 1 or statements[0].type not in _SELECTS:
            raise UsageError("Give one select statement; the store cannot be changed by SQL.")
        cursor = connection.execute(statements[0], bound)
        columns = tuple(name for name, *_ in cursor.description)
        types = tuple(str(kind) for _, kind, *_ in cursor.description)
        rows = cursor.fetchmany(max_rows + 1)
    return Table(columns, tuple(rows[:max_rows]), types, cut=len(rows) > max_rows)


def append(
    connection: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Sequence[Any]]
) -> None:
    """Put rows at the end of a table, all of them or, in a transaction, none."""
    appender = connection.appender(table)
    try:
        appender.append_rows(rows)
        appender.flush()
    except BaseException:
        appender.clear()
        raise


@contextmanager
def limited(connection: duckdb.DuckDBPyConnection, seconds: float) -> Iterator[None]:
    """Interrupt what runs inside after `seconds`, and say in words what went wrong.

    Raises:
        UsageError: for SQL that does not read, or that asks for what a reader may not do.
        StoreError: when it took too long or too much memory.
        StoreDamaged: when the file does not read.
    """
    watch = threading.Timer(seconds, connection.interrupt)
    watch.daemon = True
    watch.start()
    try:
        yield
    except duckdb.InterruptException:
        raise StoreError(
            f"The query was stopped after {seconds:g} s. Narrow it, or ask for fewer rows."
        ) from None
    except duckdb.OutOfMemoryException:
        raise StoreError(
            f"The query needs more than {MEMORY_LIMIT} of memory. Narrow it, or aggregate first."
        ) from None
    except _ASKED_WRONGLY as error:
        raise UsageError(f"The query cannot be run: {error}") from None
    except _BROKEN as error:
        raise damaged(error) from None
    finally:
        watch.cancel()


def damaged(error: Exception) -> StoreDamaged:
    """Return the error for a file that does not read."""
    said = str(error).splitlines()[0]
    return StoreDamaged(
        f"The database cannot be read ({said}). Every verdict is safe in the journal: "
        "`council store rebuild` makes the database again."
    )


def write_parquet(
    path: Path, columns: Sequence[str], types: Sequence[str], rows: Sequence[Sequence[Any]]
) -> None:
    """Write rows to a Parquet file.

    Raises:
        StoreError: when the file cannot be written.
    """
    with duckdb.connect(":memory:") as connection:
        connection.execute("set TimeZone = 'UTC'")
        quoted = ('"' + name.replace('"', '""') + '"' for name in columns)
        wanted = ", ".join(f"{name} {kind}" for name, kind in zip(quoted, types, strict=True))
        try:
            connection.execute(f"create table answer ({wanted})")
            append(connection, "answer", rows)
            connection.table("answer").write_parquet(str(path))
        except duckdb.Error as error:
            raise StoreError(f"{path} could not be written: {error}") from None
