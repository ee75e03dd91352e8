"""The stages of an arena as a record of callables, and the plain ones that need no engine."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

from contracts.bout import Arena, Attack, Bout, Rebuttal, Score, Side
from contracts.opinion import Opinion
from contracts.persona import Hyde
from contracts.verdict import Verdict
from data.journal import Journal
from tasks.arena.case import Case, Casting, Seat
from tasks.arena.pleading import attack_verdict, rebut_attack, reconsider_attacked, score_bout
from tasks.judging.decide import decide
from tasks.judging.settle import after_reopening, settle, with_learned_strength
from tasks.providers.policy import RetryPolicy, with_retries
from tasks.skills import load_hyde


class ArenaStages(NamedTuple):
    """What an arena is made of. An engine gives each its retries, its cache and its name."""

    personas: Callable[[], Awaitable[Hyde]]
    attack: Callable[[Case, Casting, tuple[str, ...]], Awaitable[Attack]]
    """Case, casting, claims made in earlier rounds."""
    rebut: Callable[[Case, Casting, Attack], Awaitable[Rebuttal]]
    score: Callable[[Case, Casting, Seat, str, str, Side], Awaitable[Score]]
    """Case, casting, scorer, the attack and the rebuttal as they are shown, the attack's letter."""
    settle: Callable[[Case, tuple[Bout, ...]], Awaitable[Verdict]]
    reconsider: Callable[[Case, Seat, Opinion, Bout], Awaitable[Opinion]]
    judge: Callable[[Case, Verdict, tuple[Opinion, ...]], Awaitable[Verdict]]
    """Case, the settled verdict, the opinions of the reopened round."""
    record: Callable[[Arena], Awaitable[None]]
    report: Callable[[Arena], Awaitable[None]]


def plain_arena(home: Path, call: RetryPolicy) -> ArenaStages:
    """Return the stages as plain functions: retries by stamina, no server, no cache."""

    async def personas() -> Hyde:
        return load_hyde(home)

    async def attack(case: Case, casting: Casting, earlier: tuple[str, ...]) -> Attack:
        return await with_retries(lambda: attack_verdict(case, casting, earlier), call)

    async def rebut(case: Case, casting: Casting, made: Attack) -> Rebuttal:
        return await with_retries(lambda: rebut_attack(case, casting, made), call)

    async def score(
        case: Case, _casting: Casting, scorer: Seat, attack: str, rebuttal: str, side: Side
    ) -> Score:
        return await with_retries(lambda: score_bout(case, scorer, attack, rebuttal, side), call)

    async def reconsider(case: Case, seat: Seat, own: Opinion, bout: Bout) -> Opinion:
        return await with_retries(lambda: reconsider_attacked(case, seat, own, bout), call)

    async def record(arena: Arena) -> None:
        await record_arena(home, arena)

    return ArenaStages(
        personas=personas,
        attack=attack,
        rebut=rebut,
        score=score,
        settle=settle_stage,
        reconsider=reconsider,
        judge=judge_again,
        record=record,
        report=unreported_arena,
    )


async def settle_stage(case: Case, bouts: tuple[Bout, ...]) -> Verdict:
    """Fold the bouts into the verdict."""
    return settle(case.verdict, bouts, with_learned_strength(case.policy, case.memory))


async def judge_again(case: Case, settled: Verdict, again: tuple[Opinion, ...]) -> Verdict:
    """Decide on all opinions, those of the reopened round included. No second arena follows."""
    judged = decide(case.question, (*case.opinions, *again), case.memory, case.policy)
    return after_reopening(settled, judged)


async def record_arena(home: Path, arena: Arena) -> None:
    """Write an arena over a kept verdict to the journal."""
    await asyncio.to_thread(Journal(home).put, "arena", arena.arena_id, arena)


async def unreported_arena(arena: Arena) -> None:
    """Report nothing: there is no dashboard."""
