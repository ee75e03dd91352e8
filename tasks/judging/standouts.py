"""Jurors whose record on a topic stands out from the others', and the weight that they deserve.

A juror is compared with the others on the same questions. Many comparisons are made at once, so
the share of false finds is held (Benjamini & Hochberg 1995).
"""

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

import numpy as np

from contracts.fit import Reliability
from contracts.proposal import Basis
from tasks.judging.counterfactual import Bench
from tasks.judging.history import Floats, option_count, read_history
from tasks.judging.reliability import count, measure, rows_of
from tasks.judging.rules import multiplier
from tasks.judging.testimony import Cell, Sitting
from tasks.judging.weights import log_odds_of, weigh

DISSENTS = 2
"""Different questions on which a juror must not have gone along."""
KNOWN = 5
"""Outcomes from which a record is compared."""
FALSE_SHARE = 0.05
"""Of the finds, the share that may be false."""
STEP, LIGHTEST, HEAVIEST = 0.25, 0.25, 3.0
"""Weights come in steps, well within what a rule may be."""
MOST = 100.0
"""Where the others weigh next to nothing, a juror is said to weigh so many times as much."""
_GRID = np.linspace(0.0, 1.0, 2049)[1:-1]
_EVEN = 0.5


class Deserved(NamedTuple):
    """A multiplier that the evidence speaks for."""

    weight: float
    basis: Basis
    posterior: Reliability | None = None
    others: float | None = None
    """Mean of the others being right on the topic."""
    learned: float | None = None
    """What the judge has learned to give the juror already, beside the others."""


def standouts(
    sittings: Sequence[Sitting], cells: Sequence[Cell], bench: Bench
) -> dict[tuple[str, str], Deserved]:
    """Return, by juror and topic, the multiplier of each that stands out.

    It is what is left of the ratio of log-odds when the learned weights and a rule that holds are
    allowed for; where less than one step is left there is nothing to propose.
    """
    tested = [cell for cell in cells if len(cell.known) >= KNOWN]
    better = [_probability_better(cell) for cell in tested]
    doubts = [2 * min(p, 1 - p) for p in better]
    allowed = _false_discovery(doubts)
    records = _records(sittings)
    found = {}
    for cell, p, doubt in zip(tested, better, doubts, strict=True):
        if doubt > allowed or len(cell.dissents) < DISSENTS:
            continue
        one = _deserved(cell, records, bench)
        now = multiplier(cell.juror, cell.topic, bench.rules).value
        if one is not None and (one.weight - now) * (1 if p > _EVEN else -1) >= STEP:
            found[cell.juror, cell.topic] = one
    return found


def probability_greater(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return P(X > Y) for independent X ~ Beta(*one) and Y ~ Beta(*other), on a grid."""
    x, y = (_mass(*shape) for shape in (one, other))
    return float(x @ (np.cumsum(y) - y / 2))


def _mass(alpha: float, beta: float) -> Floats:
    density = (alpha - 1) * np.log(_GRID) + (beta - 1) * np.log1p(-_GRID)
    mass = np.exp(density - density.max())
    share: Floats = mass / mass.sum()
    return share


def _probability_better(cell: Cell) -> float:
    n, right, others = len(cell.known), cell.right, cell.others_right
    return probability_greater((1 + right, 1 + n - right), (1 + others, 1 + n - others))


def _false_discovery(doubts: Sequence[float]) -> float:
    """Return the largest doubt that may be let through."""
    ranked = sorted(doubts)
    passed = [p for i, p in enumerate(ranked, 1) if p <= FALSE_SHARE * i / len(ranked)]
    return max(passed, default=-1.0)


def _records(sittings: Sequence[Sitting]) -> tuple[Reliability, ...]:
    """Return the posteriors of all jurors on all topics, shrunk topic to juror to roster."""
    history = read_history(vote for sitting in sittings for vote in sitting.votes())
    if not history.questions:
        return ()
    counts = count(history)
    return rows_of(history, counts, measure(counts))


def _deserved(cell: Cell, records: Sequence[Reliability], bench: Bench) -> Deserved | None:
    on_topic = [row for row in records if row.topic == cell.topic]
    own = next(row for row in on_topic if row.juror == cell.juror)
    rest = [row for row in on_topic if row.juror != cell.juror]
    others = sum(r.mean * r.answered for r in rest) / sum(r.answered for r in rest)
    kinds = round(median(_kinds(one.sitting) for one in cell.known))
    ratio = _ratio(log_odds_of(own.mean, kinds), log_odds_of(others, kinds))
    learned = _learned(cell, kinds, bench)
    if learned == 0:
        return None
    weight = round(ratio / (learned or 1.0) / STEP) * STEP
    return Deserved(min(max(weight, LIGHTEST), HEAVIEST), "outcomes", own, others, learned)


def _kinds(sitting: Sitting) -> int:
    votes = sitting.votes()
    return option_count(votes[0].n_options, len({vote.option for vote in votes}))


def _ratio(own: float, others: float) -> float:
    """Return how much more one vote says than another: their log-odds (Nitzan & Paroush 1982)."""
    if others <= 0:
        return HEAVIEST if own > 0 else 1.0
    return max(own, 0.0) / others


def _learned(cell: Cell, kinds: int, bench: Bench) -> float | None:
    """Return what the learned weights give the juror beside the others; None without any."""
    stage = bench.fit.stage("alone") if bench.fit else None
    if stage is None or stage.n_outcomes == 0:
        return None
    weighed = weigh(dict.fromkeys(bench.jurors, "same"), kinds, cell.topic, bench.fit)
    own = next(vote.weight for vote in weighed.votes if vote.juror == cell.juror)
    rest = [vote.weight for vote in weighed.votes if vote.juror != cell.juror]
    mean = sum(rest) / len(rest) if rest else own
    if mean <= 0:
        return MOST if own > 0 else 1.0
    return round(min(own / mean, MOST), 4)
