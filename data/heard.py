"""Opinions that were heard, by the hash of everything that could change them.

The plain engine's counterpart of Prefect's result store: a question that was interrupted, or is
asked again, finds here what was paid for. Nothing depends on it; it may be deleted at any time,
and what it cannot keep or read is asked for again.
"""

import sqlite3
import time
import weakref
from contextlib import suppress
from datetime import timedelta
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError

from contracts.opinion import Opinion

WAIT_SECONDS = 30.0
"""How long a write of another process is waited for."""

_TABLE = """
CREATE TABLE IF NOT EXISTS heard
    (key TEXT PRIMARY KEY, heard_at REAL NOT NULL, opinion TEXT NOT NULL) WITHOUT ROWID
"""


class Heard:
    """The opinions that were heard in one home. Any number of processes may use it at once."""

    def __init__(self, home: Path) -> None:
        """Name the home; nothing is touched yet."""
        self._file = home / "heard" / "opinions.sqlite"

    def get(self, key: str, keep: timedelta | None = None) -> Opinion | None:
        """Return the opinion under `key`, None when there is none or it is older than `keep`."""
        oldest = 0.0 if keep is None else time.time() - keep.total_seconds()
        with suppress(sqlite3.Error, OSError, ValidationError):
            found = self._database.execute(
                "SELECT opinion FROM heard WHERE key = ? AND heard_at >= ?", (key, oldest)
            ).fetchone()
            return Opinion.model_validate_json(found[0]) if found else None
        return None

    def put(self, key: str, opinion: Opinion) -> None:
        """Keep an opinion: whole or not at all, also when the process is killed.

        It is not flushed to the disk: after a power cut it would be asked for again, no more.
        """
        # A ValueError: a lone surrogate, which a model may well send, has no bytes in UTF-8.
        with suppress(sqlite3.Error, OSError, ValueError):
            row = (key, time.time(), opinion.model_dump_json())
            self._database.execute("INSERT OR REPLACE INTO heard VALUES (?, ?, ?)", row)

    @cached_property
    def _database(self) -> sqlite3.Connection:
        """Return a connection that is closed with this object."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(
            self._file, timeout=WAIT_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            # So a commit waits for no disk, and a cut of the power still harms nothing.
            database.execute("PRAGMA journal_mode = wal")
            database.execute("PRAGMA synchronous = normal")
            database.execute(_TABLE)
        except sqlite3.Error:
            database.close()
            raise
        weakref.finalize(self, database.close)
        return database
