"""Ballots weighed by what was learned. Apart from the rest, for it needs numpy."""

from collections.abc import Mapping
from dataclasses import replace

from contracts.fit import Fit, Stage
from contracts.question import Question
from contracts.verdict import Ballot, Vote
from tasks.judging.ballots import Cast, Ruled, make_ballots
from tasks.judging.confidence import Confidence, confidence
from tasks.judging.options import options_known
from tasks.judging.weights import Weighing, weigh

DIGITS = 6
"""Weights and confidences are rounded, so that they are the same on every machine."""
EDGE = 10**-DIGITS


def cast_learned(
    question: Question,
    stances: Mapping[str, str],
    ruled: Ruled,
    fit: Fit,
    *,
    stage: Stage,
    seats: int,
) -> Cast:
    """Weigh stances (juror → option) of `seats` jurors by the fit, which is not empty."""
    known = options_known(question)
    weighing = weigh(stances, known, question.topic, fit, ruled.factors, stage=stage)
    ballots = make_ballots(
        (vote.option, Vote(juror=vote.juror, weight=round(vote.weight, DIGITS), why=vote.why))
        for vote in weighing.votes
    )
    held = _confidence(weighing, fit, seats, None if known else len(question.options))
    jurors = weighing.effective_jurors
    return Cast(
        ballots,
        ruled.applied,
        min(max(round(held.value, DIGITS), EDGE), 1 - EDGE),
        _basis(held, fit, stage),
        held.calibrated,
        held.n_outcomes,
        None if jurors is None else round(jurors, 2),
        _broken_tie(ballots, stances, ruled) if fit.source == "agreement" else (),
    )


def _confidence(weighing: Weighing, fit: Fit, seats: int, slate: int | None) -> Confidence:
    """Share out an open question's votes among the options of its slate, not all that could be."""
    held = confidence(weighing, fit, seats=seats)
    if slate is None or held.calibrated:
        return held
    named = max(slate, len(weighing.options), 2)
    return confidence(replace(weighing, n_options=named), fit, seats=seats)


def _basis(held: Confidence, fit: Fit, stage: Stage) -> str:
    """Say where outcomes weighed the votes and there is none yet to be sure by."""
    if held.calibrated or held.n_outcomes or fit.source != "outcomes":
        return held.basis
    when = "after a debate" if stage == "debated" else "before a debate"
    return f"smoothed share of the weighed votes; not calibrated: no outcomes {when} yet"


def _broken_tie(
    ballots: tuple[Ballot, ...], stances: Mapping[str, str], ruled: Ruled
) -> tuple[str, ...]:
    """Return a warning where agreement alone chose between options of equal weight."""
    plain: dict[str, float] = {}
    for juror, option in stances.items():
        plain[option] = plain.get(option, 0.0) + ruled.factors[juror]
    top = max(plain.values(), default=0.0)
    tied = sorted(option for option, weight in plain.items() if abs(weight - top) < EDGE)
    if len(tied) < 2 or len({b.weight for b in ballots if b.option in tied}) == 1:  # noqa: PLR2004
        return ()
    lead = next(ballot.option for ballot in ballots if ballot.option in tied)
    told = f"tied: {' = '.join(tied)}; only past agreement among the jurors speaks for {lead}"
    return (told,)
