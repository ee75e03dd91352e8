"""A batch as one flow run against a real Prefect server, in both modes of its questions."""

import asyncio
import json
import re
from pathlib import Path

import pytest
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.filters import TaskRunFilter, TaskRunFilterFlowRunId

from contracts.settings import Settings
from data.store import Store
from flows.console.server import known_server
from tests.flows.conftest import recorded

pytestmark = [pytest.mark.server, pytest.mark.slow]

COUNT = 5


def task_runs(api, flow_run_id):
    async def fetch():
        async with PrefectClient(api) as client:
            chosen = TaskRunFilter(flow_run_id=TaskRunFilterFlowRunId(any_=[flow_run_id]))
            return await recorded(client, task_run_filter=chosen)

    return asyncio.run(fetch())


@pytest.mark.parametrize(
    ("mode", "each"),
    [
        ("inline", {"deliberate"}),
        ("tasks", {"recall", "ask", "read", "judge", "foreman", "record"}),
    ],
)
def test_a_batch_is_one_flow_run_whose_tasks_carry_the_short_ids(
    server_home, council, tmp_path, mode, each
):
    api = known_server(Settings(home=Path(server_home))).api_url
    home = tmp_path / "home"
    told = council(
        *(home, "batch", "--sample", str(COUNT), "--stages", mode, "--flow", "--json"),
        PREFECT_API_URL=api,
    )
    report = json.loads(told)
    assert (report["total"], report["done_now"], report["left"]) == (COUNT, COUNT, 0)
    runs = Store(home).sql("select distinct flow_run_id, engine from deliberations").rows
    assert [engine for _, engine in runs] == ["prefect"]
    found = task_runs(api, runs[0][0])
    assert all(run.state.is_completed() for run in found)
    questions = Store(home).sql("select question_id from questions").rows
    short_ids = {question_id[:8] for (question_id,) in questions}
    names = [run.name for run in found]
    own = {"gate-in", "gate-out", "batch-report"}
    assert own <= set(names)
    for name in set(names) - own:
        assert any(short in name for short in short_ids), name
    kinds = {word for name in names for word in re.split(r"[^a-z]+", name)}
    assert each <= kinds
