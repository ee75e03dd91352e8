"""The delegation records: what a contract must say, and what follows from what was found."""

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from contracts.checks import Artifact, CheckResult, Verification, relative_path
from contracts.delegation import (
    Attempt,
    Budget,
    DelegationContract,
    Deliverable,
    Input,
    Manifest,
    Origin,
    audit_row,
)

MOMENT = datetime(2026, 1, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("path", "one_spelling"),
    [
        ("out.md", "out.md"),
        ("./out.md", "out.md"),
        ("a//b/./c.txt", "a/b/c.txt"),
        ("v1..v2.md", "v1..v2.md"),
        ("...", "..."),
        ("%2e%2e/x", "%2e%2e/x"),
        ("..\\x", "..\\x"),
        ("~/x", "~/x"),
        ("$HOME/x", "$HOME/x"),
        ("résumé.md", "résumé.md"),
        (" x ", " x "),
    ],
)
def test_a_path_has_one_spelling_and_nothing_in_it_is_expanded(path, one_spelling):
    assert relative_path(path) == one_spelling


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "//x",
        "..",
        "../x",
        "a/../../x",
        "a/..",
        ".",
        "./",
        "",
        "out.md/",
        "a/.",
        "out.md\n",
        "a\0b",
        "a\x1b[2Jb",
        "half \ud800",
        "x" * 256,
        "é" * 128,
        "a/" * 300 + "b",
        "a/" * 40 + "b",
    ],
)
def test_a_path_that_leaves_the_folder_or_names_no_file_is_refused(path):
    with pytest.raises(ValueError, match=r"absolute|climbs|names no file|control|longer|bytes"):
        relative_path(path)


def contract(**fields):
    return DelegationContract(
        **{"goal": "g", "deliverables": (Deliverable(path="a.md"),), **fields}
    )


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"deliverables": ()}, "at least 1"),
        ({"goal": " \n"}, "blank"),
        ({"deliverables": (Deliverable(path="a"), Deliverable(path="./a"))}, "twice"),
        ({"deliverables": (Deliverable(path="a/b"), Deliverable(path="a"))}, "folder of"),
        ({"inputs": (Input(path="a", text=""), Input(path="a", text=""))}, "twice"),
        ({"checks": ({"check": "file_exists", "path": "b.md"},)}, "not declared"),
        ({"checks": ({"check": "no_such", "path": "a.md"},)}, "no_such"),
        ({"checks": ({"check": "file_contains", "path": "a.md", "text": ""},)}, "at least 1"),
        ({"surprise": 1}, "Extra inputs"),
    ],
)
def test_a_contract_that_cannot_be_met_is_refused(fields, said):
    with pytest.raises(ValidationError, match=said):
        contract(**fields)


@pytest.mark.parametrize(
    "budget",
    [
        {"tries": 0},
        {"tries": 11},
        {"seconds": 0},
        {"seconds": -1},
        {"seconds": float("nan")},
        {"tokens": 0},
        {"seconds": 5, "seconds_per_try": 6},
        {"max_bytes": 0},
    ],
)
def test_an_impossible_budget_is_refused(budget):
    with pytest.raises(ValidationError):
        Budget(**budget)


def test_a_file_cannot_be_both_larger_and_smaller_than_its_limits():
    with pytest.raises(ValidationError, match="min_bytes"):
        Deliverable(path="a", min_bytes=2, max_bytes=1)


def test_an_input_may_be_the_placeholder_of_a_deliverable():
    assert contract(inputs=(Input(path="a.md", text="to do"),)).paths == ("a.md",)


@pytest.mark.parametrize(
    ("fields", "is_json", "is_text"),
    [
        ({}, False, False),
        ({"media_type": "text/markdown"}, False, True),
        ({"media_type": "application/json"}, True, True),
        ({"media_type": "application/ld+json"}, True, True),
        ({"json_schema": {}}, True, True),
        ({"media_type": "application/x-ndjson"}, False, True),
        ({"media_type": "image/png"}, False, False),
    ],
)
def test_a_media_type_is_a_promise(fields, is_json, is_text):
    deliverable = Deliverable(path="a", **fields)
    assert (deliverable.is_json, deliverable.is_text) == (is_json, is_text)


def found(check, path, *, ok):
    return CheckResult(check=check, path=path, ok=ok, expected="e", found="f", sentence=f"{path} f")


def test_a_verification_tells_the_first_reason_of_each_rejected_path():
    verification = Verification(
        ok=False,
        results=(
            found("delivered", "a", ok=True),
            found("file_contains", "a", ok=False),
            found("delivered", "b", ok=False).model_copy(update={"sentence": "b is not there"}),
            found("file_exists", "b", ok=False),
            found("no_extra_files", None, ok=False),
        ),
    )
    assert verification.rejected == {"a": "a f", "b": "b is not there"}
    assert len(verification.notes) == len(verification.failures) == 4


def test_an_audit_row_holds_what_is_needed_to_doubt_the_attempt():
    passed = Artifact(path="a.md", content_sha256="f" * 64, size_bytes=3)
    attempt = Attempt(
        number=2,
        asked_for=("first", "json"),
        child="command",
        child_session="s1",
        prompt_sha256="0" * 64,
        started_at=MOMENT,
        finished_at=MOMENT,
        reply="so long",
        reply_chars=9000,
        manifest=Manifest(form="prose"),
        tokens=12,
        cost_usd=0.5,
        verification=Verification(ok=True, results=(), artifacts=(passed,)),
        step="accept",
        notes=("n",),
    )
    origin = Origin(delegation_id="d1", purpose="evidence", parent_session="p1")
    row = audit_row(origin, contract(goal="g" * 900), attempt)
    assert row.model_dump(mode="json") == {
        "at": "2026-01-02T00:00:00Z",
        "delegation_id": "d1",
        "attempt": 2,
        "purpose": "evidence",
        "deliberation_id": None,
        "parent_session": "p1",
        "child": "command",
        "child_session": "s1",
        "goal": "g" * 500,
        "deliverables": ["a.md"],
        "status": "accept",
        "notes": ["n"],
        "reply_chars": 9000,
        "tokens": 12,
        "cost_usd": 0.5,
        "artifacts": {"a.md": "f" * 64},
    }


@pytest.mark.parametrize("name", ["", "../x", "a/b", "x" * 65, "a b"])
def test_a_delegations_name_cannot_be_a_path(name):
    with pytest.raises(ValidationError):
        Origin(delegation_id=name)


def test_the_name_that_bytes_are_kept_under_cannot_be_a_path():
    with pytest.raises(ValidationError):
        Artifact(path="a", content_sha256="../" + "f" * 61, size_bytes=1)
