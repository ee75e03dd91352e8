"""Asks every seat one tiny question: reachable, model, latency, tokens, what is wrong."""

import asyncio
import time
from collections.abc import Sequence
from typing import NamedTuple

from contracts.errors import ProviderError
from contracts.juror import Endpoint, JurorSpec
from contracts.question import Option, Question
from flows.console.terminal import plain
from tasks.prompting import ask_request
from tasks.providers.registry import ask_once
from tasks.reading.reply import read_reply

TINY = Question(
    text="Which is larger, 7 or 3?",
    options=(Option(name="7"), Option(name="3")),
    options_source="given",
)
"""Asked by `check`: any model can answer it, in few tokens."""


class Checked(NamedTuple):
    """What became of the tiny question at one endpoint."""

    seat: str
    provider: str
    model: str
    reachable: bool
    answered: str
    latency_ms: int
    tokens: int | None
    wrong: str


async def check_all(jurors: Sequence[JurorSpec]) -> list[Checked]:
    """Ask every endpoint of every seat, all at once."""
    asked = [(juror, e) for juror in jurors for e in (juror.endpoint, *juror.alternates)]
    return list(await asyncio.gather(*(_check(juror, endpoint) for juror, endpoint in asked)))


async def _check(juror: JurorSpec, endpoint: Endpoint) -> Checked:
    began = time.monotonic()

    def row(reachable: bool, answered: str, tokens: int | None, wrong: str) -> Checked:
        took = round((time.monotonic() - began) * 1000)
        at = (juror.name, endpoint.provider, endpoint.model)
        return Checked(*at, reachable, answered, took, tokens, wrong)

    try:
        completion = await ask_once(endpoint, ask_request(TINY, juror.name))
    except ProviderError as error:
        return row(error.kind in _ANSWERS, "", None, f"{error.kind}: {error}")
    reply = read_reply(completion.text, TINY, finish_reason=completion.finish_reason)
    wrong = "" if reply.status == "ok" else f"not an answer: {reply.detail}"
    said = plain(reply.choice or reply.position or "")[:40]
    return row(True, said, completion.usage.completion_tokens, wrong)


_ANSWERS = {"auth", "rate_limited", "model_not_found", "bad_request", "refused", "empty"}
"""Failures in which the server was there and said so."""
