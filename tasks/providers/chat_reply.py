"""From the bytes of an OpenAI-compatible server to a completion, or to why there is none. Pure.

Nothing is taken for an answer that is not one: an error with status 200, a page, a stream that
stopped, half an answer under a content filter, thoughts without an answer, a tool call.
"""

import json
import math
import re
from collections.abc import Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Any, NamedTuple

from contracts.errors import (
    EmptyReply,
    Misconfigured,
    ProviderError,
    Refused,
    ServerFault,
    Truncated,
)
from contracts.opinion import Usage
from tasks.providers.base import Completion
from tasks.providers.chat_errors import error_from, fault_in, parse_retry_after, tidy
from tasks.providers.sse import assemble, looks_like_events

INVISIBLE = "\u200b\u2060\ufeff"
"""Characters that show nothing and that `str.strip` leaves."""
CHARACTERS_PER_TOKEN = 8
"""No tokenizer in use packs more characters of prose or code than this into a token on average."""
LONG_PROMPT = 8000
"""Characters from which on a server may have cut a prompt to its window without saying so."""

MOST = 1e12
"""A count or a cost beyond this is a server's mistake."""

_VARIANT = re.compile(r":(free|nitro|floor|online|extended|exacto|latest)$")
_DATED = re.compile(r"|[-@](\d{3}|\d{4}(-?\d{2}){0,2}|latest|preview)")
_LENGTH = frozenset({"length", "max_tokens", "model_length", "max_length"})
_FILTERED = frozenset({"content_filter", "safety", "recitation", "prohibited_content", "blocklist"})
_BROKEN = frozenset({"error", "abort", "aborted", "cancelled", "canceled", "interrupted"})


class Reply(NamedTuple):
    """What came over the wire."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case, or a mapping that does not mind the case."""
    body: bytes
    broken: ProviderError | None = None
    """Why the connection broke before the body had ended, where it did."""


class Asked(NamedTuple):
    """What the reply is held against."""

    model: str
    where: str
    """The model and the address, for messages."""
    prompt_characters: int = 0
    hidden: str = ""
    """The key, which no message may hold."""


def payload_of(reply: Reply) -> Any:
    """Return the parsed body: of JSON, or of a stream put together. None when it is neither."""
    text = reply.body.decode("utf-8-sig", "replace")
    if "text/event-stream" in reply.headers.get("content-type", "") or looks_like_events(text):
        return assemble(text)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def completion_of(reply: Reply, payload: Any, asked: Asked, now: datetime) -> Completion:
    """Return the completion that a reply holds; usage without latency and calls.

    Args:
        reply: status, headers and body.
        payload: as `payload_of` read it.
        asked: what the reply is held against.
        now: for a `Retry-After` that is a date.

    Raises:
        ProviderError: its subclass for whatever came instead of an answer.
    """
    error = _refusal_of_the_server(reply, payload, asked, now)
    if error is not None:
        raise error
    choice = _choice(payload, asked)
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    reason = str(choice.get("finish_reason") or "").lower()
    _check_finish(choice, message, reason, asked)
    finish_reason = "length" if reason in _LENGTH else reason or None
    text = _text(message.get("content"), asked)
    if not text.strip().strip(INVISIBLE).strip():
        raise _empty(message, finish_reason, asked)
    usage = _usage(payload.get("usage"))
    return Completion(
        text=text,
        finish_reason=finish_reason,
        usage=usage,
        model=_clean(str(payload.get("model") or ""))[:200],
        flags=_flags(reply, payload, finish_reason, usage, asked),
    )


def same_model(asked: str, answered: str) -> bool:
    """Return whether two names mean one model: variant and date set aside, and a missing vendor."""
    one, other = _VARIANT.sub("", asked.casefold()), _VARIANT.sub("", answered.casefold())
    if ("/" in one) != ("/" in other):
        one, other = one.rsplit("/", 1)[-1], other.rsplit("/", 1)[-1]
    longer, shorter = max(one, other, key=len), min(one, other, key=len)
    return longer.startswith(shorter) and bool(_DATED.fullmatch(longer[len(shorter) :]))


