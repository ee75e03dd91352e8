"""`prefect deploy --all` and a process worker run the deployments end to end."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from prefect.client.orchestration import PrefectClient

from contracts.settings import Settings
from data.store import Store
from flows.console.server import known_server

pytestmark = [pytest.mark.server, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 240


def prefect(env, *arguments):
    argv = [sys.executable, "-m", "prefect", "--no-prompt", *arguments]
    done = subprocess.run(
        argv, cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=SECONDS
    )
    assert done.returncode == 0, done.stderr + done.stdout


@pytest.fixture(scope="module")
def deployed(server_home):
    """The environment of a worker that polls, with everything deployed."""
    api_url = known_server(Settings(home=Path(server_home))).api_url
    env = {
        **{k: v for k, v in os.environ.items() if not k.startswith(("COUNCIL_", "PREFECT_"))},
        "COUNCIL_HOME": str(server_home),
        "PREFECT_API_URL": api_url,
        "PREFECT_HOME": str(Path(server_home) / "prefect"),
    }
    prefect(env, "work-pool", "create", "council", "--type", "process", "--overwrite")
    prefect(env, "deploy", "--all")
    argv = [sys.executable, "-m", "prefect", "worker", "start", "--pool", "council"]
    with (Path(server_home) / "worker.log").open("wb") as log:
        worker = subprocess.Popen(
            argv, cwd=ROOT, env=env, stdout=log, stderr=log, start_new_session=True
        )
    yield api_url
    os.killpg(worker.pid, signal.SIGTERM)
    worker.wait(60)


def run_to_the_end(api_url, name, parameters):
    async def run():
        async with PrefectClient(api_url) as client:
            deployment = await client.read_deployment_by_name(name)
            flow_run = await client.create_flow_run_from_deployment(
                deployment.id, parameters=parameters, tags=["nightly"]
            )
            for _ in range(SECONDS):
                flow_run = await client.read_flow_run(flow_run.id)
                if flow_run.state.is_final():
                    break
                await asyncio.sleep(1)
            return flow_run

    return asyncio.run(run())


def test_the_nightly_batch_is_run_by_a_worker(deployed, server_home, tmp_path):
    path = tmp_path / "night.jsonl"
    rows = [{"question": f"Go or Rust, {n}?", "options": ["Go", "Rust"]} for n in range(3)]
    path.write_text("\n".join(map(json.dumps, rows)))
    done = run_to_the_end(deployed, "batch/nightly", {"file": str(path)})
    log = (Path(server_home) / "worker.log").read_text()
    assert done.state.is_completed(), f"{done.state}\n{log[-3000:]}"
    assert {"juror:Prudent", "provider:offline", "nightly"} <= set(done.tags)
    found = Store(Path(server_home)).sql(
        "select batch_id, count(*) from deliberations where batch_id like 'nightly-20%' group by 1"
    )
    assert [row[1] for row in found.rows] == [3]
