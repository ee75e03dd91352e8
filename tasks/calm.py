"""Keeps out of the way of many deliberations at once: of their waiting, and of their memory."""

import asyncio
import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager

IDLE_SECONDS = 0.0002
"""A pass of the event loop that takes less had nothing to do."""
MOMENT_SECONDS = 0.1
"""The longest that is waited."""
COLLECT_AFTER = 10_000
"""New objects; Python's own 700 has the collector look through what a batch holds every 20 ms."""


async def calm() -> None:
    """Return when the loop has nothing else to do, at the latest after `MOMENT_SECONDS`.

    Questions that start together also wait for their jurors together, and what the council does
    between calls adds up. One that starts once the earlier ones wait uses their waiting.
    """
    began = last = time.perf_counter()
    while last - began < MOMENT_SECONDS:
        await asyncio.sleep(0)
        before, last = last, time.perf_counter()
        if last - before < IDLE_SECONDS:
            return


@contextmanager
def rare_collections() -> Iterator[None]:
    """Look for garbage more rarely while the block runs, and not among what was there before."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
