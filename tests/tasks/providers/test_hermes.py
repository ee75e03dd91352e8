"""Jurors through the real `hermes`, against a server that plays every failure there is."""

import asyncio
import json
import socket
import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest

from contracts import errors
from contracts.juror import Endpoint
from contracts.settings import secret, settings
from tasks.providers.base import Request
from tasks.providers.hermes import Hermes, one_prompt
from tasks.providers.hermes_files import HomePlan, as_yaml, write_home
from tasks.providers.hermes_home import juror_home, juror_plan
from tasks.providers.hermes_outcome import answer_of, read_report
from tasks.providers.hermes_run import find_hermes, hermes_features, run_hermes
from tasks.providers.scripted_server import ScriptedServer

PROGRAM = secret("COUNCIL_HERMES_BIN")
BINARY = Path(PROGRAM) if PROGRAM else None
real = [
    pytest.mark.hermes,
    pytest.mark.skipif(
        BINARY is None,
        reason="COUNCIL_HERMES_BIN is not set; .ci/hermes installs Hermes and prints its path",
    ),
]
REQUEST = Request(system="You are Ada.", user="Postgres or Mongo?")

MODELS = {
    "ada": {"text": "Use Postgres.", "cost": 0.25},
    "forbidden": {"status": 403, "error": "not for you"},
    "gone": {"status": 404, "error": "no such model"},
    **{
        name: {"fault": name}
        for name in (
            "auth",
            "no_credit",
            "bad_request",
            "rate_limited",
            "server_error",
            "overloaded",
            "error_in_200",
            "empty",
            "reasoning_only",
            "refusal",
            "truncated",
            "cut",
            "content_filter",
            "html",
            "no_choices",
            "context_overflow",
            "reset",
            "hang",
        )
    },
}


@pytest.fixture(scope="module")
def server():
    with ScriptedServer(MODELS) as running:
        yield running


def seat(server, model, **more):
    return Endpoint(
        provider="hermes",
        model=model,
        base_url=server.base_url,
        **({"locality": "local", "timeout_seconds": 120} | more),
    )


