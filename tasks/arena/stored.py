"""An arena over a verdict that was kept earlier."""

from contracts.base import sha256_text
from contracts.bout import Arena
from contracts.deliberation import Deliberation, Engine
from contracts.errors import UsageError
from contracts.memory import ArenaPolicy
from tasks.arena.arena import Tell, hold_arena
from tasks.arena.case import Case
from tasks.arena.casting import check_personas
from tasks.arena.stages import ArenaStages
from tasks.stages import now


async def attack_again(
    old: Deliberation,
    policy: ArenaPolicy,
    stages: ArenaStages,
    tell: Tell,
    *,
    engine: Engine,
    run_id: str,
) -> Arena:
    """Attack the verdict of a kept deliberation; record what came of it beside it, and return that.

    The old deliberation is not changed.

    Args:
        old: whose verdict is attacked, by the seats of its own roster.
        policy: whatever its mode says, the arena is held.
        stages: an engine's.
        tell: is told of each bout.
        engine: where the stages run.
        run_id: the flow run's id, or any other word for this run.

    Raises:
        UsageError: when there is no verdict to attack, no persona applies, or there is no such one.
        SkillError: when the home's personas do not read.
    """
    started = now()
    if not old.verdict.decided:
        status = old.verdict.status.replace("_", " ")
        raise UsageError(f"{old.deliberation_id} has no verdict to attack: it is {status}")
    hyde = await stages.personas()
    check_personas(hyde, policy)
    arena_id = sha256_text(f"arena:{old.deliberation_id}:{run_id}")[:16]
    case = Case.stored(old, old.policy.model_copy(update={"arena": policy}), arena_id)
    held = await hold_arena(case, hyde, stages, tell)
    if held.contest is None:
        raise UsageError(
            f"nobody can attack {old.deliberation_id}: no persona applies to it, or no seat argues"
        )
    arena = Arena(
        arena_id=arena_id,
        deliberation_id=old.deliberation_id,
        policy=case.policy,
        contest=held.contest,
        opinions=held.opinions,
        verdict=held.verdict,
        activations=held.activations,
        engine=engine,
        flow_run_id=run_id if engine == "prefect" else None,
        started_at=started,
        finished_at=now(),
    )
    await stages.record(arena)
    await stages.report(arena)
    return arena


def as_attacked(old: Deliberation, arena: Arena) -> Deliberation:
    """Return the deliberation as it would stand with this arena: for showing, not for keeping."""
    return old.model_copy(
        update={
            "contest": arena.contest,
            "verdict": arena.verdict,
            "opinions": (*old.opinions, *arena.opinions),
            "activations": (*old.activations, *arena.activations),
        }
    )
