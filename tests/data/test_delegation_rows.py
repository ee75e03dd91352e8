"""Delegations in the tables, and the questions asked of them, against values counted by hand."""

from datetime import datetime, timedelta

import pytest

from contracts.checks import Artifact, CheckResult, Verification
from contracts.delegation import (
    Attempt,
    DelegationContract,
    DelegationRecord,
    Manifest,
    Origin,
    audit_row,
)
from data.store import Store
from tests.data.making import START, deliberation, keep

CONTRACT = DelegationContract.model_validate(
    {"goal": "collect prices", "deliverables": [{"path": "a.json"}, {"path": "b.md"}]}
)
HASH = "ab" * 32
ENDS = {"accepted": "accept", "partial": "partial", "escalated": "escalate", "failed": "fail"}


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "home")


def checked(*failed):
    results = tuple(
        CheckResult(
            check=name,
            path=None if name == "child_finished" else "a.json",
            ok=name not in failed,
            expected="it is well",
            found="it is not" if name in failed else "it is",
            sentence=f"{name}: seen",
        )
        for name in ("child_finished", "delivered", "count_at_least")
    )
    found = () if failed else (Artifact(path="a.json", content_sha256=HASH, size_bytes=2),)
    return Verification(ok=not failed, results=results, artifacts=found)


def attempt(number, at, step, failed, child):
    return Attempt(
        number=number,
        asked_for=("first", "notes")[:number],
        child=child,
        prompt_sha256="0" * 64,
        started_at=at,
        finished_at=at + timedelta(seconds=1),
        reply_chars=7,
        manifest=Manifest(form="json"),
        tokens=10,
        verification=checked(*failed),
        step=step,
        notes=tuple(failed),
    )


def delegated(store, name, status, *failures, child="command", days=0.0, **origin):
    """Keep one delegation as the product does: a tuple of failed checks for each attempt."""
    began = START + timedelta(days=days)
    owner = Origin(delegation_id=name, **origin)
    attempts = [
        attempt(
            number,
            began + timedelta(seconds=number),
            ENDS[status] if number == len(failures) else "retry_with_notes",
            failed,
            child,
        )
        for number, failed in enumerate(failures, start=1)
    ]
    for one in attempts:
        store.journal.put("audit", f"{name}/{one.number}", audit_row(owner, CONTRACT, one))
    record = DelegationRecord(
        **dict(owner),
        contract=CONTRACT,
        contract_sha256=CONTRACT.sha256(),
        status=status,
        attempts=tuple(attempts),
        artifacts=attempts[-1].verification.artifacts,
        tokens=10 * len(attempts),
        started_at=began,
        finished_at=began + timedelta(seconds=len(attempts) + 2),
    )
    store.journal.put("delegation", name, record)


@pytest.fixture
def some(store):
    """Command: 2 accepted (one at the second try), 1 partial later. Hermes: 1 escalated."""
    keep(store.journal, deliberation("one", {"A": "yes"}, topic="law", batch_id="b"))
    delegated(store, "d1", "accepted", ())
    delegated(store, "d2", "accepted", ("count_at_least",), (), deliberation_id="one")
    delegated(store, "d3", "partial", ("delivered",), ("delivered",), days=10)
    delegated(store, "d4", "escalated", ("child_finished", "delivered"), child="hermes")
    return store


def ask(store, name, **parameters):
    return store.query(name, **parameters).records()


def test_a_delegation_is_one_row_and_each_attempt_and_check_one(some):
    rows = some.sql("select attempts, deliverables, artifacts, duration_ms from delegations")
    assert sorted(rows.rows) == [(1, 2, 0, 3000), (1, 2, 1, 3000), (2, 2, 0, 4000), (2, 2, 1, 4000)]
    assert some.sql("select count(*) from delegation_attempts").rows == ((6,),)
    assert some.sql("select count(*) from delegation_checks").rows == ((18,),)


def test_outcomes_by_child_and_status(some):
    rows = [
        (r["child"], r["status"], r["n"], r["share"], r["mean_attempts"], r["share_delivered"])
        for r in ask(some, "delegation_outcomes")
    ]
    assert rows == [
        ("command", "accepted", 2, pytest.approx(2 / 3), 1.5, 0.5),
        ("command", "partial", 1, pytest.approx(1 / 3), 2, 0),
        ("hermes", "escalated", 1, 1, 1, 0),
    ]
    assert ask(some, "delegation_outcomes")[0]["tokens"] == 30


def test_checks_that_fail_most(some):
    rows = [
        (r["child"], r["check_name"], r["n"], r["n_failed"], r["share_failed"])
        for r in ask(some, "delegation_check_failures")
    ]
    assert rows == [
        ("command", "delivered", 5, 2, pytest.approx(0.4)),
        ("hermes", "child_finished", 1, 1, 1),
        ("hermes", "delivered", 1, 1, 1),
        ("command", "count_at_least", 5, 1, pytest.approx(0.2)),
    ]
    assert ask(some, "delegation_check_failures")[0]["example"] == "delivered: seen"


@pytest.mark.parametrize("name", ["delegation_outcomes", "delegation_check_failures"])
def test_since_topic_and_batch_narrow_them(some, name):
    assert {row["child"] for row in ask(some, name, since="2026-01-10")} == {"command"}
    assert [row["child"] for row in ask(some, name, topic="law")] == ["command"]
    assert ask(some, name, batch="b") == ask(some, name, topic="law")
    assert ask(some, name, topic="art") == []


def test_the_audit_lists_newest_first_by_time_and_status(some):
    every = ask(some, "audit")
    assert [row["delegation_id"] for row in every[:2]] == ["d3", "d3"]
    assert (every[0]["attempt"], every[0]["status"]) == (2, "partial")
    (last,) = ask(some, "audit", status="partial", since=str(datetime(2026, 1, 10).date()))  # noqa: DTZ001
    assert (last["delegation_id"], last["notes"]) == ("d3", ["delivered"])
    accepted = ask(some, "audit", status="accept")
    assert [row["artifact_sha256"] for row in accepted] == [[HASH], [HASH]]
    assert {row["deliberation_id"] for row in accepted} == {None, "one"}


def test_an_attempt_of_a_delegation_that_never_ended_is_there(store):
    row = audit_row(Origin(delegation_id="d"), CONTRACT, attempt(1, START, "accept", (), "command"))
    store.journal.put("audit", "d/1", row)
    assert len(ask(store, "audit")) == 1
    assert ask(store, "delegation_outcomes") == []
