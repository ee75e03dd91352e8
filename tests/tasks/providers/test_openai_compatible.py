"""One call over real HTTP: what is sent, what comes back, where it never goes."""

import asyncio

import pytest

from contracts.errors import (
    AuthFailed,
    BadRequest,
    ContextOverflow,
    Misconfigured,
    ModelNotFound,
    NetworkForbidden,
    ProviderTimeout,
    RateLimited,
    ServerFault,
    Unreachable,
)
from contracts.juror import Endpoint
from contracts.settings import settings
from tasks.providers.base import Request
from tasks.providers.openai_compatible import OpenAICompatible, chat_url
from tasks.providers.script import FAULTS, Step
from tasks.providers.scripted_server import ScriptedServer

REQUEST = Request(system="You are a juror.", user="Which database?")
SCHEMA = {"type": "object", "properties": {"choice": {"type": "string"}}}


@pytest.fixture
def environment(monkeypatch):
    """Set variables and have the settings read anew, before and after."""

    def change(**variables):
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        settings.cache_clear()

    settings.cache_clear()
    yield change
    monkeypatch.undo()
    settings.cache_clear()


def seat(server, model="ada", **fields):
    base_url = server if isinstance(server, str) else server.base_url
    return Endpoint(provider="openai_compatible", model=model, base_url=base_url, **fields)


async def complete(server, request=REQUEST, provider=None, **fields):
    return await (provider or OpenAICompatible()).complete(seat(server, **fields), request)


async def test_an_answer_comes_back_with_what_it_cost():
    async with ScriptedServer({"ada": Step(text="Use Postgres.", cost=0.25)}) as server:
        completion = await complete(server, temperature=0.7, max_tokens=77)
    assert completion.text == "Use Postgres."
    assert completion.via == "openai_compatible"
    assert completion.usage.cost_usd == 0.25
    assert completion.usage.calls == 1
    assert completion.usage.latency_ms > 0
    (seen,) = server.asked("ada")
    assert seen.body == {
        "model": "ada",
        "messages": [
            {"role": "system", "content": "You are a juror."},
            {"role": "user", "content": "Which database?"},
        ],
        "max_tokens": 77,
        "temperature": 0.7,
    }


async def test_no_temperature_leaves_the_servers_own():
    async with ScriptedServer({"ada": "A"}) as server:
        await complete(server, temperature=None)
    assert "temperature" not in server.asked()[0].body


async def test_a_stream_gives_what_a_whole_reply_gives():
    text = "Use Postgres, because its transactions are sound – söund."
    async with ScriptedServer({"ada": text}) as server:
        streamed = await complete(server, stream=True)
        whole = await complete(server)
    same = {"text", "finish_reason", "model", "flags"}
    assert streamed.model_dump(include=same) == whole.model_dump(include=same)
    assert streamed.usage.completion_tokens == whole.usage.completion_tokens
    assert server.asked()[0].body["stream"] is True


async def test_a_stream_that_nobody_asked_for_is_understood():
    async with ScriptedServer({"ada": Step(text="A", stream=True)}) as server:
        assert (await complete(server)).text == "A"


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("fault", sorted(set(FAULTS) - {"hang", "garbage", "truncated"}))
async def test_no_named_fault_passes_for_an_answer(fault, stream):
    causes = {
        "rate_limited": "rate_limited",
        "auth": "auth",
        "no_credit": "auth",
        "model_not_found": "model_not_found",
        "bad_request": "bad_request",
        "context_overflow": "context_overflow",
        "empty": "empty",
        "reasoning_only": "empty",
        "refusal": "refused",
        "content_filter": "refused",
        "reset": "unreachable",
    }
    expected = {causes.get(fault, "server_error")}
    if fault == "cut":
        expected = {"unreachable", "server_error"}
    async with ScriptedServer({"ada": {"fault": fault}}) as server:
        with pytest.raises(Exception) as caught:  # noqa: PT011 - its kind is compared below
            await complete(server, stream=stream)
    assert caught.value.kind in expected


