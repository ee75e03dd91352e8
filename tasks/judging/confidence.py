"""The probability that a verdict is right, and what it rests on."""

from typing import NamedTuple

from contracts.fit import EDGE, ENOUGH, Calibrator, Fit
from tasks.judging.calibration import Situation, calibrate
from tasks.judging.weights import Weighing

SHARE_STRENGTH = 5
"""Outcomes that the bare share of the votes counts for beside the posterior."""
NOTABLE = 0.2
"""Log-odds by which a topic must differ from the others to be worth a word."""


class Confidence(NamedTuple):
    """How sure, on what grounds."""

    value: float
    """In (0, 1)."""
    calibrated: bool
    basis: str
    n_outcomes: int
    """Outcomes of the stage that it rests on."""


def confidence(weighing: Weighing, fit: Fit | None, *, seats: int | None = None) -> Confidence:
    """Return the probability that the leading option is right.

    From `ENOUGH` outcomes of the weighing's stage on, the calibrated posterior. Before, the
    smoothed weighted share (silent seats counted in full), which the posterior joins as outcomes
    come in, the share counting as much as `SHARE_STRENGTH` of them. `seats` is the number of jurors
    that were asked (those that voted when None).
    """
    seats = max(seats or 0, len(weighing.votes))
    own = None if fit is None or fit.source != "outcomes" else getattr(fit, weighing.stage)
    n = own.n_outcomes if own else 0
    if own is None or weighing.leader is None or n < ENOUGH:
        return _uncalibrated(weighing, seats, n)
    value = calibrate(own.calibrator, situation(weighing, seats), weighing.topic)
    told = _basis(own.calibrator, weighing, n)
    return Confidence(value, calibrated=True, basis=told, n_outcomes=n)


def _uncalibrated(weighing: Weighing, seats: int, n: int) -> Confidence:
    share = _share(weighing, seats)
    if not n or weighing.leader is None:
        told = "smoothed share of the votes; not calibrated: no outcomes recorded yet"
        return Confidence(share, calibrated=False, basis=told, n_outcomes=n)
    posterior = weighing.posterior[weighing.leader]
    value = (n * posterior + SHARE_STRENGTH * share) / (n + SHARE_STRENGTH)
    told = f"share of the votes and {n} outcomes; not calibrated before there are {ENOUGH}"
    held = min(max(value, EDGE), 1 - EDGE)
    return Confidence(held, calibrated=False, basis=told, n_outcomes=n)


def situation(weighing: Weighing, seats: int) -> Situation:
    """Describe a weighed question, with at least one vote, for the calibrator."""
    odds = sorted(weighing.posterior.values(), reverse=True)
    agreeing = sum(vote.option == weighing.leader for vote in weighing.votes)
    return Situation(
        lead=odds[0],
        second=odds[1] if len(odds) > 1 else 0.0,
        none_of_these=weighing.none_of_these,
        agreeing=agreeing / seats,
        silent=1 - len(weighing.votes) / seats,
        camps=len(odds),
        n_options=weighing.n_options,
    )


def _share(weighing: Weighing, seats: int) -> float:
    """Return (w + 1) / (W + K): Laplace's rule of succession."""
    lead = max(weighing.options.values(), default=0.0)
    silent = seats - len(weighing.votes)
    share = (lead + 1) / (sum(weighing.options.values()) + silent + weighing.n_options)
    return min(max(share, EDGE), 1 - EDGE)


def _basis(calibrator: Calibrator, weighing: Weighing, n: int) -> str:
    when = "before debate" if weighing.stage == "alone" else "after debate"
    told = f"learned from {n} outcomes {when}"
    shift = calibrator.topics.get(weighing.topic, 0.0)
    if abs(shift) >= NOTABLE:
        told += f"; on {weighing.topic} verdicts are right {'more' if shift > 0 else 'less'} often"
    return told
