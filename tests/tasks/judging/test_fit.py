"""What is learned from outcomes: known values, the right regime, the same bytes."""

import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.fit import Fit, PastVote
from tasks.judging.evidence import Seat, features, vote_weights
from tasks.judging.fit import fit_agreement, fit_memory, fit_stage
from tasks.judging.history import NOBODY, OPEN_OPTIONS, option_count, read_history
from tasks.judging.logit import Penalty, alternatives, fit_logit, probabilities
from tasks.judging.reliability import Counts, Strengths, count, interval, log_odds, measure
from tasks.judging.weights import weigh

TOPICS = ("storage", "security")


def vote(question, juror, option, right="yes", **more):
    facts = {"topic": "storage", "n_options": 2, **more}
    return PastVote(question_id=question, juror=juror, option=option, right=right, **facts)


def simulated(n, skills, *, together=0.0, seed=0, kinds=4):
    """`n` questions; with probability `together` those who err name the same wrong option."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(n):
        shared_luck, trap = rng.random(), f"wrong-{rng.integers(1, kinds)}"
        for name, skill in skills.items():
            luck = shared_luck if rng.random() < together else rng.random()
            wrong = trap if rng.random() < together else f"wrong-{rng.integers(1, kinds)}"
            said = "yes" if luck < skill else wrong
            rows.append(vote(f"q{i}", name, said, topic=TOPICS[i % 2], n_options=kinds))
    return rows


def accuracy(rows, fit):
    cast = {}
    for row in rows:
        cast.setdefault(row.question_id, (row, {}))[1][row.juror] = row.option
    right = [
        weigh(votes, row.n_options, row.topic, fit).leader == row.right
        for row, votes in cast.values()
    ]
    return float(np.mean(right))


def test_a_juror_counts_once_whatever_is_repeated():
    rows = [vote("q1", "Ada", "yes"), vote("q1", "Ada", "yes"), vote("q1", "Bob", "no")]
    history = read_history(rows)
    assert history.voted.tolist() == [[True, True]]
    assert history.was_right.tolist() == [[True, False]]


def test_a_juror_that_contradicts_itself_did_not_vote():
    history = read_history([vote("q1", "Ada", "yes"), vote("q1", "Ada", "no")])
    assert history.camp.tolist() == [[NOBODY]]
    assert history.seats.tolist() == [1]


def test_a_question_with_two_truths_teaches_nothing():
    assert read_history([vote("q1", "A", "x", "x"), vote("q1", "B", "y", "y")]).questions == ()


def test_unknown_outcomes_are_passed_over():
    rows = [vote("q1", "Ada", "yes", None), vote("q2", "Ada", "no")]
    assert read_history(rows).questions == ("q2",)
    assert fit_memory([rows[0]]) == Fit()


def test_options_are_never_fewer_than_were_named():
    assert option_count(2, 3) == 3
    assert option_count(1, 0) == 2
    assert option_count(None, 3) == 3 + OPEN_OPTIONS


def test_rates_are_shrunk_from_topic_to_juror_to_roster():
    """By hand, strengths 4 and 6: roster (9+1)/(12+2); Ada (8 + 4r)/(10 + 4); then her topics."""
    counts = Counts(np.array([[6.0, 0.0], [2.0, 1.0]]), np.array([[6.0, 0.0], [4.0, 2.0]]))
    rates = measure(counts, Strengths(4, 6))
    roster = 10 / 14
    ada = (8 + 4 * roster) / 14
    assert rates.roster == pytest.approx(roster)
    assert rates.overall[0] == pytest.approx(ada)
    assert rates.topic[0, 0] == pytest.approx((6 + 6 * ada) / 12)
    assert rates.topic[0, 1] == pytest.approx(rates.overall[1])


def test_jurors_that_do_not_differ_are_shrunk_harder_than_jurors_that_do():
    alike = simulated(300, dict.fromkeys("ABCDEF", 0.6))
    unlike = simulated(300, dict(zip("ABCDEF", (0.95, 0.9, 0.6, 0.4, 0.3, 0.2), strict=True)))
    strengths = [measure(count(read_history(rows))).strengths.juror for rows in (alike, unlike)]
    assert strengths[0] > 10 * strengths[1]


def test_log_odds_are_zero_at_chance_and_bounded():
    assert log_odds(np.array([0.25]), np.array([4]))[0] == pytest.approx(0)
    assert log_odds(np.array([1.0]), np.array([2]))[0] == pytest.approx(np.log(49))


def test_the_interval_is_that_of_the_beta():
    """Expected: scipy.stats.beta.ppf([0.025, 0.975], a, b) of SciPy 1.17."""
    assert interval(42, 12) == pytest.approx((0.65893, 0.87717), abs=2e-3)
    assert interval(3.5, 0.7) == pytest.approx((0.40781, 0.99866), abs=2e-3)
    assert interval(1, 1) == pytest.approx((0.025, 0.975), abs=2e-3)


def test_the_logit_finds_the_maximum_that_calculus_gives():
    """One juror, two options, right in 8 of 10, no penalty: w = ln(8/2)."""
    x = np.ones((10, 1, 1))
    data = alternatives(x, np.ones(10, dtype=int), np.full(10, 2))
    right = np.array([0] * 8 + [-1] * 2)
    w = fit_logit(data, right, Penalty(np.zeros(1) + 1e-9, np.zeros(1)))
    assert w[0] - w[1] == pytest.approx(np.log(4), abs=1e-3)
    assert probabilities(data, w)[0, 0] == pytest.approx(0.8, abs=1e-3)


def test_the_logit_never_goes_below_zero():
    x = np.ones((10, 1, 1))
    data = alternatives(x, np.ones(10, dtype=int), np.full(10, 2))
    w = fit_logit(data, np.array([0] + [-1] * 9), Penalty(np.ones(1), np.zeros(1)))
    assert w[0] == 0


def test_one_question_is_weighed_as_the_fit_weighed_it():
    rows = simulated(120, {"A": 0.8, "B": 0.6, "C": 0.5, "D": 0.15}, together=0.3)
    history = read_history(rows)
    learned = fit_stage(history).coefficients
    odds = np.array([[1.2, 0.4, 0.0, -0.9]])
    generous = odds + 0.2
    seen = history.take([0])
    x = features(odds, generous, seen.voted, seen.one_hot())
    own = [learned.juror[juror] for juror in history.jurors]
    w = np.array([*own, learned.log_odds, learned.below_chance, *learned.beyond])
    seats = [Seat(*facts) for facts in zip(odds[0], generous[0], own, strict=True)]
    summed = np.zeros(x.shape[1])
    np.add.at(summed, seen.camp[0], vote_weights(seats, learned))
    assert (x @ w)[0] == pytest.approx(summed)


def test_independent_jurors_are_added_up():
    skills = dict(zip("ABCDEFG", (0.75, 0.7, 0.7, 0.65, 0.65, 0.6, 0.6), strict=True))
    fit = fit_memory(simulated(1500, skills, kinds=2))
    fresh = simulated(1500, skills, kinds=2, seed=9)
    best = np.mean([row.option == "yes" for row in fresh if row.juror == "A"])
    assert accuracy(fresh, fit) > best + 0.05
    assert accuracy(fresh, fit) >= accuracy(fresh, None) - 0.005


def test_jurors_that_err_together_do_not_outvote_the_best():
    skills = {"Best": 0.8} | dict.fromkeys("ABCDEFG", 0.5)
    rows = simulated(1500, skills)
    copies = [
        row
        if row.juror == "Best"
        else next(r for r in group if r.juror == "A").model_copy(update={"juror": row.juror})
        for group in (rows[i : i + 8] for i in range(0, len(rows), 8))
        for row in group
    ]
    fit = fit_memory(copies[:8000])
    assert accuracy(copies[8000:], None) < 0.6
    assert accuracy(copies[8000:], fit) > 0.77


def test_reliability_is_of_the_topic():
    rows = [
        vote(
            f"q{i}", juror, "yes" if (i % 2 == 0) == (juror == "Ada") else "no", topic=TOPICS[i % 2]
        )
        for i in range(120)
        for juror in ("Ada", "Bob")
    ]
    fit = fit_memory(rows)
    cast = {"Ada": "x", "Bob": "y"}
    assert weigh(cast, 2, "storage", fit).leader == "x"
    assert weigh(cast, 2, "security", fit).leader == "y"
    assert fit.alone.reliability_of("Ada", "storage").right == 60
    assert fit.alone.reliability_of("Ada", "never seen").topic == "*"


@pytest.mark.parametrize("n", [10, 30, 100])
def test_few_outcomes_are_not_worse_than_a_majority(n):
    """Seven like jurors: whatever seems to set them apart is noise, and must not be believed."""
    skills = dict.fromkeys("ABCDEFG", 0.6)
    losses = []
    for seed in range(12):
        fit = fit_memory(simulated(n, skills, together=0.4, seed=seed))
        fresh = simulated(300, skills, together=0.4, seed=1000 + seed)
        losses.append(accuracy(fresh, None) - accuracy(fresh, fit))
    assert np.mean(losses) < 0.02


def test_votes_after_debate_are_learned_from_apart():
    rows = [vote(f"q{i}", "Ada", "yes") for i in range(40)]
    after = [vote(f"q{i}", "Ada", "no", stage="debated") for i in range(40)]
    fit = fit_memory([*rows, *after])
    assert fit.alone.reliability_of("Ada", "*").right == 40
    assert fit.debated.reliability_of("Ada", "*").right == 0
    assert fit.stage("debated") is fit.debated


def test_a_stage_with_few_outcomes_is_weighed_by_the_other():
    rows = [vote(f"q{i}", "Ada", "yes") for i in range(40)]
    fit = fit_memory([*rows, vote("q1", "Ada", "no", stage="debated")])
    assert fit.stage("debated") is fit.alone


def test_agreement_only_breaks_ties():
    rows = [
        row.model_copy(update={"right": None})
        for row in simulated(200, {"A": 0.9, "B": 0.9, "C": 0.4})
    ]
    fit = fit_agreement(rows)
    assert fit.source == "agreement"
    assert fit.alone.n_outcomes == 0
    assert weigh({"A": "x", "C": "y"}, 4, "storage", fit).leader == "x"
    assert weigh({"C": "x", "A": "y"}, 4, "storage", fit).leader == "y"
    many = {"A": "x", "C": "y", "D": "y"}
    weighed = weigh(many, 4, "storage", fit)
    assert weighed.leader == "y"
    assert "by agreement" in weighed.votes[0].why


def test_no_votes_agree_on_nothing():
    assert fit_agreement([]) == Fit(source="agreement")


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 20),
            st.sampled_from("ABC"),
            st.sampled_from(("x", "y", "z", None)),
            st.sampled_from(("x", "y", None)),
            st.sampled_from(TOPICS),
            st.sampled_from((None, 1, 2, 5)),
            st.sampled_from(("alone", "debated")),
        ),
        max_size=60,
    ),
    st.integers(0, 3),
)
def test_any_rows_in_any_order_give_the_same_bytes(facts, seed):
    rows = [
        vote(f"q{q}", juror, option, right, topic=topic, n_options=kinds, stage=stage)
        for q, juror, option, right, topic, kinds, stage in facts
    ]
    fit = fit_memory(rows, seed=seed)
    again = list(rows)
    random.Random(seed).shuffle(again)
    assert fit_memory(again, seed=seed).canonical_json() == fit.canonical_json()
    assert Fit.model_validate_json(fit.model_dump_json()) == fit


def test_folds_are_even_and_hang_on_nothing_but_id_and_seed():
    rows = [vote(f"q{i}", "Ada", "yes") for i in range(52)]
    history = read_history(rows)
    sizes = np.bincount(history.folds(5, 0))
    assert sizes.max() - sizes.min() <= 1
    assert (history.folds(5, 0) != history.folds(5, 1)).any()


def test_every_combination_of_stage_is_answered():
    for alone, debated in product((0, 40), repeat=2):
        rows = [vote(f"q{i}", "Ada", "yes") for i in range(alone)]
        rows += [vote(f"q{i}", "Ada", "yes", stage="debated") for i in range(debated)]
        fit = fit_memory(rows)
        assert (fit.stage("alone") is None) == (alone + debated == 0)
