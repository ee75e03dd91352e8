"""Jurors through one Hermes process: found again, isolated, and failing by the true cause."""

import asyncio
import base64
import json
import os
import signal
import stat
from pathlib import Path

import httpx
import pytest

from contracts import errors
from contracts.juror import Endpoint, JurorSpec, Roster
from contracts.settings import secret, settings
from tasks.providers import hermes_launch
from tasks.providers.base import Request
from tasks.providers.chat_reply import Reply
from tasks.providers.hermes_config import route_name
from tasks.providers.hermes_gateway import (
    GatewayInfo,
    gateway_key,
    healthy,
    known_gateway,
    served,
)
from tasks.providers.hermes_home import server_home
from tasks.providers.hermes_launch import start_gateway, stop_gateway
from tasks.providers.hermes_server import LONGEST_MESSAGE, HermesServer, answer_in
from tasks.providers.http_client import post
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
FAULTS = {
    "auth": errors.AuthFailed,
    "model_not_found": errors.ModelNotFound,
    "bad_request": errors.BadRequest,
    "rate_limited": errors.RateLimited,
    "server_error": errors.ServerFault,
    "html": errors.ServerFault,
    "content_filter": errors.Refused,
    "context_overflow": errors.ContextOverflow,
    "empty": errors.EmptyReply,
    "truncated": errors.Truncated,
    "cut": errors.Truncated,
    "reset": errors.Unreachable,
}


def media_of(body):
    """Name the file that the question names, as Hermes' own models do to send a file."""
    return "Yes. MEDIA:" + body["messages"][-1]["content"].rpartition(" ")[2]


MODELS = {
    "ada": "Use Postgres.",
    "bob": {"text": "Use Mongo.", "cost": 0.5},
    "media": media_of,
    "hang": {"fault": "hang"},
    **{name: {"fault": name} for name in FAULTS},
}


@pytest.fixture(scope="module")
def server():
    with ScriptedServer(MODELS, api_key="key-of-the-seats") as running:
        yield running


def seat(server, model, **more):
    given = {"locality": "local", "timeout_seconds": 60, "api_key_env": "SEATS_KEY"} | more
    return Endpoint(provider="hermes_server", model=model, base_url=server.base_url, **given)


@pytest.fixture(scope="module")
def council_home(server, tmp_path_factory):
    """A home whose gateway serves every model of the server."""
    home = tmp_path_factory.mktemp("council")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEATS_KEY", "key-of-the-seats")
        start_gateway(home, [seat(server, name) for name in MODELS], binary=BINARY)
    yield home
    stop_gateway(home)


async def failure(endpoint, home, request=REQUEST):
    with pytest.raises(errors.ProviderError) as caught:
        await HermesServer(home).complete(endpoint, request)
    return caught.value


