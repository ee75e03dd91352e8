"""The decision tree: every branch, as a table."""

from datetime import UTC, datetime

import pytest

from contracts.checks import Artifact, CheckResult, FileExists, NoExtraFiles, Verification
from contracts.delegation import Budget, ChildRun, DelegationContract, Deliverable, Manifest
from tasks.verifying.tree import (
    NOT_JSON,
    Accept,
    AskForArtifacts,
    Escalate,
    Fail,
    Partial,
    RetryWithNotes,
    narrowed,
    next_step,
)

MOMENT = datetime(2026, 1, 2, tzinfo=UTC)


def attempt(number=1, asked_for=("first",), form="json", **fields):
    return ChildRun(
        number=number,
        asked_for=asked_for,
        child="c",
        prompt_sha256="",
        started_at=MOMENT,
        finished_at=MOMENT,
        manifest=Manifest(form=form, status="completed"),
        **fields,
    )


def result(path, *, ok, recoverable=True, check="delivered"):
    return CheckResult(
        check=check,
        path=path,
        ok=ok,
        expected="e",
        found="f",
        sentence=f"{path} {'fine' if ok else 'broken'}",
        recoverable=recoverable,
    )


def verification(*results, ok=False, missing=(), outside=(), passed=()):
    artifacts = tuple(Artifact(path=p, content_sha256="0" * 64, size_bytes=7) for p in passed)
    return Verification(
        ok=ok, results=results, missing=missing, outside=outside, artifacts=artifacts
    )


def contract(**fields):
    whole = {
        "goal": "g",
        "deliverables": (Deliverable(path="a"), Deliverable(path="b", required=False)),
        "budget": Budget(tries=3, seconds=100, tokens=1000),
        **fields,
    }
    return DelegationContract(**whole)


FINE = verification(result("a", ok=True), ok=True, passed=("a",))
BROKEN = verification(result("a", ok=False))
FATAL = verification(result("a", ok=False, recoverable=False))
MISSING = verification(result("a", ok=False), missing=("a",))
OUTSIDE = verification(result("a", ok=True), outside=("x",), passed=("a",))
OPTIONAL_FATAL = verification(result("a", ok=False), result("b", ok=False, recoverable=False))
WHOLE_FATAL = verification(result(None, ok=False, recoverable=False), passed=("a",))


@pytest.mark.parametrize(
    ("run", "seen", "asked", "step"),
    [
        # What passed is accepted, whatever the child says and however late it is.
        (attempt(), FINE, contract(), Accept),
        (attempt(form="prose"), FINE, contract(), Accept),
        (attempt(form="empty"), FINE, contract(), Accept),
        (attempt(number=3), FINE, contract(), Accept),
        (attempt(spent_seconds=999, spent_tokens=9999), FINE, contract(), Accept),
        # Changes outside end it, also where all else is fine.
        (attempt(), OUTSIDE, contract(), Fail),
        (attempt(), OUTSIDE, contract(on_fail="fail"), Fail),
        (attempt(), OUTSIDE, contract(on_fail="escalate"), Escalate),
        # What cannot be mended ends it at once, as the contract says.
        (attempt(), FATAL, contract(), Partial),
        (attempt(), FATAL, contract(on_fail="escalate"), Escalate),
        (attempt(), FATAL, contract(on_fail="fail"), Fail),
        (attempt(), WHOLE_FATAL, contract(), Partial),
        # … but not where it is about an optional file.
        (attempt(), OPTIONAL_FATAL, contract(), RetryWithNotes),
        # The budget ends it: tries, seconds, tokens.
        (attempt(number=3), BROKEN, contract(), Partial),
        (attempt(number=3), MISSING, contract(), Partial),
        (attempt(number=3, form="prose"), MISSING, contract(), Partial),
        (attempt(number=3), BROKEN, contract(on_fail="escalate"), Escalate),
        (attempt(number=3), BROKEN, contract(on_fail="fail"), Fail),
        (attempt(), BROKEN, contract(budget=Budget(tries=1)), Partial),
        (attempt(spent_seconds=100), BROKEN, contract(), Partial),
        (attempt(spent_seconds=99), BROKEN, contract(), RetryWithNotes),
        (attempt(spent_tokens=1000), BROKEN, contract(), Partial),
        (attempt(spent_tokens=999), BROKEN, contract(), RetryWithNotes),
        (attempt(spent_tokens=10**9), BROKEN, contract(budget=Budget()), RetryWithNotes),
        # A child that did not end well is tried again; asking it for files or form makes no sense.
        (attempt(timed_out=True, form="empty"), MISSING, contract(), RetryWithNotes),
        (attempt(error="rate_limited", form="empty"), MISSING, contract(), RetryWithNotes),
        (attempt(exit_code=1), MISSING, contract(), RetryWithNotes),
        (attempt(exit_code=0), MISSING, contract(), AskForArtifacts),
        # Missing files are asked for once.
        (attempt(), MISSING, contract(), AskForArtifacts),
        (attempt(2, ("first", "artifacts")), MISSING, contract(), Partial),
        (attempt(2, ("first", "artifacts")), BROKEN, contract(), RetryWithNotes),
        (attempt(2, ("first", "notes")), MISSING, contract(), AskForArtifacts),
        (attempt(2, ("first", "artifacts")), MISSING, contract(on_fail="escalate"), Escalate),
        # Faults that can be mended are told.
        (attempt(), BROKEN, contract(), RetryWithNotes),
        (attempt(2, ("first", "notes")), BROKEN, contract(), RetryWithNotes),
    ],
)
def test_the_step_that_follows(run, seen, asked, step):
    assert type(next_step(run, seen, asked)) is step


@pytest.mark.parametrize("form", ["prose", "empty"])
@pytest.mark.parametrize("seen", [BROKEN, MISSING])
def test_a_reply_that_is_no_json_is_asked_for_once(form, seen):
    first = next_step(attempt(form=form), seen, contract())
    assert isinstance(first, RetryWithNotes)
    assert first.json_wanted
    assert first.notes[-1] == NOT_JSON
    again = next_step(attempt(2, ("first", "json"), form=form), seen, contract())
    assert not getattr(again, "json_wanted", False)


def test_a_repaired_reply_is_json_enough():
    assert isinstance(next_step(attempt(form="repaired"), MISSING, contract()), AskForArtifacts)


def test_a_step_says_why():
    assert next_step(attempt(), BROKEN, contract()).notes == ("a broken",)
    ended = next_step(attempt(number=3), BROKEN, contract())
    assert ended.notes == ("a broken", "all 3 tries are used up")
    asked = next_step(attempt(), MISSING, contract())
    assert asked.missing == ("a",)


def test_the_next_try_is_about_what_did_not_pass():
    checks = (FileExists(path="a"), FileExists(path="b"), NoExtraFiles())
    seen = verification(result("a", ok=True), result("b", ok=False), passed=("a",))
    asked = contract(checks=checks, budget=Budget(max_bytes=100))
    left = narrowed(asked, seen)
    assert left.paths == ("b",)
    assert left.checks == (FileExists(path="b"), NoExtraFiles())
    assert left.budget.max_bytes == 93
    assert left.goal == asked.goal


def test_nothing_is_left_out_where_the_whole_did_not_pass():
    seen = verification(
        result("a", ok=True), result(None, ok=False, check="command_succeeds"), passed=("a",)
    )
    assert narrowed(contract(), seen) == contract()