async def test_the_seats_time_covers_the_whole_call():
    async with ScriptedServer({"ada": {"fault": "hang"}}) as server:
        with pytest.raises(ProviderTimeout, match=r"ada at 127.*0\.2 s"):
            await complete(server, timeout_seconds=0.2)


async def test_a_drip_does_not_outlast_the_seats_time():
    async def drip(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n")
        try:
            while True:
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(0.01)
        except (ConnectionError, asyncio.CancelledError):
            writer.close()

    async with await asyncio.start_server(drip, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(ProviderTimeout):
            await complete(f"http://127.0.0.1:{port}/v1", timeout_seconds=0.3)


async def test_a_huge_body_is_not_read_to_its_end():
    async with ScriptedServer({"ada": Step(body=" " * (5 * 2**20))}) as server:
        with pytest.raises(ServerFault, match="more than 4 MB"):
            await complete(server)


async def test_a_server_that_is_not_there_is_unreachable():
    async with ScriptedServer({}) as server:
        address = server.base_url
    with pytest.raises(Unreachable, match="ada at 127"):
        await complete(address)


async def test_retry_after_reaches_the_caller():
    async with ScriptedServer({"ada": {"fault": "rate_limited", "retry_after": 7}}) as server:
        with pytest.raises(RateLimited) as caught:
            await complete(server)
    assert caught.value.retry_after == 7


class TestWhatAServerDoesNotTake:
    """Left out once, remembered where that helped."""

    @staticmethod
    def picky(**refusals):
        """Return a model that refuses a body which holds a field, with a message for each."""

        def behave(body):
            for field, message in refusals.items():
                if field in body:
                    return Step(status=400, error=message, error_code=400)
            return "fine"

        return behave

    async def test_a_schema_is_asked_for_and_left_out_for_good_where_it_is_refused(self):
        behave = self.picky(response_format="This response_format type is unavailable now")
        request = REQUEST.model_copy(update={"json_schema": SCHEMA})
        provider = OpenAICompatible()
        async with ScriptedServer({"ada": behave, "bob": "fine"}) as server:
            first = await complete(server, request, provider)
            second = await complete(server, request, provider)
            await complete(server, request, provider, model="bob")
        assert (first.usage.calls, second.usage.calls) == (2, 1)
        sent = ["response_format" in seen.body for seen in server.asked("ada")]
        assert sent == [True, False, False]
        form = server.asked("bob")[0].body["response_format"]
        assert form["type"] == "json_schema"
        assert form["json_schema"]["schema"] == SCHEMA

    async def test_max_tokens_goes_under_its_newer_name(self):
        message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        async with ScriptedServer({"ada": self.picky(max_tokens=message)}) as server:
            await complete(server, max_tokens=50)
        assert server.asked()[-1].body["max_completion_tokens"] == 50

    async def test_several_refusals_are_met_one_by_one(self):
        behave = self.picky(
            temperature="'temperature' does not support 0.2 with this model",
            max_tokens="max_tokens is not supported with this model",
            response_format="json_schema is not supported",
        )
        request = REQUEST.model_copy(update={"json_schema": SCHEMA})
        async with ScriptedServer({"ada": behave}) as server:
            completion = await complete(server, request)
        assert completion.text == "fine"
        assert completion.usage.calls == 4

    async def test_a_refused_system_message_moves_into_the_prompt(self):
        def behave(body):
            if body["messages"][0]["role"] == "system":
                return Step(status=400, error="Developer instruction is not enabled for this model")
            return "fine"

        async with ScriptedServer({"ada": behave}) as server:
            await complete(server)
        only = server.asked()[-1].body["messages"]
        assert only == [{"role": "user", "content": "You are a juror.\n\nWhich database?"}]

    async def test_usage_in_a_stream_is_done_without(self):
        behave = self.picky(stream_options="Unrecognized request argument: stream_options")
        async with ScriptedServer({"ada": behave}) as server:
            assert (await complete(server, stream=True)).text == "fine"

    async def test_a_refusal_that_stays_is_told_and_not_remembered(self):
        step = Step(status=400, error="temperature and schema are both beside the point")
        provider = OpenAICompatible()
        async with ScriptedServer({"ada": step}) as server:
            for _ in range(2):
                with pytest.raises(BadRequest):
                    await complete(server, provider=provider)
        assert ["temperature" in seen.body for seen in server.asked()] == [True, False] * 2

    async def test_a_prompt_that_is_too_long_is_no_refused_feature(self):
        step = Step(fault="context_overflow", error="context length is 4096; reduce max_tokens")
        async with ScriptedServer({"ada": step}) as server:
            with pytest.raises(ContextOverflow):
                await complete(server)
        assert len(server.requests) == 1

    async def test_an_unknown_model_is_asked_for_once(self):
        async with ScriptedServer({}) as server:
            with pytest.raises(ModelNotFound):
                await complete(server)
        assert len(server.requests) == 1


class TestKeys:
    """They come from the variable that the seat names, and go nowhere else."""

    async def test_the_key_of_the_named_variable_is_sent(self, environment):
        environment(MY_KEY=" sk-very-secret\n", OPENAI_API_KEY="sk-stray")
        async with ScriptedServer({"ada": "A"}, api_key="sk-very-secret") as server:
            assert (await complete(server, api_key_env="MY_KEY")).text == "A"

    async def test_a_seat_that_names_no_variable_sends_no_key(self, environment):
        environment(OPENAI_API_KEY="sk-stray")
        async with ScriptedServer({"ada": "A"}) as server:
            await complete(server)
        assert "authorization" not in server.requests[0].headers

    @pytest.mark.parametrize("value", ["", "  "])
    async def test_a_missing_key_names_the_variable_and_asks_nobody(self, environment, value):
        environment(MY_KEY=value)
        async with ScriptedServer({"ada": "A"}) as server:
            with pytest.raises(AuthFailed, match="MY_KEY is not set"):
                await complete(server, api_key_env="MY_KEY")
        assert not server.requests

    @pytest.mark.parametrize("value", ["sk-a\nb-secret", "sk-\u00e9-secret", "sk a-secret"])
    async def test_a_key_that_cannot_be_sent_is_not_shown(self, environment, value):
        environment(MY_KEY=value)
        with pytest.raises(AuthFailed, match="MY_KEY") as caught:
            await complete("http://127.0.0.1:9/v1", api_key_env="MY_KEY")
        assert "secret" not in str(caught.value)

    async def test_a_server_that_repeats_the_key_does_not_get_it_into_a_message(self, environment):
        environment(MY_KEY="sk-very-secret")
        step = Step(status=401, error="Incorrect API key provided: sk-very-secret")
        async with ScriptedServer({"ada": step}) as server:
            with pytest.raises(AuthFailed) as caught:
                await complete(server, api_key_env="MY_KEY")
        assert "very-secret" not in repr(caught.value)


class TestAddresses:
    """A juror's words go where the roster says, and nowhere else."""

    @pytest.mark.parametrize(
        ("base_url", "url"),
        [
            ("http://host:8000/v1", "http://host:8000/v1/chat/completions"),
            ("http://host:8000/v1/", "http://host:8000/v1/chat/completions"),
            ("http://host:8000", "http://host:8000/chat/completions"),
            ("https://host/api/v1/chat/completions", "https://host/api/v1/chat/completions"),
            ("https://host/v1?api-version=1", "https://host/v1/chat/completions?api-version=1"),
            (" http://[::1]:1/v1 ", "http://[::1]:1/v1/chat/completions"),
        ],
    )
    def test_the_path_is_added_where_it_is_missing(self, base_url, url):
        assert str(chat_url(base_url)) == url

    @pytest.mark.parametrize(
        "base_url", ["", "localhost:11434", "ftp://host/v1", "http://", "http://h:99999999", "\x00"]
    )
    async def test_what_is_no_address_is_told(self, base_url):
        with pytest.raises(Misconfigured, match="base_url"):
            await complete(base_url)

    async def test_a_host_that_no_name_server_takes_is_told(self):
        with pytest.raises((Misconfigured, Unreachable)):
            await complete(f"http://{'a' * 70}.invalid/v1")

    def test_a_password_in_the_address_is_refused_and_not_shown(self):
        with pytest.raises(Misconfigured) as caught:
            chat_url("https://user:hunter22@host/v1")
        assert "hunter22" not in str(caught.value)

    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    async def test_a_redirect_is_not_followed(self, status):
        async with ScriptedServer({"ada": "decoy"}) as decoy:
            step = Step(status=status, body="", headers={"Location": decoy.base_url})
            async with ScriptedServer({"ada": step}) as server:
                with pytest.raises(Misconfigured, match="sends callers on to"):
                    await complete(server)
        assert not decoy.requests

    @pytest.mark.parametrize(
        "names",
        [
            ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY"),
            ("OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_API_HOST", "OPENROUTER_BASE_URL"),
            ("OLLAMA_HOST", "LLM_BASE_URL", "ANTHROPIC_BASE_URL"),
        ],
    )
    async def test_the_environment_does_not_lead_astray(self, environment, names):
        async with ScriptedServer({"ada": "decoy"}) as decoy:
            environment(**dict.fromkeys(names, decoy.base_url), NO_PROXY="")
            async with ScriptedServer({"ada": "A"}) as server:
                assert (await complete(server)).text == "A"
        assert not decoy.requests

    async def test_the_proxy_of_the_settings_is_for_calls_beyond_the_machine(self, environment):
        async with ScriptedServer({"ada": "through the proxy"}) as proxy:
            environment(COUNCIL_PROXY=f"http://127.0.0.1:{proxy.port}")
            beyond = await complete("http://juror.invalid/v1")
            async with ScriptedServer({"ada": "at home"}) as server:
                at_home = await complete(server)
        assert (beyond.text, at_home.text) == ("through the proxy", "at home")

    async def test_a_proxy_that_is_none_is_told_without_its_value(self, environment):
        environment(COUNCIL_PROXY="gopher://user:hunter22@host")
        with pytest.raises(Misconfigured, match="COUNCIL_PROXY") as caught:
            await complete("http://juror.invalid/v1")
        assert "hunter22" not in str(caught.value)

    async def test_offline_means_this_machine_only(self, environment):
        environment(COUNCIL_OFFLINE="1")
        async with ScriptedServer({"ada": "A"}) as server:
            assert (await complete(server)).text == "A"
        for host in ("juror.invalid", "10.0.0.1", "localhost.example", "0x7f000001.invalid"):
            with pytest.raises(NetworkForbidden, match=host):
                await complete(f"http://{host}/v1")


async def test_calls_share_connections():
    provider = OpenAICompatible()
    async with ScriptedServer({"ada": "A"}) as server:
        for _ in range(5):
            await complete(server, provider=provider)
    assert len(server.requests) == 5
    assert server.connections == 1


async def test_calls_at_once_open_a_connection_each_and_later_ones_use_them():
    provider = OpenAICompatible()
    async with ScriptedServer({"ada": "A"}, delay_seconds=0.05) as server:
        for _ in range(3):
            await asyncio.gather(*(complete(server, provider=provider) for _ in range(8)))
    assert len(server.requests) == 24
    assert server.connections == 8


def test_one_provider_serves_many_loops_and_leaves_nothing_open():
    provider = OpenAICompatible()
    with ScriptedServer({"ada": "A"}) as server:
        for _ in range(3):
            assert asyncio.run(complete(server, provider=provider)).text == "A"
    assert server.connections == 3


async def test_a_cancelled_call_stays_cancelled():
    arrived = asyncio.Event()

    def hang(body):
        arrived.set()
        return Step(fault="hang")

    async with ScriptedServer({"ada": hang}) as server:
        call = asyncio.create_task(complete(server))
        await arrived.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
