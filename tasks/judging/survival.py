"""What a landed attack is worth, learned from what turned out to be right. Pure."""

from collections.abc import Iterable
from math import exp, log, log1p
from typing import NamedTuple

from contracts.bout import Contest
from contracts.memory import ArenaPolicy
from tasks.judging.settle import damage

PRIOR_MEAN = ArenaPolicy().strength
PRIOR_SPREAD = 1.0
"""Standard deviation, in nats: how sure the house is of its own rule."""
MOST = 20.0


class PastArena(NamedTuple):
    """An arena over a verdict of which it turned out whether it was right."""

    confidence: float
    """Of the judge, in (0, 1)."""
    damage: float
    """As `settle` reckons it, in [0, 1]."""
    right: bool


class Strength(NamedTuple):
    """Nats that full damage costs, and the arenas in which any was done."""

    nats: float
    n: int


def past_arena(contest: Contest, right_option: str) -> PastArena:
    """Return what an arena teaches once the right option is known."""
    right = contest.judged.option == right_option
    return PastArena(contest.judged.confidence, damage(contest.bouts), right)


def learn_strength(past: Iterable[PastArena]) -> Strength:
    """Return the most probable strength for `ArenaPolicy.strength`, in [0, 20].

    P(right) = the judge's confidence, lowered by strength × damage nats of log-odds; the prior is
    normal around the rule of the house, so without arenas that rule comes back. Where attacks that
    land say nothing about being right, it goes to 0.
    """
    struck = [one for one in past if one.damage > 0]
    low, high = 0.0, MOST
    # The slope of the log posterior falls with the strength: its zero is found by halving.
    while high - low > 1e-9:  # noqa: PLR2004 - as near as anybody needs
        middle = (low + high) / 2
        if _slope(struck, middle) > 0:
            low = middle
        else:
            high = middle
    return Strength(round((low + high) / 2, 6), len(struck))


def _slope(struck: list[PastArena], nats: float) -> float:
    total = (PRIOR_MEAN - nats) / PRIOR_SPREAD**2
    for confidence, harm, right in struck:
        odds = log(confidence) - log1p(-confidence) - nats * harm
        total -= harm * (right - 1 / (1 + exp(min(-odds, 700.0))))
    return total
