"""Numbers, units, money, dates and ranges are values, whatever their spelling."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.reading.grammar.plain import plain
from tasks.reading.grammar.quantities import quantities, same, value_of
from tasks.reading.grammar.tokens import tokenise


def read(text):
    return [found.quantity for found in quantities(tokenise(plain(text)))]


@pytest.mark.parametrize(
    ("text", "kind", "low", "high"),
    [
        ("30 s", "time", 30, 30),
        ("half a minute", "time", 30, 30),
        ("5 minutes", "time", 300, 300),
        ("two weeks", "time", 1_209_600, 1_209_600),
        ("a 30-second timeout", "time", 30, 30),
        ("minus 5%", "share", "-1/20", "-1/20"),
        ("50 per cent", "share", "1/2", "1/2"),
        ("$1,000.50", "usd", "1000.5", "1000.5"),
        ("1 000 EUR", "eur", 1000, 1000),
        ("€5k", "eur", 5000, 5000),
        ("1.5 GB", "bytes", 1_500_000_000, 1_500_000_000),
        ("1,5", "number", "1.5", "1.5"),
        ("1'000'000", "number", 1_000_000, 1_000_000),
        ("10–20", "number", 10, 20),
        ("between 10 and 20 days", "time", 864_000, 1_728_000),
        ("10-20k", "number", 10_000, 20_000),
        ("2026-03-01", "date", 20_260_301, 20_260_301),
        ("March 1, 2026", "date", 20_260_301, 20_260_301),
        ("the 1st of March 2026", "date", 20_260_301, 20_260_301),
        ("25/12/2026", "date", 20_261_225, 20_261_225),
        ("May 2026", "month", 202_605, 202_605),
        ("Q3 2026", "quarter", 20_263, 20_263),
    ],
)
def test_a_quantity_has_one_value(text, kind, low, high):
    (found,) = read(text)
    assert (found.kind, found.low, found.high) == (kind, Fraction(low), Fraction(high))


def test_a_date_that_could_be_two_is_none():
    assert all(found.kind == "number" for found in read("01/03/2026"))


def test_a_version_is_no_number():
    assert value_of("3.1.4") is None
    assert read("3.1.4") == []


def test_a_share_is_its_plain_fraction_and_no_other_unit_is():
    (half,), (share,), (euros,), (dollars,) = map(read, ("half", "50%", "5 EUR", "5 USD"))
    assert same(half, share)
    assert not same(euros, dollars)


@settings(deadline=None)
@given(st.text())
def test_any_text_has_quantities_in_order_and_apart(text):
    found = quantities(tokenise(plain(text)))
    assert all(one.end <= two.start for one, two in pairwise(found))
    assert all(one.quantity.low <= one.quantity.high for one in found)


@settings(deadline=None)
@given(st.integers(0, 10**12))
def test_separators_do_not_change_a_number(number):
    for spelling in (f"{number}", f"{number:,}", f"{number:_}", f"{number:,}".replace(",", " ")):
        (found,) = read(spelling)
        assert found.low == number
