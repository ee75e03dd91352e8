"""Contracts side by side, and what a person decides about those that escalate."""

import json
import sys
from datetime import UTC, datetime

import pytest

from contracts.delegation import DelegationContract
from contracts.errors import ContractError
from contracts.evidence import Decision
from data import audit
from data.journal import Journal
from tasks.hands import Hands
from tasks.work import Assignment, carry_out, load_work, plain_work

CHILD = """
import pathlib, sys, time
number = sys.stdin.read().split("write number ")[1].split()[0].strip(".")
pathlib.Path("out.txt").write_text(number)
meet = pathlib.Path(sys.argv[1])
(meet / number).touch()
until = time.monotonic() + 60
while len(list(meet.iterdir())) < 10 and time.monotonic() < until:
    time.sleep(0.02)
sys.exit(0 if len(list(meet.iterdir())) == 10 else 3)
"""


def contract(**fields):
    return DelegationContract.model_validate(
        {
            "goal": "collect prices",
            "deliverables": [{"path": "a.md"}, {"path": "b.md"}],
            "budget": {"tries": 1},
            **fields,
        }
    )


def quiet(*what):
    pass


def answering(home, *choices):
    """Stages with a person who answers so, one after the other."""
    left = list(choices)

    async def escalate(record):
        if not left:
            return None
        choice, note = left.pop(0)
        at = datetime(2026, 1, 1, tzinfo=UTC)
        return Decision(delegation_id=record.delegation_id, choice=choice, note=note, decided_at=at)

    return plain_work(home)._replace(escalate=escalate)


async def test_ten_contracts_are_under_way_at_once(home, tmp_path):
    """Each child waits until all ten have written: one after the other none would end with 0."""
    meet = tmp_path / "meet"
    meet.mkdir()
    asked = [
        Assignment(
            f"c{n}",
            contract(
                goal=f"write number {n}.",
                deliverables=[{"path": "out.txt"}],
                checks=[
                    {"check": "file_matches", "path": "out.txt", "pattern": f"^{n}$"},
                    {"check": "no_extra_files"},
                ],
            ),
        )
        for n in range(10)
    ]
    hands = Hands(child="command", argv=(sys.executable, "-c", CHILD, str(meet)))
    records = await carry_out(asked, hands, plain_work(home), quiet)
    assert [(r.status, r.notes) for r in records] == [("accepted", ())] * 10
    assert [r.contract.goal for r in records] == [one.contract.goal for one in asked]
    assert audit.verify(home) == (10, None)


async def test_where_nobody_can_be_asked_it_stays_escalated(home):
    asked = [Assignment("p", contract(on_fail="escalate"))]
    hands = Hands(child="stand-in", script=("half",))
    (record,) = await carry_out(asked, hands, plain_work(home), quiet)
    assert (record.status, len(record.artifacts)) == ("escalated", 1)


@pytest.mark.parametrize(("choice", "status"), [("accept_partial", "partial"), ("fail", "failed")])
async def test_what_a_person_chose_holds_and_is_kept(home, choice, status):
    asked = [Assignment("p", contract(on_fail="escalate"))]
    hands, stages = Hands(child="stand-in", script=("half",)), answering(home, (choice, "enough"))
    (record,) = await carry_out(asked, hands, stages, quiet)
    assert record.status == status
    assert record.notes[-1] == f"a person chose: {choice.replace('_', ' ')}. enough"
    kept = Journal(home).get("escalation", record.delegation_id).record(Decision)
    assert (kept.choice, kept.note) == (choice, "enough")
    stored = Journal(home).get("delegation", record.delegation_id)
    assert stored.body["status"] == "escalated"


async def test_a_retry_with_a_note_is_another_delegation_that_is_told_the_note(home):
    asked = [Assignment("p", contract(on_fail="escalate"))]
    stages = answering(home, ("retry_with_note", "ask the billing team"), ("fail", ""))
    (record,) = await carry_out(asked, Hands(child="stand-in", script=("half",)), stages, quiet)
    assert record.status == "failed"
    rows = list(audit.read(home))
    assert len({row.delegation_id for row in rows}) == 2
    folder = home / "delegations" / record.delegation_id
    assert "ask the billing team" in (folder / "attempt-1.prompt.md").read_text()


def test_contracts_are_named_by_their_files_and_checked_before_anything_runs(tmp_path):
    good = tmp_path / "prices.json"
    good.write_text(json.dumps(contract().model_dump(mode="json")))
    assert load_work([str(good)], Hands())[0].name == "prices"
    command = tmp_path / "build.json"
    body = contract(checks=[{"check": "command_succeeds", "argv": ["make"]}])
    command.write_text(json.dumps(body.model_dump(mode="json")))
    with pytest.raises(ContractError, match="allow-list"):
        load_work([str(good), str(command)], Hands())
    assert len(load_work([str(command)], Hands(allow=("make",)))) == 1
