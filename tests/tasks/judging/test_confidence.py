"""A confidence is a probability: inside (0, 1), as good as its basis, and it says which."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.fit import ENOUGH, Calibrator, Coefficients, Fit, StageFit
from tasks.judging.calibration import CONTEXT, EDGE, Situation, calibrate, fit_calibrator
from tasks.judging.confidence import confidence
from tasks.judging.weights import weigh

VOTES = {"Ada": "Mongo", "Bob": "Postgres", "Cyd": "Postgres"}


def learned(n, stage="alone", calibrator=None):
    return StageFit(
        stage=stage,
        n_outcomes=n,
        roster_rate=0.6,
        juror_strength=8,
        topic_strength=8,
        reliability=(),
        coefficients=Coefficients(log_odds=0.5, below_chance=0.5),
        calibrator=calibrator or Calibrator(n_outcomes=n),
    )


def situations(lead):
    zero = np.zeros_like(lead)
    rest = (1 - lead) / 2
    return Situation(lead, rest, rest, lead, zero, zero + 2, zero + 4)


def calibrated(lead, right, topic=None):
    topic = np.zeros(len(lead), dtype=np.int64) if topic is None else topic
    names = ("storage", "security")
    return fit_calibrator(situations(lead), right, topic, names, np.arange(len(lead)) % 5)


def test_without_outcomes_it_is_laplaces_rule_of_succession():
    held = confidence(weigh(VOTES, 2, "storage", None), None)
    assert held.value == pytest.approx((2 + 1) / (3 + 2))
    assert (held.calibrated, held.n_outcomes) == (False, 0)
    assert "no outcomes recorded yet" in held.basis


def test_a_silent_seat_lowers_it():
    weighed = weigh(VOTES, 2, "storage", None)
    assert confidence(weighed, None, seats=5).value == pytest.approx(3 / 7)


def test_nobody_voted():
    held = confidence(weigh({}, 2, "storage", None), None, seats=3)
    assert 0 < held.value < 0.5


def test_a_few_outcomes_blend_in_and_do_not_count_as_calibrated():
    fit = Fit(alone=learned(ENOUGH - 1))
    held = confidence(weigh(VOTES, 2, "storage", fit), fit)
    assert (held.calibrated, held.n_outcomes) == (False, ENOUGH - 1)
    assert f"{ENOUGH - 1} outcomes" in held.basis


def test_enough_outcomes_calibrate():
    fit = Fit(alone=learned(ENOUGH))
    held = confidence(weigh(VOTES, 2, "storage", fit), fit)
    assert (held.calibrated, held.n_outcomes) == (True, ENOUGH)
    assert "before debate" in held.basis


def test_outcomes_before_debate_do_not_calibrate_what_is_decided_after_it():
    fit = Fit(alone=learned(500))
    after = weigh(VOTES, 2, "storage", fit, stage="debated")
    assert not confidence(after, fit).calibrated
    both = Fit(alone=learned(500), debated=learned(ENOUGH, "debated"))
    held = confidence(weigh(VOTES, 2, "storage", both, stage="debated"), both)
    assert held.calibrated
    assert "after debate" in held.basis


def test_a_topic_on_which_verdicts_are_right_less_often_is_named():
    terms = dict.fromkeys(CONTEXT, 0.0) | {"log_right": 1.0, "minus_log_wrong": 1.0}
    hard = Calibrator(kind="context", terms=terms, topics={"storage": -1.0}, n_outcomes=90)
    fit = Fit(alone=learned(90, calibrator=hard))
    on, off = (confidence(weigh(VOTES, 2, topic, fit), fit) for topic in ("storage", "other"))
    assert on.value < off.value
    assert "on storage verdicts are right less often" in on.basis


def test_good_probabilities_are_left_alone():
    rng = np.random.default_rng(1)
    lead = rng.uniform(0.3, 0.99, 2000)
    assert calibrated(lead, rng.random(2000) < lead).kind == "none"


def test_too_few_outcomes_are_not_calibrated_on():
    lead = np.full(ENOUGH - 1, 0.9)
    assert calibrated(lead, np.zeros(ENOUGH - 1, dtype=bool)) == Calibrator(n_outcomes=ENOUGH - 1)


def test_overconfidence_is_taken_back():
    rng = np.random.default_rng(1)
    lead = rng.uniform(0.55, 0.99, 3000)
    made = calibrated(lead, rng.random(3000) < 0.5 + (lead - 0.5) / 2)
    assert made.kind != "none"
    assert made.log_loss < made.log_loss_uncalibrated
    one = Situation(0.95, 0.025, 0.025, 0.95, 0.0, 2, 4)
    assert calibrate(made, one, "storage") == pytest.approx(0.725, abs=0.05)


def test_a_hard_topic_is_calibrated_apart_from_an_easy_one():
    rng = np.random.default_rng(1)
    lead, topic = rng.uniform(0.5, 0.95, 3000), rng.integers(0, 2, 3000)
    made = calibrated(lead, rng.random(3000) < np.where(topic, lead - 0.3, lead), topic)
    assert made.kind == "context"
    assert made.topics["security"] < -0.3 < made.topics["storage"]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=30, max_size=60),
    st.floats(0, 1),
)
def test_it_is_always_inside_zero_and_one(pairs, p):
    lead, right = (np.array(column) for column in zip(*pairs, strict=True))
    made = calibrated(lead, right)
    assert EDGE <= calibrate(made, Situation(p, 1 - p, 0.0, p, 0.0, 2, 2), "storage") <= 1 - EDGE


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(("none", "platt")), st.floats(0, 1), st.floats(0, 1))
def test_a_simple_calibrator_never_falls_with_the_probability(kind, one, other):
    made = Calibrator(kind=kind, terms={"log_odds": 0.7, "offset": -0.1})
    low, high = sorted((one, other))
    values = [
        calibrate(made, Situation(p, 0.0, 0.0, 1.0, 0.0, 1, 2), "storage") for p in (low, high)
    ]
    assert values[0] <= values[1]
