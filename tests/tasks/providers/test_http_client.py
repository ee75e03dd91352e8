"""Every exception of the HTTP libraries becomes one of ours; no loop leaves a connection."""

import asyncio
import ssl

import aiohttp
import httpx
import pytest
from aiohttp.client_reqrep import ConnectionKey

from contracts.errors import Misconfigured, ProviderError, ProviderTimeout, ServerFault, Unreachable
from tasks.providers import http_client
from tasks.providers.http_client import is_loopback, post, provider_error, tls_context
from tasks.providers.scripted_server import ScriptedServer

KEY = ConnectionKey(
    "host", 443, is_ssl=True, ssl=True, proxy=None, proxy_auth=None, proxy_headers_hash=None
)
EXCEPTIONS = sorted(
    {
        each
        for library, root in ((httpx, Exception), (aiohttp, aiohttp.ClientError))
        for each in vars(library).values()
        if isinstance(each, type) and issubclass(each, root)
    }
    - {httpx.CookieConflict},  # what is used here has no cookies
    key=lambda each: f"{each.__module__} {each.__name__}",
)
URL = httpx.URL("http://127.0.0.1:9/v1/chat/completions")


def new(kind):
    """Return an exception of `kind` whatever its constructor wants."""
    error = kind.__new__(kind)
    Exception.__init__(error, "Illegal header value b'Bearer sk-very-secret'")
    if issubclass(kind, aiohttp.ClientConnectorError):
        kind.__init__(error, KEY, OSError(111, "no"))
    return error


def test_the_libraries_have_the_exceptions_that_are_tried_here():
    assert {httpx.ReadTimeout, httpx.InvalidURL, aiohttp.ClientPayloadError} <= set(EXCEPTIONS)
    assert len(EXCEPTIONS) > 50


@pytest.mark.parametrize("kind", EXCEPTIONS, ids=lambda kind: kind.__name__)
async def test_every_exception_of_the_libraries_is_mapped(kind, monkeypatch):
    def fail(request):
        raise new(kind)

    monkeypatch.setattr(http_client, "_new_transport", lambda *_: httpx.MockTransport(fail))
    with pytest.raises(ProviderError, match="ada at host ") as caught:
        await post(URL, {}, {}, "ada at host")
    assert type(caught.value) is not ProviderError


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (aiohttp.ConnectionTimeoutError, Unreachable),
        (aiohttp.SocketTimeoutError, ProviderTimeout),
        (aiohttp.ClientConnectorDNSError, Unreachable),
        (aiohttp.ServerDisconnectedError, Unreachable),
        (aiohttp.ClientPayloadError, Unreachable),
        (aiohttp.ClientResponseError, Unreachable),
        (aiohttp.NonHttpUrlClientError, Misconfigured),
        (httpx.InvalidURL, Misconfigured),
        (ValueError, Misconfigured),
        (httpx.DecodingError, ServerFault),
        (ssl.SSLError, Unreachable),
        (ConnectionResetError, Unreachable),
        (UnicodeError, Misconfigured),
    ],
)
def test_the_mapping_says_what_it_means_for_a_juror(kind, expected):
    assert type(provider_error(new(kind), "ada at host")) is expected


def test_a_header_in_an_exception_does_not_reach_the_message():
    assert "very-secret" not in str(provider_error(new(ValueError), "ada at host"))


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


async def test_a_connection_is_used_again_and_no_call_waits_for_another():
    async with ScriptedServer({"ada": "A"}, delay_seconds=0.05) as server:
        url = httpx.URL(f"{server.base_url}/chat/completions")
        for _ in range(2):
            await asyncio.gather(*(post(url, {}, {"model": "ada"}, "ada") for _ in range(120)))
    assert server.connections == 120


def test_a_loop_takes_its_connections_with_it():
    before = set(http_client._keepers)
    with ScriptedServer({"ada": "A"}) as server:
        url = httpx.URL(f"{server.base_url}/chat/completions")
        for _ in range(3):
            asyncio.run(post(url, {}, {"model": "ada"}, "ada"))
    assert set(http_client._keepers) == before
