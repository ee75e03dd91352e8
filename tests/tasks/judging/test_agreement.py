"""How far jurors err together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.fit import Calibrator, Coefficients, Overlap, StageFit
from tasks.judging.agreement import PAIR_STRENGTH, effective_jurors, error_overlaps
from tasks.judging.history import History


def history(right):
    """Right or wrong (True, False), None for no vote: a row a question, a column a juror."""
    table = np.array([[-1 if r is None else 1 - int(r) for r in row] for row in right])
    n, jurors = table.shape
    ones = np.ones(n, dtype=np.int64)
    names = tuple("ABCDEFGH"[:jurors])
    ids = tuple(f"q{i}" for i in range(n))
    two, none = 2 * ones, 0 * ones
    return History(ids, names, ("t",), table, none, two, two, none, jurors * ones)


def stage(*pairs, mean=0.0):
    return StageFit(
        stage="alone",
        n_outcomes=100,
        roster_rate=0.6,
        juror_strength=8,
        topic_strength=8,
        reliability=(),
        overlaps=pairs,
        mean_overlap=mean,
        coefficients=Coefficients(log_odds=0.5, below_chance=0.5),
        calibrator=Calibrator(),
    )


def test_phi_has_its_textbook_value():
    """Both wrong 4, only A wrong 2, only B wrong 1, neither 3: phi = 10 / √(6·4·5·5)."""
    rows = [(0, 0)] * 4 + [(0, 1)] * 2 + [(1, 0)] + [(1, 1)] * 3
    found = error_overlaps(history(rows))
    assert found.mean == pytest.approx((4 * 3 - 2 * 1) / np.sqrt(6 * 4 * 5 * 5), abs=1e-4)
    assert found.pairs == (Overlap(one="A", other="B", correlation=found.mean, n=10),)


def test_a_pair_is_shrunk_to_the_mean_of_all():
    rng = np.random.default_rng(2)
    a, b, c = rng.random((3, 60)) < 0.5
    found = error_overlaps(history(list(zip(a, a, b, c, strict=True))))
    copies = {(pair.one, pair.other): pair.correlation for pair in found.pairs}["A", "B"]
    assert copies == pytest.approx(
        (60 + PAIR_STRENGTH * found.mean) / (60 + PAIR_STRENGTH), abs=1e-3
    )


def test_jurors_that_never_met_have_no_pair():
    assert error_overlaps(history([(1, None), (None, 0)])) == ((), 0.0)


def test_a_juror_that_is_always_right_overlaps_with_nobody_in_particular():
    found = error_overlaps(history([(1, i % 2) for i in range(40)]))
    assert found.mean == 0.0
    assert found.pairs[0].correlation == 0.0


def test_independent_jurors_count_in_full_and_copies_as_one():
    votes = [("A", 1.0), ("B", 1.0), ("C", 1.0)]
    assert effective_jurors(votes, stage()) == pytest.approx(3)
    assert effective_jurors(votes, stage(mean=1.0)) == pytest.approx(1)
    pair = Overlap(one="A", other="B", correlation=0.5, n=50)
    assert effective_jurors(votes, stage(pair)) == pytest.approx(9 / 4)


def test_no_weight_is_no_juror():
    assert effective_jurors([("A", 0.0)], stage()) == 0
    assert effective_jurors([], stage()) == 0


@given(st.lists(st.floats(0.01, 9), min_size=1, max_size=6), st.floats(0, 1))
def test_the_effective_number_lies_between_one_and_all(weights, overlap):
    votes = [(name, weight) for name, weight in zip("ABCDEF", weights, strict=False)]
    found = effective_jurors(votes, stage(mean=overlap))
    assert 1 - 1e-9 <= found <= len(weights) + 1e-9
