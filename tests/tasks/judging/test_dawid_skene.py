"""Dawid–Skene against known values, and at its edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.judging.dawid_skene import one_coin

NOBODY = -1
TABLE = (
    (0, 2, 1, 1, 1),
    (0, 0, 1, 2, 2),
    (0, 2, 0, 0, 2),
    (2, 2, 1, 0, NOBODY),
    (1, 2, 0, 0, 1),
    (1, 1, 1, 0, 1),
    (2, 0, 1, 0, 0),
    (NOBODY, 1, 2, 2, 0),
    (2, 2, 1, 2, 1),
    (1, 0, 0, 1, 2),
)
"""Ten tasks, five jurors, three labels."""


def votes(table):
    rows = [
        (i, j, label) for i, row in enumerate(table) for j, label in enumerate(row) if label >= 0
    ]
    return np.array(rows).T


LABELS = [1, 1, 0, 1, 0, 0, 1, 2, 1, 1]
SKILLS = [0.1774, 0.0, 0.6512, 0.5783, 0.2870]
SURE = [0.9503, 0.6284, 0.8154, 0.5765, 0.9672, 0.7328, 0.8964, 0.9271, 0.7503, 0.5950]


def test_labels_and_skills_are_those_of_crowd_kit():
    """crowd-kit 1.4.2 (Apache-2.0), OneCoinDawidSkene(n_iter=5000, tol=1e-12).

    crowd-kit learns a prior over labels, ours is flat: it was given the table three times, labels
    turned round by one each time, which makes its prior flat.
    """
    found = one_coin(*votes(TABLE), iterations=5000)
    assert found.label.tolist() == LABELS
    assert found.skill == pytest.approx(SKILLS, abs=2e-4)
    assert found.probability.max(1) == pytest.approx(SURE, abs=2e-4)


def test_good_jurors_are_told_from_guessers_without_any_outcome():
    rng = np.random.default_rng(3)
    truth, skill = rng.integers(0, 4, 400), np.array([0.9, 0.8, 0.7, 0.4, 0.3])
    right = rng.random((400, 5)) < skill
    said = np.where(right, truth[:, None], (truth[:, None] + rng.integers(1, 4, (400, 5))) % 4)
    task, juror = np.indices(said.shape).reshape(2, -1)
    found = one_coin(task, juror, said.ravel())
    assert found.skill == pytest.approx(skill, abs=0.07)
    votes_for = (said[:, :, None] == np.arange(4)).sum(1)
    majority = (votes_for.argmax(1) == truth).mean()
    assert (found.label == truth).mean() > majority + 0.03


def test_without_votes_there_is_nothing_to_say():
    empty = np.zeros(0, dtype=np.int64)
    found = one_coin(empty, empty, empty)
    assert found.label.shape == found.skill.shape == (0,)


def test_a_task_or_juror_without_votes_stays_undecided():
    found = one_coin(np.array([0, 2]), np.array([0, 2]), np.array([1, 1]))
    assert found.probability[1] == pytest.approx([0.5, 0.5])
    assert found.skill[1] == 0.5


@pytest.mark.parametrize(
    "rows",
    [([0, 1], [0], [0]), ([-1], [0], [0]), ([0], [0], [-2])],
    ids=["length", "task", "label"],
)
def test_arrays_that_make_no_votes_are_refused(rows):
    with pytest.raises(ValueError, match=r"one entry|numbered from 0"):
        one_coin(*(np.array(row) for row in rows))


@given(st.lists(st.tuples(*(st.integers(0, 3),) * 3), min_size=1, max_size=30), st.randoms())
def test_the_order_of_the_votes_changes_nothing(rows, random):
    shuffled = list(rows)
    random.shuffle(shuffled)
    one, other = (one_coin(*np.array(r).T, n_labels=4) for r in (rows, shuffled))
    assert one.probability == pytest.approx(other.probability, abs=1e-6)
    assert np.isfinite(one.probability).all()
    assert ((one.skill >= 0) & (one.skill <= 1)).all()
