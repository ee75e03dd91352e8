"""Strengths of personas, attackers and rebutters by their bouts, and what they speak for. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from contracts.bout import Bout, Rating, Role
from contracts.persona import Cast, PersonaProposal
from contracts.skill import ANY_TOPIC

PRIOR = 1.0
"""Variance of a strength before any bout, in nats squared."""
Z = 1.959963984540054
"""Standard deviations to either side of a 95 % interval."""
ENOUGH_TO_RETIRE, LANDS_SELDOM = 20, 0.2
ENOUGH_TO_PROMOTE, LANDS_OFTEN = 8, 0.5

Name = tuple[Role, str]


class Game(NamedTuple):
    """One comparison: who met whom, and how much of a win it was for the first."""

    one: Name
    other: Name
    share: float
    """1 for a win of `one`, 0 for a win of `other`, 0.5 for a draw."""


class Strengths(NamedTuple):
    """Strengths of N players with their covariance, in nats."""

    names: tuple[Name, ...]
    mean: npt.NDArray[np.float64]
    covariance: npt.NDArray[np.float64]


def rate(bouts: Iterable[Bout]) -> tuple[Rating, ...]:
    """Return the ratings of everybody who took part, the strongest of each role first.

    Two Bradley–Terry models: personas against the seats that rebutted them, and seats as attackers
    against seats as rebutters; the rebutters' ratings come from the second. An attack that lands
    is a win, a draw half a win for each, a void bout nothing. Nothing depends on the order.
    """
    counted = sorted((b for b in bouts if b.outcome), key=lambda bout: (bout.bout_id, bout.persona))
    ratings: list[Rating] = []
    for attacking, kept in (("persona", {"persona"}), ("attacker", {"attacker", "rebutter"})):
        games = list(_games(counted, attacking))
        if games:
            found = _rated(bradley_terry(games), games)
            ratings += [rating for rating in found if rating.role in kept]
    roles = ("persona", "attacker", "rebutter")
    return tuple(sorted(ratings, key=lambda r: (roles.index(r.role), -r.strength, r.subject)))


def bradley_terry(games: Sequence[Game], variance: float = PRIOR) -> Strengths:
    """Return the most probable strengths under a normal prior, 0 on average, and their covariance.

    The model of Bradley & Terry 1952, log-odds of a win = difference of strengths; fitted by
    choix. The covariance is the inverse of the curvature there (Laplace), so `mean ± 1.96 sd` is a
    95 % interval.
    """
    from choix import opt_pairwise  # noqa: PLC0415 - scipy is slow to import
    from choix.opt import PairwiseFcts  # noqa: PLC0415

    names = tuple(sorted({name for game in games for name in game[:2]}))
    place = {name: index for index, name in enumerate(names)}
    # choix knows no draws: each game counts twice, a draw once each way, and so does the prior
    data = [
        (place[win], place[lose])
        for one, other, share in games
        for win, lose in ((one, other),) * round(2 * share) + ((other, one),) * round(2 - 2 * share)
    ]
    penalty = 2 * 0.5 / variance
    mean = np.asarray(opt_pairwise(len(names), data, penalty, method="BFGS", tol=1e-6))
    covariance = np.linalg.inv(PairwiseFcts(data, penalty).hessian(mean) / 2)
    # only differences are seen: what all share is known by the prior alone, and is taken out
    centre = np.eye(len(names)) - 1 / len(names)
    return Strengths(names, centre @ mean, (centre @ covariance @ centre).astype(np.float64))


def propose_casting(bouts: Iterable[Bout]) -> tuple[PersonaProposal, ...]:
    """Return the casting rules that the bouts speak for, to be approved or dismissed by a person.

    A persona is to be retired when, over at least `ENOUGH_TO_RETIRE` bouts on all topics, the upper
    95 % Wilson bound of its share of attacks that land is below `LANDS_SELDOM`; it is always to be
    cast on a topic when, over at least `ENOUGH_TO_PROMOTE` bouts on it, the lower bound is above
    `LANDS_OFTEN`. Draws count as attacks that did not land.
    """
    made: defaultdict[tuple[str, str], list[Bout]] = defaultdict(list)
    for bout in bouts:
        if bout.outcome:
            for topic in {bout.topic, ANY_TOPIC}:
                made[bout.persona, topic].append(bout)
    found = (_proposal(*key, held) for key, held in sorted(made.items()))
    return tuple(proposal for proposal in found if proposal)


def _games(bouts: Sequence[Bout], attacking: str) -> Iterator[Game]:
    for bout in bouts:
        if bout.attack is None or bout.rebuttal is None:
            continue
        one: Name = ("persona", bout.persona)
        if attacking == "attacker":
            one = ("attacker", bout.attack.juror)
        share = 1.0 if bout.landed else 0.5 if bout.outcome == "draw" else 0.0
        yield Game(one, ("rebutter", bout.rebuttal.juror), share)


def _rated(strengths: Strengths, games: Sequence[Game]) -> Iterator[Rating]:
    shares: dict[Name, list[float]] = defaultdict(list)
    for one, other, share in games:
        shares[one].append(share)
        shares[other].append(1 - share)
    for i, name in enumerate(strengths.names):
        mean, spread = float(strengths.mean[i]), sqrt(float(strengths.covariance[i, i]))
        role, subject = name
        yield Rating(
            role=role,
            subject=subject,
            strength=round(mean, 6) + 0.0,
            low=round(mean - Z * spread, 6),
            high=round(mean + Z * spread, 6),
            n=len(shares[name]),
            won=shares[name].count(1.0),
            drawn=shares[name].count(0.5),
        )


def _proposal(persona: str, topic: str, bouts: Sequence[Bout]) -> PersonaProposal | None:
    n, landed = len(bouts), sum(bout.landed for bout in bouts)
    low, high = _wilson(landed, n)
    if topic == ANY_TOPIC:
        found: Cast | None = "never" if n >= ENOUGH_TO_RETIRE and high < LANDS_SELDOM else None
    else:
        found = "always" if n >= ENOUGH_TO_PROMOTE and low > LANDS_OFTEN else None
    if found is None:
        return None
    where = "on all topics" if topic == ANY_TOPIC else f"on {topic}"
    told = f"The {persona} attacked in {n} bouts {where}, and {landed} of its attacks landed: "
    told += f"{landed / n:.0%}, somewhere from {low:.0%} to {high:.0%} with 95 % confidence. "
    told += f"Approved, it is cast {'no more' if found == 'never' else f'first {where}'}."
    return PersonaProposal(
        persona=persona,
        topic=topic,
        cast=found,
        n=n,
        landed=landed,
        low=round(low, 4),
        high=round(high, 4),
        evidence=f"{landed} of {n} attacks landed ({low:.0%}–{high:.0%}) {where}",
        words=told,
        bouts=tuple(sorted(bout.bout_id for bout in bouts)),
    )


def _wilson(k: int, n: int) -> tuple[float, float]:
    """Return the 95 % score interval of Wilson 1927."""
    middle, spread = k + Z * Z / 2, Z * sqrt(k * (n - k) / n + Z * Z / 4)
    return (middle - spread) / (n + Z * Z), (middle + spread) / (n + Z * Z)
