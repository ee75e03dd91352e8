"""One attempt as far as the child goes: it is asked, it runs, it answers or it does not."""

import asyncio
import time
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from contracts.base import sha256_text
from contracts.delegation import AskedFor, ChildRun
from contracts.errors import ProviderError
from tasks.children import Child, ChildReply, Errand
from tasks.verifying.deliver import Trouble
from tasks.verifying.manifest import read_manifest

MAX_REPLY_CHARS = 20_000
"""Of a reply, in the record."""

GRACE_SECONDS = 30.0
"""For a child to be ended and cleared away after its time; then it is not waited for."""


class History(NamedTuple):
    """What the attempts so far were made for, this one included, and what they cost."""

    asked_for: tuple[AskedFor, ...] = ("first",)
    seconds: float = 0.0
    tokens: int = 0

    def after(self, run: ChildRun, reason: AskedFor) -> "History":
        """Return the history of the attempt that follows `run`."""
        return History((*self.asked_for, reason), run.spent_seconds, run.spent_tokens)


async def run_child(
    child: Child, errand: Errand, history: History, now: Callable[[], datetime]
) -> tuple[ChildRun, Trouble | None]:
    """Let the child run, and return what can be told of it, and how it ended where not well."""
    started, clock = now(), time.perf_counter()
    try:
        async with asyncio.timeout(errand.seconds + GRACE_SECONDS):
            reply = await child.run(errand)
    except ProviderError as error:
        reply = ChildReply("", failure=error)
    except TimeoutError:
        reply = ChildReply("", timed_out=True)
    run = ChildRun(
        number=errand.attempt,
        asked_for=history.asked_for,
        child=child.name,
        child_session=reply.session_id,
        prompt_sha256=sha256_text(errand.prompt),
        started_at=started,
        finished_at=now(),
        exit_code=reply.exit_code,
        timed_out=reply.timed_out,
        error=reply.failure.kind if reply.failure else None,
        error_detail=str(reply.failure or ""),
        reply=reply.text[:MAX_REPLY_CHARS].encode("utf-8", "replace").decode(),
        reply_chars=len(reply.text),
        manifest=read_manifest(reply.text, errand.contract.paths),
        tokens=reply.tokens,
        cost_usd=reply.cost_usd,
        simulated=reply.simulated,
        spent_seconds=history.seconds + time.perf_counter() - clock,
        spent_tokens=history.tokens + (reply.tokens or 0),
    )
    return run, _trouble(reply, errand.seconds)


def _trouble(reply: ChildReply, seconds: float) -> Trouble | None:
    failure = reply.failure
    if failure is not None:
        what = f"could not be done by the child ({failure.kind}): {failure}"
        return Trouble(what, recoverable=failure.retryable)
    if reply.timed_out:
        return Trouble(f"was cut off when its {seconds:g} s were over")
    if reply.exit_code:
        return Trouble(f"comes from a child that ended with exit code {reply.exit_code}")
    return None
