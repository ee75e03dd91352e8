"""Learn whom to trust from what turned out to be right."""

from collections.abc import Iterable

import numpy as np

from contracts.fit import Fit, PastVote, Stage, StageFit
from tasks.judging.agreement import error_overlaps
from tasks.judging.calibration import Situation, fit_calibrator
from tasks.judging.evidence import coefficients, features, penalty
from tasks.judging.history import Bools, Floats, History, Ints, read_history
from tasks.judging.logit import Alternatives, alternatives, fit_logit, probabilities
from tasks.judging.reliability import Rates, count, log_odds, measure, rows_of

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