def _refusal_of_the_server(
    reply: Reply, payload: Any, asked: Asked, now: datetime
) -> ProviderError | None:
    """Return the error for a reply that is not a success of the API."""
    if HTTPStatus.MULTIPLE_CHOICES <= reply.status < HTTPStatus.BAD_REQUEST:
        target = tidy(reply.headers.get("location", "elsewhere"))
        return Misconfigured(
            f"{asked.where} sends callers on to {target}; the key is not taken there. "
            "If that is the right address, write it as base_url in the roster."
        )
    fault = fault_in(reply.status, payload)
    if fault is not None:
        if asked.hidden:
            fault = fault._replace(message=fault.message.replace(asked.hidden, "***"))
        return error_from(fault, asked.where, parse_retry_after(reply.headers, now))
    if reply.broken is not None and not (isinstance(payload, dict) and payload.get("choices")):
        return reply.broken
    if reply.status == HTTPStatus.NO_CONTENT or not reply.body.strip():
        return EmptyReply(f"{asked.where} answered {reply.status} with an empty body.")
    if not isinstance(payload, dict):
        return ServerFault(f"{asked.where} answered with {_description(reply)}, not with the API.")
    return None


def _description(reply: Reply) -> str:
    text = reply.body[:4000].decode("utf-8", "replace")
    title = re.search(r"<title[^>]{0,100}>([^<]{0,200})", text, re.IGNORECASE)
    if title:
        return f"a web page ({tidy(title[1])!r})"
    return f"text that is not JSON ({tidy(text[:80])!r})"


def _choice(payload: Mapping[str, Any], asked: Asked) -> Mapping[str, Any]:
    choices = payload.get("choices")
    if not isinstance(choices, list):
        raise ServerFault(f"{asked.where} answered without choices: not the API's reply.")
    if not choices:
        raise EmptyReply(f"{asked.where} answered with an empty list of choices.")
    if not isinstance(choices[0], dict):
        raise ServerFault(f"{asked.where} answered with a choice that is no object.")
    return choices[0]


def _check_finish(
    choice: Mapping[str, Any], message: Mapping[str, Any], reason: str, asked: Asked
) -> None:
    fault = fault_in(HTTPStatus.OK, choice)
    if fault is not None:
        raise error_from(fault, asked.where)
    if reason in _FILTERED:
        raise Refused(f"{asked.where} stopped the answer by its content filter.")
    if reason in _BROKEN:
        raise ServerFault(f"{asked.where} gave up half way (finish_reason {reason!r}).")
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal.strip():
        raise Refused(f"{asked.where} declined: {tidy(refusal)}")


def _text(content: object, asked: Asked) -> str:
    """Return the text of a message whose content is a string or a list of parts."""
    if content is None:
        return ""
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, dict)]
        texts = [p.get("text") for p in parts if p.get("type", "text") in ("text", "output_text")]
        content = "".join(text for text in texts if isinstance(text, str))
    if not isinstance(content, str):
        raise ServerFault(f"{asked.where} answered with content that is no text.")
    return _clean(content)


def _clean(text: str) -> str:
    """Replace lone surrogates, which JSON may hold and UTF-8 may not."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def _empty(message: Mapping[str, Any], finish_reason: str | None, asked: Asked) -> ProviderError:
    if finish_reason == "length":
        return Truncated(
            f"{asked.where} used up its tokens before it answered. Raise the seat's max_tokens."
        )
    if message.get("tool_calls") or message.get("function_call"):
        return EmptyReply(f"{asked.where} called a tool instead of answering.")
    if message.get("reasoning_content") or message.get("reasoning"):
        return EmptyReply(f"{asked.where} thought and then gave no answer.")
    return EmptyReply(f"{asked.where} gave an empty answer.")


def _usage(usage: object) -> Usage:
    told = usage if isinstance(usage, dict) else {}
    return Usage(
        prompt_tokens=_count(told.get("prompt_tokens")),
        completion_tokens=_count(told.get("completion_tokens")),
        cost_usd=_number(told.get("cost")),
    )


def _count(value: object) -> int | None:
    number = _number(value)
    return None if number is None else int(number)


def _number(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if math.isfinite(value) and 0 <= value < MOST else None


def _flags(
    reply: Reply,
    payload: Mapping[str, Any],
    finish_reason: str | None,
    usage: Usage,
    asked: Asked,
) -> tuple[str, ...]:
    answered = str(payload.get("model") or "")
    tokens = usage.prompt_tokens or 0
    found = {
        "truncated": finish_reason == "length",
        "model_mismatch": bool(answered) and not same_model(asked.model, answered),
        "invalid_utf8": _is_invalid_utf8(reply.body),
        "prompt_truncated": asked.prompt_characters > LONG_PROMPT
        and 0 < tokens * CHARACTERS_PER_TOKEN < asked.prompt_characters,
    }
    return tuple(name for name, holds in found.items() if holds)


def _is_invalid_utf8(body: bytes) -> bool:
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False
