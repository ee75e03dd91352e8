"""What a vote says, as features: the same for the fit, in arrays, and for one question."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from contracts.fit import Coefficients
from tasks.judging.history import Bools, Floats
from tasks.judging.logit import Penalty

SHARES = (0.4, 0.7, 0.9)
"""Shares of the strongest juror's log-odds that may be subtracted from each juror's."""
RIDGE = 10.0
"""How hard coefficients are held to their prior, in units of the log-likelihood's curvature."""
PRIOR_LOG_ODDS = 0.5
"""Prior of the coefficients of log-odds: half of what independent jurors would deserve."""
SHARED = 2 + len(SHARES)


def features(log_odds: Floats, generous: Floats, voted: Bools, one_hot: Floats) -> Floats:
    """Return (Q, C, J + SHARED) features of each camp.

    `log_odds` (Q, J) of the jurors' rates and `generous` (Q, J) of the same rates with the benefit
    of the doubt: below chance is only who is surely so.

    First each juror's presence in the camp, then the camp's sums of log-odds above chance, of
    log-odds below chance (negative), and of what stands above each share of the strongest vote.
    Jurors that err together are the case in which only what stands out should count.
    """
    above, below = np.maximum(log_odds, 0.0), np.minimum(generous, 0.0)
    top = np.where(voted, above, 0.0).max(1, keepdims=True)
    parts = [above, below, *(np.maximum(above - share * top, 0.0) for share in SHARES)]
    sums = np.einsum("qcj,sqj->qcs", one_hot, np.stack(parts))
    return np.concatenate([one_hot, sums], axis=2)


def penalty(n_jurors: int) -> Penalty:
    """Return the prior: log-odds weights at half strength, everything else zero."""
    mean = np.zeros(n_jurors + SHARED)
    mean[n_jurors : n_jurors + 2] = PRIOR_LOG_ODDS
    return Penalty(np.full(n_jurors + SHARED, RIDGE), mean)


def coefficients(jurors: Sequence[str], w: Floats) -> Coefficients:
    """Name the parts of a fitted weight vector."""
    n = len(jurors)
    values = [round(float(value), 6) + 0.0 for value in w]
    return Coefficients(
        log_odds=values[n],
        below_chance=values[n + 1],
        beyond=tuple(values[n + 2 : n + SHARED]),
        juror=dict(zip(jurors, values[:n], strict=True)),
        none_of_these=values[-1],
    )


class Seat(NamedTuple):
    """What is known of a juror that voted."""

    log_odds: float
    generous: float
    own: float
    """The juror's own part of its weight."""


def vote_weights(seats: Sequence[Seat], learned: Coefficients) -> list[float]:
    """Return what each vote on one question adds to the log-odds of its option, in nats.

    Below 0 only for a juror that is surely right less often than chance.
    """
    top = max((*(seat.log_odds for seat in seats), 0.0))
    weights = []
    for seat in seats:
        above = max(seat.log_odds, 0.0)
        beyond = sum(
            each * max(above - share * top, 0.0)
            for each, share in zip(learned.beyond, SHARES, strict=False)
        )
        below = learned.below_chance * min(seat.generous, 0.0)
        weights.append(seat.own + learned.log_odds * above + beyond + below)
    return weights
