"""What an OpenAI-compatible server's error means. Pure: status and payload in, ProviderError out.

Servers name one fault in many ways: an HTTP status, a code in a body with status 200, a string, a
list of FastAPI details, the upstream's text in `metadata`. All of them are read into a `Fault`.
"""

import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, NamedTuple

from contracts.errors import (
    AuthFailed,
    BadRequest,
    ContextOverflow,
    Misconfigured,
    ModelNotFound,
    ProviderError,
    ProviderTimeout,
    RateLimited,
    Refused,
    ServerFault,
)

SHOWN = 300
"""Characters of a server's own words that go into a message."""
READ = 2000
"""Characters of them that are searched for the cause."""


class Fault(NamedTuple):
    """An error as the server tells it."""

    status: int | None
    """The HTTP status, or the one that a body with status 200 names."""
    code: str
    """Machine words: code, type, status, lower case, joined by spaces."""
    message: str
    param: str = ""
    structured: bool = False
    """Whether the body held an error object, which only an API sends."""

    @property
    def text(self) -> str:
        """All words of the fault in lower case, bounded."""
        return f"{self.code} {self.param} {self.message}".lower()[:READ]


_CONTEXT = re.compile(
    r"context.{0,3}(length|window|size)|maximum context|prompt is too long|prompt too long"
    r"|input is too long|too many (input )?tokens|reduce the length|token limit exceeded"
    r"|string_above_max_length"
)
_FILTER = re.compile(
    r"content.?(filter|policy)|content management|moderation|flagged|safety (system|filter)"
)
_CREDIT = re.compile(
    r"insufficient.?(credit|balance|fund)|not enough (credit|balance)|billing_hard_limit"
    r"|payment required|account.{0,20}(balance|overdue)|out of credit"
)
_AUTH = re.compile(
    r"(invalid|incorrect|missing|expired|no|bad).{0,12}(api.?key|credential|token\b)"
    r"|api.?key.{0,12}(invalid|not valid|expired|missing|required)"
    r"|authentication|unauthori[sz]ed|permission.?denied"
)
_MODEL = re.compile(
    r"model.?not.?found|(unknown|invalid|no such|unsupported) model|not a valid model"
    r"|model\b.{0,120}?(not found|does not exist|is not available|not exist|unknown|decommissioned"
    r"|deprecated|is not supported)|serves this model|no endpoints found"
)
_RATE = re.compile(
    r"rate.?limit|too.?many.?requests|resource.?exhausted|throttl|slow.?down|quota|at capacity"
)
_BUSY = re.compile(r"overloaded|unavailable|server.?error|internal|upstream|timed? ?out|loading")

_BY_STATUS: Mapping[int, type[ProviderError]] = {
    400: BadRequest,
    401: AuthFailed,
    402: AuthFailed,
    403: AuthFailed,
    405: Misconfigured,
    408: ProviderTimeout,
    409: ServerFault,
    410: ModelNotFound,
    413: ContextOverflow,
    422: BadRequest,
    423: ServerFault,
    425: ServerFault,
    429: RateLimited,
}
_ADVICE: Mapping[type[ProviderError], str] = {
    AuthFailed: "Check the key that api_key_env names, and the account behind it.",
    ModelNotFound: "Check the model's name in the roster.",
    ContextOverflow: "Shorten the question or its context, or seat a model with a larger window.",
    Misconfigured: "Check base_url in the roster; it usually ends in /v1.",
}


def fault_in(status: int, payload: object) -> Fault | None:
    """Return the error that a response holds, None when it holds none.

    Args:
        status: of the response.
        payload: its parsed body; anything that is no JSON object counts as no body.
    """
    body = payload if isinstance(payload, dict) else {}
    error = _error_object(body)
    if error is None:
        return None if status < HTTPStatus.BAD_REQUEST else _bare(status, body)
    words = [error.get(name) for name in ("code", "type", "status")]
    named = next((n for n in (_as_status(word) for word in words) if n is not None), None)
    return Fault(
        status=status if status >= HTTPStatus.BAD_REQUEST else named,
        code=" ".join(str(word).lower() for word in words if word is not None),
        message=" ".join(_messages(error)),
        param=str(error.get("param") or ""),
        structured=True,
    )


def error_from(fault: Fault, where: str, retry_after: float | None = None) -> ProviderError:
    """Return the error of our tree that says what the fault is, with the server's words.

    Args:
        fault: as `fault_in` read it.
        where: the model and the address, for the message.
        retry_after: seconds that the server asked to be left alone.
    """
    kind = _kind(fault)
    said = tidy(fault.message) or "nothing more"
    number = "" if fault.status is None else f" {fault.status}"
    text = f"{where} answered with error{number}: {said}"
    advice = _ADVICE.get(kind)
    return kind(f"{text}. {advice}" if advice else text, retry_after=retry_after)


