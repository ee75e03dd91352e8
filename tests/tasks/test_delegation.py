"""One contract from start to end: attempts, verification, what is kept, what is audited."""

import asyncio
import json
import sys
from datetime import UTC, datetime

import pytest

from contracts.delegation import DelegationContract, DelegationRecord, Origin
from contracts.errors import AuthFailed, ContractError, NotFound, StoreDamaged
from data import audit
from data.journal import Journal
from tasks.children import ChildReply, CommandChild
from tasks.delegation import delegate
from tasks.stand_in_child import StandInChild
from tasks.verifying import child_run
from tasks.verifying.vault import read_artifact

MOMENT = datetime(2026, 1, 2, tzinfo=UTC)


def contract(**fields):
    return DelegationContract.model_validate(
        {
            "goal": "collect findings",
            "deliverables": [
                {
                    "path": "findings.json",
                    "json_schema": {
                        "type": "object",
                        "required": ["items"],
                        "properties": {"items": {"type": "array"}},
                    },
                },
                {"path": "notes/report.md", "media_type": "text/markdown"},
            ],
            "checks": [
                {"check": "count_at_least", "path": "findings.json", "count": 3, "at": "/items"},
                {"check": "file_contains", "path": "notes/report.md", "text": "Findings"},
                {"check": "no_extra_files"},
            ],
            "inputs": [{"path": "log.txt", "text": "boom"}],
            **fields,
        }
    )


async def run(home, *script, asked=None, **options):
    return await delegate(asked or contract(), StandInChild(script), home, **options)


def steps(record):
    return [(attempt.asked_for[-1], attempt.step) for attempt in record.attempts]


async def test_work_as_promised_is_accepted_and_its_bytes_are_kept(home):
    record = await run(home, "works")
    assert (record.status, steps(record)) == ("accepted", [("first", "accept")])
    assert [artifact.path for artifact in record.artifacts] == ["findings.json", "notes/report.md"]
    assert record.notes == ()
    assert record.simulated
    data = read_artifact(home, record.delegation_id, record.artifacts[0])
    assert len(json.loads(data)["items"]) == 3


async def test_the_bytes_that_were_verified_outlive_the_childs_files(home):
    record = await run(home, "works")
    folder = home / "delegations" / record.delegation_id
    (folder / "attempt-1" / "findings.json").write_text("replaced")
    assert json.loads(read_artifact(home, record.delegation_id, record.artifacts[0]))
    kept = folder / "accepted" / record.artifacts[0].content_sha256
    kept.write_bytes(b"tampered")
    with pytest.raises(StoreDamaged, match="changed after it was verified"):
        read_artifact(home, record.delegation_id, record.artifacts[0])
    kept.unlink()
    with pytest.raises(NotFound):
        read_artifact(home, record.delegation_id, record.artifacts[0])


@pytest.mark.parametrize(
    ("script", "status", "expected", "paths"),
    [
        (
            ["lies"],
            "partial",
            [("first", "ask_for_artifacts"), ("artifacts", "partial")],
            [],
        ),
        (
            ["half", "works"],
            "accepted",
            [("first", "ask_for_artifacts"), ("artifacts", "accept")],
            [("findings.json", 1), ("notes/report.md", 2)],
        ),
        (
            ["half", "lies"],
            "partial",
            [("first", "ask_for_artifacts"), ("artifacts", "partial")],
            [("findings.json", 1)],
        ),
        (
            ["talks", "lies", "works"],
            "accepted",
            [("first", "retry_with_notes"), ("json", "ask_for_artifacts"), ("artifacts", "accept")],
            [("findings.json", 3), ("notes/report.md", 3)],
        ),
        (
            ["breaks"],
            "partial",
            [
                ("first", "retry_with_notes"),
                ("notes", "retry_with_notes"),
                ("notes", "partial"),
            ],
            [],
        ),
        (["outside"], "failed", [("first", "fail")], []),
        (
            ["half", "outside"],
            "failed",
            [("first", "ask_for_artifacts"), ("artifacts", "fail")],
            [],
        ),
        (
            ["hangs", "works"],
            "accepted",
            [("first", "retry_with_notes"), ("notes", "accept")],
            [("findings.json", 2), ("notes/report.md", 2)],
        ),
        (
            ["rate_limited"],
            "partial",
            [
                ("first", "retry_with_notes"),
                ("notes", "retry_with_notes"),
                ("notes", "partial"),
            ],
            [],
        ),
        (
            ["crashes", "crashes", "rate_limited"],
            "partial",
            [
                ("first", "retry_with_notes"),
                ("notes", "retry_with_notes"),
                ("notes", "partial"),
            ],
            [("findings.json", 2), ("notes/report.md", 2)],
        ),
    ],
    ids=lambda value: (
        "-".join(value) if isinstance(value, list) and value and isinstance(value[0], str) else ""
    ),
)
async def test_what_children_do_wrong_ends_as_the_tree_says(home, script, status, expected, paths):
    record = await run(home, *script)
    assert record.status == status
    assert steps(record) == expected
    assert [(artifact.path, artifact.attempt) for artifact in record.artifacts] == paths
    assert audit.verify(home) == (len(expected), None)
    if status != "accepted":
        assert record.notes[0] == f"{len(paths)} of 2 files passed"
    for artifact in record.artifacts:
        assert read_artifact(home, record.delegation_id, artifact)


