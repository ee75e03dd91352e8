"""The tables: numbered SQL files, applied once each in order, recorded by name and hash.

The database is derived from the journal. So a migration whose first line is `-- rebuild` (its
tables need documents that were drained before) is not applied to old rows: all is made again.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

import duckdb

from contracts.base import sha256_text
from contracts.errors import MigrationFailed

DIRECTORY = Path(__file__).parent / "migrations"
_LEDGER = """
create table if not exists migrations (
    name varchar not null,   -- file name
    sha256 varchar not null, -- hash of its text
)
"""


class Migration(NamedTuple):
    """One numbered file."""

    name: str
    text: str

    @property
    def sha256(self) -> str:
        """Hash of the text."""
        return sha256_text(self.text)

    @property
    def needs_rebuild(self) -> bool:
        """Whether it can only be had by making the database again."""
        return self.text.startswith("-- rebuild")


@cache
def migrations(directory: Path = DIRECTORY) -> tuple[Migration, ...]:
    """Return all migrations in order."""
    files = sorted(directory.glob("[0-9][0-9][0-9][0-9]_*.sql"))
    return tuple(Migration(path.name, path.read_text(encoding="utf-8")) for path in files)


def fingerprint(known: tuple[Migration, ...] | None = None) -> str:
    """Return eight hex digits that tell one set of migrations from another."""
    parts = [f"{m.name} {m.sha256}" for m in known or migrations()]
    return sha256_text("\n".join(parts))[:8]


def migrate(
    connection: duckdb.DuckDBPyConnection, known: tuple[Migration, ...] | None = None
) -> bool:
    """Apply what is missing, in one transaction; return False when a rebuild is needed instead.

    Raises:
        MigrationFailed: naming the migration that does not apply.
    """
    known = known or migrations()
    connection.execute(_LEDGER)
    rows = connection.execute("select name, sha256 from migrations").fetchall()
    applied = dict(rows)
    if applied != {m.name: m.sha256 for m in known[: len(applied)]}:
        return False
    missing = known[len(applied) :]
    if applied and any(migration.needs_rebuild for migration in missing):
        return False
    with transaction(connection):
        for migration in missing:
            _apply(connection, migration)
    return True


@contextmanager
def transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Commit what is done inside, or nothing of it.

    The rollback is ours to make: after an error DuckDB 2 answers a commit with OK and rolls back.
    """
    connection.execute("begin")
    try:
        yield
    except BaseException:
        connection.execute("rollback")
        raise
    connection.execute("commit")


def _apply(connection: duckdb.DuckDBPyConnection, migration: Migration) -> None:
    try:
        connection.execute(migration.text)
    except duckdb.Error as error:
        raise MigrationFailed(
            f"The migration {migration.name} does not apply: {error}. The last snapshot stays in "
            "use; nothing is lost."
        ) from error
    connection.execute("insert into migrations values (?, ?)", [migration.name, migration.sha256])