class TestCalls:
    pytestmark = real

    async def test_an_answer_comes_with_where_it_came_from(self, server, council_home):
        heard = await HermesServer(council_home).complete(seat(server, "bob"), REQUEST)
        assert (heard.text, heard.model, heard.via) == ("Use Mongo.", "bob", "hermes_server")
        assert heard.provider_version == known_gateway(council_home).version
        assert heard.session_id.startswith("council-")
        assert heard.usage.prompt_tokens > 50
        assert (heard.usage.calls, heard.usage.completion_tokens > 0) == (1, True)

    @pytest.mark.parametrize(("model", "kind"), FAULTS.items(), ids=FAULTS)
    async def test_a_failure_behind_http_200_is_the_cause_that_it_is(
        self, server, council_home, model, kind
    ):
        error = await failure(seat(server, model), council_home)
        assert type(error) is kind
        assert model in str(error)

    async def test_the_seats_time_ends_the_call(self, server, council_home):
        quick = seat(server, "hang", timeout_seconds=1)
        assert type(await failure(quick, council_home)) is errors.ProviderTimeout

    async def test_nothing_but_the_question_reaches_the_model(self, server, council_home):
        for path in ("memories/MEMORY.md", "memories/USER.md", "empty/AGENTS.md.not"):
            file = server_home(council_home) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"LEAK-{path}")
        (council_home / "hermes" / "HERMES.md").write_text("LEAK-parent")
        (council_home / ".git").mkdir(exist_ok=True)
        provider = HermesServer(council_home)
        await provider.complete(seat(server, "bob"), Request(system="Bob.", user="Say MARK-1"))
        await provider.complete(seat(server, "ada"), REQUEST)
        await provider.complete(seat(server, "ada"), REQUEST)
        sent = server.asked("ada")[-1].body
        text = json.dumps(sent)
        assert "LEAK" not in text
        assert "MARK-1" not in text
        assert not sent.get("tools")
        system, user = sent["messages"]
        assert system["content"].startswith("You are one juror of a council.")
        assert "You are Ada." in system["content"]
        assert user == {"role": "user", "content": "Postgres or Mongo?"}
        assert (sent["temperature"], sent["max_tokens"]) == (0.2, 1200)

    async def test_three_at_once_do_not_mix(self, server, council_home):
        provider = HermesServer(council_home)
        models = ["ada", "bob", "ada"]
        heard = await asyncio.gather(
            *(provider.complete(seat(server, model), REQUEST) for model in models)
        )
        assert [each.text for each in heard] == ["Use Postgres.", "Use Mongo.", "Use Postgres."]
        assert len({each.session_id for each in heard}) == 3

    async def test_the_longest_message_arrives_whole_and_a_longer_one_is_not_cut_short(
        self, server, council_home
    ):
        longest = Request(system="", user="é" * (LONGEST_MESSAGE - 4) + " END")
        await HermesServer(council_home).complete(seat(server, "ada"), longest)
        assert server.asked("ada")[-1].body["messages"][-1]["content"] == longest.user
        before = len(server.asked("ada"))
        longer = Request(system="", user=longest.user + ".")
        error = await failure(seat(server, "ada"), council_home, longer)
        assert type(error) is errors.ContextOverflow
        assert len(server.asked("ada")) == before

    async def test_a_model_cannot_have_a_file_put_into_its_text(
        self, server, council_home, tmp_path
    ):
        secret = tmp_path / "secret.png"
        secret.write_bytes(b"\x89PNG secret of this machine")
        request = Request(system="", user=f"Show {secret}")
        heard = await HermesServer(council_home).complete(seat(server, "media"), request)
        assert heard.text == f"Yes. MEDIA:{secret}"
        assert base64.b64encode(secret.read_bytes()).decode() not in heard.text

    async def test_a_seat_that_it_does_not_know_is_not_answered_by_another_model(
        self, server, council_home
    ):
        before = len(server.asked())
        error = await failure(seat(server, "ada", max_tokens=7), council_home)
        assert type(error) is errors.Misconfigured
        assert "council up" in str(error)
        info = known_gateway(council_home)
        payload = {"model": "no-such-route", "messages": [{"role": "user", "content": "hi"}]}
        headers = {
            "Authorization": f"Bearer {gateway_key(info)}",
            "Content-Type": "application/json",
        }
        reply = await post(httpx.URL(f"{info.base_url}/chat/completions"), headers, payload, "x")
        with pytest.raises(errors.Unreachable):
            answer_in(reply, json.loads(reply.body), "x")
        assert len(server.asked()) == before

    def test_without_the_key_nobody_is_served(self, server, council_home):
        info = known_gateway(council_home)
        key = Path(info.key_file)
        kept = key.read_text()
        key.write_text("another-key-another-key")
        try:
            assert not healthy(info)
            error = asyncio.run(failure(seat(server, "ada"), council_home))
        finally:
            key.write_text(kept)
        assert type(error) is errors.Misconfigured

    def test_its_file_holds_no_secret_and_the_key_is_the_owners(self, council_home):
        info = known_gateway(council_home)
        key = gateway_key(info)
        assert len(key) >= 16
        assert stat.S_IMODE(Path(info.key_file).stat().st_mode) == 0o600
        files = [f for f in council_home.rglob("*") if f.is_file() and str(f) != info.key_file]
        for hidden in (key, "key-of-the-seats"):
            assert not [f for f in files if hidden.encode() in f.read_bytes()]