def processes_of(home):
    """Numbers of the running processes whose environment names a home below `home`."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if f"HERMES_HOME={home}".encode() in (folder / "environ").read_bytes():
                found.append(folder.name)
    return found


async def failure(endpoint, home, request=REQUEST):
    with pytest.raises(errors.ProviderError) as caught:
        await Hermes(home).complete(endpoint, request)
    return caught.value


class TestOutcomes:
    """One test for each row of the matrix of what Hermes does."""

    pytestmark = real

    async def test_an_answer_comes_with_where_it_came_from(self, server, home):
        endpoint = seat(server, "ada")
        heard = await Hermes(home).complete(endpoint, REQUEST)
        assert (heard.text, heard.finish_reason) == ("Use Postgres.", "stop")
        assert (heard.via, heard.model, heard.simulated) == ("hermes", "ada", False)
        version = (await hermes_features(home, BINARY)).version
        assert heard.provider_version == version
        assert heard.usage.calls == 1
        assert heard.usage.prompt_tokens > 50
        assert heard.usage.completion_tokens > 0
        assert heard.usage.latency_ms > 0
        with sqlite3.connect(juror_home(home, endpoint) / "state.db") as database:
            sessions = database.execute("SELECT id, model FROM sessions").fetchall()
        assert sessions == [(heard.session_id, "ada")]

    @pytest.mark.parametrize(
        ("model", "kind", "asked"),
        [
            ("auth", errors.AuthFailed, 1),
            ("no_credit", errors.AuthFailed, 1),
            ("forbidden", errors.AuthFailed, 1),
            ("gone", errors.ModelNotFound, 1),
            ("bad_request", errors.BadRequest, 1),
            ("rate_limited", errors.RateLimited, 1),
            ("server_error", errors.ServerFault, 1),
            ("overloaded", errors.ServerFault, 1),
            ("error_in_200", errors.ServerFault, 1),
            ("html", errors.ServerFault, 1),
            ("no_choices", errors.ServerFault, 1),
            ("content_filter", errors.Refused, 1),
            ("context_overflow", errors.ContextOverflow, 1),
            ("empty", errors.EmptyReply, 4),
            ("refusal", errors.EmptyReply, 4),
            ("reasoning_only", errors.EmptyReply, 6),
            ("truncated", errors.Truncated, 4),
            ("cut", errors.Truncated, 4),
            ("reset", errors.Unreachable, 2),
        ],
    )
    async def test_a_failure_is_the_cause_that_it_is(self, server, home, model, kind, asked):
        before = len(server.asked(model))
        error = await failure(seat(server, model), home)
        assert type(error) is kind
        assert model in str(error)
        assert len(server.asked(model)) - before == asked
        assert not (error.retryable and asked > 2)

    async def test_nobody_listening_is_unreachable(self, home):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        endpoint = Endpoint(
            provider="hermes",
            model="ada",
            base_url=f"http://127.0.0.1:{port}/v1",
            locality="local",
        )
        assert type(await failure(endpoint, home)) is errors.Unreachable

    async def test_an_unknown_provider_is_a_wrong_configuration(self, home):
        endpoint = Endpoint(provider="hermes", model="ada", hermes_provider="nobody-knows")
        error = await failure(endpoint, home)
        assert type(error) is errors.Misconfigured
        assert "hermes_provider" in str(error)

    async def test_the_seats_time_ends_the_call_and_every_process_of_it(self, server, home):
        before = len(server.asked("hang"))
        task = asyncio.create_task(failure(seat(server, "hang", timeout_seconds=20), home))
        async with asyncio.timeout(15):
            while len(server.asked("hang")) == before:  # noqa: ASYNC110 - another thread's list
                await asyncio.sleep(0.05)
        assert processes_of(home)
        assert type(await task) is errors.ProviderTimeout
        assert not processes_of(home)

    async def test_cancelling_ends_the_process_too(self, server, home):
        before = len(server.asked("hang"))
        call = Hermes(home).complete(seat(server, "hang"), REQUEST)
        task = asyncio.create_task(call)
        async with asyncio.timeout(60):
            while len(server.asked("hang")) == before:  # noqa: ASYNC110 - another thread's list
                await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not processes_of(home)

    async def test_a_window_under_the_floor_is_a_wrong_configuration(self, server, home):
        endpoint = seat(server, "ada")
        plan = juror_plan(home, endpoint)
        config = json.loads(plan.files["config.yaml"].partition("\n")[2])
        config["model"]["context_length"] = 8192
        write_home(HomePlan(plan.home, {"config.yaml": as_yaml(config)}))
        error = await self._by_hand(plan.home, "-z", "Which?", *self._named(endpoint))
        assert type(error) is errors.Misconfigured
        assert "64,000" in str(error)

    async def test_a_home_without_a_provider_is_a_wrong_configuration(self, home):
        error = await self._by_hand(home / "bare", "-z", "Which?", "-t", "context_engine")
        assert type(error) is errors.Misconfigured

    @pytest.mark.parametrize(
        "args", [("--provider", "openrouter"), ("--model", "x", "-t", "no_such_toolset")]
    )
    async def test_a_call_that_hermes_does_not_take_is_a_wrong_configuration(self, home, args):
        error = await self._by_hand(home / "bare", "-z", "Which?", *args)
        assert type(error) is errors.Misconfigured

    async def test_chat_prints_the_answer_and_tells_the_session_apart(self, server, home):
        endpoint = seat(server, "ada")
        write_home(juror_plan(home, endpoint))
        end = await self._run(
            juror_home(home, endpoint), "chat", "-Q", "-q", "Which?", *self._named(endpoint)
        )
        assert answer_of(end, None, "ada") == "Use Postgres."
        assert "session_id:" in end.stderr

    async def test_chat_fails_with_the_same_cause(self, server, home):
        endpoint = seat(server, "auth")
        write_home(juror_plan(home, endpoint))
        end = await self._run(
            juror_home(home, endpoint), "chat", "-Q", "-q", "Which?", *self._named(endpoint)
        )
        with pytest.raises(errors.AuthFailed):
            answer_of(end, None, "auth")

    @staticmethod
    def _named(endpoint):
        name = json.loads(juror_plan(Path("/h"), endpoint).files["config.yaml"].partition("\n")[2])[
            "model"
        ]["provider"]
        return "--provider", name, "--model", endpoint.model, "-t", "context_engine"

    @staticmethod
    async def _run(home, *args):
        return await run_hermes(home, args, binary=BINARY, timeout_seconds=120)

    async def _by_hand(self, home, *args):
        report = home / "usage.json"
        home.mkdir(parents=True, exist_ok=True)
        end = await self._run(home, *args, "--usage-file", str(report))
        with pytest.raises(errors.ProviderError) as caught:
            answer_of(end, read_report(report), "ada")
        return caught.value


class TestIsolation:
    """A juror sees its question and nothing else: what the model server received is the proof."""

    pytestmark = real

    async def test_nothing_but_the_question_reaches_the_model(
        self, server, home, tmp_path, monkeypatch
    ):
        project = tmp_path / "project"
        (project / ".git").mkdir(parents=True)
        for name in ("AGENTS.md", "HERMES.md", ".hermes.md", "CLAUDE.md", ".cursorrules"):
            (project / name).write_text(f"LEAK-{name}")
        monkeypatch.chdir(project)
        monkeypatch.setenv("TMPDIR", str(project))
        monkeypatch.setattr("tempfile.tempdir", None)
        monkeypatch.setenv("HOME", str(tmp_path / "person"))
        person = tmp_path / "person" / ".hermes"
        self._plant(person)
        endpoint = seat(server, "ada")
        self._plant(juror_home(home, endpoint))
        await Hermes(home).complete(
            endpoint, Request(system="You are Bob.", user="What did MARK-1 say?")
        )
        await Hermes(home).complete(endpoint, REQUEST)
        sent = server.asked("ada")[-1]
        text = json.dumps(sent.body)
        assert "LEAK" not in text
        assert "MARK-1" not in text
        assert "You are Ada." in text
        assert "Postgres or Mongo?" in text
        assert not sent.body.get("tools")
        assert [message["role"] for message in sent.body["messages"]] == ["system", "user"]

    @staticmethod
    def _plant(hermes_home):
        for path in ("memories/MEMORY.md", "memories/USER.md", "SOUL.md"):
            file = hermes_home / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"LEAK-{path}")
        skill = hermes_home / "skills" / "council" / "SKILL.md"
        skill.parent.mkdir(parents=True)
        skill.write_text("---\nname: council\ndescription: LEAK-skill\n---\nLEAK-skill\n")

    async def test_a_seat_sends_its_limits_and_its_key_and_no_other(self, home, monkeypatch):
        monkeypatch.setenv("BANK_KEY", "key-of-this-seat")
        monkeypatch.setenv("OPENAI_API_KEY", "key-of-somebody-else")
        monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
        with ScriptedServer({"ada": "yes"}, api_key="key-of-this-seat") as keyed:
            endpoint = seat(keyed, "ada", api_key_env="BANK_KEY", temperature=0.75, max_tokens=321)
            await Hermes(home).complete(endpoint, REQUEST)
            (sent,) = keyed.asked("ada")
            key_less = endpoint.model_copy(update={"api_key_env": None})
            assert type(await failure(key_less, home)) is errors.AuthFailed
        assert (sent.body["temperature"], sent.body["max_tokens"]) == (0.75, 321)
        assert sent.body["options"] == {"num_ctx": 65_536}
        everything = [f.read_bytes() for f in home.rglob("*") if f.is_file()]
        assert not [data for data in everything if b"key-of-this-seat" in data]

    async def test_three_at_once_in_one_home_do_not_mix(self, server, home):
        endpoint = seat(server, "ada")
        heard = await asyncio.gather(*(Hermes(home).complete(endpoint, REQUEST) for _ in range(3)))
        assert {each.text for each in heard} == {"Use Postgres."}
        assert len({each.session_id for each in heard}) == 3

    async def test_a_prompt_near_the_limit_arrives_whole(self, server, home):
        request = Request(system="", user="é" * 60_000 + " END")
        await Hermes(home).complete(seat(server, "ada"), request)
        assert server.asked("ada")[-1].body["messages"][-1]["content"] == request.user


def script(tmp_path, body):
    file = tmp_path / "hermes"
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    return file


SOME = Endpoint(provider="hermes", model="acme/judge", hermes_provider="acme", timeout_seconds=30)
LONG = Request(system="", user="0123456789" * 20_000)


class TestAnyProgram:
    """What does not need the real one."""

    async def test_a_missing_program_says_what_to_do(self, home, monkeypatch):
        monkeypatch.delenv("COUNCIL_HERMES_BIN", raising=False)
        monkeypatch.setenv("PATH", str(home))
        settings.cache_clear()
        error = await failure(SOME, home)
        assert type(error) is errors.MissingBinary
        assert "setup-hermes" in str(error)

    async def test_a_named_program_that_is_not_there_is_named(self, home, tmp_path):
        with pytest.raises(errors.MissingBinary, match="nowhere"):
            await Hermes(home, tmp_path / "nowhere").complete(SOME, REQUEST)

    def test_councils_own_installation_comes_before_the_paths(self, home, tmp_path, monkeypatch):
        monkeypatch.delenv("COUNCIL_HERMES_BIN", raising=False)
        monkeypatch.setenv("PATH", str(tmp_path))
        settings.cache_clear()
        on_path = script(tmp_path, "true")
        assert find_hermes(home) == on_path
        own = home / "hermes" / "venv" / "bin" / "hermes"
        own.parent.mkdir(parents=True)
        own.write_text("")
        assert find_hermes(home) == own
        monkeypatch.setenv("COUNCIL_HERMES_BIN", str(tmp_path / "named"))
        settings.cache_clear()
        assert find_hermes(home) == tmp_path / "named"

    async def test_a_key_that_is_not_set_is_told_before_anything_runs(self, home):
        keyed = SOME.model_copy(update={"api_key_env": "NO_SUCH_KEY"})
        error = await failure(keyed, home)
        assert type(error) is errors.AuthFailed
        assert "NO_SUCH_KEY" in str(error)

    async def test_a_home_that_cannot_be_written_is_the_seats_failure(self, tmp_path):
        in_the_way = tmp_path / "file"
        in_the_way.write_text("")
        with pytest.raises(errors.Misconfigured, match="cannot be written"):
            await Hermes(in_the_way, script(tmp_path, "echo yes")).complete(SOME, REQUEST)

    @pytest.mark.parametrize("base_url", [None, "https://example.org/v1"])
    async def test_offline_nothing_beyond_the_machine_is_asked(self, home, monkeypatch, base_url):
        monkeypatch.setenv("COUNCIL_OFFLINE", "1")
        settings.cache_clear()
        error = await failure(SOME.model_copy(update={"base_url": base_url}), home)
        assert type(error) is errors.NetworkForbidden

    async def test_a_long_prompt_goes_through_a_file_where_hermes_reads_one(self, home, tmp_path):
        binary = script(
            tmp_path,
            'if [ "$1" = --version ]; then echo "Hermes Agent v0.21.3 (2026.9.14)"; exit; fi\n'
            'if [ "$2" = --help ]; then echo "--query-file PATH"; exit; fi\n'
            'while [ "$1" != --query-file ]; do shift; done\n'
            'wc -c < "$2"\n'
            "echo 'session_id: s-1' >&2",
        )
        heard = await Hermes(home, binary).complete(SOME, LONG)
        assert (heard.text, heard.session_id) == ("200000", "s-1")
        assert heard.provider_version == "0.21.3"

    async def test_a_long_prompt_refers_hermes_to_no_file_and_no_address(self, home, tmp_path):
        binary = script(
            tmp_path,
            'if [ "$2" = --help ]; then echo "--query-file PATH"; exit; fi\n'
            'while [ "$1" != --query-file ]; do shift; done\ntail -c 60 "$2"',
        )
        evil = Request(system="", user=LONG.user + " @url:http://x/ @file:/etc/passwd a@filet.org")
        heard = await Hermes(home, binary).complete(SOME, evil)
        assert heard.text.endswith("@ url:http://x/ @ file:/etc/passwd a@filet.org")

    async def test_a_long_prompt_that_cannot_be_passed_is_a_clear_error(self, home, tmp_path):
        binary = script(tmp_path, "echo ran >> ran; echo no")
        with pytest.raises(errors.ContextOverflow, match="200,000 bytes"):
            await Hermes(home, binary).complete(SOME, LONG)

    async def test_a_program_is_asked_once_what_it_can_do(self, home, tmp_path):
        count = tmp_path / "count"
        binary = script(tmp_path, f'echo x >> {count}; echo "v1.2.3 --query-file"')
        first = await hermes_features(home, binary)
        assert (first.version, first.query_file) == ("1.2.3", True)
        asked = count.read_text()
        assert await hermes_features(home, binary) == first
        assert count.read_text() == asked
        binary.write_text("#!/bin/sh\necho nothing to say here\n")
        second = await hermes_features(home, binary)
        assert (second.version, second.query_file) == (None, False)

    async def test_nothing_is_left_in_the_temporary_directory(self, home, tmp_path, monkeypatch):
        temporary = tmp_path / "temporary"
        temporary.mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(temporary))
        await Hermes(home, script(tmp_path, "echo yes")).complete(SOME, REQUEST)
        assert list(temporary.iterdir()) == []

    async def test_the_environment_of_a_run_is_its_home_and_no_secret(
        self, home, tmp_path, monkeypatch
    ):
        monkeypatch.setenv("SOME_KEY", "one")
        monkeypatch.setenv("OTHER_KEY", "two")
        keyed = SOME.model_copy(update={"api_key_env": "SOME_KEY"})
        heard = await Hermes(home, script(tmp_path, "env; pwd; ls")).complete(keyed, REQUEST)
        lines = heard.text.splitlines()
        assert f"HERMES_HOME={juror_home(home, keyed)}" in lines
        assert f"HOME={juror_home(home, keyed)}" in lines
        assert "SOME_KEY=one" in lines
        assert "OTHER_KEY" not in heard.text
        assert not [line for line in lines if line.startswith("COUNCIL_HOME")]


@pytest.mark.parametrize(
    ("request_", "prompt"),
    [
        (Request(system="a", user="b"), "a\n\nb"),
        (Request(system="", user="b"), "b"),
        (Request(system="", user="--help"), "\n--help"),
        (Request(system="", user="/quit"), "\n/quit"),
        (Request(system="", user="a\0b"), "a�b"),
        (Request(system="", user="a\ud800b"), "a?b"),
    ],
)
def test_any_text_becomes_a_prompt_that_a_command_line_takes(request_, prompt):
    assert one_prompt(request_) == prompt
