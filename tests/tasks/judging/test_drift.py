"""A juror that changed is noticed, one that did not is left alone, and the past is let go."""

import numpy as np
import pytest

from contracts.fit import PastVote
from tasks.judging.drift import find_drifts, since_changes
from tasks.judging.learn import learn


def votes(juror, hits, *, topics=("a",), first=0):
    return [
        PastVote(
            question_id=f"q{first + i}",
            topic=topics[i % len(topics)],
            juror=juror,
            option="yes" if hit else "no",
            right="yes",
            n_options=2,
        )
        for i, hit in enumerate(hits)
    ]


def coin(rate, n, seed=1):
    return list(np.random.default_rng(seed).random(n) < rate)


def test_a_juror_that_goes_bad_is_noticed_within_sixty_outcomes():
    rows = votes("Ada", coin(0.8, 200) + coin(0.45, 60, seed=2))
    (drift,) = find_drifts(rows)
    assert drift.worse
    assert 190 <= int(drift.since[1:]) <= 215
    assert int(drift.noticed[1:]) < 260
    assert drift.before == pytest.approx(0.8, abs=0.06)
    assert "Ada is right less often than it was" in drift.told()


def test_a_juror_that_recovers_is_noticed_too():
    rows = votes("Ada", coin(0.8, 150) + coin(0.3, 150, seed=2) + coin(0.8, 150, seed=3))
    (drift,) = find_drifts(rows)
    assert not drift.worse
    assert 285 <= int(drift.since[1:]) <= 320


def test_steady_jurors_are_left_alone():
    """A hundred jurors, five hundred outcomes each: at most one false alarm."""
    rows = [
        row
        for seed in range(100)
        for row in votes(f"J{seed}", coin(0.2 + 0.006 * seed, 500, seed=seed))
    ]
    assert len(find_drifts(rows)) <= 1


def test_a_run_of_questions_on_its_weak_topic_is_no_drift():
    both = zip(coin(0.9, 200), coin(0.4, 200, seed=4), strict=True)
    mixed = votes("Bob", [hit for pair in both for hit in pair], topics=("easy", "hard"))
    run = votes("Bob", coin(0.4, 60, seed=3), topics=("hard",), first=400)
    assert find_drifts([*mixed, *run]) == ()


def test_few_outcomes_are_no_record_to_fall_from():
    assert find_drifts(votes("Ada", [True] * 49 + [False] * 8)) == ()


def test_abstentions_and_unknown_outcomes_count_for_nothing():
    rows = votes("Ada", [True] * 80)
    blank = [row.model_copy(update={"option": None}) for row in votes("Ada", [True] * 50, first=80)]
    open_ = [
        row.model_copy(update={"right": None}) for row in votes("Ada", [False] * 50, first=130)
    ]
    assert find_drifts([*rows, *blank, *open_]) == ()


def test_only_what_a_juror_said_since_counts_and_the_others_keep_their_past():
    ada = votes("Ada", [True] * 100 + [False] * 40)
    bob = votes("Bob", [True] * 140)
    rows = [row for pair in zip(ada, bob, strict=True) for row in pair]
    drifts = find_drifts(rows)
    kept = since_changes(rows, drifts)
    assert {drift.juror for drift in drifts} == {"Ada"}
    assert drifts[0].since == "q100"
    assert sum(row.juror == "Ada" for row in kept) == 40
    assert sum(row.juror == "Bob" for row in kept) == 140


def test_what_is_learned_of_a_juror_is_what_it_is_now():
    ada = votes("Ada", [True] * 100 + [False] * 40)
    bob = votes("Bob", coin(0.6, 140))
    rows = [row for pair in zip(ada, bob, strict=True) for row in pair]
    learned = learn(rows)
    row = learned.fit.alone.reliability_of("Ada", "a")
    assert (row.right, row.answered) == (0, 40)
    assert [drift.juror for drift in learned.drifts] == ["Ada"]


def test_the_same_votes_give_the_same_bytes_and_the_same_id():
    rows = votes("Ada", coin(0.7, 80)) + votes("Bob", coin(0.5, 80, seed=2))
    assert learn(rows).canonical_json() == learn(list(rows)).canonical_json()
    assert learn(rows).memory_id == learn(rows).memory_id != learn(rows[:-1]).memory_id


def test_with_no_outcome_agreement_is_learned_and_labelled():
    rows = [row.model_copy(update={"right": None}) for row in votes("Ada", [True] * 9)]
    learned = learn(rows)
    assert (learned.fit.source, learned.n_outcomes) == ("agreement", 0)
