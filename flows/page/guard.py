"""Who may ask for what: names and origins, token, sizes, rates. Plain ASGI: it can stream."""

import hmac
import ipaddress
from collections.abc import Mapping
from hashlib import sha256
from http.cookies import CookieError, SimpleCookie
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from flows.page.problems import Refusal
from flows.page.rates import Rates

COOKIE = "council"
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
OPEN = ("/static/", "/login", "/healthz", "/favicon.ico", "/problems/")
"""What needs no token: it tells nothing."""
READING = frozenset({"GET", "HEAD"})

_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": _CSP,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    # `no-referrer` would make the Origin of the page's own forms "null".
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}


class Rules(NamedTuple):
    """What the guard goes by."""

    names: frozenset[str] | None = LOOPBACK_NAMES
    """Host names that are answered to; None: these, and every IP address."""
    more_names: frozenset[str] = frozenset()
    token: str | None = None
    max_body: int = 1_000_000
    """Bytes; text of 200 kB may need five times as much as JSON."""


class Guard:
    """Refuses, limits, and sets the headers that a browser needs to be strict."""

    def __init__(self, app: ASGIApp, rules: Rules, rates: Rates) -> None:
        """Stand before `app`."""
        self._app, self._rules, self._rates = app, rules, rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or hand it on."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        send = _with_headers(send)
        refused = self._refused(scope)
        if refused is not None:
            await refused(scope, receive, send)
        else:
            await self._app(scope, self._limited(receive), send)

    def _refused(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        try:
            self._check_name(headers)
            self._check_origin(scope["method"], headers)
            self._check_rate(scope)
            self._check_size(headers)
            if not self._may_enter(scope["path"], headers):
                return self._to_the_door(scope, headers)
        except Refusal as refusal:
            return refusal.response()
        return None

    def _check_name(self, headers: Headers) -> None:
        """A page elsewhere that points its own name at this address must get nothing."""
        rules, name = self._rules, _host_name(headers.get("host", ""))
        if name in (rules.names or LOOPBACK_NAMES) or name in rules.more_names:
            return
        if rules.names is None and _is_address(name):
            return
        raise Refusal("wrong-host", f"The request is for {name[:100]!r}.")

    def _check_origin(self, method: str, headers: Headers) -> None:
        if method in READING:
            return
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
        if origin is not None and _netloc(origin) != headers.get("host", "").lower():
            raise Refusal("cross-site", f"The request comes from {origin[:100]!r}.")
        if origin is None and site not in {"none", "same-origin"}:
            raise Refusal("cross-site", "The request comes from another site.")

    def _check_rate(self, scope: Scope) -> None:
        path, method = scope["path"], scope["method"]
        kind = "read" if method in READING else "login" if path == "/login" else "write"
        wait = self._rates.take((scope.get("client") or ("?", 0))[0], kind)
        if wait > 0:
            raise Refusal("too-many", "More requests than the council takes.", retry_after=wait)

    def _check_size(self, headers: Headers) -> None:
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length[:12]) > self._rules.max_body:
            raise Refusal("too-large", f"At most {self._rules.max_body:,} bytes.")

    def _may_enter(self, path: str, headers: Headers) -> bool:
        token = self._rules.token
        if token is None or path.startswith(OPEN):
            return True
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and same(given.strip(), token):
            return True
        return same(_cookie(headers), entry_pass(token))

    def _to_the_door(self, scope: Scope, headers: Headers) -> Response:
        wants_page = "text/html" in headers.get("accept", "") and scope["method"] in READING
        if wants_page and not scope["path"].startswith("/api/"):
            return RedirectResponse(f"/login?to={quote(scope['path'])}", 303)
        raise Refusal("no-token", "The request has no token, or a wrong one.")

    def _limited(self, receive: Receive) -> Receive:
        taken = 0

        async def limited() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._rules.max_body:
                raise HTTPException(413, f"At most {self._rules.max_body:,} bytes.")
            return message

        return limited


def entry_pass(token: str) -> str:
    """Return what a browser keeps in the place of the token."""
    return hmac.new(token.encode(), b"council page", sha256).hexdigest()


def same(one: str, other: str) -> bool:
    """Compare two secrets in a time that tells nothing."""
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode())


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _cookie(headers: Headers) -> str:
    try:
        kept = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return kept.value if kept else ""
