"""A batch stops cleanly and is carried on: nothing lost, nothing twice."""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from contracts.batch import Budget
from contracts.deliberation import Deliberation
from contracts.errors import NotFound, SkillError, UsageError
from contracts.settings import Settings
from data.journal import Journal
from data.store import Store
from tasks.batches import open_batch, plain_runner, resume, run_batch
from tasks.providers.scripted_server import ScriptedServer

ANSWER = {"opinion": {"choice": "A", "position": "Go", "reasons": ["simple"]}}


def batch_file(tmp_path, count):
    path = tmp_path / "b.jsonl"
    rows = [
        {"question": f"Go or Rust for tool {n}?", "options": ["Go", "Rust"]} for n in range(count)
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    return str(path)


def roster_file(tmp_path, server):
    path = tmp_path / "roster.toml"
    seats = [
        f'[[juror]]\nname = "{name}"\nprovider = "openai_compatible"\nmodel = "{name}"\n'
        f'base_url = "{server.base_url}"\n'
        for name in ("ada", "bob", "cyd")
    ]
    path.write_text("\n".join(seats))
    return str(path)


def begun(tmp_path, count=6, roster=None, reuse="batch", batch_id=None):
    house = Settings()
    plan = open_batch(
        house, batch_file(tmp_path, count), None, roster, reuse, batch_id, skip_bad=False
    )
    return house, plan


def run(house, plan, **limits):
    return asyncio.run(run_batch(house.home, plan, plain_runner(house, plan), [], **limits))


def test_a_batch_decides_every_question_and_again_none(tmp_path):
    house, plan = begun(tmp_path)
    assert run(house, plan).done_now == 6
    again = run(house, plan)
    assert (again.done_now, again.decided, again.left) == (0, 6, 0)


def test_a_limit_leaves_the_rest_for_the_same_command(tmp_path):
    house, plan = begun(tmp_path)
    first = run(house, plan, limit=2)
    assert (first.done_now, first.left) == (2, 4)
    assert "limit of 2" in first.stopped
    assert run(house, plan).done_now == 4


def test_a_budget_of_calls_is_never_passed(tmp_path):
    house, plan = begun(tmp_path)
    report = run(house, plan, budget=Budget(max_calls=20), concurrency=4)
    assert report.calls <= 20
    assert report.left > 0
    assert "budget of 20" in report.stopped


def test_the_batch_is_found_again_by_its_id_without_the_file(tmp_path):
    house, plan = begun(tmp_path, batch_id="mine")
    assert resume(house.home, "mine") == plan
    with pytest.raises(NotFound, match="'other'"):
        resume(house.home, "other")


def test_neither_or_both_of_file_and_resume_are_refused(tmp_path):
    for file, resumed in (("", None), ("x.csv", "mine")):
        with pytest.raises(UsageError):
            open_batch(Settings(), file, resumed, None, "batch", None, skip_bad=False)


def test_what_goes_wrong_in_a_question_is_one_error_for_people(tmp_path):
    house, plan = begun(tmp_path)
    skill = house.home / "skills" / "council" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("no front matter")
    with pytest.raises(SkillError, match=r"SKILL\.md"):
        run(house, plan)
    skill.unlink()
    assert run(house, plan).left == 0


def test_the_same_question_twice_is_asked_once_within_the_batch(tmp_path):
    path = tmp_path / "b.jsonl"
    path.write_text('{"question": "Go?", "options": ["Go", "Rust"]}\n' * 2)
    for reuse, calls in (("batch", 3), ("never", 6)):
        with ScriptedServer({"*": ANSWER}) as server:
            house = Settings()
            roster = roster_file(tmp_path, server)
            plan = open_batch(house, str(path), None, roster, reuse, reuse, skip_bad=False)
            report = run(house, plan)
            assert len(server.asked()) == calls
        assert report.reused_opinions == 6 - calls


def test_a_verdict_on_reused_opinions_says_so(tmp_path):
    path = tmp_path / "b.jsonl"
    path.write_text('{"question": "Go?", "options": ["Go", "Rust"]}\n' * 2)
    house = Settings()
    plan = open_batch(house, str(path), None, None, "batch", "twice", skip_bad=False)
    run(house, plan)
    second = Journal(house.home).get("deliberation", plan.deliberation_id(plan.items[1]))
    assert any("reused" in told for told in second.record(Deliberation).verdict.warnings)


RUNNER = """
import asyncio, sys
from contracts.settings import settings
from tasks.batches import open_batch, plain_runner, run_batch
house = settings()
plan = open_batch(house, sys.argv[1], None, sys.argv[2], "batch", "killed", skip_bad=False)
print("ready", flush=True)
report = asyncio.run(run_batch(house.home, plan, plain_runner(house, plan), [], concurrency=4))
print(report.model_dump_json())
"""


@pytest.mark.slow
def test_twenty_kills_lose_nothing_double_nothing_and_pay_for_nothing_twice(tmp_path, home):
    """Only an answer that was on its way when the process died is asked for again."""
    count, kills, chance = 120, 0, random.Random(20261130)
    with ScriptedServer({"*": ANSWER}, delay_seconds=0.02) as server:
        argv = [sys.executable, "-c", RUNNER]
        argv += [batch_file(tmp_path, count), roster_file(tmp_path, server)]
        env = {**os.environ, "COUNCIL_HOME": str(home)}
        report = None
        while report is None:
            child = subprocess.Popen(argv, stdout=subprocess.PIPE, env=env, text=True)
            assert child.stdout.readline() == "ready\n"
            if kills < 20:
                time.sleep(chance.uniform(0, 0.15))
                child.send_signal(chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]))
                kills += child.wait() < 0
                child.stdout.close()
            else:
                report = json.loads(child.communicate()[0])
        calls = len(server.asked())
    assert kills == 20
    assert (report["total"], report["left"], report["decided"]) == (count, 0, count)
    counts = "count(*), count(distinct deliberation_id), count(distinct question_id)"
    joined = "verdicts join deliberations using (deliberation_id)"
    rows = Store(home).sql(f"select {counts} from {joined}").rows
    assert rows == ((count, count, count),)
    in_flight = 4 * 3
    assert 3 * count <= calls <= 3 * count + kills * in_flight


def test_the_arena_is_held_in_a_batch_only_on_request_and_its_calls_are_counted(tmp_path):
    house, plain = begun(tmp_path, count=2)
    calls = run(house, plain).calls
    file = batch_file(tmp_path, 2)
    asked = open_batch(house, file, None, None, "never", None, skip_bad=False, arena="always")
    assert asked.batch_id != plain.batch_id
    assert run(house, asked).calls > calls
