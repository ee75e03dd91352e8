"""A child process is run to its end, and nothing of it is left behind."""

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest

from contracts.errors import ContextOverflow, MissingBinary
from contracts.settings import settings
from tasks.providers.process import child_environment, run_process

ENV = {"PATH": os.environ["PATH"]}


async def python(code, tmp_path, seconds=30.0, **more):
    return await run_process(
        [sys.executable, "-c", code], cwd=tmp_path, env=ENV, timeout_seconds=seconds, **more
    )


def running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def unreaped(pid: int) -> bool:
    try:
        return (
            int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1]) == os.getpid()
        )
    except OSError:
        return False


def pids_in(file: Path) -> list[int]:
    return [int(word) for word in file.read_text().split()] if file.exists() else []


async def until(true) -> None:
    async with asyncio.timeout(10):
        while not true():  # noqa: ASYNC110 - another process is waited for, it sets no event
            await asyncio.sleep(0.01)


async def assert_gone(file: Path, count: int) -> None:
    await until(lambda: len(pids_in(file)) == count)
    await until(lambda: not any(running(pid) for pid in pids_in(file)))
    assert not any(unreaped(pid) for pid in pids_in(file))


async def test_output_code_and_time_are_told(tmp_path):
    code = "import sys; print('ja'); print('nej', file=sys.stderr); sys.exit(3)"
    end = await python(code, tmp_path)
    assert (end.returncode, end.stdout, end.stderr) == (3, "ja\n", "nej\n")
    assert not end.timed_out
    assert not end.truncated
    assert end.seconds > 0


async def test_arguments_reach_the_program_as_they_are(tmp_path):
    words = ["a b", "$(id)", "`id`", "; rm -rf x", "--flag", 'quo"te', "line\nbreak", ""]
    code = "import sys, json; print(json.dumps(sys.argv[1:]))"
    end = await run_process(
        [sys.executable, "-c", code, *words], cwd=tmp_path, env=ENV, timeout_seconds=30
    )
    assert json.loads(end.stdout) == words


