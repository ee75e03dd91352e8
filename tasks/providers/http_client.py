"""Pooled HTTP connections per event loop, and one bounded exchange over them.

The environment's proxies, `.netrc` and the like are not followed: what a roster says is where a
juror's words and the key go. A proxy that is wanted is named by COUNCIL_PROXY. Certificate
authorities are the system's, which OpenSSL's own SSL_CERT_FILE moves. There are no cookies,
redirects, authentication flows or retries here.

These are httpx's requests and responses over aiohttp's connections: its parser is compiled, and a
call costs a third of the CPU that one over httpx's own connections does, which a batch of fast
jurors waits for. Connections are closed by their loop's own shutdown of asynchronous generators
(`asyncio.run` and every runner do it), so no caller has to.
"""

import asyncio
import ipaddress
import json
import ssl
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from functools import lru_cache
from typing import Any

import aiohttp
import certifi
import httpx
from httpx_aiohttp import AiohttpTransport

from contracts.errors import (
    Misconfigured,
    NetworkForbidden,
    ProviderError,
    ProviderTimeout,
    ServerFault,
    Unreachable,
)
from contracts.settings import settings
from tasks.providers.chat_errors import tidy
from tasks.providers.chat_reply import Reply
from tasks.providers.sse import is_done

MAX_BODY = 4 * 2**20
"""Bytes of a reply, decompressed; reading stops beyond it."""
CONNECT_SECONDS = 20.0
"""An address that takes longer to connect to is not there."""

KEPT_SECONDS = 30.0
"""An idle connection that is older is not used again."""
LONGEST_LINE = 64 * 2**10
"""Bytes of a reply's status line, and of one of its headers."""
MOST_HEADERS = 1000

HEADERS = {
    "Accept": "application/json",
    "Accept-Encoding": "identity",
    "User-Agent": "council-jury",
}

Transports = dict[tuple[str, str | None], AiohttpTransport]
"""By scheme and the address of the proxy, None for none."""

_PROXY = "is not reached through the proxy of COUNCIL_PROXY"
_ADDRESS = "is no address of the form https://host/v1"
_keepers: dict[asyncio.AbstractEventLoop, tuple[AsyncGenerator[Transports, None], Transports]] = {}

_MEANING: Mapping[type[Exception], tuple[type[ProviderError], str]] = {
    aiohttp.ConnectionTimeoutError: (
        Unreachable,
        f"did not take a connection in {CONNECT_SECONDS:.0f} s",
    ),
    aiohttp.ServerTimeoutError: (ProviderTimeout, "did not answer in time"),
    aiohttp.ClientProxyConnectionError: (Unreachable, _PROXY),
    aiohttp.ClientHttpProxyError: (Unreachable, _PROXY),
    aiohttp.ClientConnectorError: (Unreachable, "takes no connection"),
    aiohttp.ClientConnectionError: (Unreachable, "broke the connection"),
    aiohttp.ClientPayloadError: (Unreachable, "broke the connection"),
    aiohttp.ClientResponseError: (Unreachable, "answered with something that is not HTTP"),
    aiohttp.InvalidURL: (Misconfigured, _ADDRESS),
    aiohttp.NonHttpUrlClientError: (Misconfigured, _ADDRESS),
    aiohttp.ClientError: (ServerFault, "answered with something that is not HTTP as it should be"),
    httpx.DecodingError: (ServerFault, "answered with a body that does not decompress"),
    httpx.InvalidURL: (Misconfigured, _ADDRESS),
    httpx.HTTPError: (ServerFault, "could not be read to the end"),
    httpx.StreamError: (ServerFault, "could not be read to the end"),
    OSError: (Unreachable, "broke the connection"),
    UnicodeError: (Misconfigured, _ADDRESS),
    ValueError: (Misconfigured, "cannot be sent this request; check key and address"),
}
"""What each exception of the libraries, or its nearest ancestor here, means for a juror."""

FAILURES = (aiohttp.ClientError, httpx.HTTPError, httpx.StreamError, httpx.InvalidURL)


