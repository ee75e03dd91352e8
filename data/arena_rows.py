"""Rows of arenas, bouts, scores and ratings."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

from contracts.bout import Arena, Bout, Contest, Ratings, Score
from contracts.deliberation import Deliberation
from contracts.opinion import Usage
from contracts.verdict import Verdict

Rows = Iterator[tuple[str, dict[str, Any]]]

REOPENED = 3
"""Round of the opinions that follow an overturned bout."""


def deliberation_arena_rows(deliberation: Deliberation) -> Rows:
    """Yield the arena of a deliberation; nothing where none was held."""
    if deliberation.contest is not None:
        again = [o.usage for o in deliberation.opinions if o.round == REOPENED]
        yield from _rows(
            deliberation.deliberation_id,
            deliberation.deliberation_id,
            deliberation.contest,
            deliberation.verdict,
            again,
            deliberation.finished_at,
        )


def arena_rows(arena: Arena) -> Rows:
    """Yield an arena that was held over a kept verdict."""
    again = [opinion.usage for opinion in arena.opinions]
    yield from _rows(
        arena.arena_id,
        arena.deliberation_id,
        arena.contest,
        arena.verdict,
        again,
        arena.finished_at,
    )
    for place, act in enumerate(arena.activations, start=1):
        row = {"kind": act.kind, "subject": act.subject, "effect": act.effect, "turned": act.turned}
        yield "activations", {"deliberation_id": arena.deliberation_id, "place": place, **row}


def rating_rows(ratings: Ratings) -> Rows:
    """Yield the ratings of one refit."""
    for rating in ratings.ratings:
        yield "ratings", {"computed_at": ratings.computed_at, **dict(rating)}


def _rows(
    arena_id: str,
    deliberation_id: str,
    contest: Contest,
    verdict: Verdict,
    again: Sequence[Usage],
    held_at: datetime,
) -> Rows:
    key = {"deliberation_id": deliberation_id}
    yield (
        "arenas",
        key
        | {"arena_id": arena_id, "held_at": held_at}
        | _arena(contest, verdict)
        | _costs([*contest.spent, *again]),
    )
    for bout in contest.bouts:
        yield "bouts", key | {"arena_id": arena_id} | _bout(bout)
        for score in bout.scores:
            yield "bout_scores", key | {"bout_id": bout.bout_id} | _score(score)


def _arena(contest: Contest, verdict: Verdict) -> dict[str, Any]:
    judged, settled = contest.judged, contest.settled
    summary = settled.arena
    counts = ("upheld", "weakened", "overturned", "draws", "void", "worst_severity")
    return {
        "status_before": judged.status,
        "option_before": judged.option,
        "confidence_before": judged.confidence,
        "status_after": verdict.status,
        "option_after": verdict.option,
        "confidence_after": settled.confidence,
        "bouts": len(contest.bouts),
        "reopened": bool(verdict.arena and verdict.arena.reopened),
        **{name: getattr(summary, name, 0) for name in counts},
    }


def _bout(bout: Bout) -> dict[str, Any]:
    attack, rebuttal = bout.attack, bout.rebuttal
    costs = _costs([plea.usage for plea in bout.pleas])
    return {
        **{name: getattr(bout, name) for name in _BOUT},
        "void_reason": bout.void,
        "attacker": attack.juror if attack else None,
        "claim": attack.claim if attack else None,
        "assumption": attack.assumption if attack else None,
        "stated_severity": attack.severity if attack else None,
        "attack_option": attack.option if attack else None,
        "rebutter": rebuttal.juror if rebuttal else None,
        "answer": rebuttal.answer if rebuttal else None,
        "struck_reason": rebuttal.struck if rebuttal else None,
        "scorers": len({score.juror for score in bout.scores}),
        "calls": costs["calls"],
        "cost_usd": costs["cost_usd"],
        "simulated": any(plea.simulated for plea in bout.pleas),
    }


_BOUT = (
    "bout_id",
    "persona",
    "topic",
    "round",
    "option",
    "outcome",
    "severity",
    "self_scored",
)


def _score(score: Score) -> dict[str, Any]:
    same = ("juror", "attack_side", "picked", "stronger", "weight", "reason", "fault")
    return {name: getattr(score, name) for name in same} | {"latency_ms": score.usage.latency_ms}


def _costs(spent: Sequence[Usage]) -> dict[str, Any]:
    return {
        "calls": sum(usage.calls for usage in spent),
        "prompt_tokens": _total(usage.prompt_tokens for usage in spent),
        "completion_tokens": _total(usage.completion_tokens for usage in spent),
        "cost_usd": _total(usage.cost_usd for usage in spent),
        "n_unpriced": sum(usage.calls for usage in spent if usage.cost_usd is None),
    }


def _total(values: Iterable[float | None]) -> float | None:
    """Return the sum of what is known; None when nothing is."""
    known = [value for value in values if value is not None]
    return sum(known) if known else None
