"""The main path as a flow against a real Prefect server, read back through its API."""

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
    TaskRunFilter,
    TaskRunFilterFlowRunId,
)

from contracts.settings import Settings
from data.store import Store
from flows.console.server import known_server
from tests.flows.conftest import recorded

pytestmark = [pytest.mark.server, pytest.mark.slow]

QUESTION = "Should a 3-person startup use microservices?"


@pytest.fixture(scope="module")
def asked(server_home):
    """One ask as a flow and one direct, in the same home."""
    from tests.flows.conftest import run  # noqa: PLC0415

    as_flow = json.loads(run(server_home, "ask", QUESTION, "--flow", "--json"))
    direct = json.loads(run(server_home, "ask", QUESTION, "--direct", "--json"))
    return as_flow, direct


def read_back(home):
    """Return flow run, task runs and artifacts of the one deliberation that was a flow."""
    store = Store(home)
    (flow_run_id,) = store.sql(
        "select flow_run_id from deliberations where engine = 'prefect'"
    ).rows[0]

    async def fetch():
        api = known_server(Settings(home=Path(home))).api_url
        async with PrefectClient(api) as client:
            run = await client.read_flow_run(flow_run_id)
            tasks = await recorded(
                client,
                flow_run_filter=FlowRunFilter(id=FlowRunFilterId(any_=[run.id])),
                task_run_filter=TaskRunFilter(flow_run_id=TaskRunFilterFlowRunId(any_=[run.id])),
            )
            artifacts = await client.read_artifacts(
                artifact_filter=ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[run.id]))
            )
        return run, tasks, artifacts

    return asyncio.run(fetch())


def test_the_flow_and_the_direct_mode_give_the_same_verdict(asked):
    as_flow, direct = asked
    assert as_flow == direct
    assert as_flow["simulated"]


def test_both_verdicts_are_found_by_sql(asked, server_home, council):
    rows = json.loads(
        council(server_home, "sql", "-q", "select count(*) n from verdicts", "--format", "json")
    )
    assert rows == [{"n": 2}]


def test_every_stage_is_a_task_named_by_its_subject_and_tagged(asked, server_home):
    run, tasks, _ = read_back(server_home)
    assert run.name == QUESTION
    assert run.state.is_completed()
    assert {"topic:architecture", "juror:Prudent", "provider:offline"} <= set(run.tags)
    names = {task.name for task in tasks}
    assert {f"ask-{name}-r1" for name in ("Prudent", "Builder", "Strategist")} <= names
    assert {"recall", "read-stances", "judge", "foreman", "record", "report"} <= names
    (mine,) = [task for task in tasks if task.name == "ask-Builder-r1"]
    assert {"juror:Builder", "provider:offline"} <= set(mine.tags)
    assert any(name.startswith("reconsider-") for name in names)


def test_the_run_carries_the_card_the_opinions_and_the_bouts_as_artifacts(asked, server_home):
    _, _, artifacts = read_back(server_home)
    by_key = {artifact.key: artifact for artifact in artifacts}
    assert set(by_key) == {"verdict", "opinions", "bouts"}
    assert "microservices" in by_key["verdict"].data
    assert "Prudent" in str(by_key["opinions"].data)


def test_up_finds_the_server_that_runs(server_home, council):
    assert "already running" in council(server_home, "up")
    assert "answers at" in council(server_home, "status")


def test_a_mistake_in_a_batch_file_is_told_and_no_traceback_is_shown(
    server_home, council, tmp_path
):
    bad = tmp_path / "bad.csv"
    bad.write_text("quesion\nGo or Rust?\n")
    council(server_home, "batch", str(bad), code=2)