async def post(
    url: httpx.URL, headers: Mapping[str, str], payload: Mapping[str, Any], where: str
) -> Reply:
    """Send `payload` as JSON and return the reply, whatever its status. Redirects are not followed.

    The caller bounds the time. A connection that breaks within the body is told in the reply.

    Raises:
        ProviderError: one of its subclasses, when no reply came or it was longer than MAX_BODY.
    """
    check_network(url)
    content = json.dumps(payload, ensure_ascii=True).encode()
    body, head = bytearray(), None
    try:
        request = httpx.Request("POST", url, headers={**HEADERS, **headers}, content=content)
        request.extensions["timeout"] = {"connect": CONNECT_SECONDS}
        head = await (await _transport(url)).handle_async_request(request)
        async with aclosing(head):
            async for piece in head.aiter_bytes():
                body += piece
                if len(body) > MAX_BODY:
                    raise ServerFault(f"{where} sent more than {MAX_BODY >> 20} MB.")
                if is_done(body):
                    break
    except (*FAILURES, OSError, ValueError) as error:
        cause = provider_error(error, where)
        if head is None:
            raise cause from error
        return Reply(head.status_code, head.headers, bytes(body), broken=cause)
    return Reply(head.status_code, head.headers, bytes(body))


def provider_error(error: Exception, where: str) -> ProviderError:
    """Return the error of our tree that one of the libraries' exceptions means.

    An exception's own words are shown only for failed connections: others may repeat a header.
    """
    # Beneath httpx's exception is aiohttp's, which knows more of the cause.
    known = error.__cause__ if isinstance(error.__cause__, aiohttp.ClientError) else error
    kind, words = next(_MEANING[each] for each in type(known).__mro__ if each in _MEANING)
    detail = tidy(str(error)) if isinstance(known, aiohttp.ClientConnectorError) else ""
    return kind(f"{where} {words}{f' ({detail})' if detail else ''}.")


def check_network(url: httpx.URL) -> None:
    """Refuse an address beyond this machine when COUNCIL_OFFLINE is set.

    Raises:
        NetworkForbidden: naming the host.
    """
    if settings().offline and not is_loopback(url.host):
        raise NetworkForbidden(
            f"{url.host} is beyond this machine and COUNCIL_OFFLINE is set. "
            "Unset it, or seat a local model."
        )


def is_loopback(host: str) -> bool:
    """Return whether a host, as it is written, is this machine. Names are not looked up."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower().rstrip(".") == "localhost"


@lru_cache(maxsize=1)
def tls_context() -> ssl.SSLContext:
    """Return the context of all TLS connections: the system's authorities, else certifi's."""
    context = ssl.create_default_context()
    if not context.cert_store_stats()["x509_ca"]:
        context.load_verify_locations(certifi.where())
    return context


async def _transport(url: httpx.URL) -> AiohttpTransport:
    """Return the running loop's transport to an address."""
    loop = asyncio.get_running_loop()
    if loop not in _keepers:
        for gone in [each for each in _keepers if each.is_closed()]:
            del _keepers[gone]
        made: Transports = {}
        _keepers[loop] = (_closing(loop, made), made)
        await anext(_keepers[loop][0])
    transports = _keepers[loop][1]
    proxy = None if is_loopback(url.host) else _proxy()
    key = url.scheme, str(proxy.url) if proxy else None
    if key not in transports:
        transports[key] = _new_transport(url.scheme, proxy)
    return transports[key]


async def _closing(
    loop: asyncio.AbstractEventLoop, transports: Transports
) -> AsyncGenerator[Transports, None]:
    """Hold the transports of a loop; the loop resumes and ends this when it shuts down."""
    try:
        yield transports
    finally:
        _keepers.pop(loop, None)
        for transport in transports.values():
            await transport.aclose()


def _new_transport(scheme: str, proxy: httpx.Proxy | None) -> AiohttpTransport:
    # The real context costs about 30 ms of CPU to make, and a plain address needs none.
    tls = tls_context() if scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    session = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=KEPT_SECONDS, ssl=tls),
        cookie_jar=aiohttp.DummyCookieJar(),
        max_line_size=LONGEST_LINE,
        max_field_size=LONGEST_LINE,
        max_headers=MOST_HEADERS,
    )
    return AiohttpTransport(client=session, verify=tls, proxy=proxy)


def _proxy() -> httpx.Proxy | None:
    named = settings().proxy
    try:
        return httpx.Proxy(named) if named else None
    except (ValueError, httpx.InvalidURL):
        raise Misconfigured(
            "COUNCIL_PROXY is no proxy's address; it has the form http://host:port."
        ) from None
