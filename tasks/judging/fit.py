"""Learn whom to trust from what turned out to be right."""

from collections.abc import Iterable, Sequence

import numpy as np

from contracts.fit import Calibrator, Coefficients, Fit, PastVote, Reliability, Stage, StageFit
from contracts.skill import ANY_TOPIC
from tasks.judging.agreement import error_overlaps
from tasks.judging.calibration import Situation, fit_calibrator
from tasks.judging.dawid_skene import one_coin
from tasks.judging.evidence import coefficients, features, penalty
from tasks.judging.history import Bools, Floats, History, Ints, read_history
from tasks.judging.logit import Alternatives, alternatives, fit_logit, probabilities
from tasks.judging.reliability import (
    ONE_TOPIC_STRENGTH,
    Rates,
    count,
    log_odds,
    measure,
    reliability_row,
    rows_of,
)

FOLDS = 5


def fit_memory(rows: Iterable[PastVote], *, seed: int = 0) -> Fit:
    """Return what the past votes teach: the same for the same votes in any order, bit for bit.

    Votes of each stage are learned from apart. Rows whose right option is unknown are passed over.
    With no outcome at all the fit is empty and every juror weighs the same.
    """
    by_stage: dict[Stage, list[PastVote]] = {"alone": [], "debated": []}
    for row in rows:
        by_stage[row.stage].append(row)
    alone, debated = (
        fit_stage(read_history(mine), stage, seed=seed) for stage, mine in by_stage.items()
    )
    return Fit(seed=seed, alone=alone, debated=debated)


def fit_agreement(rows: Iterable[PastVote]) -> Fit:
    """Return what agreement alone says of the jurors, for when no outcome is known.

    One-coin Dawid–Skene over the isolated votes; `right` counts what it takes to be so. Such a fit
    only breaks ties: where jurors err together, agreement takes the crowd's error for the truth.
    """
    history = read_history((row for row in rows if row.stage == "alone"), known_only=False)
    question, juror = np.nonzero(history.voted)
    if not len(question):
        return Fit(source="agreement")
    label = history.camp[question, juror]
    skill = one_coin(question, juror, label, n_labels=history.n_options).skill
    answered = history.voted.sum(0)
    alone = StageFit(
        stage="alone",
        n_outcomes=0,
        roster_rate=round(float(np.clip(np.average(skill, weights=answered), 0.01, 0.99)), 6),
        juror_strength=2.0,
        topic_strength=ONE_TOPIC_STRENGTH,
        reliability=agreed_rows(history.jurors, skill * answered, answered),
        coefficients=Coefficients(log_odds=0.0, below_chance=0.0),
        calibrator=Calibrator(),
    )
    return Fit(source="agreement", alone=alone)


def agreed_rows(jurors: Sequence[str], right: Floats, answered: Ints) -> tuple[Reliability, ...]:
    """Return overall rows with a flat prior from expected counts."""
    return tuple(
        reliability_row(juror, ANY_TOPIC, (float(r), float(n)), (0.5, 2.0))
        for juror, r, n in zip(jurors, right, answered, strict=True)
        if n
    )


def fit_stage(history: History, stage: Stage = "alone", *, seed: int = 0) -> StageFit | None:
    """Learn reliability, weights, overlaps and calibration from the questions of one stage.

    None where nothing was measured.
    """
    if not history.voted.any():
        return None
    counts = count(history)
    rates = measure(counts)
    fold = history.folds(FOLDS, seed)
    data = _alternatives(history, rates, fold)
    prior = penalty(len(history.jurors))
    w = fit_logit(data, history.right, prior)
    situations, right = _held_out(history, data, fold, w)
    overlaps = error_overlaps(history)
    return StageFit(
        stage=stage,
        n_outcomes=len(history.questions),
        roster_rate=round(rates.roster, 6),
        juror_strength=rates.strengths.juror,
        topic_strength=rates.strengths.topic,
        reliability=rows_of(history, counts, rates),
        overlaps=overlaps.pairs,
        mean_overlap=overlaps.mean,
        coefficients=coefficients(history.jurors, w),
        calibrator=fit_calibrator(situations, right, history.topic, history.topics, fold),
    )


def _alternatives(history: History, rates: Rates, fold: Ints) -> Alternatives:
    """Describe each question by rates measured on the other folds, as it will be in use."""
    odds, generous = np.empty((2, *history.camp.shape))
    for k in range(FOLDS):
        test = fold == k
        seen = measure(count(history, ~test), rates.strengths)
        topic, kinds = history.topic[test], history.n_options[test][:, None]
        odds[test] = log_odds(seen.topic[topic], kinds)
        generous[test] = log_odds(seen.generous[topic], kinds)
    x = features(odds, generous, history.voted, history.one_hot())
    return alternatives(x, history.n_camps, history.n_options)


def _held_out(
    history: History, data: Alternatives, fold: Ints, start: Floats
) -> tuple[Situation, Bools]:
    """Return each question as it looked while held out, and whether its leading camp was right."""
    prior = penalty(len(history.jurors))
    p = np.zeros(data.offset.shape)
    for k in range(FOLDS):
        test = fold == k
        w = fit_logit(data.take(~test), history.right[~test], prior, start)
        p[test] = probabilities(data.take(test), w)
    camps = p[:, :-1]
    lead = camps.argmax(1)
    agreeing = (history.camp == lead[:, None]).sum(1)
    seats = np.maximum(history.seats, 1)
    second = np.sort(camps, axis=1)[:, -2] if camps.shape[1] > 1 else np.zeros(len(p))
    situations = Situation(
        lead=camps.max(1),
        second=second,
        none_of_these=p[:, -1],
        agreeing=agreeing / seats,
        silent=1 - history.voted.sum(1) / seats,
        camps=history.n_camps,
        n_options=history.n_options,
    )
    return situations, lead == history.right
