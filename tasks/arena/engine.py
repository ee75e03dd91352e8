"""The arena's stages as Prefect tasks: named by persona, tagged, retried, cached."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial
from typing import Any

from prefect import Task, tags, task

from contracts.base import sha256_text
from contracts.bout import Arena, Attack, Bout, Rebuttal, Score, Side
from contracts.opinion import Opinion
from contracts.persona import Hyde
from contracts.settings import Settings
from contracts.verdict import Verdict
from tasks import reports
from tasks.arena import pleading, stages
from tasks.arena.case import Case, Casting, Seat
from tasks.arena.requests import (
    attack_request,
    rebut_request,
    reopen_request,
    score_request,
    sides_of,
)
from tasks.arena.stages import ArenaStages
from tasks.prompting import prompt_sha256
from tasks.providers.base import Request
from tasks.skills import load_hyde
from tasks.task_options import UNCACHED, call_options, disk_options

VERSION = "v1"
"""Raised when what a plea holds, or how it is read, changes."""


def prefect_arena(
    settings: Settings, *, scope: str, prefix: str = "", keep: timedelta | None = None
) -> ArenaStages:
    """Return the arena's stages as Prefect tasks; the arguments are those of `prefect_stages`."""
    attack, rebut, score, reconsider = _pleading(settings, scope, prefix, keep)
    disk = disk_options(settings)

    @task(task_run_name=prefix + "recall-personas", **disk)
    async def personas() -> Hyde:
        return load_hyde(settings.home)

    @task(task_run_name=prefix + "settle", **UNCACHED)
    async def settle(case: Case, bouts: tuple[Bout, ...]) -> Verdict:
        return await stages.settle_stage(case, bouts)

    @task(task_run_name=prefix + "judge-again", **UNCACHED)
    async def judge(case: Case, settled: Verdict, again: tuple[Opinion, ...]) -> Verdict:
        return await stages.judge_again(case, settled, again)

    @task(task_run_name=prefix + "record-arena", **disk)
    async def record(arena: Arena) -> None:
        await stages.record_arena(settings.home, arena)

    @task(task_run_name=prefix + "report-arena", **UNCACHED)
    async def report(arena: Arena) -> None:
        await reports.publish_bouts(arena.contest)

    return ArenaStages(
        personas=personas,
        attack=attack,
        rebut=rebut,
        score=score,
        settle=settle,
        reconsider=reconsider,
        judge=judge,
        record=record,
        report=report,
    )


def _pleading(
    settings: Settings, scope: str, prefix: str, keep: timedelta | None
) -> tuple[Callable[..., Awaitable[Any]], ...]:
    """Return the stages that call models, each under its own name and key."""
    call = call_options(settings, keep)

    def named(name: str, key: Callable[..., str]) -> dict[str, Any]:
        known = {"cache_key_fn": lambda _, given: key(scope, **given)}
        return {"task_run_name": prefix + name, **known, **call}

    @task(**named("attack-{casting.persona.name}", _attack_key))
    async def attack(case: Case, casting: Casting, earlier: tuple[str, ...]) -> Attack:
        return await pleading.attack_verdict(case, casting, earlier)

    @task(**named("rebut-{casting.persona.name}", _rebut_key))
    async def rebut(case: Case, casting: Casting, made: Attack) -> Rebuttal:
        return await pleading.rebut_attack(case, casting, made)

    @task(**named("score-{casting.persona.name}-{scorer.name}-{side}", _score_key))
    async def score(
        case: Case,
        casting: Casting,  # noqa: ARG001 - it names the run
        scorer: Seat,
        attack: str,
        rebuttal: str,
        side: Side,
    ) -> Score:
        return await pleading.score_bout(case, scorer, attack, rebuttal, side)

    @task(**named("reconsider-{seat.name}-r3", _reopen_key))
    async def reconsider(case: Case, seat: Seat, own: Opinion, bout: Bout) -> Opinion:
        return await pleading.reconsider_attacked(case, seat, own, bout)

    return (
        partial(_tagged, attack, lambda _, casting, *__: casting.attacker),
        partial(_tagged, rebut, lambda _, casting, *__: casting.rebutter),
        partial(_tagged, score, lambda _, __, scorer, *___: scorer),
        partial(_tagged, reconsider, lambda _, seat, *__: seat),
    )


async def _tagged(stage: Task[..., Any], seat_of: Callable[..., Seat], *given: Any) -> Any:
    seat = seat_of(*given)
    with tags(f"juror:{seat.name}", f"provider:{seat.endpoint.provider}"):
        return await stage(*given)


def _attack_key(scope: str, case: Case, casting: Casting, earlier: tuple[str, ...]) -> str:
    request = attack_request(case, casting, earlier)
    return _key("attack", scope, casting.attacker, request)


def _rebut_key(scope: str, case: Case, casting: Casting, made: Attack) -> str:
    return _key("rebut", scope, casting.rebutter, rebut_request(case, casting, made))


def _score_key(
    scope: str, case: Case, casting: Casting, scorer: Seat, attack: str, rebuttal: str, side: Side
) -> str:
    del casting
    return _key("score", scope, scorer, score_request(case, sides_of(attack, rebuttal, side)))


def _reopen_key(scope: str, case: Case, seat: Seat, own: Opinion, bout: Bout) -> str:
    return _key("reopen", scope, seat, reopen_request(case, own, bout))


def _key(stage: str, scope: str, seat: Seat, request: Request) -> str:
    """Everything that could change the answer, and nothing that could not."""
    parts = (scope, seat.name, seat.spec.family, seat.endpoint.sha256(), prompt_sha256(request))
    return f"{stage}:{VERSION}:{sha256_text(':'.join(parts))}"
