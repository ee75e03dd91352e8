"""Pooled HTTP clients per event loop and address, and one bounded exchange over them.

The environment's proxies, `.netrc` and the like are not followed (`trust_env=False`): what a
roster says is where a juror's words and the key go. A proxy that is wanted is named by
COUNCIL_PROXY. Certificate authorities are the system's, which OpenSSL's own SSL_CERT_FILE moves.

The TLS context costs about 30 ms of CPU to make and a client with one given 0.1 ms, so it is made
once a process, at the first https address. A client holds one connection and is lent to one call at
a time: httpcore's own pool does work that grows with the square of its connections (measured at 60
calls in flight: 17 ms of CPU a call, against 1.5 ms this way). Clients are closed by their loop's
own shutdown of asynchronous generators (`asyncio.run` and every runner do it), so no caller has to.
"""

import asyncio
import ipaddress
import json
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import lru_cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from itertools import chain
from typing import Any

import certifi
import httpx

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
MOST_IDLE = 64
"""Clients of one address that are kept for the next call."""

Clients = dict[str, list[httpx.AsyncClient]]
"""Idle clients by address."""

_keepers: dict[asyncio.AbstractEventLoop, tuple[AsyncGenerator[Clients, None], Clients]] = {}

_MEANING: Mapping[type[Exception], tuple[type[ProviderError], str]] = {
    httpx.ConnectTimeout: (Unreachable, f"did not take a connection in {CONNECT_SECONDS:.0f} s"),
    httpx.TimeoutException: (ProviderTimeout, "did not answer in time"),
    httpx.ConnectError: (Unreachable, "takes no connection"),
    httpx.ProxyError: (Unreachable, "is not reached through the proxy of COUNCIL_PROXY"),
    httpx.LocalProtocolError: (Misconfigured, "cannot be sent this request; check key and address"),
    httpx.UnsupportedProtocol: (Misconfigured, "is no address of the form https://host/v1"),
    httpx.TransportError: (Unreachable, "broke the connection"),
    httpx.DecodingError: (ServerFault, "answered with a body that does not decompress"),
    httpx.TooManyRedirects: (Misconfigured, "sends callers around in circles"),
    httpx.HTTPError: (ServerFault, "answered with something that is not HTTP as it should be"),
    httpx.StreamError: (ServerFault, "could not be read to the end"),
    httpx.CookieConflict: (ServerFault, "answered with conflicting cookies"),
    httpx.InvalidURL: (Misconfigured, "is no address of the form https://host/v1"),
    UnicodeError: (Misconfigured, "is no address of the form https://host/v1"),
    OSError: (Unreachable, "broke the connection"),
}
"""What each of the client's exceptions, or its nearest ancestor here, means for a juror."""

FAILURES = (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, httpx.CookieConflict)


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
        async with (
            _client(url) as client,
            client.stream("POST", url, headers=headers, content=content) as head,
        ):
            async for piece in head.aiter_bytes():
                body += piece
                if len(body) > MAX_BODY:
                    raise ServerFault(f"{where} sent more than {MAX_BODY >> 20} MB.")
                if is_done(body):
                    break
    except (*FAILURES, OSError, UnicodeError) as error:
        cause = provider_error(error, where)
        if head is None:
            raise cause from error
        return Reply(head.status_code, head.headers, bytes(body), broken=cause)
    return Reply(head.status_code, head.headers, bytes(body))


def provider_error(error: Exception, where: str) -> ProviderError:
    """Return the error of our tree that one of the client's exceptions means.

    The exception's own words are shown only for failed connections: others may repeat a header.
    """
    kind, words = next(_MEANING[each] for each in type(error).__mro__ if each in _MEANING)
    detail = tidy(str(error)) if isinstance(error, httpx.ConnectError) else ""
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


@asynccontextmanager
async def _client(url: httpx.URL) -> AsyncIterator[httpx.AsyncClient]:
    """Lend a client that nobody else uses, and keep it for the next call."""
    idle = (await _clients()).setdefault(f"{url.scheme}://{url.netloc.decode('ascii')}", [])
    client = idle.pop() if idle else _new_client(url)
    try:
        yield client
    finally:
        if len(idle) < MOST_IDLE:
            idle.append(client)
        else:
            await client.aclose()


async def _clients() -> Clients:
    """Return the running loop's clients."""
    loop = asyncio.get_running_loop()
    if loop not in _keepers:
        for gone in [each for each in _keepers if each.is_closed()]:
            del _keepers[gone]
        clients: Clients = {}
        _keepers[loop] = (_closing(loop, clients), clients)
        await anext(_keepers[loop][0])
    return _keepers[loop][1]


async def _closing(
    loop: asyncio.AbstractEventLoop, clients: Clients
) -> AsyncGenerator[Clients, None]:
    """Hold the clients of a loop; the loop resumes and ends this when it shuts down."""
    try:
        yield clients
    finally:
        _keepers.pop(loop, None)
        for client in chain.from_iterable(clients.values()):
            await client.aclose()


def _new_client(url: httpx.URL) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        verify=tls_context() if url.scheme == "https" else _no_tls(),
        trust_env=False,
        proxy=None if is_loopback(url.host) else _proxy(),
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
        timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
        limits=httpx.Limits(keepalive_expiry=KEPT_SECONDS),
        headers={
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "User-Agent": "council-jury",
        },
    )


def _proxy() -> httpx.Proxy | None:
    named = settings().proxy
    try:
        return httpx.Proxy(named) if named else None
    except (ValueError, httpx.InvalidURL):
        raise Misconfigured(
            "COUNCIL_PROXY is no proxy's address; it has the form http://host:port."
        ) from None


@lru_cache(maxsize=1)
def _no_tls() -> ssl.SSLContext:
    """Return a context that trusts nobody, for plain addresses: it costs nothing to make."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
