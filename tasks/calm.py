"""When the event loop has nothing to do but wait."""

import asyncio
import time

IDLE_SECONDS = 0.0002
"""A pass of the event loop that takes less had nothing to do."""
MOMENT_SECONDS = 0.1
"""The longest that is waited."""


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
