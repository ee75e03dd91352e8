"""One Prefect server for the whole test session, started by the product's own `council up`."""

import asyncio
import os
import subprocess
import sys

import pytest

COUNCIL = [sys.executable, "-c", "from flows.console.cli import main; main()"]


@pytest.fixture(scope="session")
def server_home(tmp_path_factory):
    """A council home whose server runs."""
    home = tmp_path_factory.mktemp("server-home")
    run(home, "up")
    yield home
    run(home, "down")


def run(home, *arguments, code=0, **environ):
    """Run `council` as a process; return what it printed on stdout."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COUNCIL_", "PREFECT_"))}
    env |= {"COUNCIL_HOME": str(home), **environ}
    done = subprocess.run(
        [*COUNCIL, *arguments], capture_output=True, text=True, env=env, check=False, timeout=280
    )
    assert done.returncode == code, done.stderr + done.stdout
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


@pytest.fixture
def council():
    """`council` as a process."""
    return run


async def recorded(client, **filters):
    """Return the task runs once the server, which records them each second, has them all."""
    before = None
    for _ in range(60):
        found = await client.read_task_runs(**filters)
        if before == len(found) > 0 and all(task.state.is_final() for task in found):
            return found
        before = len(found)
        await asyncio.sleep(1.5)
    raise AssertionError(f"{before} task runs are recorded, and not all of them ended")
