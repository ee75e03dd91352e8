"""Refit and reflection as flows: paused, answered and resumed through the server's API."""

import asyncio
import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterFlowRunId
from prefect.client.schemas.sorting import FlowRunSort

from contracts.settings import Settings
from data.store import Store
from flows.console.server import known_server
from tests.benchmarks.sample import write_sample
from tests.tasks.arena.making import keep_bouts

pytestmark = [pytest.mark.server, pytest.mark.slow]

SECONDS = 200
REFLECT = """
import asyncio, json, sys
from contracts.settings import settings
from flows.console.server import point_prefect_at
point_prefect_at(settings(), sys.argv[1])
from flows.reflect import reflect
chosen = asyncio.run(reflect(wait_minutes=float(sys.argv[2])))
print(json.dumps([one._asdict() for one in chosen]))
"""


@pytest.fixture
def api_url(server_home):
    return known_server(Settings(home=Path(server_home))).api_url


@pytest.fixture
def sample(home):
    """A home of its own, with the sample history, on the session's server."""
    home.mkdir(parents=True)
    write_sample(home, until=datetime.now(UTC))
    return home


def start(home, api_url, *arguments, code=REFLECT):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COUNCIL_", "PREFECT_"))}
    env |= {"COUNCIL_HOME": str(home), "PREFECT_API_URL": api_url}
    argv = [sys.executable, "-c", code, api_url, *map(str, arguments)]
    return subprocess.Popen(
        argv, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def finish(process):
    told, wrong = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, wrong
    return json.loads(told.strip().splitlines()[-1])


async def paused(client, seen):
    """Wait for the newest run to ask something that was not asked before; return run and key."""
    for _ in range(SECONDS * 2):
        for run in await client.read_flow_runs(sort=FlowRunSort.START_TIME_DESC, limit=5):
            if run.state and run.state.is_paused():
                keyset = run.state.state_details.run_input_keyset
                if keyset and keyset["schema"] not in seen:
                    seen.add(keyset["schema"])
                    return run, keyset
        await asyncio.sleep(0.5)
    pytest.fail("no run asked anything")


async def form(client, run, keyset):
    """Return the schema of the form and its text, once both are there."""
    for _ in range(60):
        try:
            schema, told = [
                await client.read_flow_run_input(run.id, keyset[part])
                for part in ("schema", "description")
            ]
        except Exception:  # noqa: BLE001 - the run writes them just after it has paused
            await asyncio.sleep(0.5)
        else:
            return json.loads(schema), told
    pytest.fail("the form was never written")


def answer_all(api_url, answers):
    """Answer one paused question after the other; return the texts that a person would read."""

    async def run():
        seen, told = set(), []
        async with PrefectClient(api_url) as client:
            for answer in answers:
                flow_run, keyset = await paused(client, seen)
                schema, text = await form(client, flow_run, keyset)
                assert set(schema["properties"]) == {"decision", "by", "note"}
                told.append(text)
                done = await client.resume_flow_run(flow_run.id, run_input=answer)
                assert done.status.value == "ACCEPT", done
            return flow_run.id, told

    return asyncio.run(run())


def test_a_person_decides_in_the_dashboard_and_the_skill_follows(sample, api_url):
    keep_bouts(sample, "upheld", "newcomer", 20)
    process = start(sample, api_url, 10)
    answers = [
        {"decision": "approve", "by": "Eve", "note": "seen"},
        {"decision": "dismiss", "by": "Eve", "note": ""},
        {"decision": "later"},
        {"decision": "approve", "by": "Eve", "note": "a persona"},
    ]
    run_id, told = answer_all(api_url, answers)
    assert [one["decision"] for one in finish(process)] == [
        *("approve", "dismiss", "later"),
        "approve",
    ]
    assert "newcomer on" in told[3]
    assert "newcomer | * | never" in (sample / "skills" / "hyde" / "SKILL.md").read_text()
    assert "Local Juror on security: weight 3" in told[0]
    assert "| question | it held | verdict | right |" in told[0]
    text = (sample / "skills" / "council" / "SKILL.md").read_text()
    assert "Local Juror | security | 3 | right in 11 of 12, others in 3; 10 dissents | Eve" in text
    assert "Fast Juror" not in text
    rows = Store(sample).sql("select juror, decision, decided_by from rule_decisions").rows
    assert set(rows) == {
        ("Local Juror", "approved", "Eve"),
        ("Fast Juror", "dismissed", "Eve"),
    }

    async def read():
        async with PrefectClient(api_url) as client:
            run = await client.read_flow_run(run_id)
            kept = ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[run_id]))
            return run, await client.read_artifacts(artifact_filter=kept)

    run, artifacts = asyncio.run(read())
    assert run.state.is_completed()
    assert [one.key for one in artifacts] == ["proposals"]


def test_what_is_no_choice_is_refused_and_what_nobody_answers_is_left_for_later(sample, api_url):
    process = start(sample, api_url, 0.1)

    async def refused():
        async with PrefectClient(api_url) as client:
            run, keyset = await paused(client, set())
            await form(client, run, keyset)
            return await client.resume_flow_run(run.id, run_input={"decision": "double it"})

    assert asyncio.run(refused()).status.value == "REJECT"
    assert [one["decision"] for one in finish(process)] == ["later"] * 3
    assert not (sample / "skills").exists()
    assert Store(sample).sql("select * from rule_decisions").rows == ()


REFIT = """
import asyncio, sys
from contracts.settings import settings
from flows.console.server import point_prefect_at
point_prefect_at(settings(), sys.argv[1])
from flows.refit import refit
print(repr(asyncio.run(refit()).memory_id).replace("'", '"'))
"""


def test_a_refit_as_a_flow_learns_what_a_direct_one_learns(sample, api_url):
    by_flow = finish(start(sample, api_url, code=REFIT))
    assert (sample / "memory" / "current").read_text() == by_flow
    from tasks.learning import refit_home  # noqa: PLC0415

    assert refit_home(sample, at=datetime.now(UTC)).memory_id == by_flow
