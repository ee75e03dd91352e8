"""The arena from the command line, and as a flow against a real Prefect server."""

import asyncio
import json
from pathlib import Path

import pytest
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.filters import (
    ArtifactFilter,
    ArtifactFilterFlowRunId,
    FlowRunFilter,
    FlowRunFilterId,
)

from contracts.bout import Arena
from contracts.settings import Settings
from flows.console.server import known_server
from tests.flows.conftest import recorded

QUESTION = "Should we use serverless?"


def ids(council, home):
    rows = json.loads(council(home, "history", "--json"))
    return [row["deliberation_id"] for row in rows]


def test_ask_holds_the_arena_when_it_is_told_and_shows_whether_the_verdict_held(home, council):
    shown = council(home, "ask", QUESTION, "--arena", "always", "--direct")
    assert "contested" in shown
    assert "survived 0 of 3 attacks, 1 weakened it, 2 overturned it" in " ".join(shown.split())
    assert "the verdict did not hold" in " ".join(shown.replace("│", " ").split())


@pytest.mark.parametrize(
    ("question", "arena", "tags", "held"),
    [
        (QUESTION, "off", (), False),
        (QUESTION, "auto", (), True),
        ("Should we use Postgres?", "auto", (), False),
        ("Should we use Postgres?", "auto", ("--tag", "risky"), True),
        (QUESTION, "margin<0.3", (), False),
    ],
)
def test_ask_holds_it_when_the_policy_calls_for_it(home, council, question, arena, tags, held):
    told = council(home, "ask", question, "--arena", arena, *tags, "--direct", "--json")
    assert (json.loads(told)["arena"] is not None) == held


def test_an_arena_that_is_none_is_a_usage_error(home, council):
    council(home, "ask", QUESTION, "--arena", "sometimes", "--direct", code=2)


def test_a_kept_verdict_is_attacked_by_command_and_stays(home, council):
    council(home, "ask", QUESTION, "--arena", "off", "--direct")
    (kept,) = ids(council, home)
    before = council(home, "show", kept, "--json")
    shown = council(home, "arena", kept[:8], "--direct", "-p", "attacker", "-p", "Cost Hawk")
    assert "cost hawk" in shown
    held = Arena.model_validate_json(
        council(home, "arena", kept, "--rounds", "2", "--reopen", "--direct", "--json")
    )
    assert {bout.round for bout in held.contest.bouts} == {1, 2}
    assert held.verdict.arena.reopened
    assert council(home, "show", kept, "--json") == before
    rows = json.loads(council(home, "sql", "arena_cost", "--format", "json"))
    assert rows[0]["n"] == 2
    assert "0 do not give their verdict again" in council(home, "replay", "--verify", "--all")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [(("-p", "dentist"), "no persona is named"), (("--rounds", "0"), "")],
)
def test_a_mistake_is_told_with_exit_code_2(home, council, arguments, told):
    council(home, "ask", QUESTION, "--arena", "off", "--direct")
    (kept,) = ids(council, home)
    council(home, "arena", kept, *arguments, "--direct", code=2)


def test_a_verdict_that_there_is_not_is_exit_code_2(home, council):
    council(home, "arena", "0123", "--direct", code=2)


# Against a server -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def held(server_home, tmp_path_factory):
    """An arena over one kept verdict as a flow and direct, in a home of its own."""
    from tests.flows.conftest import run  # noqa: PLC0415

    home = tmp_path_factory.mktemp("arena-home")
    server = {"PREFECT_API_URL": known_server(Settings(home=Path(server_home))).api_url}
    run(home, "ask", "Should we buy it?", "--arena", "off", "--direct")
    (kept,) = ids(run, home)
    as_flow = run(home, "arena", kept, "--flow", "--reopen", "--json", **server)
    direct = run(home, "arena", kept, "--direct", "--reopen", "--json")
    return Arena.model_validate_json(as_flow), Arena.model_validate_json(direct)


def tale(arena):
    bouts = [(bout.persona, bout.outcome, bout.severity) for bout in arena.contest.bouts]
    return bouts, arena.verdict, arena.activations


@pytest.mark.server
@pytest.mark.slow
def test_the_flow_and_the_direct_mode_fight_the_same_bouts(held):
    as_flow, direct = held
    assert tale(as_flow) == tale(direct)
    assert (as_flow.engine, direct.engine) == ("prefect", "direct")


@pytest.mark.server
@pytest.mark.slow
def test_every_call_is_a_task_named_by_its_persona_and_the_bouts_are_an_artifact(held, server_home):
    as_flow, _ = held

    async def fetch():
        api = known_server(Settings(home=Path(server_home))).api_url
        async with PrefectClient(api) as client:
            run = await client.read_flow_run(as_flow.flow_run_id)
            only = FlowRunFilter(id=FlowRunFilterId(any_=[run.id]))
            tasks = await recorded(client, flow_run_filter=only)
            mine = ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[run.id]))
            return run, tasks, await client.read_artifacts(artifact_filter=mine)

    run, tasks, artifacts = asyncio.run(fetch())
    assert run.state.is_completed()
    assert run.name == f"arena {as_flow.deliberation_id}"
    names = [task.name for task in tasks]
    assert all(task.state.is_completed() for task in tasks)
    for bout in as_flow.contest.bouts:
        assert f"attack-{bout.persona}" in names
        assert f"rebut-{bout.persona}" in names
        for score in bout.scores:
            assert f"score-{bout.persona}-{score.juror}-{score.attack_side}" in names
    assert {"recall-personas", "settle", "record-arena", "report-arena"} <= set(names)
    again = [name for name in names if name.endswith("-r3")]
    assert len(again) == (3 if as_flow.verdict.arena.reopened else 0)
    (attack,) = [t for t in tasks if t.name == f"attack-{as_flow.contest.bouts[0].persona}"]
    assert f"juror:{as_flow.contest.bouts[0].attack.juror}" in attack.tags
    (artifact,) = artifacts
    assert artifact.key == "bouts"
    assert as_flow.contest.bouts[0].persona in str(artifact.data)
