"""The second process decides as the first one would, and neither outlives the other."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from contracts.deliberation import Deliberation
from contracts.errors import EngineError, SkillError, StoreError
from contracts.settings import Settings
from data.journal import Journal
from tasks.batches import open_batch, plain_runner, run_batch
from tasks.providers.scripted_server import ScriptedServer
from tasks.side_process import SideProcess, _Answer, _raised

ANSWER = {"opinion": {"choice": "A", "position": "Go", "reasons": ["simple"]}}
SLOW_SECONDS = 60


@pytest.fixture
def house(home):
    return Settings(home=home)


def plan_of(house, tmp_path, server=None, *, count=4, batch_id="aside"):
    file = tmp_path / "b.jsonl"
    rows = [{"question": f"Go or Rust, {n}?", "options": ["Go", "Rust"]} for n in range(count)]
    file.write_text("\n".join(map(json.dumps, rows)))
    roster = None
    if server:
        seat = '[[juror]]\nname = "{0}"\nprovider = "openai_compatible"\nmodel = "{0}"\n'
        seat += f'base_url = "{server.base_url}"\n'
        roster = tmp_path / "roster.toml"
        roster.write_text("".join(seat.format(name) for name in ("ada", "bob", "cyd")))
        roster = str(roster)
    return open_batch(house, str(file), None, roster, "never", batch_id, skip_bad=False)


async def aside(house, plan, **limits):
    async with SideProcess(house, plan, flow_run_id="run") as run_one:
        return await run_batch(house.home, plan, run_one, [], **limits)


def until_asked(server, calls):
    while len(server.asked()) < calls:
        time.sleep(0.05)


def alive(pid):
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


async def test_the_verdicts_are_those_of_the_plain_stages(house, tmp_path):
    here, there = (plan_of(house, tmp_path, batch_id=name) for name in ("here", "there"))
    plainly = await run_batch(house.home, here, plain_runner(house, here), [])
    report = await aside(house, there)
    changed = {"batch_id": "", "splits": {}}
    assert report.done_now == 4
    assert report.model_copy(update=changed) == plainly.model_copy(update=changed)
    for item in there.items:
        mine, theirs = (
            Journal(house.home).get("deliberation", plan.deliberation_id(item)).record(Deliberation)
            for plan in (here, there)
        )
        assert theirs.verdict == mine.verdict
        assert (theirs.engine, theirs.flow_run_id) == ("prefect", "run")


async def test_an_error_for_people_keeps_its_class_and_its_words(house, tmp_path):
    plan = plan_of(house, tmp_path)
    skill = house.home / "skills" / "council" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("no front matter")
    async with SideProcess(house, plan) as run_one:
        with pytest.raises(SkillError, match=r"SKILL\.md"):
            await run_one(plan.items[0])


async def test_a_process_that_is_killed_fails_what_it_had_in_hand_and_the_rest(house, tmp_path):
    with ScriptedServer({"*": ANSWER}, delay_seconds=SLOW_SECONDS) as server:
        plan = plan_of(house, tmp_path, server)
        async with SideProcess(house, plan) as run_one:
            asked = asyncio.create_task(run_one(plan.items[0]))
            await asyncio.to_thread(until_asked, server, 1)
            run_one._process.kill()
            with pytest.raises(EngineError, match="--resume aside"):
                await asked
            with pytest.raises(EngineError, match="--resume aside"):
                await run_one(plan.items[1])


async def test_a_line_that_is_no_answer_ends_it_and_nobody_waits_for_ever(house, tmp_path):
    with ScriptedServer({"*": ANSWER}, delay_seconds=SLOW_SECONDS) as server:
        plan = plan_of(house, tmp_path, server)
        async with SideProcess(house, plan) as run_one:
            asked = asyncio.create_task(run_one(plan.items[0]))
            await asyncio.to_thread(until_asked, server, 1)
            run_one._reader.feed_data(b"Segmentation fault\n")
            with pytest.raises(EngineError, match="--resume aside"):
                await asked


async def test_a_disk_that_does_not_take_the_record_is_told_as_in_one_process(house, tmp_path):
    plan = plan_of(house, tmp_path)
    shutil.rmtree(house.home / "journal")
    (house.home / "journal").touch()
    async with SideProcess(house, plan) as run_one:
        with pytest.raises(StoreError, match="could not be kept"):
            await run_one(plan.items[0])


@pytest.mark.parametrize("name", ["ZeroDivisionError", "Any", "annotations", ""])
def test_an_error_of_no_known_class_is_told_whole(name):
    error = _raised(_Answer(key="k", error=name, text="Traceback: 1 / 0"))
    assert type(error) is EngineError
    assert "1 / 0" in str(error)


async def test_leaving_the_block_ends_the_process_and_what_it_had_in_hand(house, tmp_path):
    with ScriptedServer({"*": ANSWER}, delay_seconds=SLOW_SECONDS) as server:
        plan = plan_of(house, tmp_path, server)
        began = time.monotonic()
        async with SideProcess(house, plan) as run_one:
            asked = asyncio.create_task(run_one(plan.items[0]))
            await asyncio.to_thread(until_asked, server, 1)
        assert run_one._process.returncode == 0
        assert time.monotonic() - began < SLOW_SECONDS
        with pytest.raises(EngineError):
            await asked


PARENT = """
import asyncio, sys
from contracts.settings import settings
from tasks.batches import resume
from tasks.side_process import SideProcess, _Answer, _raised
async def main():
    plan = resume(settings().home, "aside")
    async with SideProcess(settings(), plan) as run_one:
        print(run_one._process.pid, flush=True)
        await run_one(plan.items[0])
asyncio.run(main())
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_parent_that_is_ended_takes_the_process_with_it(house, tmp_path, number):
    with ScriptedServer({"*": ANSWER}, delay_seconds=SLOW_SECONDS) as server:
        plan_of(house, tmp_path, server)
        env = {**os.environ, "COUNCIL_HOME": str(house.home)}
        with subprocess.Popen(
            [sys.executable, "-c", PARENT],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=env,
            text=True,
        ) as parent:
            pid = int(parent.stdout.readline())
            until_asked(server, 3)
            parent.send_signal(number)
        for _ in range(100):
            if not alive(pid):
                break
            time.sleep(0.1)
        assert not alive(pid)
        assert len(server.asked()) == 3
