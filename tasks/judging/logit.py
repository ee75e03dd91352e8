"""Conditional logit over the camps of a question, by penalised maximum likelihood.

P(camp c is right) ∝ exp(x_c · w); what nobody named is one more alternative, with the log of the
number of such options as its offset and a coefficient of its own (McFadden 1974). Weights are kept
at 0 or above by projected Newton steps (Bertsekas 1982).
"""

from typing import NamedTuple

import numpy as np

from tasks.judging.history import Bools, Floats, Ints

STEPS = 40
TOLERANCE = 1e-7
RIDGE_NONE = 0.05
"""Penalty on the coefficient of `none of these`, which every question informs."""


class Alternatives(NamedTuple):
    """Q questions with up to C camps of F features, and one last alternative: none of these."""

    x: Floats
    """(Q, C, F)."""
    offset: Floats
    """(Q, C + 1): 0 for a camp, log of the number of unnamed options, -inf where there is none."""

    def take(self, rows: Bools) -> "Alternatives":
        """Return some of the questions."""
        return Alternatives(self.x[rows], self.offset[rows])


class Penalty(NamedTuple):
    """Ridge `strength` (F,) toward `mean` (F,)."""

    strength: Floats
    mean: Floats


def alternatives(x: Floats, n_camps: Ints, n_options: Ints) -> Alternatives:
    """Put features (Q, C, F) and the numbers of camps and options together."""
    camps = np.where(np.arange(x.shape[1]) < n_camps[:, None], 0.0, -np.inf)
    unnamed = n_options - n_camps
    rest = np.where(unnamed > 0, np.log(np.maximum(unnamed, 1)), -np.inf)
    return Alternatives(x, np.hstack([camps, rest[:, None]]))


def probabilities(data: Alternatives, w: Floats) -> Floats:
    """Return (Q, C + 1) probabilities; `w` has F weights and the coefficient of none of these."""
    score = data.offset.copy()
    score[:, :-1] += data.x @ w[:-1]
    score[:, -1] += w[-1]
    odds = np.exp(score - score.max(1, keepdims=True))
    total: Floats = odds / odds.sum(1, keepdims=True)
    return total


def fit_logit(
    data: Alternatives, right: Ints, penalty: Penalty, start: Floats | None = None
) -> Floats:
    """Return F weights ≥ 0 and the coefficient of none of these.

    `right` (Q,) is the right camp, -1 for none of these. Questions without a camp, or whose right
    option is not among the alternatives, teach nothing.
    """
    last = data.x.shape[1]
    right = np.where(right >= 0, right, last)
    usable = np.isfinite(data.offset[np.arange(len(right)), right]) & np.isfinite(data.offset[:, 0])
    problem = _Problem(data.take(usable), right[usable], penalty)
    w = problem.mean.copy() if start is None else start
    value, p = problem.value(w)
    for _ in range(STEPS):
        step, gain = problem.step(w, p)
        if gain < TOLERANCE * (1 + abs(value)):
            break
        w, value, p = problem.walk(w, step, value)
    return w


class _Problem:
    """The penalised negative log-likelihood: its value, gradient and curvature."""

    def __init__(self, data: Alternatives, right: Ints, penalty: Penalty) -> None:
        self.data, self.right = data, right
        self.strength = np.append(penalty.strength, RIDGE_NONE)
        self.mean = np.append(penalty.mean, 0.0)
        self.named = right < data.x.shape[1]
        chosen = data.x[self.named, right[self.named]].sum(0)
        self.chosen = np.append(chosen, np.count_nonzero(~self.named))
        self.bounded = np.append(np.ones(len(penalty.mean), dtype=bool), False)

    def value(self, w: Floats) -> tuple[float, Floats]:
        p = probabilities(self.data, w)
        hit = p[np.arange(len(p)), self.right]
        ridge = 0.5 * float(self.strength @ (w - self.mean) ** 2)
        return ridge - float(np.log(np.maximum(hit, 1e-300)).sum()), p

    def step(self, w: Floats, p: Floats) -> tuple[Floats, float]:
        """Return the Newton step over the weights that may move, and the gain it promises."""
        expected = self._expected(p)
        gradient = expected.sum(0) - self.chosen + self.strength * (w - self.mean)
        free = ~(self.bounded & (w <= 0) & (gradient > 0))
        curve = self._curvature(p, expected)[np.ix_(free, free)]
        step = np.zeros_like(w)
        step[free] = -np.linalg.solve(curve, gradient[free])
        return step, float(-gradient @ step)

    def walk(self, w: Floats, step: Floats, value: float) -> tuple[Floats, float, Floats]:
        """Go along the step, halved until the value falls, weights held at 0 or above."""
        for halvings in range(20):
            there = w + step / 2**halvings
            there = np.where(self.bounded, np.maximum(there, 0.0), there)
            new, p = self.value(there)
            if new <= value:
                return there, new, p
        return w, value, self.value(w)[1]

    def _expected(self, p: Floats) -> Floats:
        camps = np.matmul(p[:, None, :-1], self.data.x)[:, 0, :]
        return np.hstack([camps, p[:, -1:]])

    def _curvature(self, p: Floats, expected: Floats) -> Floats:
        size = len(self.mean) - 1
        scaled = (self.data.x * np.sqrt(p[:, :-1, None])).reshape(-1, size)
        curve = np.zeros((size + 1, size + 1))
        curve[:size, :size] = scaled.T @ scaled
        curve[size, size] = p[:, -1].sum()
        total: Floats = curve - expected.T @ expected + np.diag(self.strength)
        return total
