"""Turns: how many calls go to one provider and address at once, per minute, and not before when.

One gate for all seats of the process that share a provider and an address. Slots live per event
loop; the pace and the hold are plain times and hold across loops and threads.
"""

import asyncio
import math
import threading
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakKeyDictionary

from anyio import CapacityLimiter

from contracts.errors import ProviderError, RateLimited
from contracts.juror import Endpoint

MINUTE = 60.0
LONGEST_HOLD = 3600.0
"""Seconds; a server that asks for more is asked again after that all the same."""


class Gate:
    """The turns of one provider at one address."""

    def __init__(self) -> None:
        """Start open: no limit named, nobody told to wait."""
        self._lock = threading.Lock()
        self._concurrency = math.inf
        self._slots: WeakKeyDictionary[asyncio.AbstractEventLoop, CapacityLimiter] = (
            WeakKeyDictionary()
        )
        self._per_minute = math.inf
        self._starts: deque[float] = deque()
        self._closed_until = 0.0

    def narrow(self, endpoint: Endpoint) -> None:
        """Take the smallest limits that any seat names."""
        self._concurrency = min(self._concurrency, endpoint.max_concurrency or math.inf)
        rate = endpoint.requests_per_minute or math.inf
        if rate < self._per_minute:
            with self._lock:
                self._per_minute = rate
                self._starts = deque(self._starts, maxlen=max(1, int(rate)))

    def slots(self) -> CapacityLimiter:
        """Return the running loop's slots."""
        loop = asyncio.get_running_loop()
        slots = self._slots.setdefault(loop, CapacityLimiter(self._concurrency))
        slots.total_tokens = min(slots.total_tokens, self._concurrency)
        return slots

    async def wait(self, where: str, max_wait_seconds: float) -> None:
        """Wait for the hold to end and for a place in the minute.

        Raises:
            RateLimited: at once, when the server asked for longer than `max_wait_seconds`.
        """
        while (left := self._closed_until - time.monotonic()) > 0:
            if left > max_wait_seconds:
                raise RateLimited(
                    f"{where} asked not to be called for another {left:.0f} s, "
                    f"and at most {max_wait_seconds:g} s are waited for. Ask again later.",
                    retry_after=left,
                )
            await asyncio.sleep(left)
        if pause := self._reserve(time.monotonic()):
            await asyncio.sleep(pause)

    def heed(self, error: ProviderError) -> None:
        """Hold every seat back for as long as the server asked."""
        if error.retry_after is not None:
            until = time.monotonic() + min(error.retry_after, LONGEST_HOLD)
            self._closed_until = max(self._closed_until, until)

    def _reserve(self, now: float) -> float:
        """Return the seconds until there is a place: never more than the rate in any minute.

        A sliding window, exact where a leaky bucket would let twice the rate through in the first
        minute, which free tiers answer with 429.
        """
        with self._lock:
            places = self._starts.maxlen
            if places is None:
                return 0.0
            window = MINUTE * places / self._per_minute
            full = len(self._starts) == places
            start = max(now, self._starts[0] + window) if full else now
            self._starts.append(start)
            return start - now


_gates: dict[tuple[str, str], Gate] = {}


def gate(endpoint: Endpoint) -> Gate:
    """Return the gate of an endpoint's provider and address, narrowed to the endpoint's limits."""
    key = (endpoint.provider, (endpoint.base_url or "").strip().rstrip("/").lower())
    found = _gates.setdefault(key, Gate())
    found.narrow(endpoint)
    return found


def open_gates() -> None:
    """Forget all limits and holds, for a process that starts over."""
    _gates.clear()


@asynccontextmanager
async def turn(endpoint: Endpoint, max_wait_seconds: float) -> AsyncIterator[None]:
    """Hold a turn at the endpoint while the block runs; its Retry-After then holds all seats.

    Raises:
        RateLimited: at once, when the endpoint is closed for longer than `max_wait_seconds`.
    """
    here = gate(endpoint)
    async with here.slots():
        await here.wait(f"{endpoint.model} ({endpoint.provider})", max_wait_seconds)
        try:
            yield
        except ProviderError as error:
            here.heed(error)
            raise
