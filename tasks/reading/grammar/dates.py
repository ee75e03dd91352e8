"""Dates in the forms that people write, as comparable values."""

from collections.abc import Sequence
from typing import NamedTuple

from tasks.reading.grammar.tokens import Token

_NAMES = (
    *("january", "february", "march", "april", "may", "june", "july"),
    *("august", "september", "october", "november", "december"),
)
_MONTHS = {name: n for n, name in enumerate(_NAMES, 1)} | {
    name[:3]: n for n, name in enumerate(_NAMES, 1)
}
_MONTHS["sept"] = 9
_RANKS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4}
_ORDINALS = {"st", "nd", "rd", "th"}
_MAX_DAY, _MAX_MONTH, _YEAR_DIGITS, _PARTS_OF_DATE = 31, 12, 4, 3


class Date(NamedTuple):
    """A date that ends before token `end`."""

    kind: str
    """`date` (yyyymmdd), `month` (yyyymm), `day` (mmdd), or `quarter` (yyyyq)."""
    value: int
    end: int


def date_at(tokens: Sequence[Token], at: int) -> Date | None:
    """Return the date that starts at token `at`; None where it is none or could be two."""
    return (
        _numeric(tokens, at) or _day_month(tokens, at) or _month_day(tokens, at) or _q(tokens, at)
    )


def _word(tokens: Sequence[Token], at: int) -> str:
    return tokens[at].word if at < len(tokens) else ""


def _year(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdigit() and len(word) == _YEAR_DIGITS else None


def _day(word: str) -> int | None:
    small = word.isascii() and word.isdigit() and len(word) < _PARTS_OF_DATE
    return int(word) if small and 0 < int(word) <= _MAX_DAY else None


def _numeric(tokens: Sequence[Token], at: int) -> Date | None:
    """Read 2026-03-01, 2026/3/1, 01.03.2026 and 25/03/2026."""
    parts = _word(tokens, at).split(".")
    end = at + 1
    if len(parts) == 1 and _word(tokens, at + 1) in {"-", "/"}:
        mark = _word(tokens, at + 1)
        triple = [_word(tokens, at + step) for step in range(5)]
        if triple[1] == triple[3] == mark:
            parts, end = triple[::2], at + 5
    if len(parts) != _PARTS_OF_DATE:
        return None
    return _ordered(parts, end, dotted=end == at + 1)


def _ordered(parts: list[str], end: int, *, dotted: bool) -> Date | None:
    first_year, last_year = _year(parts[0]), _year(parts[2])
    if first_year:
        year, month, day = first_year, _day(parts[1]), _day(parts[2])
    elif last_year:
        year, day, month = last_year, _day(parts[0]), _day(parts[1])
        if day and month and month > _MAX_MONTH:
            day, month = month, day
        elif day and month and day <= _MAX_MONTH and day != month and not dotted:
            return None
    else:
        return None
    if not day or not month or month > _MAX_MONTH:
        return None
    return Date("date", year * 10_000 + month * 100 + day, end)


def _day_month(tokens: Sequence[Token], at: int) -> Date | None:
    """Read `1 March 2026`, `the 1st of March` and `March 2026`."""
    day, step = _day(_word(tokens, at)), at + 1
    if day is None:
        return None
    step += _word(tokens, step) in _ORDINALS
    step += _word(tokens, step) == "of"
    month = _MONTHS.get(_word(tokens, step))
    return _with_year(tokens, step + 1, month, day) if month else None


def _month_day(tokens: Sequence[Token], at: int) -> Date | None:
    """Read `March 1, 2026`, `Mar 1st` and `March 2026`."""
    month = _MONTHS.get(_word(tokens, at))
    if month is None:
        return None
    step = at + 1
    year = _year(_word(tokens, step + (_word(tokens, step) in {",", "of"})))
    if year:
        return Date("month", year * 100 + month, step + 1 + (_word(tokens, step) in {",", "of"}))
    step += _word(tokens, step) == "the"
    day = _day(_word(tokens, step))
    if day is None:
        return None
    step += 1
    step += _word(tokens, step) in _ORDINALS
    return _with_year(tokens, step, month, day)


def _with_year(tokens: Sequence[Token], step: int, month: int, day: int) -> Date:
    comma = _word(tokens, step) == ","
    year = _year(_word(tokens, step + comma))
    if year:
        return Date("date", year * 10_000 + month * 100 + day, step + comma + 1)
    return Date("day", month * 100 + day, step)


def _q(tokens: Sequence[Token], at: int) -> Date | None:
    """Read `Q3 2026`, `2026 Q3` and `the third quarter of 2026`."""
    if _word(tokens, at) in _RANKS and _word(tokens, at + 1) == "quarter":
        step = at + 2 + (_word(tokens, at + 2) in {"of", ","})
        spoken = _year(_word(tokens, step))
        return Date("quarter", spoken * 10 + _RANKS[tokens[at].word], step + 1) if spoken else None
    one, two = _word(tokens, at), _word(tokens, at + 1)
    year, name = (_year(one), two) if _year(one) else (_year(two), one)
    if year and name[:1] == "q" and name[1:] in {"1", "2", "3", "4"}:
        return Date("quarter", year * 10 + int(name[1:]), at + 2)
    return None
