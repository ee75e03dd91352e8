"""Any server that speaks OpenAI's chat completions: OpenRouter, Ollama, vLLM, llama.cpp, a gateway.

One call, no retries: `tasks.providers.registry.ask` adds turns and retries. What a server refuses
to be asked for (a JSON schema, a temperature, `max_tokens` under that name, a system message, usage
in a stream) is left out once and then, where that helped, for the rest of the process.
"""

import asyncio
import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from http import HTTPStatus
from typing import Any, NamedTuple

import httpx

from contracts.errors import AuthFailed, ContextOverflow, Misconfigured, ProviderTimeout
from contracts.juror import Endpoint
from contracts.settings import secret
from tasks.providers.base import Completion, Request
from tasks.providers.chat_errors import error_from, fault_in
from tasks.providers.chat_reply import Asked, Reply, completion_of, payload_of
from tasks.providers.http_client import post

CHAT = "/chat/completions"
LAST_PORT = 65_535
SHORTEST_HIDDEN = 8
"""Characters of a key below which it is a placeholder, such as `ollama`, and no secret."""
_REFUSING = frozenset(
    {
        HTTPStatus.BAD_REQUEST,
        HTTPStatus.NOT_FOUND,
        HTTPStatus.UNPROCESSABLE_ENTITY,
        HTTPStatus.NOT_IMPLEMENTED,
    }
)
_FEATURES: Mapping[str, re.Pattern[str]] = {
    "json_schema": re.compile(r"response.?format|json.?schema|structured.?output|grammar|guided"),
    "temperature": re.compile(r"temperature"),
    "max_tokens": re.compile(
        r"max_completion_tokens|unsupported.{0,40}max_tokens|max_tokens.{0,40}not supported"
    ),
    "system": re.compile(
        r"(system|developer).{0,20}(role|message|prompt|instruction).{0,30}(not|unsupported)"
        r"|(unsupported|invalid|unknown).{0,20}role"
    ),
    "stream_options": re.compile(r"stream_options"),
}
"""What may be left out of a request, and how servers word that they do not take it."""


class _Call(NamedTuple):
    """What one call is made with."""

    url: httpx.URL
    headers: Mapping[str, str]
    asked: Asked


class OpenAICompatible:
    """A provider over `POST {base_url}/chat/completions`."""

    def __init__(self) -> None:
        """Start with nothing known about any server."""
        self._left_out: dict[tuple[str, str], frozenset[str]] = {}

    async def complete(self, endpoint: Endpoint, request: Request) -> Completion:
        """Return the completion; `endpoint.timeout_seconds` bounds connect to last byte.

        Raises:
            ProviderError: one of its subclasses, with the true cause.
        """
        call = _prepare(endpoint, request)
        started = time.perf_counter()
        try:
            async with asyncio.timeout(endpoint.timeout_seconds):
                reply, payload, calls = await self._converse(call, endpoint, request)
        except TimeoutError:
            raise ProviderTimeout(
                f"{call.asked.where} did not finish within {endpoint.timeout_seconds:g} s. "
                "Raise the seat's timeout_seconds if it is known to be slow."
            ) from None
        completion = completion_of(reply, payload, call.asked, datetime.now(UTC))
        spent = {"latency_ms": (time.perf_counter() - started) * 1000, "calls": calls}
        usage = completion.usage.model_copy(update=spent)
        return completion.model_copy(update={"usage": usage, "via": endpoint.provider})

    async def _converse(
        self, call: _Call, endpoint: Endpoint, request: Request
    ) -> tuple[Reply, Any, int]:
        """Ask, and ask again without what the server says that it does not take."""
        key = (str(call.url), endpoint.model)
        left_out, calls = self._left_out.get(key, frozenset()), 0
        while True:
            calls += 1
            body = chat_body(endpoint, request, left_out)
            reply = await post(call.url, call.headers, body, call.asked.where)
            payload = payload_of(reply)
            feature = refused_feature(reply.status, payload, body, left_out)
            if feature is None:
                break
            left_out |= {feature}
        if reply.status < HTTPStatus.BAD_REQUEST and left_out:
            self._left_out[key] = left_out
        return reply, payload, calls


