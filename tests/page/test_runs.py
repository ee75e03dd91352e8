"""Runs outlive tabs and servers: what was begun is carried on, once, and nobody is asked twice."""

import asyncio
from datetime import UTC, datetime

import pytest

from contracts.errors import UsageError
from contracts.opinion import Opinion
from contracts.settings import settings
from data.journal import Journal
from flows.console.serve import _listening
from flows.page.jobs import Ask, Job
from flows.page.run_file import RunFile
from flows.page.runs import MOST_STARTS, Limits, Runs
from tasks.providers.scripted_server import ScriptedServer

ASK = Ask(question="Postgres or Mongo?", arena="off")
A = {"opinion": {"choice": "A", "position": "Postgres", "reasons": ["ACID"]}}


def job(name="j1", **more):
    return Job(job_id=name, asked_at=datetime.now(UTC), ask=ASK, **more)


def runs(**limits):
    return Runs(settings(), settings(), Limits(**limits))


async def resumed():
    found = runs()
    await found.resume()
    run = found.get("j1")
    if run is not None:
        await run.over.wait()
    return run


def begun(home, what):
    """Leave what a server leaves that is killed as it begins."""
    file = RunFile(home / "page" / "j1.jsonl")
    file.begin(what)
    file.close()


def files(home):
    return sorted(path.name for path in (home / "page").glob("*"))


async def test_what_a_dead_server_had_begun_is_carried_on_and_kept(home):
    begun(home, job())
    run = await resumed()
    assert run.done.deliberation_id == "j1"
    assert Journal(home).has("deliberation", "j1")
    assert files(home) == []


async def test_who_was_heard_is_not_asked_again_and_who_was_not_is(home, tmp_path):
    models = {"ada": A, "bob": A, "cyd": {**A, "delay_seconds": 30}}
    with ScriptedServer(models) as server:
        home.mkdir(parents=True)
        (home / "roster.toml").write_text(
            "".join(
                f"[[juror]]\nname = '{name}'\nmodel = '{name}'\nprovider = 'openai_compatible'\n"
                f"base_url = '{server.base_url}'\n"
                for name in models
            )
        )
        first = runs()
        run = await first.submit(job())
        async for happening in run.follow():
            if sum(one.kind == "opinion" for one in run.happenings) == 2:
                break
            assert happening.kind != "failed"
        await first.close()
        assert files(home) == ["j1.jsonl"]
        models["cyd"].pop("delay_seconds")
    with ScriptedServer(models, port=server.port) as again:
        run = await resumed()
        asked = [seen.model for seen in again.asked()]
    assert asked == ["cyd"]
    assert [o.stance for o in run.done.opinions] == ["Postgres"] * 3
    assert sum(one.kind == "opinion" for one in run.happenings) == 3


async def test_a_verdict_that_is_kept_already_is_not_found_again(home):
    first = runs()
    run = await first.submit(job())
    await run.over.wait()
    begun(home, job())
    assert await resumed() is None
    assert files(home) == []


async def test_a_run_that_ends_the_server_does_not_do_so_for_ever(home):
    begun(home, job(starts=MOST_STARTS))
    assert await resumed() is None
    assert files(home) == []


@pytest.mark.parametrize("broken", [b"", b"\xff\x00", b'{"job": {"job_id": "j1"', b'{"job": 1}\n'])
async def test_a_file_that_does_not_read_is_removed(home, broken):
    (home / "page").mkdir(parents=True)
    (home / "page" / "j1.jsonl").write_bytes(broken)
    assert await resumed() is None
    assert files(home) == []


def test_a_last_line_that_was_not_finished_is_left_out(tmp_path):
    file = RunFile(tmp_path / "j1.jsonl")
    file.begin(job())
    file.keep(Opinion(juror="A", stance="x", via="offline", prompt_sha256="1"))
    file.close()
    with file.path.open("ab") as torn:
        torn.write(b'{"opinion": {"juror": "B", "sta')
    again = RunFile(file.path)
    assert again.job.job_id == "j1"
    assert list(again._heard) == [("A", "1", "offline")]


async def test_a_run_that_fails_is_told_to_those_who_watch(home):
    found = runs()
    run = await found.submit(job())
    (home / "skills/council").mkdir(parents=True)
    (home / "skills/council/SKILL.md").write_text("broken")
    told = [happening async for happening in run.follow()]
    assert told[-1].kind == "failed"
    assert "front matter" in told[-1].data["problem"]["detail"]
    assert files(home) == []


async def test_runs_wait_their_turn_and_the_oldest_are_forgotten(home):
    found = runs(running=1, waiting=5, remembered=2)
    queued = [await found.submit(job(f"j{n}")) for n in range(4)]
    await asyncio.gather(*(run.over.wait() for run in queued))
    assert [run.happenings[0].data["ahead"] for run in queued] == [0, 1, 2, 3]
    assert [found.get(f"j{n}") is not None for n in range(4)] == [False, False, True, True]


def test_a_port_that_is_taken_is_a_mistake_with_a_way_out():
    with _listening("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UsageError, match=f"127.0.0.1:{port}.*--port 0"):
            _listening("127.0.0.1", port)
