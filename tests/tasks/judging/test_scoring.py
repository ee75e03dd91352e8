"""From blind scores to the outcome of a bout."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.judging.scoring import rule, without_copies
from tests.tasks.arena.making import bout, score, scores


def ruled(*found, stated=5, self_scored=False, overturning=4):
    return rule(found, stated, self_scored=self_scored, overturning=overturning)


@pytest.mark.parametrize(
    ("won", "weight", "stated", "outcome", "severity"),
    [
        ("attack", 5, 5, "overturned", 5),
        ("attack", 4, 5, "overturned", 4),
        ("attack", 5, 4, "overturned", 4),
        ("attack", 3, 5, "weakened", 3),
        ("attack", 5, 2, "weakened", 2),
        ("attack", 1, 1, "weakened", 1),
        ("rebuttal", 5, 5, "upheld", None),
        ("neither", 5, 5, "draw", None),
        ("place", 5, 5, "draw", None),
    ],
)
def test_one_scorer(won, weight, stated, outcome, severity):
    assert ruled(*scores("Cyd", won, weight), stated=stated) == (outcome, severity)


@pytest.mark.parametrize(
    ("found", "outcome"),
    [
        (("attack", "attack", "rebuttal"), "overturned"),
        (("attack", "rebuttal", "rebuttal"), "upheld"),
        (("attack", "rebuttal", "neither"), "draw"),
        (("attack", "rebuttal"), "draw"),
        (("attack", "attack", "place"), "overturned"),
        (("attack", "place", "place"), "draw"),
    ],
)
def test_a_side_wins_with_more_than_half_of_the_scorers(found, outcome):
    every = [s for name, won in zip("XYZ", found, strict=False) for s in scores(name, won, 5)]
    assert ruled(*every).outcome == outcome


def test_the_scorers_cap_what_the_attacker_claims_by_their_median():
    every = [*scores("X", "attack", 2), *scores("Y", "attack", 3), *scores("Z", "attack", 5)]
    assert ruled(*every, stated=5) == ("weakened", 3)


def test_the_two_readings_of_a_scorer_are_averaged_and_rounded_down():
    every = [score("X", "A", "A", 3), score("X", "B", "B", 4)]
    assert ruled(*every).severity == 3


def test_what_the_attacker_scores_cannot_overturn():
    assert ruled(*scores("X", "attack", 5), self_scored=True) == ("weakened", 5)


def test_a_scorer_that_was_not_read_in_both_orders_does_not_count():
    one = score("X", "A", "A", 5)
    lost = score("X", "B", None, None, fault="timeout")
    assert ruled(one, lost) == (None, None)
    assert ruled(one, lost, *scores("Y", "rebuttal")).outcome == "upheld"
    assert ruled() == (None, None)


@given(
    st.lists(
        st.tuples(st.sampled_from(["attack", "rebuttal", "neither", "place"]), st.integers(1, 5)),
        min_size=1,
        max_size=5,
    ),
    st.integers(1, 5),
    st.randoms(use_true_random=False),
)
def test_the_order_of_the_scores_never_matters(found, stated, random):
    every = [s for i, (won, weight) in enumerate(found) for s in scores(f"J{i}", won, weight)]
    shuffled = random.sample(every, len(every))
    assert ruled(*every, stated=stated) == ruled(*shuffled, stated=stated)


@given(st.sampled_from(["attack", "rebuttal", "neither", "place"]), st.integers(1, 5))
def test_swapping_the_letters_of_the_sides_changes_nothing(won, weight):
    swapped = {"A": "B", "B": "A", "neither": "neither"}
    every = scores("X", won, weight)
    mirrored = [
        s.model_copy(update={"attack_side": swapped[s.attack_side], "picked": swapped[s.picked]})
        for s in every
    ]
    assert ruled(*every) == ruled(*mirrored)


def test_an_attack_that_was_made_already_in_nearly_the_same_words_counts_once():
    words = "every call becomes a network call that can fail"
    first, copy, other = (
        bout("overturned", persona="attacker", claim=words),
        bout("overturned", claim=words.title()),
        bout("weakened", claim="nobody has costed the third year"),
    )
    kept = without_copies([first, copy, other])
    assert [one.outcome for one in kept] == ["overturned", None, "weakened"]
    assert kept[1].void == "the attacker made the same attack"
    assert kept[1].severity is None


def test_a_void_attack_does_not_make_a_later_one_a_copy():
    words = "the same words in both of them"
    kept = without_copies([bout(None, claim=words), bout("upheld", claim=words)])
    assert kept[1].outcome == "upheld"