def chat_body(
    endpoint: Endpoint, request: Request, left_out: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Return the request's body without the features that the server does not take."""
    limit = "max_completion_tokens" if "max_tokens" in left_out else "max_tokens"
    body: dict[str, Any] = {
        "model": endpoint.model,
        "messages": _messages(request, apart="system" not in left_out),
        limit: endpoint.max_tokens,
    }
    if endpoint.temperature is not None and "temperature" not in left_out:
        body["temperature"] = endpoint.temperature
    if request.json_schema is not None and "json_schema" not in left_out:
        schema = {"name": "answer", "schema": request.json_schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    if endpoint.stream:
        body["stream"] = True
        if "stream_options" not in left_out:
            body["stream_options"] = {"include_usage": True}
    return body


def refused_feature(
    status: int, payload: object, body: Mapping[str, Any], left_out: frozenset[str]
) -> str | None:
    """Return the feature that the server refused in `body`, None when it was something else."""
    fault = fault_in(status, payload)
    if fault is None or (fault.status or status) not in _REFUSING:
        return None
    if isinstance(error_from(fault, ""), ContextOverflow):
        return None
    sent = {
        "json_schema": "response_format" in body,
        "temperature": "temperature" in body,
        "max_tokens": "max_tokens" in body,
        "system": len(body["messages"]) > 1,
        "stream_options": "stream_options" in body,
    }
    return next(
        (
            name
            for name, pattern in _FEATURES.items()
            if sent[name] and name not in left_out and pattern.search(fault.text)
        ),
        None,
    )


def _messages(request: Request, *, apart: bool) -> list[dict[str, str]]:
    if apart and request.system:
        return [
            {"role": "system", "content": request.system},
            {"role": "user", "content": request.user},
        ]
    content = f"{request.system}\n\n{request.user}" if request.system else request.user
    return [{"role": "user", "content": content}]


def _prepare(endpoint: Endpoint, request: Request) -> _Call:
    url = chat_url(endpoint.base_url or "")
    key = _key(endpoint)
    headers = {"Content-Type": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    asked = Asked(
        model=endpoint.model,
        where=f"{endpoint.model} at {url.host}{'' if url.port is None else f':{url.port}'}",
        prompt_characters=len(request.system) + len(request.user),
        hidden=key if len(key) >= SHORTEST_HIDDEN else "",
    )
    return _Call(url, headers, asked)


@lru_cache(maxsize=256)
def chat_url(base_url: str) -> httpx.URL:
    """Return the address to post to. `base_url` is the API's root; the full path is taken too.

    Raises:
        Misconfigured: when it is missing, is no http address or carries a user or a password.
    """
    advice = "Write it in the roster as https://host/v1, and the key's variable as api_key_env."
    try:
        url = httpx.URL(base_url.strip())
    except (httpx.InvalidURL, UnicodeError):
        raise Misconfigured(f"base_url is no address. {advice}") from None
    if url.userinfo:
        raise Misconfigured(f"base_url for {url.host} holds a user or a password. {advice}")
    if url.scheme not in {"http", "https"} or not url.host or (url.port or 1) > LAST_PORT:
        raise Misconfigured(f"base_url {base_url[:80]!r} is no http address. {advice}")
    path = url.path.rstrip("/").removesuffix(CHAT)
    return url.copy_with(path=path + CHAT, fragment=None)


def _key(endpoint: Endpoint) -> str:
    """Return the key, empty where the seat names none.

    Raises:
        AuthFailed: naming the variable that is unset or holds what cannot be sent.
    """
    if endpoint.api_key_env is None:
        return ""
    key = secret(endpoint.api_key_env)
    if key is None:
        raise AuthFailed(
            f"{endpoint.model} needs a key, and the variable {endpoint.api_key_env} is not set. "
            "Set it, or name another one as api_key_env in the roster."
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise AuthFailed(
            f"The variable {endpoint.api_key_env} holds characters that no key has "
            "(spaces, line breaks, letters beyond ASCII). Copy the key again."
        )
    return key
