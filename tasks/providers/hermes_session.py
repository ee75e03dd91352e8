"""Reads what one session used from Hermes' own database, without being able to change it."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

from contracts.opinion import Usage

WAIT_SECONDS = 2.0
NO_PRICE = frozenset({None, "", "unknown"})
"""Cost states in which the number means nothing: Hermes writes 0.0 where it knows no price."""

_QUERY = """
SELECT input_tokens, output_tokens, estimated_cost_usd, cost_status, api_call_count
FROM sessions WHERE id = ?
"""


def session_address(home: Path, session_id: str) -> str | None:
    """Return the address that a session was answered from, None where Hermes does not tell it."""
    query = "SELECT billing_base_url FROM sessions WHERE id = ?"
    row = _row(home, query, session_id)
    return str(row[0]) if row and row[0] else None


def session_usage(home: Path, session_id: str, reported: Usage) -> Usage:
    """Return what a session used: tokens, US dollars where known, requests made.

    Args:
        home: the Hermes home of the run.
        session_id: as Hermes told it.
        reported: taken where there is no such session, or a version that keeps it elsewhere.
    """
    row = _row(home, _QUERY, session_id)
    if row is None:
        return reported
    prompt, completion, cost, status, calls = row
    return Usage(
        prompt_tokens=prompt,
        completion_tokens=completion,
        cost_usd=None if status in NO_PRICE else cost,
        calls=calls or 0,
    )


def _row(home: Path, query: str, session_id: str) -> tuple[Any, ...] | None:
    """Return a session's row; None where there is none, or a version that keeps it elsewhere."""
    address = f"file:{quote(str(home / 'state.db'))}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=WAIT_SECONDS)) as database:
            row: tuple[Any, ...] | None = database.execute(query, (session_id,)).fetchone()
    except sqlite3.Error:
        return None
    return row
