import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.reading.confidence_text import read_confidence

SHARES = [
    (0, 0.0),
    (0.85, 0.85),
    (1, 1.0),
    (85, 0.85),
    (100, 1.0),
    ("0.85", 0.85),
    (".85", 0.85),
    ("0,85", 0.85),
    ("85", 0.85),
    ("85%", 0.85),
    ("85 %", 0.85),
    ("%85", 0.85),
    ("~85%", 0.85),
    ("８５％", 0.85),
    ("٨٥%", 0.85),
    ("85 percent", 0.85),
    ("eighty-five percent", 0.85),
    ("85 Prozent", 0.85),
    ("8/10", 0.8),
    ("8.5 / 10", 0.85),
    ("eight out of ten", 0.8),
    ("4 von 5", 0.8),
    ("8 on a scale of 1 to 10", 0.8),
    ("0.8 on a scale of 0 to 1", 0.8),
    ("★★★★☆", 0.8),
    ("80-90%", 0.85),
    ("between 60 and 80%", 0.7),
    ("0.7–0.9", 0.8),
    ("0.8 ± 0.1", 0.8),
    ("80% (8/10)", 0.8),
    ("0.8 (2 of 3 sources)", 0.8),
    ("high (0.9)", 0.9),
    ("I am 85% sure", 0.85),
    ("0%", 0.0),
    ("1e-1", 0.1),
    ([0.8], 0.8),
    ({"value": 0.8}, 0.8),
    ({"score": 8, "max": 10}, 0.8),
]
NO_SURE_MEANING = [
    None,
    True,
    False,
    math.nan,
    math.inf,
    -math.inf,
    -0.2,
    1.5,
    8,
    101,
    10**400,
    "",
    "N/A",
    "unknown",
    "-10%",
    "150%",
    "0.85%",
    "10/8",
    "1/0",
    "<50%",
    "less than half, 0.4",
    "1,000",
    "0.85, later 0.6",
    "7" * 10_000,
    "high or low",
    "one of the best",
    "the low latency of the cache makes me think that the load is high",
    [0.7, 0.9],
    {"A": 0.8, "B": 0.2},
    {"value": {"value": 0.8}},
    object(),
]


@pytest.mark.parametrize(("stated", "share"), SHARES, ids=repr)
def test_every_usual_spelling_is_read_as_the_same_share(stated, share):
    assert read_confidence(stated) == pytest.approx(share)


@pytest.mark.parametrize("stated", NO_SURE_MEANING, ids=lambda stated: repr(stated)[:30])
def test_what_has_no_sure_meaning_is_none_and_never_clamped(stated):
    assert read_confidence(stated) is None


@pytest.mark.parametrize(
    "in_order",
    [
        ("very low", "low", "medium", "high", "very high"),
        ("not confident", "moderate", "fairly confident", "confident", "almost certain"),
        ("niedrig", "mittel", "hoch"),
        ("faible", "moyenne", "élevée"),
        ("低", "中等", "高", "非常高"),
        ("низкая", "средняя", "высокая"),
    ],
)
def test_words_keep_their_order(in_order):
    shares = [read_confidence(word) for word in in_order]
    assert None not in shares
    assert shares == sorted(set(shares))


def test_low_with_a_negated_high_is_low():
    assert read_confidence("not very high") == read_confidence("low")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@settings(deadline=None)
@given(JSON)
def test_anything_gives_a_share_or_none(value):
    share = read_confidence(value)
    assert share is None or 0 <= share <= 1


@settings(deadline=None)
@given(st.floats(0, 1).map(lambda share: round(share, 4)))
def test_a_share_is_itself_as_a_number_and_as_a_text(share):
    assert read_confidence(share) == share
    assert read_confidence(f"{share:.4f}") == pytest.approx(share)


@settings(deadline=None)
@given(st.integers(11, 100))
def test_a_percentage_is_a_hundredth(percent):
    for spelled in (percent, f"{percent}%", f"{percent} / 100", f"{percent} out of 100"):
        assert read_confidence(spelled) == pytest.approx(percent / 100)
