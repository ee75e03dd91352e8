"""What a vote weighs: never below zero, for a reason, and never for the other side."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.fit import Fit, PastVote
from tasks.judging.fit import fit_memory
from tasks.judging.weights import EQUAL, weigh

JURORS = ("Ada", "Bob", "Cyd", "Dov")
OPTIONS = ("Mongo", "Postgres", "SQLite")


def past(juror, right, total, *, topic="storage", kinds=3):
    """`total` questions that `juror` answered, of which the first `right` rightly."""
    return [
        PastVote(
            question_id=f"q{i}",
            topic=topic,
            juror=juror,
            option="yes" if i < right else f"no-{juror}",
            right="yes",
            n_options=kinds,
        )
        for i in range(total)
    ]


def fitted(**records):
    return fit_memory([row for name, (r, n) in records.items() for row in past(name, r, n)])


@st.composite
def pasts(draw):
    rows = []
    for i in range(draw(st.integers(0, 14))):
        for juror in JURORS:
            option = draw(st.sampled_from((*OPTIONS, None)))
            topic = "storage" if i % 2 else "security"
            rows.append(
                PastVote(
                    question_id=f"q{i}",
                    topic=topic,
                    juror=juror,
                    option=option,
                    right=OPTIONS[i % 3],
                    n_options=3,
                )
            )
    return rows


votes = st.dictionaries(st.sampled_from((*JURORS, "Eve")), st.sampled_from(OPTIONS))
factors = st.dictionaries(st.sampled_from(JURORS), st.floats(0.01, 5))
topics = st.sampled_from(("storage", "security", "never seen"))


def test_everybody_weighs_one_when_nothing_was_ever_measured():
    weighed = weigh({"Ada": "Mongo", "Bob": "Postgres", "Cyd": "Postgres"}, 2, "storage", None)
    assert [vote.weight for vote in weighed.votes] == [1.0, 1.0, 1.0]
    assert {vote.why for vote in weighed.votes} == {EQUAL}
    assert weighed.options == {"Postgres": 2.0, "Mongo": 1.0}
    assert weighed.posterior == {"Postgres": 3 / 5, "Mongo": 2 / 5}


def test_a_fit_without_outcomes_is_no_fit():
    assert fit_memory([]) == Fit()
    assert weigh({"Ada": "Mongo"}, 2, "storage", Fit()) == weigh(
        {"Ada": "Mongo"}, 2, "storage", None
    )


def test_one_reliable_juror_outweighs_two_that_guess():
    fit = fitted(Ada=(57, 60), Bob=(20, 60), Cyd=(21, 60))
    weighed = weigh({"Ada": "Mongo", "Bob": "Postgres", "Cyd": "Postgres"}, 3, "storage", fit)
    assert weighed.leader == "Mongo"
    assert weighed.votes[0].why.startswith("right in 57 of 60 on storage, 0.9")


def test_a_juror_below_chance_weighs_nothing_and_speaks_for_the_others():
    fit = fitted(Ada=(40, 60), Bob=(38, 60), Cyd=(2, 60))
    with_bad = weigh({"Ada": "Mongo", "Bob": "Postgres", "Cyd": "Postgres"}, 3, "storage", fit)
    without = weigh({"Ada": "Mongo", "Bob": "Postgres"}, 3, "storage", fit)
    bad = with_bad.votes[2]
    assert bad.weight == 0
    assert "less often than chance" in bad.why
    assert with_bad.posterior["Postgres"] < without.posterior["Postgres"]


def test_a_juror_that_was_never_measured_counts_as_the_average_one():
    fit = fitted(Ada=(57, 60), Bob=(20, 60))
    weighed = weigh({"Ada": "Mongo", "Eve": "Postgres"}, 3, "storage", fit)
    assert 0 < weighed.votes[1].weight < weighed.votes[0].weight
    assert "no outcomes yet" in weighed.votes[1].why


def test_jurors_that_always_agree_are_not_two_jurors():
    rows = past("Ada", 40, 60) + [
        row.model_copy(update={"juror": "Bob"}) for row in past("Ada", 40, 60)
    ]
    weighed = weigh({"Ada": "Mongo", "Bob": "Mongo"}, 3, "storage", fit_memory(rows))
    assert weighed.effective_jurors < 1.1


def test_a_rule_multiplies_the_weight_and_says_so():
    fit = fitted(Ada=(57, 60), Bob=(40, 60))
    before = weigh({"Ada": "Mongo", "Bob": "Postgres"}, 2, "storage", fit)
    after = weigh({"Ada": "Mongo", "Bob": "Postgres"}, 2, "storage", fit, {"Bob": 1.5})
    assert after.votes[1].weight == pytest.approx(1.5 * before.votes[1].weight)
    assert after.votes[0] == before.votes[0]
    assert "× 1.5 by an approved rule" in after.votes[1].why


@settings(max_examples=60, deadline=None)
@given(pasts(), votes, topics, factors, st.sampled_from((None, 1, 2, 3, 7)))
def test_weights_are_finite_and_the_verdict_is_the_heaviest_and_most_probable(
    rows, cast, topic, rules, kinds
):
    weighed = weigh(cast, kinds, topic, fit_memory(rows), rules)
    assert all(math.isfinite(vote.weight) and vote.weight >= 0 for vote in weighed.votes)
    assert [vote.juror for vote in weighed.votes] == sorted(cast)
    assert sum(weighed.options.values()) == pytest.approx(sum(v.weight for v in weighed.votes))
    assert sum(weighed.posterior.values()) + weighed.none_of_these == pytest.approx(1)
    if cast:
        top = max(weighed.posterior.values())
        assert weighed.posterior[weighed.leader] == pytest.approx(top)
        assert sum(weighed.options.values()) > 0


@settings(max_examples=60, deadline=None)
@given(pasts(), votes, topics, st.sampled_from(JURORS), st.floats(1.01, 5))
def test_a_larger_multiplier_never_helps_another_option(rows, cast, topic, juror, factor):
    fit = fit_memory(rows)
    before = weigh(cast, 3, topic, fit)
    after = weigh(cast, 3, topic, fit, {juror: factor})
    for option, weight in before.options.items():
        if cast.get(juror) != option:
            assert after.options[option] == pytest.approx(weight)
            assert after.posterior[option] <= before.posterior[option] + 1e-12
        else:
            assert after.options[option] >= weight - 1e-12


@settings(max_examples=40, deadline=None)
@given(pasts(), votes, topics, factors, st.randoms(use_true_random=False))
def test_order_changes_nothing(rows, cast, topic, rules, random):
    shuffled, again = list(rows), list(cast.items())
    random.shuffle(shuffled)
    random.shuffle(again)
    one = weigh(cast, 3, topic, fit_memory(rows), rules)
    assert weigh(dict(again), 3, topic, fit_memory(shuffled), rules) == one
