"""How far jurors err together, and how many independent ones they amount to."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from contracts.fit import Overlap, StageFit
from tasks.judging.history import Floats, History

PAIR_STRENGTH = 20.0
"""Shared questions that the mean correlation counts for in a pair's."""
MIN_SHARED = 10
"""Pairs that met less often are not listed."""


class Overlaps(NamedTuple):
    """Correlations of errors: of pairs that met often enough, and of all on average."""

    pairs: tuple[Overlap, ...]
    mean: float


def error_overlaps(history: History) -> Overlaps:
    """Return the phi coefficients of errors over questions that both answered, shrunk to the mean.

    In [-1, 1]; 0 for independent errors. Where a juror was always or never right on the shared
    questions, phi has no value and the mean stands in.
    """
    phi, shared = _phi(history)
    known = np.isfinite(phi) & (np.triu(shared, 1) > 0)
    mean = float(np.average(phi[known], weights=shared[known])) if known.any() else 0.0
    shrunk = (shared * np.where(np.isfinite(phi), phi, mean) + PAIR_STRENGTH * mean) / (
        shared + PAIR_STRENGTH
    )
    pairs = tuple(
        Overlap(
            one=history.jurors[i],
            other=history.jurors[j],
            correlation=round(float(np.clip(shrunk[i, j], -1, 1)), 4),
            n=int(shared[i, j]),
        )
        for i, j in combinations(range(len(history.jurors)), 2)
        if shared[i, j] >= MIN_SHARED
    )
    return Overlaps(pairs, round(mean, 4))


def _phi(history: History) -> tuple[Floats, Floats]:
    voted = history.voted.astype(np.float64)
    wrong = voted - history.was_right
    shared = voted.T @ voted
    both, first = wrong.T @ wrong, wrong.T @ voted
    with np.errstate(divide="ignore", invalid="ignore"):
        p, q, pq = first / shared, first.T / shared, both / shared
        phi: Floats = (pq - p * q) / np.sqrt(p * (1 - p) * q * (1 - q))
    return phi, shared


def effective_jurors(weights: Sequence[tuple[str, float]], learned: StageFit) -> float:
    """Return the number of independent, equally heavy jurors that the weighted ones amount to.

    (Σ w)² / Σ w_i w_j r_ij with r the error correlations, negative ones taken as 0: Kish's design
    effect. In [1, n] for n jurors with weight; 0 where none has any.
    """
    total = sum(weight for _, weight in weights)
    if total <= 0:
        return 0.0
    spread = sum(weight * weight for _, weight in weights)
    for (one, w1), (other, w2) in combinations(weights, 2):
        spread += 2 * w1 * w2 * max(learned.overlap_of(one, other), 0.0)
    return total * total / spread
