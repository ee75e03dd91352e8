"""Numbers, units, shares, money, dates and ranges in words or digits, as comparable values."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from tasks.reading.grammar.dates import date_at
from tasks.reading.grammar.tokens import Token

SMALL_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen", "twenty"),
)
"""Words for 0 to 20."""

DIGITS = {word: str(n) for n, word in enumerate(SMALL_NUMBERS)}
"""Words for 0 to 20 → their digits."""
_TENS = {
    word: 10 * n
    for n, word in enumerate(
        ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), 2
    )
}
_NUMBER_WORDS = {word: Fraction(n) for n, word in enumerate(SMALL_NUMBERS)} | {
    word: Fraction(n) for word, n in _TENS.items()
}
_PARTS = {"half": Fraction(1, 2), "quarter": Fraction(1, 4), "third": Fraction(1, 3)}
_MULTIPLIERS = {
    word: Fraction(n)
    for words, n in {
        "k thousand": 10**3,
        "million millions mn mio": 10**6,
        "billion billions bn": 10**9,
        "trillion trillions tn": 10**12,
        "hundred": 100,
        "dozen": 12,
    }.items()
    for word in words.split(" ")
}
_LETTERS = {"m": Fraction(10**6), "b": Fraction(10**9), "t": Fraction(10**12)}
"""After an amount of money, or as a capital tied to a number (`7B`), where `m` is no metre."""
_UNITS = {
    word: (kind, Fraction(size))
    for kind, scale in {
        "time": {
            "ms msec millisecond milliseconds": "1/1000",
            "s sec secs second seconds": "1",
            "min mins minute minutes": "60",
            "h hr hrs hour hours": "3600",
            "d day days": "86400",
            "week weeks wk wks": "604800",
        },
        "months": {"month months": "1", "quarter quarters": "3", "year years yr yrs": "12"},
        "bytes": {
            "byte bytes": "1",
            "kb kilobyte kilobytes": "1000",
            "mb megabyte megabytes": "1000000",
            "gb gigabyte gigabytes": "1000000000",
            "tb terabyte terabytes": "1000000000000",
            "kib": "1024",
            "mib": "1048576",
            "gib": "1073741824",
            "tib": "1099511627776",
        },
        "share": {"% percent pct": "1/100", "bp bps": "1/10000"},
        "metres": {"mm": "1/1000", "cm": "1/100", "m metre metres meter meters": "1", "km": "1000"},
        "miles": {"mile miles mi": "1"},
        "grams": {"g gram grams": "1", "kg kilo kilos kilogram kilograms": "1000"},
        "usd": {"$ usd dollar dollars": "1", "cent cents": "1/100"},
        "eur": {"€ eur euro euros": "1"},
        "gbp": {"£ gbp pound pounds quid": "1"},
        "jpy": {"¥ jpy yen": "1"},
        "inr": {"₹ inr rupee rupees": "1"},
        "chf": {"chf franc francs": "1"},
    }.items()
    for words, size in scale.items()
    for word in words.split(" ")
}
MONEY = {"usd", "eur", "gbp", "jpy", "inr", "chf"}
_SIGNS = {"minus": -1, "negative": -1, "plus": 1}
_GROUP = 3


class Quantity(NamedTuple):
    """A value, or a range, of one kind."""

    kind: str
    """`number`, `share`, `time` (seconds), `bytes`, `usd`, `date` (yyyymmdd) and so on."""
    low: Fraction
    high: Fraction
    signed: bool = False
    """Whether a sign was written."""


class Found(NamedTuple):
    """A quantity among tokens, `start` to `end` (excluded)."""

    start: int
    end: int
    quantity: Quantity


def quantities(tokens: Sequence[Token]) -> list[Found]:
    """Return the quantities in `tokens`, left to right, none inside another."""
    found: list[Found] = []
    at = 0
    while at < len(tokens):
        hit = _date(tokens, at) or _range(tokens, at)
        if hit:
            found.append(hit)
        at = hit.end if hit else at + 1
    return found


def same(one: Quantity, other: Quantity) -> bool:
    """Tell whether the two are one value; a share and its plain fraction are."""
    if (one.low, one.high) != (other.low, other.high):
        return False
    kinds = {one.kind, other.kind}
    return len(kinds) == 1 or (kinds == {"number", "share"} and 0 < one.low < 1)


def first_number(tokens: Sequence[Token]) -> Fraction | None:
    """Return the first number in `tokens` as it is written, whatever its unit."""
    numbers = (_number(tokens, at) for at in range(len(tokens)))
    return next((number[0] for number in numbers if number), None)


def _date(tokens: Sequence[Token], at: int) -> Found | None:
    hit = date_at(tokens, at)
    if hit is None:
        return None
    value = Fraction(hit.value)
    return Found(at, hit.end, Quantity(hit.kind, value, value))


class _Amount(NamedTuple):
    start: int
    end: int
    value: Fraction
    times: Fraction
    """Thousand, million …"""
    kind: str
    scale: Fraction
    signed: bool

    @property
    def size(self) -> Fraction:
        return self.value * self.times * self.scale


def _range(tokens: Sequence[Token], at: int) -> Found | None:
    start, at = at, at + (tokens[at].word == "between")
    first = _amount(tokens, at)
    if first is None:
        return None
    if first.end < len(tokens) and _joins(tokens, at, first.end):
        second = _amount(tokens, first.end + 1)
        if second and not second.signed and first.kind in {second.kind, "number"}:
            return _joined(first, second)._replace(start=start)
    return (
        None
        if start != at
        else Found(at, first.end, Quantity(first.kind, first.size, first.size, first.signed))
    )


def _joins(tokens: Sequence[Token], at: int, joint: int) -> bool:
    word = tokens[joint].word
    return word in {"-", "—", "to"} or (
        word == "and" and at > 0 and tokens[at - 1].word == "between"
    )


def _joined(first: _Amount, second: _Amount) -> Found:
    if first.kind == "number":
        times = second.times if first.times == 1 else first.times
        first = first._replace(kind=second.kind, scale=second.scale, times=times)
    low, high = sorted((first.size, second.size))
    return Found(first.start, second.end, Quantity(second.kind, low, high, first.signed))


def _amount(tokens: Sequence[Token], start: int) -> _Amount | None:
    """Return sign, currency, number, multiplier and unit from `start`; None without a number."""
    at, sign, kind = start, 1, "number"
    if tokens[at : at + 1] and tokens[at].word in _SIGNS:
        sign, at = _SIGNS[tokens[at].word], at + 1
    if at + 1 < len(tokens) and _UNITS.get(tokens[at].word, ("",))[0] in MONEY:
        kind, at = _UNITS[tokens[at].word][0], at + 1
    number = _number(tokens, at)
    if number is None:
        return None
    value, at = number
    times, at = _multiplier(tokens, at, money=kind in MONEY)
    scale = Fraction(1)
    if kind == "number":
        kind, scale, at = _unit(tokens, at)
    signed = at > start and (sign == -1 or tokens[start].word[0] in "+-p")
    return _Amount(start, at, sign * value, times, kind, scale, signed)


def _number(tokens: Sequence[Token], at: int) -> tuple[Fraction, int] | None:
    word, after = _words(tokens, at)
    if tokens[at : at + 1] and tokens[at].kind == "number":
        return _digits(tokens, at)
    if word in {"a", "an"}:
        if after in _PARTS:
            return _PARTS[after], _skip(tokens, at + 2, ("of", "a", "an"))
        counts = after in _MULTIPLIERS or _UNITS.get(after, ("",))[0] in {"time", "months"}
        return (Fraction(1), at + 1) if counts else None
    if word in _PARTS:
        return _PARTS[word], _skip(tokens, at + 1, ("of", "a", "an"))
    if word in _TENS:
        step = at + 1 + (after == "-")
        ones = SMALL_NUMBERS.index(tokens[step].word) if _is_one(tokens, step) else 0
        return Fraction(_TENS[word] + ones), step + 1 if ones else at + 1
    return (_NUMBER_WORDS[word], at + 1) if word in _NUMBER_WORDS else None


def _is_one(tokens: Sequence[Token], at: int) -> bool:
    return at < len(tokens) and tokens[at].word in SMALL_NUMBERS[1:10]


def _words(tokens: Sequence[Token], at: int) -> tuple[str, str]:
    pair = [token.word for token in tokens[at : at + 2]]
    return (*pair, "", "")[0], (*pair, "", "")[1]


def _skip(tokens: Sequence[Token], at: int, words: tuple[str, ...]) -> int:
    while at < len(tokens) and tokens[at].word in words:
        at += 1
    return at


def _digits(tokens: Sequence[Token], at: int) -> tuple[Fraction, int] | None:
    word, end = tokens[at].word.replace("_", ""), at + 1
    while end < len(tokens) and _continues(word, tokens[end]):
        word, end = word + tokens[end].word, end + 1
    value = value_of(word)
    if value is None:
        return None
    slash, parts = _words(tokens, end)
    whole = value_of(parts) if slash == "/" else None
    return (value / whole, end + 2) if whole and 0 <= value < whole else (value, end)


def _continues(word: str, token: Token) -> bool:
    """Tell whether the token is the next group of three of `1 000 000`."""
    digits = word.lstrip("+-")
    grouped = digits.isdigit() and not digits.startswith("0")
    return grouped and token.gap and len(token.word) == _GROUP and token.word.isdigit()


def value_of(word: str) -> Fraction | None:
    """Return the value of digits with separators; None where they are no number (`3.1.4`)."""
    digits = word.replace("'", "")
    groups = digits.lstrip("+-").split(",")
    if len(groups) > 1 and all(len(group.split(".")[0]) == _GROUP for group in groups[1:]):
        digits = digits.replace(",", "")
    elif digits.count(",") == 1 and "." in digits.split(",")[0]:
        digits = digits.replace(".", "")
    digits = digits.replace(",", ".")
    head, *tail = digits.split(".")
    if len(tail) > 1 and head and all(len(group) == _GROUP for group in tail):
        digits = head + "".join(tail)  # 1.500.000
    try:
        return Fraction(digits)
    except ValueError:
        return None


def _multiplier(tokens: Sequence[Token], at: int, *, money: bool) -> tuple[Fraction, int]:
    token = tokens[at] if at < len(tokens) else None
    if token and token.word in _MULTIPLIERS:
        return _MULTIPLIERS[token.word], at + 1
    if token and token.word in _LETTERS and (money or _is_large(tokens, at)):
        return _LETTERS[token.word], at + 1
    return Fraction(1), at


def _is_large(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether the letter at `at` is a million and the like (`7B`, `1.5m USD`), no unit."""
    tied = tokens[at].shown.isupper() and (not tokens[at].gap or tokens[at].word == "m")
    paid = at + 1 < len(tokens) and _UNITS.get(tokens[at + 1].word, ("",))[0] in MONEY
    return tied or paid


def _unit(tokens: Sequence[Token], at: int) -> tuple[str, Fraction, int]:
    if at < len(tokens):
        pair = [token.word for token in tokens[at : at + 2]]
        if pair == ["per", "cent"]:
            return "share", Fraction(1, 100), at + 2
        if pair[0] == "-" and len(pair) > 1 and pair[1] in _UNITS:
            at += 1
        if tokens[at].word in _UNITS:
            kind, scale = _UNITS[tokens[at].word]
            return kind, scale, at + 1
    return "number", Fraction(1), at
