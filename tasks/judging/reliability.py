"""How often each juror is right: Beta posteriors, shrunk topic → juror → roster.

The strength of each shrinkage is itself measured: it is the one under which the counts are most
likely (empirical Bayes on the beta-binomial; Casella 1985). Jurors that do not differ are shrunk to
one rate, jurors that do are not.
"""

from math import lgamma
from typing import NamedTuple

import numpy as np

from contracts.fit import Reliability
from contracts.skill import ANY_TOPIC
from tasks.judging.history import Bools, Floats, History

STRENGTHS = (2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0)
"""Outcomes that the prior may count for."""
ONE_TOPIC_STRENGTH = 16.0
FLOOR = 0.02
"""No rate is taken as nearer than this to 0 or 1: log-odds stay within ±3.9 for two options."""
_GRID = np.linspace(0.0, 1.0, 1025)[1:-1]
_lgamma = np.vectorize(lgamma, otypes=[np.float64])


class Strengths(NamedTuple):
    """Prior outcomes of a juror's rate and of its rate on a topic."""

    juror: float
    topic: float


class Rates(NamedTuple):
    """Posterior means. `topic` has a row for each topic, `overall` an entry for each juror."""

    roster: float
    overall: Floats
    topic: Floats
    generous: Floats
    """As `topic`, one posterior standard deviation higher."""
    strengths: Strengths


class Counts(NamedTuple):
    """Right and answered: (topics, jurors) each."""

    right: Floats
    answered: Floats


def count(history: History, rows: Bools | None = None) -> Counts:
    """Count by topic and juror, over the questions of the mask `rows` (all when None)."""
    right, answered = history.was_right, history.voted
    if rows is not None:
        right, answered = right & rows[:, None], answered & rows[:, None]
    member = (history.topic[:, None] == np.arange(len(history.topics))).astype(np.float64)
    return Counts(member.T @ right, member.T @ answered)


def measure(counts: Counts, strengths: Strengths | None = None) -> Rates:
    """Return the shrunk rates; with `strengths` given they are not measured again."""
    right, answered = counts.right.sum(0), counts.answered.sum(0)
    roster = float((right.sum() + 1) / (answered.sum() + 2))
    flat = np.full(len(right), roster)
    by_juror = strengths.juror if strengths else _strength(right, answered, flat)
    overall = (right + by_juror * roster) / (answered + by_juror)
    by_topic = strengths.topic if strengths else _topic_strength(counts, overall)
    topic = (counts.right + by_topic * overall) / (counts.answered + by_topic)
    generous = topic + spread(topic, counts.answered + by_topic)
    return Rates(roster, overall, topic, generous, Strengths(by_juror, by_topic))


def spread(mean: Floats, strength: Floats) -> Floats:
    """Return the standard deviation of Beta(mean · strength, (1 - mean) · strength)."""
    value: Floats = np.sqrt(mean * (1 - mean) / (strength + 1))
    return value


def _topic_strength(counts: Counts, overall: Floats) -> float:
    if len(counts.right) < 2:  # noqa: PLR2004 - one topic has nothing to differ from
        return ONE_TOPIC_STRENGTH
    means = np.broadcast_to(overall, counts.right.shape)
    return _strength(counts.right.ravel(), counts.answered.ravel(), means.ravel())


def _strength(right: Floats, answered: Floats, mean: Floats) -> float:
    """Return the prior strength under which the counts are most likely."""
    seen = answered > 0
    if not seen.any():
        return STRENGTHS[-1]
    right, answered = right[seen], answered[seen]
    mean = np.clip(mean[seen], FLOOR, 1 - FLOOR)
    likelihoods = [_beta_binomial(right, answered, s * mean, s * (1 - mean)) for s in STRENGTHS]
    return STRENGTHS[int(np.argmax(np.round(likelihoods, 9)))]


def _beta_binomial(right: Floats, answered: Floats, alpha: Floats, beta: Floats) -> float:
    """Log marginal likelihood of the counts, without the binomial coefficients."""
    after = _lgamma(alpha + right) + _lgamma(beta + answered - right)
    after -= _lgamma(alpha + beta + answered)
    before = _lgamma(alpha) + _lgamma(beta) - _lgamma(alpha + beta)
    return float((after - before).sum())


def log_odds(rate: Floats, n_options: Floats) -> Floats:
    """Log-odds of a vote being right against each other option (Nitzan & Paroush 1982).

    Zero for a juror at chance level 1/K, in nats. Shapes broadcast.
    """
    rate = np.clip(rate, FLOOR, 1 - FLOOR)
    value: Floats = np.log(rate * (n_options - 1) / (1 - rate))
    return value


def rows_of(history: History, counts: Counts, rates: Rates) -> tuple[Reliability, ...]:
    """Return the posteriors as records: for each juror `*` first, then its topics by name."""
    made = []
    for j, juror in enumerate(history.jurors):
        tally = (counts.right[:, j].sum(), counts.answered[:, j].sum())
        made.append(reliability_row(juror, ANY_TOPIC, tally, (rates.roster, rates.strengths.juror)))
        for k, topic in enumerate(history.topics):
            if counts.answered[k, j]:
                tally = (counts.right[k, j], counts.answered[k, j])
                prior = (rates.overall[j], rates.strengths.topic)
                made.append(reliability_row(juror, topic, tally, prior))
    return tuple(made)


def reliability_row(
    juror: str, topic: str, tally: tuple[float, float], prior: tuple[float, float]
) -> Reliability:
    """Return the posterior from `tally` (right, answered) and `prior` (mean, strength)."""
    (right, answered), (mean, strength) = tally, prior
    alpha = right + strength * mean
    beta = answered - right + strength * (1 - mean)
    low, high = interval(alpha, beta)
    return Reliability(
        juror=juror,
        topic=topic,
        right=round(right),
        answered=round(answered),
        alpha=round(float(alpha), 6),
        beta=round(float(beta), 6),
        low=low,
        high=high,
    )


def interval(alpha: float, beta: float) -> tuple[float, float]:
    """Return the 2.5 % and 97.5 % quantiles of Beta(alpha, beta), on a grid of 1/1024."""
    density = (alpha - 1) * np.log(_GRID) + (beta - 1) * np.log1p(-_GRID)
    mass = np.exp(density - density.max())
    below = np.cumsum(mass) - mass / 2
    low, high = np.interp([0.025, 0.975], below / mass.sum(), _GRID)
    return round(float(low), 4), round(float(high), 4)
