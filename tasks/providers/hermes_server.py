"""A juror through the one Hermes process that `council up` starts: isolated, with no start-up cost.

Its failures hide behind HTTP 200, and a session that is not named anew would carry over what was
said before, so each call names one of its own.
"""

import asyncio
import time
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx

from contracts.errors import (
    ContextOverflow,
    EmptyReply,
    Misconfigured,
    ProviderError,
    ProviderTimeout,
    RateLimited,
    Refused,
    ServerFault,
    Truncated,
)
from contracts.juror import Endpoint
from contracts.opinion import Usage
from contracts.settings import settings
from tasks.providers.base import Completion, Request
from tasks.providers.chat_errors import tidy
from tasks.providers.chat_reply import Reply, payload_of
from tasks.providers.hermes import check_address
from tasks.providers.hermes_config import provider_argument, route_name
from tasks.providers.hermes_gateway import GatewayInfo, gateway_key, known_gateway
from tasks.providers.hermes_home import server_home
from tasks.providers.hermes_session import session_usage
from tasks.providers.hermes_text import failure_in, plain_text
from tasks.providers.http_client import post

LONGEST_MESSAGE = 65_536
"""Characters of one message; Hermes 0.19 cuts the rest off and does not say so."""

BUSY_SECONDS = 1.0
"""Before a server that has too many runs is asked again."""


class HermesServer:
    """A provider over the API server of `hermes gateway run`.

    Args:
        home: Council's home; None takes the settings'.
    """

    def __init__(self, home: Path | None = None) -> None:
        """Start with nothing asked; the server is looked for at each call."""
        self._home = home

    async def complete(self, endpoint: Endpoint, request: Request) -> Completion:
        """Return the completion; `endpoint.timeout_seconds` bounds connect to last byte.

        Raises:
            ProviderError: one of its subclasses, with the true cause.
        """
        check_address(endpoint)
        council_home = self._home or settings().home
        info = _running(council_home, endpoint)
        where = f"{endpoint.model} through the Hermes server ({provider_argument(endpoint)})"
        _check_length(request, where)
        session, started = f"council-{uuid4().hex}", time.perf_counter()
        try:
            async with asyncio.timeout(endpoint.timeout_seconds):
                reply = await _ask(info, endpoint, request, session, where)
        except TimeoutError:
            raise ProviderTimeout(
                f"{where} did not answer within {endpoint.timeout_seconds:g} s."
            ) from None
        payload = payload_of(reply)
        text = answer_in(reply, payload, where)
        home = server_home(council_home)
        usage = await asyncio.to_thread(session_usage, home, session, _counted(payload))
        spent = {"latency_ms": (time.perf_counter() - started) * 1000, "calls": max(usage.calls, 1)}
        return Completion(
            text=text,
            finish_reason="stop",
            usage=usage.model_copy(update=spent),
            model=endpoint.model,
            via=endpoint.provider,
            provider_version=info.version,
            session_id=session,
        )


def answer_in(reply: Reply, payload: Any, where: str) -> str:
    """Return the answer that a reply of the gateway holds. Pure.

    Args:
        reply: status and headers, which also tell of failures.
        payload: the parsed body.
        where: the model and the server, for messages.

    Raises:
        ProviderError: with the true cause, when a failure stands in any of the places for it.
    """
    body = payload if isinstance(payload, dict) else {}
    if reply.broken is not None:
        raise reply.broken
    if reply.status == HTTPStatus.TOO_MANY_REQUESTS:
        raise RateLimited(f"{where} has too many runs at once.", retry_after=BUSY_SECONDS)
    if reply.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        raise Misconfigured(f"{where} does not take the key: {_RESTART}")
    text, reason, told = _parts(reply, body)
    if reply.status >= HTTPStatus.BAD_REQUEST or reason != "stop" or told:
        raise _failure(text, reason, told or f"HTTP {reply.status}", where)
    error = failure_in(text, where)
    if error is not None:
        raise error
    if not text:
        raise EmptyReply(f"{where} answered with nothing.")
    return text


def _parts(reply: Reply, body: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return the text, the finish reason and the failure that is told, each perhaps empty."""
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else {}
    choice = choice if isinstance(choice, dict) else {}
    message, error = choice.get("message"), body.get("error")
    hermes = body.get("hermes")
    told = [reply.headers.get("x-hermes-error", "")]
    told += [str(part.get("error") or "") for part in (hermes,) if isinstance(part, dict)]
    told += [str(part.get("message") or "") for part in (error,) if isinstance(part, dict)]
    if isinstance(hermes, dict) and not any(told):
        told.append("the run did not complete")
    content = message.get("content") if isinstance(message, dict) else ""
    text = plain_text(content) if isinstance(content, str) else ""
    return text, str(choice.get("finish_reason") or ""), next((t for t in told if t), "")


def _failure(text: str, reason: str, told: str, where: str) -> ProviderError:
    known = failure_in(text, where) or failure_in(told, where)
    if known is not None:
        return known
    if told.startswith("content_policy_blocked"):
        return Refused(f"{where} declined: {tidy(told)}")
    if reason == "length" or "truncated" in told:
        return Truncated(f"{where} stopped before its answer was whole.", exhausted=True)
    return ServerFault(f"{where} failed: {tidy(told)}")


async def _ask(
    info: GatewayInfo, endpoint: Endpoint, request: Request, session: str, where: str
) -> Reply:
    parts = (("system", request.system), ("user", request.user))
    messages = [{"role": role, "content": content} for role, content in parts if content]
    headers = {
        "Authorization": f"Bearer {gateway_key(info)}",
        "Content-Type": "application/json",
        "X-Hermes-Session-Id": session,
    }
    payload = {"model": route_name(endpoint), "messages": messages}
    return await post(httpx.URL(f"{info.base_url}/chat/completions"), headers, payload, where)


def _check_length(request: Request, where: str) -> None:
    longest = max(len(request.system), len(request.user))
    if longest > LONGEST_MESSAGE:
        raise ContextOverflow(
            f"{where}: the prompt is {longest:,} characters and the server takes "
            f"{LONGEST_MESSAGE:,}. Shorten the context, or seat the juror with provider "
            "openai_compatible."
        )


def _running(council_home: Path, endpoint: Endpoint) -> GatewayInfo:
    info = known_gateway(council_home)
    if info is None:
        raise Misconfigured(
            f"{endpoint.model}: the Hermes server does not run; `council up` starts it."
        )
    if route_name(endpoint) not in info.routes:
        raise Misconfigured(
            f"{endpoint.model}: the Hermes server was started without it. {_RESTART}"
        )
    return info


def _counted(payload: Any) -> Usage:
    counts = payload.get("usage") if isinstance(payload, dict) else None
    counts = counts if isinstance(counts, dict) else {}
    prompt, completion = counts.get("prompt_tokens"), counts.get("completion_tokens")
    return Usage(
        prompt_tokens=prompt if isinstance(prompt, int) else None,
        completion_tokens=completion if isinstance(completion, int) else None,
    )


_RESTART = "`council down`, then `council up` starts it again from the roster."
