"""Hermes as a child: the real program against a server that plays its model."""

import json
import sqlite3
from contextlib import closing

import pytest

from contracts.delegation import DelegationContract
from contracts.errors import AuthFailed, EmptyReply, NetworkForbidden
from contracts.juror import Endpoint
from contracts.settings import Settings, settings
from data import audit
from tasks.children import Errand
from tasks.delegation import delegate
from tasks.hermes_child import HermesChild, Spent, session_tree
from tasks.providers.hermes_outcome import Report
from tasks.providers.process import Finished
from tasks.providers.scripted_server import ScriptedServer
from tasks.verifying.vault import read_artifact

BINARY = Settings().hermes_bin
DONE = json.dumps({"status": "completed", "artifacts": ["out.md"], "summary": "Done."})
CONTRACT = DelegationContract.model_validate(
    {
        "goal": "Write the findings.",
        "deliverables": [{"path": "out.md", "media_type": "text/markdown"}],
        "checks": [{"check": "no_extra_files"}],
        "budget": {"seconds": 240, "tries": 2},
    }
)


def endpoint(model="m", base_url="http://127.0.0.1:9/v1", **fields):
    return Endpoint(provider="hermes", model=model, base_url=base_url, **fields)


def calls(name, **arguments):
    return {"tool_calls": [{"name": name, "arguments": arguments}]}


def delegating(body):
    """A model that gives the work to a child of its own, which writes the file."""
    text = json.dumps(body["messages"])
    is_child = "The inner goal" in text and "delegate_task" not in text
    if is_child and '"tool"' not in text:
        return calls("write_file", path="out.md", content="# From below\n")
    if is_child or '"tool"' in text:
        return DONE
    return calls("delegate_task", goal="The inner goal: write out.md", context="none")


def real(test):
    """Mark a test that drives the real program."""
    here = pytest.mark.skipif(
        BINARY is None,
        reason="COUNCIL_HERMES_BIN is not set; .ci/hermes installs Hermes and prints its path",
    )
    return pytest.mark.hermes(here(test))


@real
@pytest.mark.parametrize("name", ["writes", "lies", "limited", "speechless"])
async def test_what_hermes_did_is_read_from_the_disk(home, name):
    models = {
        "writes": [calls("write_file", path="out.md", content="# Findings\n"), DONE],
        "lies": DONE,
        "limited": {"fault": "rate_limited"},
        "speechless": [
            calls("write_file", path="out.md", content="# Findings\n"),
            {"fault": "empty"},
        ],
    }
    expected = {
        "writes": ("accepted", ["accept"], None),
        "lies": ("partial", ["ask_for_artifacts", "partial"], None),
        "limited": ("partial", ["retry_with_notes", "partial"], "rate_limited"),
        "speechless": ("accepted", ["accept"], None),
    }
    with ScriptedServer(models) as server:
        child = HermesChild(endpoint(name, server.base_url), home, binary=BINARY)
        record = await delegate(CONTRACT, child, home)
    status, steps, error = expected[name]
    assert (record.status, [attempt.step for attempt in record.attempts]) == (status, steps)
    assert {attempt.error for attempt in record.attempts} == {error}
    assert audit.verify(home) == (len(steps), None)
    for artifact in record.artifacts:
        assert read_artifact(home, record.delegation_id, artifact) == b"# Findings\n"
    if name == "writes":
        assert record.attempts[0].child_session
        assert record.tokens > 0
        row = next(audit.read(home))
        assert row.artifacts == {"out.md": record.artifacts[0].content_sha256}
        assert (row.child, row.child_session) == ("hermes", record.attempts[0].child_session)


@real
async def test_hermes_writing_outside_its_folder_is_caught(home):
    target = home / "skills" / "council" / "SKILL.md"
    target.parent.mkdir(parents=True)
    target.write_text("learned")
    script = [
        calls("write_file", path=str(target), content="forged"),
        calls("write_file", path="out.md", content="# Findings\n"),
        DONE,
    ]
    with ScriptedServer({"m": script}) as server:
        child = HermesChild(endpoint("m", server.base_url), home, binary=BINARY)
        record = await delegate(CONTRACT, child, home)
    assert record.status == "failed"
    assert record.attempts[0].verification.outside == ("skills/council/SKILL.md",)
    assert record.artifacts == ()