class TestLife:
    pytestmark = real

    def test_it_is_found_again_replaced_and_stopped(self, server, home, council_home):
        first = start_gateway(home, [seat(server, "ada")], binary=BINARY)
        try:
            assert healthy(first)
            assert known_gateway(home) == first
            assert start_gateway(home, [seat(server, "ada")], binary=BINARY) == first
            second = start_gateway(home, [seat(server, "bob")], binary=BINARY)
            assert second.pid != first.pid
            assert not healthy(first)
            assert second.routes == (route_name(seat(server, "bob")),)
            assert healthy(known_gateway(council_home))
        finally:
            assert stop_gateway(home)
        assert known_gateway(home) is None
        assert not healthy(second)
        assert not Path(second.key_file).exists()
        assert not stop_gateway(home)

    async def test_one_that_died_is_told_and_started_anew(self, server, home):
        info = start_gateway(home, [seat(server, "ada")], binary=BINARY)
        try:
            os.killpg(info.pid, signal.SIGKILL)
            assert type(await failure(seat(server, "ada"), home)) is errors.Unreachable
            again = start_gateway(home, [seat(server, "ada")], binary=BINARY)
            assert again.pid != info.pid
        finally:
            stop_gateway(home)


class TestAnyMachine:
    """What does not need the real one."""

    async def test_without_a_server_the_seat_says_how_to_start_it(self, home):
        endpoint = Endpoint(provider="hermes_server", model="ada", base_url="http://127.0.0.1:1/v1")
        error = await failure(endpoint, home)
        assert type(error) is errors.Misconfigured
        assert "council up" in str(error)

    def test_a_program_that_ends_at_once_is_told_with_its_log(self, home, tmp_path):
        binary = tmp_path / "hermes"
        binary.write_text("#!/bin/sh\necho no aiohttp here >&2\nexit 1\n")
        binary.chmod(0o755)
        endpoint = Endpoint(provider="hermes_server", model="ada", base_url="http://127.0.0.1:1/v1")
        before = dict(hermes_launch._children)
        with pytest.raises(errors.Misconfigured, match=r"gateway\.log") as caught:
            start_gateway(home, [endpoint], binary=binary)
        log = Path(str(caught.value).partition("; ")[2].partition(" says")[0])
        assert log.read_text() == "no aiohttp here\n"
        assert known_gateway(home) is None
        assert hermes_launch._children == before

    def test_a_hermes_that_cannot_listen_is_ended_and_told_what_it_lacks(self, home, tmp_path):
        binary = tmp_path / "hermes"
        binary.write_text("#!/bin/sh\necho API Server: aiohttp not installed\nsleep 600\n")
        binary.chmod(0o755)
        endpoint = Endpoint(provider="hermes_server", model="ada", base_url="http://127.0.0.1:1/v1")
        before = dict(hermes_launch._children)
        with pytest.raises(errors.Misconfigured, match="pip install aiohttp"):
            start_gateway(home, [endpoint], binary=binary)
        assert hermes_launch._children == before

    def test_a_program_that_is_not_there_is_named(self, home, tmp_path):
        with pytest.raises(errors.MissingBinary, match="nowhere"):
            start_gateway(home, [], binary=tmp_path / "nowhere")

    def test_stopping_what_never_ran_is_no_failure(self, home):
        assert not stop_gateway(home)

    def test_another_process_with_the_old_number_is_left_alone(self, home, monkeypatch):
        info = GatewayInfo(
            pid=os.getpid(), port=1, key_file=str(home / "key"), log="", routes=("a",)
        )
        file = home / "hermes" / "gateway.json"
        file.parent.mkdir(parents=True)
        file.write_text(info.model_dump_json())
        monkeypatch.setattr(os, "killpg", lambda *_: pytest.fail("a foreign process was ended"))
        assert not stop_gateway(home)
        assert not file.exists()

    async def test_offline_nothing_beyond_the_machine_is_asked(self, home, monkeypatch):
        monkeypatch.setenv("COUNCIL_OFFLINE", "1")
        settings.cache_clear()
        endpoint = Endpoint(provider="hermes_server", model="a", base_url="https://example.org/v1")
        assert type(await failure(endpoint, home)) is errors.NetworkForbidden

    def test_the_endpoints_of_a_roster_that_it_serves_are_found(self):
        def through(provider, model):
            return {"provider": provider, "model": model, "base_url": "http://127.0.0.1:1/v1"}

        roster = Roster(
            jurors=(
                JurorSpec(name="A", **through("hermes_server", "a")),
                JurorSpec(
                    name="B",
                    **through("offline", "b"),
                    alternates=(Endpoint(**through("hermes_server", "c")),),
                ),
            )
        )
        assert [endpoint.model for endpoint in served(roster)] == ["a", "c"]