@pytest.mark.parametrize(
    ("on_fail", "status"), [("partial", "partial"), ("escalate", "escalated"), ("fail", "failed")]
)
async def test_giving_up_is_what_the_contract_says(home, on_fail, status):
    record = await run(home, "half", asked=contract(on_fail=on_fail, budget={"tries": 1}))
    assert record.status == status
    assert bool(record.artifacts) == record.usable == (on_fail != "fail")


async def test_the_next_attempt_is_fresh_and_about_what_did_not_pass(home):
    record = await run(home, "half", "works")
    folder = home / "delegations" / record.delegation_id
    first, second = (folder / f"attempt-{n}.prompt.md" for n in (1, 2))
    assert "- findings.json (application/json" in first.read_text()
    told = second.read_text()
    assert "- findings.json (accepted already" in told
    assert "- findings.json (application/json" not in told
    assert "notes/report.md is not there" in told
    assert (folder / "attempt-2" / "findings.json").exists()
    checked = {result.path for result in record.attempts[1].verification.results}
    assert checked == {None, "notes/report.md"}


async def test_a_claim_that_is_not_true_is_in_the_notes_only(home):
    record = await run(home, "lies")
    said = "the child claims findings.json, notes/report.md, which did not pass"
    assert said in record.attempts[0].notes
    assert record.attempts[0].manifest.status == "completed"


async def test_every_attempt_is_one_row_of_the_audit_and_one_document(home):
    origin = Origin(delegation_id="d1", purpose="evidence", deliberation_id="x", parent_session="p")
    record = await run(home, "half", "works", origin=origin, clock=lambda: MOMENT)
    rows = list(audit.read(home))
    assert [(r.attempt, r.status) for r in rows] == [(1, "ask_for_artifacts"), (2, "accept")]
    assert all(
        (r.delegation_id, r.purpose, r.parent_session) == ("d1", "evidence", "p") for r in rows
    )
    assert rows[0].at == MOMENT
    assert rows[0].deliverables == ("findings.json", "notes/report.md")
    assert rows[1].artifacts == {"notes/report.md": record.artifacts[1].content_sha256}
    journal = Journal(home)
    assert journal.get("delegation", "d1").record(DelegationRecord) == record
    assert journal.has("audit", "d1/1")
    assert journal.has("audit", "d1/2")
    text = (home / "delegations" / "d1" / "record.json").read_text()
    assert DelegationRecord.model_validate_json(text) == record


async def test_a_contract_that_can_never_be_met_starts_nothing(home):
    asked = contract(checks=[{"check": "command_succeeds", "argv": ["make"]}])
    with pytest.raises(ContractError, match="allow-list"):
        await run(home, asked=asked)
    assert not home.exists()


async def test_a_name_that_is_taken_is_refused(home):
    await run(home, origin=Origin(delegation_id="d1"))
    with pytest.raises(ContractError, match="'d1' is taken"):
        await run(home, origin=Origin(delegation_id="d1"))


async def test_ten_contracts_run_side_by_side(home):
    records = await asyncio.gather(*(run(home, "half", "works") for _ in range(10)))
    assert [record.status for record in records] == ["accepted"] * 10
    assert audit.verify(home) == (20, None)


async def test_a_person_can_say_what_was_wrong_before(home):
    record = await run(home, notes=("leave out the weekend",), origin=Origin(delegation_id="d"))
    assert "leave out the weekend" in (home / "delegations/d/attempt-1.prompt.md").read_text()
    assert record.status == "accepted"


class Scripted:
    """A child that a test scripts by a function."""

    name = "scripted"

    def __init__(self, act):
        self.act = act
        self.errands = []

    async def run(self, errand):
        self.errands.append(errand)
        return await self.act(errand)