@real
async def test_hermes_that_does_not_end_is_ended(home):
    asked = CONTRACT.model_copy(
        update={"budget": CONTRACT.budget.model_copy(update={"seconds": 12.0})}
    )
    with ScriptedServer({"m": {"fault": "hang"}}) as server:
        child = HermesChild(endpoint("m", server.base_url), home, binary=BINARY)
        record = await delegate(asked, child, home)
    assert record.status == "partial"
    assert record.attempts[0].timed_out
    assert "was cut off when its 12 s were over" in " ".join(record.notes)


@real
async def test_hermes_own_children_are_paid_for_by_the_session_above(home):
    with ScriptedServer({"m": delegating}) as server:
        child = HermesChild(
            endpoint("m", server.base_url),
            home,
            toolsets=("file", "delegation"),
            binary=BINARY,
        )
        record = await delegate(CONTRACT, child, home)
    assert record.status == "accepted", record.notes
    (attempt,) = record.attempts
    with closing(sqlite3.connect(child.home / "state.db")) as database:
        rows = database.execute(
            "SELECT parent_session_id, input_tokens + output_tokens FROM sessions"
        ).fetchall()
    assert sorted(parent or "" for parent, _ in rows) == ["", attempt.child_session]
    assert attempt.tokens == sum(tokens for _, tokens in rows)


def finished(**fields):
    whole = {
        "returncode": 0,
        "stdout": DONE,
        "stderr": "",
        "timed_out": False,
        "truncated": False,
        "seconds": 1.0,
    }
    return Finished(**{**whole, **fields})


@pytest.mark.parametrize(
    ("end", "report", "failure"),
    [
        (finished(), Report(completed=True), None),
        (finished(stdout=""), Report(completed=True), None),
        (finished(stdout="HTTP 429: slow down"), Report(failed=True), "rate_limited"),
        (finished(), Report(completed=False), "truncated"),
        (finished(), Report(interrupted=True), "server_error"),
        (finished(returncode=1, stderr="boom"), None, "failed"),
        (finished(returncode=-9, timed_out=True), None, None),
    ],
)
async def test_how_hermes_ended_is_told_by_code_report_and_text(home, end, report, failure):
    reply = await HermesChild(endpoint(), home)._reply(end, report)
    assert (reply.failure.kind if reply.failure else None) == failure
    assert not isinstance(reply.failure, EmptyReply)
    assert reply.timed_out == end.timed_out


async def test_nothing_is_started_without_its_key_or_beyond_this_machine(home, monkeypatch):
    errand = Errand("p", home, 1.0, CONTRACT)
    with pytest.raises(AuthFailed, match="SOME_KEY is not set"):
        await HermesChild(endpoint(api_key_env="SOME_KEY"), home).run(errand)
    monkeypatch.setenv("COUNCIL_OFFLINE", "1")
    settings.cache_clear()
    with pytest.raises(NetworkForbidden):
        await HermesChild(endpoint(base_url="https://api.example/v1"), home).run(errand)


SESSIONS = """
CREATE TABLE sessions (
    id TEXT, parent_session_id TEXT, input_tokens INTEGER, output_tokens INTEGER,
    estimated_cost_usd REAL, cost_status TEXT
);
INSERT INTO sessions VALUES
    ('top', NULL, 100, 10, 0.5, 'estimated'),
    ('a', 'top', 200, 20, 0.25, 'estimated'),
    ('b', 'a', 300, 30, 0.0, 'unknown'),
    ('loop', 'loop', 1, 1, NULL, NULL),
    ('other', NULL, 9999, 9999, 9.0, 'estimated');
"""


@pytest.mark.parametrize(
    ("session", "spent"),
    [
        ("top", Spent(660, 0.75)),
        ("b", Spent(330, None)),
        ("loop", Spent(2, None)),
        ("none", Spent(None, None)),
    ],
)
def test_a_session_is_counted_with_all_that_it_delegated_to(home, session, spent):
    home.mkdir()
    with closing(sqlite3.connect(home / "state.db")) as database:
        database.executescript(SESSIONS)
    assert session_tree(home, session) == spent


def test_a_home_without_a_database_costs_nothing_that_is_known(home):
    assert session_tree(home, "x") == Spent(None, None)
