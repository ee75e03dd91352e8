"""How often a call is tried, and what may be tried again: one record for both engines."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from functools import cache
from typing import TypeVar

import stamina
from pydantic import Field

from contracts.base import Record
from contracts.errors import ProviderError, ProviderTimeout

T = TypeVar("T")


class RetryPolicy(Record):
    """Attempts and waits. The wait doubles with each attempt; a server's Retry-After wins."""

    attempts: int = Field(default=3, ge=1, le=10)
    """Tries in all."""
    timeout_attempts: int = Field(default=2, ge=1, le=10)
    """Tries in all of a call that ran out of time, each of which costs the seat's whole time."""
    backoff_seconds: float = Field(default=0.5, ge=0)
    """Before the second attempt."""
    jitter: float = Field(default=0.5, ge=0, le=1)
    """Added at random, as a share of `backoff_seconds` (stamina) or of the wait (Prefect)."""
    max_wait_seconds: float = Field(default=60.0, gt=0)
    """A server that asks for a longer wait is not waited for."""
    deadline_seconds: float | None = Field(default=None, gt=0)
    """For all attempts and waits together, waiting for a turn included."""


def should_retry(error: object, policy: RetryPolicy | None = None, attempt: int = 1) -> bool:
    """Return whether attempt number `attempt` (from 1), which failed with `error`, is repeated.

    Without a policy only the kind of the error counts: Prefect counts attempts itself.
    """
    if not isinstance(error, ProviderError) or not error.retryable:
        return False
    if policy is None:
        return True
    limit = policy.attempts
    if isinstance(error, ProviderTimeout):
        limit = min(limit, policy.timeout_attempts)
    return attempt < limit and (error.retry_after or 0) <= policy.max_wait_seconds


def delays(policy: RetryPolicy) -> list[float]:
    """Return the waits between attempts in seconds, without jitter, as Prefect takes them."""
    waits = (policy.backoff_seconds * 2**n for n in range(policy.attempts - 1))
    return [min(wait, policy.max_wait_seconds) for wait in waits]


async def with_retries(call: Callable[[], Awaitable[T]], policy: RetryPolicy) -> T:
    """Return what `call` returns, tried as the policy says.

    Raises:
        ProviderError: the last cause; at once when it cannot pass, when the server asks for a
            longer wait than `max_wait_seconds`, or when the wait would outlast the deadline.
        ProviderTimeout: when the deadline came during an attempt.
    """
    _silence_stamina()
    ends = time.monotonic() + (policy.deadline_seconds or math.inf)
    jitter = policy.backoff_seconds * policy.jitter

    def wait(error: Exception) -> bool | float:
        asked = getattr(error, "retry_after", None) or 0.0
        longest = max(asked, attempt.next_wait + jitter)
        if not should_retry(error, policy, attempt.num) or time.monotonic() + longest >= ends:
            return False
        return float(asked) if asked > policy.backoff_seconds else True

    try:
        return await _before(ends, call, policy)
    except ProviderError as error:
        first = error
    # Most calls end here; the rest begins with the failure that there was.
    async for attempt in stamina.retry_context(
        on=wait,
        attempts=policy.attempts,
        timeout=None,
        wait_initial=policy.backoff_seconds,
        wait_jitter=jitter,
        wait_max=policy.max_wait_seconds,
    ):
        with attempt:
            if attempt.num == 1:
                raise first
            return await _before(ends, call, policy)
    raise AssertionError("stamina ends with a result or with an exception")


async def _before(ends: float, call: Callable[[], Awaitable[T]], policy: RetryPolicy) -> T:
    try:
        async with asyncio.timeout(None if math.isinf(ends) else ends - time.monotonic()) as bound:
            return await call()
    except TimeoutError:
        if not bound.expired():
            raise
        raise ProviderTimeout(f"No answer within {policy.deadline_seconds:g} s in all.") from None


@cache
def _silence_stamina() -> None:
    """Take stamina's hooks off: each retry would be a warning, and a metric that nobody reads."""
    stamina.instrumentation.set_on_retry_hooks([])