async def test_tokens_and_cost_are_summed_and_end_the_tries(home):
    async def costly(errand):
        return ChildReply('{"status": "failed"}', tokens=600, cost_usd=0.25, session_id="s")

    child = Scripted(costly)
    asked = contract(budget={"tokens": 1000, "tries": 9})
    record = await delegate(asked, child, home)
    assert (record.tokens, record.cost_usd, len(child.errands)) == (1200, 0.5, 2)
    assert record.attempts[1].spent_tokens == 1200
    assert record.attempts[0].child_session == "s"


async def test_a_child_that_cannot_be_reached_for_good_is_not_tried_again(home):
    async def refused(errand):
        raise AuthFailed("no key")

    record = await delegate(contract(), Scripted(refused), home)
    assert steps(record) == [("first", "partial")]
    assert record.attempts[0].error == "auth"
    assert "could not be done by the child (auth): no key" in record.notes[1]
    assert record.tokens is None


async def test_a_child_that_ignores_its_time_is_left(home, monkeypatch):
    monkeypatch.setattr(child_run, "GRACE_SECONDS", 0.05)

    async def sleeps(errand):
        await asyncio.sleep(60)

    asked = contract(budget={"seconds": 0.1, "tries": 5})
    record = await delegate(asked, Scripted(sleeps), home)
    assert [attempt.timed_out for attempt in record.attempts] == [True]


async def test_each_try_gets_its_own_time_and_no_more_than_is_left(home):
    async def nothing(errand):
        return ChildReply("{}")

    child = Scripted(nothing)
    asked = contract(budget={"seconds": 100, "seconds_per_try": 30, "tries": 2})
    await delegate(asked, child, home)
    assert [errand.seconds for errand in child.errands] == [30, 30]
    child = Scripted(nothing)
    await delegate(contract(budget={"seconds": 100, "tries": 2}), child, home)
    assert child.errands[0].seconds == 100
    assert 90 < child.errands[1].seconds < 100


async def test_an_input_is_no_deliverable_until_it_is_rewritten(home):
    seeded = contract(
        deliverables=[{"path": "findings.json"}],
        checks=[],
        inputs=[{"path": "findings.json", "text": "[]"}],
    )
    record = await run(home, "lies", asked=seeded)
    assert record.status == "partial"
    assert "lay there before" in " ".join(record.notes)
    assert (await run(home, "works", asked=seeded)).status == "accepted"


WRITES = """\
import json, os, pathlib, sys
prompt = sys.stdin.read()
pathlib.Path("notes").mkdir()
pathlib.Path("notes/report.md").write_text("# Findings")
pathlib.Path("findings.json").write_text(json.dumps({"items": [1, 2, prompt]}))
print(json.dumps({"status": "completed", "artifacts": ["findings.json", "notes/report.md"],
                  "summary": " ".join(sorted(os.environ))}))
"""


async def test_a_command_gets_the_prompt_a_folder_and_a_bare_environment(home, monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "secret")
    child = CommandChild([sys.executable, "-c", WRITES])
    record = await delegate(contract(), child, home)
    assert record.status == "accepted"
    assert not record.simulated
    assert record.attempts[0].exit_code == 0
    seen = record.attempts[0].manifest.summary.split()
    assert "PATH" in seen
    assert "SOME_API_KEY" not in seen
    items = json.loads(read_artifact(home, record.delegation_id, record.artifacts[0]))["items"]
    assert "collect findings" in items[2]


async def test_a_command_that_hangs_is_ended_and_what_it_had_written_is_partial(home):
    code = (
        "import pathlib, time; pathlib.Path('findings.json').write_text('{\"items\": [1, 2, 3]}');"
        "time.sleep(60)"
    )
    asked = contract(budget={"seconds": 1.5, "tries": 2})
    record = await delegate(asked, CommandChild([sys.executable, "-c", code]), home)
    assert record.status == "partial"
    assert [artifact.path for artifact in record.artifacts] == ["findings.json"]
    assert "was cut off" in " ".join(record.notes)


async def test_a_command_that_writes_outside_is_caught(home):
    (home / "skills").mkdir(parents=True)
    code = f"import pathlib; pathlib.Path({str(home / 'skills' / 'SKILL.md')!r}).write_text('x')"
    record = await delegate(contract(), CommandChild([sys.executable, "-c", code]), home)
    assert record.status == "failed"
    assert record.attempts[0].verification.outside == ("skills/SKILL.md",)


async def test_a_command_that_is_not_there_is_told(home):
    record = await delegate(contract(), CommandChild(["no-such-program-here"]), home)
    assert [attempt.error for attempt in record.attempts] == ["missing_binary"]
