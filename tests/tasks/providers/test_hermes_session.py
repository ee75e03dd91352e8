"""What a session used is read from Hermes' database, and the database is left as it was."""

import sqlite3
from contextlib import closing

import pytest

from contracts.opinion import Usage
from tasks.providers.hermes_session import session_usage

REPORTED = Usage(prompt_tokens=1, completion_tokens=2, calls=1)
ROWS = [
    ("free", 100, 20, 0.0, "included", 1),
    ("priced", 100, 20, 0.25, "estimated", 2),
    ("unpriced", 100, 20, 0.0, "unknown", 1),
    ("stateless", 100, 20, 0.0, None, 1),
    ("failed", 0, 0, None, None, None),
]


@pytest.fixture
def hermes_home(tmp_path):
    with closing(sqlite3.connect(tmp_path / "state.db")) as database, database:
        database.execute(
            "CREATE TABLE sessions (id TEXT, input_tokens INT, output_tokens INT,"
            " estimated_cost_usd REAL, cost_status TEXT, api_call_count INT)"
        )
        database.executemany("INSERT INTO sessions VALUES (?,?,?,?,?,?)", ROWS)
    return tmp_path


@pytest.mark.parametrize(
    ("session", "cost", "calls"),
    [
        ("free", 0.0, 1),
        ("priced", 0.25, 2),
        ("unpriced", None, 1),
        ("stateless", None, 1),
    ],
)
def test_tokens_calls_and_a_cost_only_where_hermes_knows_one(hermes_home, session, cost, calls):
    usage = session_usage(hermes_home, session, REPORTED)
    assert (usage.prompt_tokens, usage.completion_tokens) == (100, 20)
    assert (usage.cost_usd, usage.calls) == (cost, calls)


def test_a_session_without_a_count_made_none(hermes_home):
    assert session_usage(hermes_home, "failed", REPORTED).calls == 0


def test_an_unknown_session_is_taken_as_it_was_reported(hermes_home):
    assert session_usage(hermes_home, "' OR 1=1 --", REPORTED) == REPORTED


def test_no_database_is_made_where_there_is_none(tmp_path):
    assert session_usage(tmp_path / "a?b", "x", REPORTED) == REPORTED
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"no database at all, but long enough to be read" * 50, b""])
def test_a_database_of_another_form_is_no_failure(tmp_path, content):
    (tmp_path / "state.db").write_bytes(content)
    assert session_usage(tmp_path, "x", REPORTED) == REPORTED


def test_reading_changes_nothing(hermes_home):
    before = (hermes_home / "state.db").read_bytes()
    session_usage(hermes_home, "free", REPORTED)
    assert (hermes_home / "state.db").read_bytes() == before
