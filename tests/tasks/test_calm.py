"""Waiting until the loop waits."""

import asyncio
import gc
import time

from tasks import calm as room
from tasks.calm import calm, rare_collections


async def test_what_was_begun_goes_first() -> None:
    steps = []

    async def busy() -> None:
        for step in range(5):
            steps.append(step)
            time.sleep(0.002)  # noqa: ASYNC251 - it stands for work
            await asyncio.sleep(0)

    begun = asyncio.create_task(busy())
    await calm()
    assert steps == [0, 1, 2, 3, 4]
    await begun


async def test_a_loop_that_never_rests_holds_nobody_up_for_ever(monkeypatch) -> None:
    monkeypatch.setattr(room, "IDLE_SECONDS", 0.0)
    monkeypatch.setattr(room, "MOMENT_SECONDS", 0.01)
    passes = 0

    async def restless() -> None:
        nonlocal passes
        while True:
            passes += 1
            await asyncio.sleep(0)

    neighbour = asyncio.create_task(restless())
    await calm()
    neighbour.cancel()
    assert passes > 1


def test_collections_are_rarer_within_the_block_and_as_before_after_it() -> None:
    before, frozen = gc.get_threshold(), gc.get_freeze_count()
    with rare_collections():
        assert gc.get_threshold()[0] > before[0]
        assert gc.get_freeze_count() > frozen
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0