def reply(status=200, error=None, **body):
    headers = {"x-hermes-error": error} if error else {}
    return Reply(status, headers, b""), body


def choice(text, reason="stop"):
    return [{"message": {"role": "assistant", "content": text}, "finish_reason": reason}]


HIDDEN = {
    "finish reason error": (
        reply(choices=choice("HTTP 401: bad key", "error")),
        errors.AuthFailed,
    ),
    "header alone": (reply(choices=choice("Fine."), error="HTTP 429: slow"), errors.RateLimited),
    "hermes block alone": (
        reply(choices=choice("Fine."), hermes={"failed": True, "error": "HTTP 500: x"}),
        errors.ServerFault,
    ),
    "hermes block without words": (
        reply(choices=choice("Fine."), hermes={"completed": False}),
        errors.ServerFault,
    ),
    "error block": (
        (Reply(502, {}, b""), {"error": {"message": "Response remained truncated after 4"}}),
        errors.Truncated,
    ),
    "policy in the error alone": (
        reply(
            choices=choice("", "error"),
            hermes={"failed": True, "error": "content_policy_blocked: no"},
        ),
        errors.Refused,
    ),
    "length": (reply(choices=choice("Use Po", "length")), errors.Truncated),
    "empty with stop": (
        reply(choices=choice("⚠️ No reply: the model returned empty content")),
        errors.EmptyReply,
    ),
    "no text": (reply(choices=choice("")), errors.EmptyReply),
    "no choices": (reply(), errors.ServerFault),
    "null content": (reply(choices=choice(None)), errors.EmptyReply),
    "too many runs": (reply(429), errors.RateLimited),
    "wrong key": (reply(401), errors.Misconfigured),
    "nonsense": (reply(choices="x", hermes="y"), errors.ServerFault),
}


@pytest.mark.parametrize(("answer", "kind"), HIDDEN.values(), ids=HIDDEN)
def test_a_failure_is_found_wherever_it_stands(answer, kind):
    with pytest.raises(errors.ProviderError) as caught:
        answer_in(*answer, "ada")
    assert type(caught.value) is kind


@pytest.mark.parametrize("payload", [None, [], "text", 3])
def test_what_is_no_reply_is_the_servers_fault(payload):
    with pytest.raises(errors.ServerFault):
        answer_in(Reply(200, {}, b""), payload, "ada")


def test_a_broken_connection_is_its_own_cause():
    broken = Reply(200, {}, b"", broken=errors.Unreachable("cut"))
    with pytest.raises(errors.Unreachable):
        answer_in(broken, {"choices": choice("Use Po")}, "ada")


def test_an_answer_is_an_answer():
    assert answer_in(*reply(choices=choice("Use Postgres.\n")), "ada") == "Use Postgres."
