"""From the scores of a bout to its outcome. Pure, and free of the order of the scores."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import floor
from statistics import median
from typing import Literal, NamedTuple

from contracts.bout import Bout, BoutOutcome, Score
from tasks.judging.consensus import NEAR_COPY

Won = Literal["attack", "rebuttal", "draw"]


class Ruling(NamedTuple):
    """What the scores of one bout come to."""

    outcome: BoutOutcome | None
    """None when no scorer was read in both orders."""
    severity: int | None
    """Of an attack that landed."""


class Finding(NamedTuple):
    """What one scorer found, over both orders."""

    won: Won
    weight: float


def rule(
    scores: Iterable[Score], stated_severity: int, *, self_scored: bool, overturning: int
) -> Ruling:
    """Return the outcome of a bout.

    A scorer counts when it was read in both orders of the sides; where the orders disagree, or it
    prefers neither side, it stands for a draw. A side wins with more than half of the scorers that
    count. An attack that wins has the severity that its author states, at most the median of what
    its supporters found it to weigh; from `overturning` on it overturns, below it weakens. Scored
    by its own author it never overturns.

    Args:
        scores: of this bout, in any order.
        stated_severity: as the attacker states it, 1 to 5.
        self_scored: whether the attacker scored.
        overturning: severity from which an attack overturns.
    """
    found = both_orders(scores)
    if not found:
        return Ruling(None, None)
    attacks = [one for one in found if one.won == "attack"]
    if 2 * len(attacks) > len(found):
        weighed = max(1, floor(median(one.weight for one in attacks)))
        severity = min(stated_severity, weighed)
        overturns = severity >= overturning and not self_scored
        return Ruling("overturned" if overturns else "weakened", severity)
    upheld = 2 * sum(one.won == "rebuttal" for one in found) > len(found)
    return Ruling("upheld" if upheld else "draw", None)


def both_orders(scores: Iterable[Score]) -> list[Finding]:
    """Return what each scorer found that was read in both orders."""
    ordered = sorted(scores, key=lambda score: (score.juror, score.canonical_json()))
    by_juror = (list(mine) for _, mine in groupby(ordered, key=lambda score: score.juror))
    return [_together(mine) for mine in by_juror if _was_read_twice(mine)]


def _was_read_twice(mine: Sequence[Score]) -> bool:
    read = {score.attack_side for score in mine if score.picked is not None}
    return read == {"A", "B"}


def _together(mine: Sequence[Score]) -> Finding:
    read = [score for score in mine if score.picked is not None]
    weight = sum(score.weight or 1 for score in read) / len(read)
    found = {score.stronger for score in read}
    if found == {"attack"}:
        return Finding("attack", weight)
    return Finding("rebuttal" if found == {"rebuttal"} else "draw", weight)


def without_copies(bouts: Sequence[Bout]) -> tuple[Bout, ...]:
    """Return the bouts, void those that make an earlier one's attack again in nearly its words.

    Two personas that find the same weakness have found one, and it counts once.
    """
    made: list[tuple[frozenset[str], str]] = []
    kept = []
    for bout in bouts:
        claim = bout.attack.claim if bout.attack else None
        words = frozenset((claim or "").casefold().split())
        twin = next((name for other, name in made if words and _near(words, other)), None)
        if twin is not None and bout.void is None:
            void = {"outcome": None, "severity": None, "void": f"the {twin} made the same attack"}
            kept.append(bout.model_copy(update=void))
            continue
        kept.append(bout)
        if bout.void is None:
            made.append((words, bout.persona))
    return tuple(kept)


def _near(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= NEAR_COPY * len(one | other)