def parse_retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the wait that `Retry-After` (seconds or HTTP date) asks for, in seconds.

    None where there is none, where it cannot be read, and where it is negative: the caller then
    backs off on its own. Source: RFC 9110, 10.2.3; `retry-after-ms` is OpenAI's and Azure's.
    """
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if re.fullmatch(r"\d{1,12}(\.\d{1,9})?", value):
            return float(value) / unit
    try:
        when = parsedate_to_datetime(headers.get("retry-after", "")[:64])
        when = when if when.tzinfo else when.replace(tzinfo=UTC)
        seconds = (when - now).total_seconds()
    except (ValueError, OverflowError):
        return None
    return float(math.ceil(seconds)) if seconds > 0 else None


def tidy(text: str) -> str:
    """Return foreign text on one bounded line, without control characters."""
    printable = "".join(ch if ch.isprintable() else " " for ch in text[:READ])
    line = " ".join(printable.split())
    return line if len(line) <= SHOWN else line[:SHOWN] + "…"


def _kind(fault: Fault) -> type[ProviderError]:
    """The words decide where a status is used for several causes, else the status does."""
    status, text = fault.status, fault.text
    if "insufficient_quota" in fault.code:
        return AuthFailed
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return RateLimited
    by_words = _by_words(text)
    if status is None:
        return by_words or ServerFault
    if by_words in _ALLOWED.get(status, ()):
        return by_words or ServerFault
    if status == HTTPStatus.NOT_FOUND:
        return ModelNotFound if fault.structured else Misconfigured
    default = BadRequest if status < HTTPStatus.INTERNAL_SERVER_ERROR else ServerFault
    return _BY_STATUS.get(status, default)


_ALLOWED: Mapping[int, frozenset[type[ProviderError] | None]] = {
    400: frozenset({ContextOverflow, Refused, AuthFailed, ModelNotFound, RateLimited}),
    403: frozenset({Refused, ModelNotFound, RateLimited}),
    404: frozenset({ModelNotFound}),
    422: frozenset({ContextOverflow, Refused, ModelNotFound}),
    500: frozenset({ContextOverflow}),
}
"""What the words may make of a status that servers use for several causes."""


def _by_words(text: str) -> type[ProviderError] | None:
    table = (
        (_CONTEXT, ContextOverflow),
        (_FILTER, Refused),
        (_CREDIT, AuthFailed),
        (_AUTH, AuthFailed),
        (_MODEL, ModelNotFound),
        (_RATE, RateLimited),
        (_BUSY, ServerFault),
    )
    return next((kind for pattern, kind in table if pattern.search(text)), None)


def _error_object(body: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Find the error in its many places; None when the body is no error."""
    error = body.get("error")
    if isinstance(error, dict) and error:
        return error
    if isinstance(error, str) and error.strip():
        return {"message": error, "code": body.get("code"), "type": body.get("type")}
    errors = body.get("errors")
    if isinstance(errors, list) and errors and isinstance(errors[0], dict):
        return errors[0]
    return body if error is True or body.get("object") == "error" else None


def _bare(status: int, body: Mapping[str, Any]) -> Fault:
    """Read an error status whose body holds no error object, such as FastAPI's `detail`."""
    return Fault(status=status, code="", message=" ".join(_messages(body)))


def _messages(error: Mapping[str, Any]) -> Iterator[str]:
    for name in ("message", "msg", "detail"):
        value = error.get(name)
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            yield from (_detail(each) for each in value[:5] if isinstance(each, dict))
    metadata = error.get("metadata")
    if isinstance(metadata, dict) and isinstance(metadata.get("raw"), str):
        yield metadata["raw"]


def _detail(entry: Mapping[str, Any]) -> str:
    """Read one entry of FastAPI's list, without the input, which repeats the request."""
    place = entry.get("loc")
    path = ".".join(str(part) for part in place) if isinstance(place, list) else ""
    return f"{path}: {entry.get('msg', '')}"


def _as_status(word: object) -> int | None:
    number = int(word) if isinstance(word, str) and re.fullmatch(r"\d{3}", word) else word
    if isinstance(number, float) and number.is_integer():
        number = int(number)
    if not isinstance(number, int) or isinstance(number, bool):
        return None
    return number if HTTPStatus.BAD_REQUEST <= number < 600 else None  # noqa: PLR2004 - 5xx ends
