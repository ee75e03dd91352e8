"""Delegated work as flows against a real Prefect server; a person answers through its API."""

import asyncio
import json
import os
import subprocess
import time
from pathlib import Path

import pytest
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.filters import (
    ArtifactFilter,
    ArtifactFilterFlowRunId,
    FlowRunFilter,
    FlowRunFilterId,
    FlowRunFilterState,
    FlowRunFilterStateType,
)

from contracts.settings import Settings
from flows.console.server import known_server
from tests.flows.conftest import COUNCIL, recorded

pytestmark = [pytest.mark.server, pytest.mark.slow]

SECONDS = 120


def contract(folder, name, **fields):
    wanted = [{"path": "pg.md"}, {"path": "mongo.md"}]
    body = {"goal": f"collect {name}", "deliverables": wanted, "budget": {"tries": 1}, **fields}
    path = folder / f"{name}.json"
    path.write_text(json.dumps(body))
    return str(path)


def client_of(home):
    return PrefectClient(known_server(Settings(home=Path(home))).api_url)


async def tasks_and_artifacts(home, flow_run_id):
    mine = FlowRunFilter(id=FlowRunFilterId(any_=[flow_run_id]))
    made = ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[flow_run_id]))
    async with client_of(home) as client:
        tasks = await recorded(client, flow_run_filter=mine)
        artifacts = await client.read_artifacts(artifact_filter=made)
    return {task.name for task in tasks}, {artifact.key: artifact for artifact in artifacts}


async def paused_run(home):
    """Wait until one flow run is paused, and return it."""
    paused = FlowRunFilterState(type=FlowRunFilterStateType(any_=["PAUSED"]))
    async with client_of(home) as client:
        for _ in range(SECONDS * 2):
            found = await client.read_flow_runs(flow_run_filter=FlowRunFilter(state=paused))
            if found:
                return found[0]
            await asyncio.sleep(0.5)
    raise AssertionError("no run was paused")


async def answered(home, flow_run_id, **said):
    async with client_of(home) as client:
        return await client.resume_flow_run(flow_run_id, run_input=said)


def escalating(home, path, wait):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COUNCIL_", "PREFECT_"))}
    given = ("delegate", path, "--flow", "--child", "stand-in:half", "--wait", str(wait), "--json")
    return subprocess.Popen(
        [*COUNCIL, *given],
        env={**env, "COUNCIL_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_verdict_on_half_the_evidence_says_so_as_a_flow(server_home, council, tmp_path):
    given = ("Postgres or Mongo for invoices?", "--flow", "--json", "--child", "stand-in:half")
    evidence = contract(tmp_path, "prices")
    then = contract(tmp_path, "ticket", deliverables=[{"path": "ticket.md"}])
    verdict = json.loads(
        council(server_home, "ask", *given, "--evidence", evidence, "--then", then, "--force-then")
    )
    (leaned_on,) = verdict["partial_evidence"]
    assert any("partial evidence 'prices'" in warning for warning in verdict["warnings"])
    query = (
        "select flow_run_id, delegation_id, purpose, status from delegations "
        "join deliberations using (deliberation_id) order by purpose desc"
    )
    rows = json.loads(council(server_home, "sql", "-q", query, "--format", "json"))
    assert [(r["purpose"], r["status"]) for r in rows] == [
        ("evidence", "partial"),
        ("action", "accepted"),
    ]
    assert rows[0]["delegation_id"] == leaned_on
    names, artifacts = asyncio.run(tasks_and_artifacts(server_home, rows[0]["flow_run_id"]))
    assert {"delegate-prices", "delegate-ticket"} <= names
    assert "audit" in artifacts
    assert council(server_home, "replay", "--verify", "--all")


@pytest.mark.parametrize(
    ("choice", "code", "status"), [("accept_partial", 3, "partial"), ("fail", 1, "failed")]
)
def test_a_person_is_asked_by_a_pause_and_the_choice_holds(
    server_home, tmp_path, choice, code, status
):
    run = escalating(server_home, contract(tmp_path, "costs", on_fail="escalate"), SECONDS)
    try:
        paused = asyncio.run(paused_run(server_home))
        refused = asyncio.run(answered(server_home, paused.id, choice="as you like"))
        assert refused.status.value == "REJECT"
        asyncio.run(answered(server_home, paused.id, choice=choice, note="Ada says so"))
        out, err = run.communicate(timeout=SECONDS)
    finally:
        run.kill()
    assert run.returncode == code, err
    (record,) = json.loads(out)
    assert record["status"] == status
    assert record["notes"][-1].endswith("Ada says so")
    _, artifacts = asyncio.run(tasks_and_artifacts(server_home, paused.id))
    assert "mongo" in str(artifacts["audit"].data)


def test_a_person_may_have_it_tried_again_with_a_note(server_home, tmp_path):
    run = escalating(server_home, contract(tmp_path, "again", on_fail="escalate"), SECONDS)
    try:
        first = asyncio.run(paused_run(server_home))
        asyncio.run(answered(server_home, first.id, choice="retry_with_note", note="ask billing"))
        time.sleep(3)
        second = asyncio.run(paused_run(server_home))
        asyncio.run(answered(server_home, second.id, choice="fail"))
        out, err = run.communicate(timeout=SECONDS)
    finally:
        run.kill()
    assert (run.returncode, first.id) == (1, second.id), err
    (record,) = json.loads(out)
    folder = Path(server_home) / "delegations" / record["delegation_id"]
    assert "ask billing" in (folder / "attempt-1.prompt.md").read_text()


def test_where_nobody_answers_in_time_it_stays_escalated(server_home, tmp_path):
    run = escalating(server_home, contract(tmp_path, "alone", on_fail="escalate"), 2)
    out, err = run.communicate(timeout=SECONDS)
    assert run.returncode == 4, err
    assert [record["status"] for record in json.loads(out)] == ["escalated"]
    assert "mongo.md is not there" in err