async def test_child_sees_only_the_environment_it_was_given(tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_PARENT", "x")
    end = await python("import os; print(sorted(os.environ))", tmp_path)
    assert "SECRET_OF_THE_PARENT" not in end.stdout
    assert "PATH" in end.stdout


async def test_child_reads_an_empty_input_by_default(tmp_path):
    end = await python("import sys; print(repr(sys.stdin.read()))", tmp_path)
    assert end.stdout == "''\n"


async def test_input_is_delivered_whole(tmp_path):
    data = b"x" * 3_000_000
    end = await python("import sys; print(len(sys.stdin.buffer.read()))", tmp_path, stdin=data)
    assert end.stdout == "3000000\n"


async def test_input_that_the_child_never_reads_is_no_failure(tmp_path):
    end = await python("print('done')", tmp_path, stdin=b"x" * 3_000_000)
    assert (end.returncode, end.stdout) == (0, "done\n")


async def test_five_megabytes_of_stderr_do_not_block_and_the_end_is_kept(tmp_path):
    code = "import sys; sys.stderr.write('noise ' * 900_000 + 'the cause'); print('answer')"
    end = await python(code, tmp_path, stderr_cap=1000)
    assert end.stdout == "answer\n"
    assert len(end.stderr) == 1000
    assert end.stderr.endswith("the cause")


async def test_output_over_the_cap_is_cut_and_said_to_be(tmp_path):
    end = await python("print('x' * 5_000_000)", tmp_path, stdout_cap=1000)
    assert end.stdout == "x" * 1000
    assert end.truncated


async def test_output_of_exactly_the_cap_is_whole(tmp_path):
    end = await python("import sys; sys.stdout.write('x' * 1000)", tmp_path, stdout_cap=1000)
    assert end.stdout == "x" * 1000
    assert not end.truncated


async def test_bytes_that_are_not_utf8_are_replaced(tmp_path):
    end = await python(r"import sys; sys.stdout.buffer.write(b'ok \xff')", tmp_path)
    assert end.stdout == "ok �"


async def test_a_signal_is_a_negative_code(tmp_path):
    end = await python("import os; print('half', flush=True); os.kill(os.getpid(), 11)", tmp_path)
    assert (end.returncode, end.stdout) == (-11, "half\n")


@pytest.mark.parametrize(
    "child",
    [
        pytest.param("time.sleep(600)", id="sleeps"),
        pytest.param("signal.signal(15, signal.SIG_IGN); time.sleep(600)", id="ignores-sigterm"),
    ],
)
async def test_timeout_ends_and_reaps_the_child(tmp_path, child):
    note = f"open({str(tmp_path / 'pids')!r}, 'a').write(f'{{os.getpid()}} ')"
    end = await python(f"import os, signal, time\n{note}\n{child}", tmp_path, seconds=1.0)
    assert end.timed_out
    assert end.returncode < 0
    await assert_gone(tmp_path / "pids", 1)


GRANDCHILD = """
import os, sys, time
note = lambda: open({pids!r}, 'a').write(str(os.getpid()) + ' ')
note()
if os.fork() == 0:
    {leave}
    note()
    time.sleep(600)
{rest}
"""


@pytest.mark.parametrize("leave", ["pass", "os.setsid()"], ids=["same-group", "own-session"])
async def test_timeout_ends_the_grandchildren_too(tmp_path, leave):
    pids = str(tmp_path / "pids")
    code = GRANDCHILD.format(pids=pids, leave=leave, rest="time.sleep(600)")
    end = await python(code, tmp_path, seconds=1.5)
    assert end.timed_out
    await assert_gone(tmp_path / "pids", 2)


@pytest.mark.parametrize("leave", ["pass", "os.setsid()"], ids=["same-group", "own-session"])
async def test_a_grandchild_that_keeps_the_pipe_open_neither_delays_nor_survives(tmp_path, leave):
    wait = f"while len(open({str(tmp_path / 'pids')!r}).read().split()) < 2: time.sleep(0.01)"
    rest = f"{wait}\nprint('answer', flush=True)"
    code = GRANDCHILD.format(pids=str(tmp_path / "pids"), leave=leave, rest=rest)
    end = await python(code, tmp_path, seconds=60)
    assert (end.returncode, end.stdout, end.timed_out) == (0, "answer\n", False)
    await assert_gone(tmp_path / "pids", 2)


async def test_cancelling_the_caller_ends_the_whole_group(tmp_path):
    code = GRANDCHILD.format(pids=str(tmp_path / "pids"), leave="pass", rest="time.sleep(600)")
    task = asyncio.create_task(python(code, tmp_path, seconds=60))
    await until(lambda: len(pids_in(tmp_path / "pids")) == 2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await assert_gone(tmp_path / "pids", 2)


async def test_many_at_once_do_not_mix(tmp_path):
    ends = await asyncio.gather(*(python(f"print({i})", tmp_path) for i in range(12)))
    assert [end.stdout for end in ends] == [f"{i}\n" for i in range(12)]


async def test_a_missing_program_is_named(tmp_path):
    with pytest.raises(MissingBinary, match="nowhere"):
        await run_process([str(tmp_path / "nowhere")], cwd=tmp_path, env=ENV, timeout_seconds=5)


@pytest.mark.parametrize(("mode", "text"), [(0o644, "#!/bin/sh\n"), (0o755, "\0not a program")])
async def test_a_file_that_cannot_be_run_is_named(tmp_path, mode, text):
    file = tmp_path / "tool"
    file.write_text(text)
    file.chmod(mode)
    with pytest.raises(MissingBinary, match="executable"):
        await run_process([str(file)], cwd=tmp_path, env=ENV, timeout_seconds=5)


async def test_an_argument_over_the_systems_limit_is_told(tmp_path):
    with pytest.raises(ContextOverflow, match="longer"):
        await run_process(
            [sys.executable, "-c", "pass", "x" * 200_000], cwd=tmp_path, env=ENV, timeout_seconds=5
        )


def test_a_childs_environment_holds_no_secret_of_the_parent(monkeypatch):
    monkeypatch.setenv("OPENROUTER_API_KEY", "sk-secret")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere")
    monkeypatch.setenv("NAMED", "1")
    env = child_environment({"HOME": "/tmp/x"}, "NAMED", "UNSET")
    assert "OPENROUTER_API_KEY" not in env
    assert "OPENAI_BASE_URL" not in env
    assert (env["HOME"], env["NAMED"]) == ("/tmp/x", "1")
    assert "UNSET" not in env


@pytest.fixture
def fresh_settings():
    settings.cache_clear()
    yield
    settings.cache_clear()


def test_only_the_councils_own_proxy_is_passed_on_and_never_for_loopback(
    monkeypatch, fresh_settings
):
    monkeypatch.setenv("HTTP_PROXY", "http://elsewhere:3128")
    monkeypatch.setenv("COUNCIL_PROXY", "http://proxy:3128")
    env = child_environment({})
    assert (env["HTTP_PROXY"], env["https_proxy"]) == ("http://proxy:3128", "http://proxy:3128")
    assert env["NO_PROXY"].split(",") == ["127.0.0.1", "localhost", "::1"]


def test_without_a_proxy_of_the_council_there_is_none(monkeypatch, fresh_settings):
    monkeypatch.setenv("HTTPS_PROXY", "http://elsewhere:3128")
    monkeypatch.delenv("COUNCIL_PROXY", raising=False)
    assert not {"HTTPS_PROXY", "https_proxy", "HTTP_PROXY"} & set(child_environment({}))
