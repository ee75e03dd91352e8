"""Every exception of the HTTP client becomes one of ours, and no loop leaves a client behind."""

import asyncio
import ssl

import httpx
import pytest

from contracts.errors import Misconfigured, ProviderError, ProviderTimeout, ServerFault, Unreachable
from tasks.providers import http_client
from tasks.providers.http_client import is_loopback, post, provider_error, tls_context
from tasks.providers.scripted_server import ScriptedServer

EXCEPTIONS = sorted(
    {
        each
        for each in vars(httpx).values()
        if isinstance(each, type) and issubclass(each, Exception)
    },
    key=lambda each: each.__name__,
)
URL = httpx.URL("http://127.0.0.1:9/v1/chat/completions")


def new(kind):
    """Return an exception of `kind` whatever its constructor wants."""
    error = kind.__new__(kind)
    Exception.__init__(error, "Illegal header value b'Bearer sk-very-secret'")
    return error


def test_the_client_has_the_exceptions_that_are_tried_here():
    assert {httpx.ReadTimeout, httpx.InvalidURL, httpx.CookieConflict} <= set(EXCEPTIONS)
    assert len(EXCEPTIONS) > 25


@pytest.mark.parametrize("kind", EXCEPTIONS, ids=lambda kind: kind.__name__)
async def test_every_exception_of_the_client_is_mapped(kind, monkeypatch):
    def fail(request):
        raise new(kind)

    def client(url):
        return httpx.AsyncClient(transport=httpx.MockTransport(fail), trust_env=False)

    monkeypatch.setattr(http_client, "_new_client", client)
    with pytest.raises(ProviderError, match="ada at host ") as caught:
        await post(URL, {}, {}, "ada at host")
    assert type(caught.value) is not ProviderError


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (httpx.ConnectTimeout, Unreachable),
        (httpx.ReadTimeout, ProviderTimeout),
        (httpx.ConnectError, Unreachable),
        (httpx.ReadError, Unreachable),
        (httpx.RemoteProtocolError, Unreachable),
        (httpx.LocalProtocolError, Misconfigured),
        (httpx.UnsupportedProtocol, Misconfigured),
        (httpx.DecodingError, ServerFault),
        (ssl.SSLError, Unreachable),
        (ConnectionResetError, Unreachable),
        (UnicodeError, Misconfigured),
    ],
)
def test_the_mapping_says_what_it_means_for_a_juror(kind, expected):
    assert type(provider_error(new(kind), "ada at host")) is expected


def test_a_header_in_an_exception_does_not_reach_the_message():
    assert "very-secret" not in str(provider_error(new(httpx.LocalProtocolError), "ada at host"))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost", "LOCALHOST."])
def test_this_machine_is_known_by_its_names(host):
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "10.0.0.1", "localhost.example", "127.1", "", "host"])
def test_no_other_host_passes_for_this_machine(host):
    assert not is_loopback(host)


def test_certificates_are_checked():
    context = tls_context()
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
    assert tls_context() is context


async def test_a_body_that_does_not_decompress_is_a_server_fault():
    async def answer(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n"
        writer.write(head + b"nope")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        reply = await post(httpx.URL(f"http://127.0.0.1:{port}/"), {}, {}, "ada")
    assert isinstance(reply.broken, ServerFault)


async def test_cookies_are_not_carried_from_call_to_call():
    step = {"text": "A", "headers": {"Set-Cookie": "juror=ada; Path=/"}}
    async with ScriptedServer({"ada": step}) as server:
        url = httpx.URL(f"{server.base_url}/chat/completions")
        for _ in range(2):
            await post(url, {}, {"model": "ada"}, "ada")
    assert "cookie" not in server.requests[1].headers


async def test_only_so_many_clients_are_kept(monkeypatch):
    monkeypatch.setattr(http_client, "MOST_IDLE", 3)
    async with ScriptedServer({"ada": "A"}, delay_seconds=0.05) as server:
        url = httpx.URL(f"{server.base_url}/chat/completions")
        await asyncio.gather(*(post(url, {}, {"model": "ada"}, "ada") for _ in range(8)))
        (idle,) = (await http_client._clients()).values()
    assert len(idle) == 3


def test_a_loop_takes_its_clients_with_it():
    before = set(http_client._keepers)
    with ScriptedServer({"ada": "A"}) as server:
        url = httpx.URL(f"{server.base_url}/chat/completions")
        for _ in range(3):
            asyncio.run(post(url, {}, {"model": "ada"}, "ada"))
    assert set(http_client._keepers) == before
