"""From the model's probability to the frequency that was observed."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from contracts.fit import EDGE, ENOUGH, Calibrator, CalibratorKind
from tasks.judging.history import Bools, Floats, Ints

NEEDED_GAIN = 2.0
"""Nats over all outcomes by which a calibrator must beat the simpler ones before it."""
PLATT = ("log_odds", "offset")
CONTEXT = (
    "log_right",
    "minus_log_wrong",
    "offset",
    "log_second",
    "log_none_of_these",
    "agreeing",
    "silent",
    "camps",
    "log_options",
)
"""Terms of the `context` calibrator: the two ends of the probability apart (beta calibration, Kull
et al. 2017), the runner-up, what nobody named, shares of the seats that agree and that are silent,
the number of camps in fives, the number of options."""
SURE_RIDGE, CONTEXT_RIDGE = 4.0, 20.0


class Situation(NamedTuple):
    """One question as the weights left it, or N of them as arrays."""

    lead: Any
    """Probability of the leading option."""
    second: Any
    """Of the runner-up; 0 where there is none."""
    none_of_these: Any
    agreeing: Any
    """Share of the seats that voted for the leading option."""
    silent: Any
    """Share of the seats that did not vote."""
    camps: Any
    n_options: Any


def calibrate(calibrator: Calibrator, situation: Situation, topic: str) -> float:
    """Return the calibrated probability that the leading option is right, in (0, 1)."""
    p = float(np.clip(situation.lead, EDGE, 1 - EDGE))
    if calibrator.kind == "none":
        return p
    terms = _platt_terms(situation) if calibrator.kind == "platt" else _context_terms(situation)
    names = PLATT if calibrator.kind == "platt" else CONTEXT
    score = calibrator.topics.get(topic, 0.0)
    score += sum(calibrator.terms[name] * float(v) for name, v in zip(names, terms[0], strict=True))
    return float(np.clip(_sigmoid(np.array(score)), EDGE, 1 - EDGE))


def fit_calibrator(
    situations: Situation, right: Bools, topic: Ints, topics: Sequence[str], fold: Ints
) -> Calibrator:
    """Choose the calibrator with the least cross-validated log loss; simpler ones win near-ties.

    `situations` are held-out (N,), `right` (N,) is whether the leading option was, `topic` (N,)
    indexes `topics`, `fold` (N,) are the folds to choose by. With fewer than `ENOUGH` questions the
    probability is left as it is.
    """
    n = len(right)
    if n < ENOUGH:
        return Calibrator(n_outcomes=n)
    makers = _makers(situations, right.astype(np.float64), topic, topics)
    losses = {kind: _cross_validated(maker, right, fold) for kind, maker in makers.items()}
    chosen: CalibratorKind = "none"
    for kind, loss in losses.items():
        if loss < losses[chosen] - NEEDED_GAIN / n:
            chosen = kind
    made, _ = makers[chosen](np.ones(n, dtype=bool))
    facts = {
        "log_loss": round(losses[chosen], 6),
        "log_loss_uncalibrated": round(losses["none"], 6),
    }
    return made.model_copy(update={"n_outcomes": n, **facts})


Maker = Callable[[Bools], tuple[Calibrator, Floats]]
"""From a training mask to the calibrator and its probabilities for every question."""


def _makers(
    situations: Situation, y: Floats, topic: Ints, topics: Sequence[str]
) -> dict[CalibratorKind, Maker]:
    p = np.clip(situations.lead, EDGE, 1 - EDGE)
    platt, context = _platt_terms(situations), _context_terms(situations)
    member = (topic[:, None] == np.arange(len(topics))).astype(np.float64)

    def none(_train: Bools) -> tuple[Calibrator, Floats]:
        return Calibrator(), p

    def sigmoid(train: Bools) -> tuple[Calibrator, Floats]:
        w = _logistic(platt[train], y[train], np.array([1.0, 0.0]), np.full(2, SURE_RIDGE))
        named = _named(PLATT, w)
        return Calibrator(kind="platt", terms=named), _sigmoid(platt @ w)

    def in_context(train: Bools) -> tuple[Calibrator, Floats]:
        x = np.hstack([context, member])
        prior, ridge = np.zeros(x.shape[1]), np.full(x.shape[1], CONTEXT_RIDGE)
        prior[:2], ridge[:3] = 1.0, SURE_RIDGE
        w = _logistic(x[train], y[train], prior, ridge)
        size = len(CONTEXT)
        by_topic = _named(topics, w[size:])
        made = Calibrator(kind="context", terms=_named(CONTEXT, w[:size]), topics=by_topic)
        return made, _sigmoid(x @ w)

    return {"none": none, "platt": sigmoid, "context": in_context}


def _platt_terms(s: Situation) -> Floats:
    p = np.atleast_1d(np.clip(s.lead, EDGE, 1 - EDGE))
    return np.stack([np.log(p / (1 - p)), np.ones_like(p)], axis=1)


def _context_terms(s: Situation) -> Floats:
    p = np.clip(s.lead, EDGE, 1 - EDGE)
    terms = (
        np.log(p),
        -np.log1p(-p),
        np.ones_like(p),
        np.log(np.clip(s.second, EDGE, 1.0)),
        np.log(np.clip(s.none_of_these, EDGE, 1.0)),
        s.agreeing,
        s.silent,
        s.camps / 5,
        np.log(s.n_options),
    )
    return np.stack([np.atleast_1d(np.asarray(term, dtype=np.float64)) for term in terms], axis=1)


def _cross_validated(maker: Maker, right: Bools, fold: Ints) -> float:
    held = np.empty(len(right))
    for k in range(int(fold.max()) + 1):
        held[fold == k] = maker(fold != k)[1][fold == k]
    held = np.clip(held, EDGE, 1 - EDGE)
    return float(-np.log(np.where(right, held, 1 - held)).mean())


def _logistic(x: Floats, y: Floats, prior: Floats, ridge: Floats) -> Floats:
    """Fit a logistic regression held to `prior` by `ridge`, by Newton's method."""
    w = prior.copy()
    for _ in range(25):
        q = _sigmoid(x @ w)
        gradient = x.T @ (q - y) + ridge * (w - prior)
        curve = (x * (q * (1 - q))[:, None]).T @ x + np.diag(ridge)
        step = np.linalg.solve(curve, gradient)
        w = w - step
        if float(np.abs(step).max()) < 1e-8:  # noqa: PLR2004 - numerically converged
            break
    return w


def _named(names: Sequence[str], w: Floats) -> dict[str, float]:
    return {name: round(float(value), 6) + 0.0 for name, value in zip(names, w, strict=True)}


def _sigmoid(score: Floats) -> Floats:
    value: Floats = 1 / (1 + np.exp(-np.clip(score, -30, 30)))
    return value
