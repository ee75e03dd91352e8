"""How sure a juror says it is: numbers, percentages, fractions and words, read as a share."""

import math
import re
import unicodedata
from collections.abc import Mapping
from typing import Any

_NUMBER = r"(?<![\w.])([-−]?\d{0,9}[.,]?\d{1,9}(?:e-?\d{1,2})?)"
_PERCENT = (
    r"(?:%|٪|percent|per cent|pct\b|prozent|pour cent|por ?cien|por cento|процент|パーセント)"
)
_SINGLE = re.compile(_NUMBER)
_FRACTION = re.compile(_NUMBER + r"\s*(?:/|out of|of|von|sur|из|in)\s*" + _NUMBER)
_SCALE = re.compile(
    _NUMBER + r"[^\d]{1,24}(?:scale|skala|échelle|escala)[^\d]{1,12}\d\D{1,6}(\d{1,3})"
)
_RANGE = re.compile(
    _NUMBER + r"\s*" + _PERCENT + r"?\s*(?:[-–—~～]|to|bis|and|und|à|et|y|至|到|до)\s*" + _NUMBER
)
_MARGIN = re.compile(_PERCENT + r"?\s*(?:±|\+/-|\+-)\s*\d+(?:[.,]\d+)?")
_BELOW = re.compile(
    r"[<≤]|\b(?:less than|under|below|at most|up to|unter|höchstens|moins de)\b|不到|менее"
)
_ASIDE = re.compile(r"\([^()]*\)")
_GROUPED = re.compile(r"[1-9]\d{0,2},\d{3}\b")
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d)")

_UNITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60}
_TENS |= {"seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100}
_TENS_WORD = re.compile(rf"\b({'|'.join(_TENS)})(?:[- ]({'|'.join(_UNITS[1:10])}))?\b")
_UNIT_WORD = re.compile(rf"\b({'|'.join(_UNITS)})\b")
_COUNTED = re.compile(r"percent|per cent|out of")

_LOW, _MEDIUM, _HIGH = "low", "medium", "high"
_UNSURE = re.compile(
    r"\b(?:not|isn't|hardly|barely|nicht|pas|kaum)\b.{0,20}\b(?:high|confident|sure|certain|hoch|sicher)"
    r"|\b(?:uncertain|unsure|unsicher|incertain)|不确定|不高"
)
_LEVELS = {
    _LOW: re.compile(
        r"\b(?:low|weak|slight|minimal|niedrig|gering|faible|bass[ea]|baj[ao]|baix[ao]|низк)|低|낮"
    ),
    _MEDIUM: re.compile(
        r"\b(?:medium|moderate|mid\b|middling|average|somewhat|fairly|quite|rather|reasonabl"
        r"|mittel|moyen|medi[ao]\b|médi[ao]\b|средн)|中|보통"
    ),
    _HIGH: re.compile(
        r"\b(?:high|strong|confident|sure\b|certain|definite|hoch|sicher|élev|haute?\b|alt[ao]\b"
        r"|высок)|高|높"
    ),
}
_STRONGLY = re.compile(
    r"\b(?:very|extreme|almost|nearly|absolute|complete|total|full|highly|sehr|très|muy|molto"
    r"|muito|очень)|非常|很|极|매우|とても"
)
_SHARE_OF_WORDS = {
    frozenset({_LOW}): 0.25,
    frozenset({_LOW, _MEDIUM}): 0.35,
    frozenset({_MEDIUM}): 0.5,
    frozenset({_MEDIUM, _HIGH}): 0.7,
    frozenset({_HIGH}): 0.85,
}
_EXTREMES = {frozenset({_LOW}): 0.1, frozenset({_HIGH}): 0.95}
_LONGEST = 160
_MOST_WORDS = 10


def read_confidence(value: Any) -> float | None:
    """Return a stated confidence as a share in [0, 1], None where it has no sure meaning.

    A number up to 1 is a share and one above 10 up to 100 a percentage; between 1 and 10 nobody
    can tell a mark out of ten from one out of five or from a percentage, so it is none. A range is
    its middle, words are five coarse levels. Nothing is clamped: what lies outside is None.
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return _share(_finite(value))
    if isinstance(value, str):
        return _of_text(value)
    if isinstance(value, Mapping):
        return _of_mapping(value)
    if isinstance(value, list) and len(value) == 1:
        return read_confidence(value[0]) if not isinstance(value[0], list | Mapping) else None
    return None


def _finite(value: float) -> float | None:
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _share(number: float | None) -> float | None:
    if number is None or number < 0 or 1 < number <= 10 or number > 100:  # noqa: PLR2004
        return None
    return number if number <= 1 else number / 100


def _percent(number: float) -> float | None:
    # "0.85%" is as likely a share with a stray sign as less than one percent
    sloppy = 0 < number < 1
    return None if sloppy or not 0 <= number <= 100 else number / 100  # noqa: PLR2004


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole > 0 and 0 <= part <= whole else None


def _of_mapping(value: Mapping[Any, Any]) -> float | None:
    plain = {str(key).casefold(): item for key, item in value.items()}
    found = [plain[key] for key in ("value", "score", "level", "confidence") if key in plain]
    if not found or isinstance(found[0], Mapping | list):
        return None
    top = next((plain[key] for key in ("max", "out_of", "scale") if key in plain), None)
    if isinstance(top, int | float) and isinstance(found[0], int | float):
        part, whole = _finite(found[0]), _finite(top)
        return None if part is None or whole is None else _ratio(part, whole)
    return read_confidence(found[0])


def _of_text(text: str) -> float | None:
    shown = unicodedata.normalize("NFKC", text[:_LONGEST]).casefold().strip()
    stars = shown.count("★") + shown.count("⭐")
    if stars and "☆" in shown:
        return _ratio(stars, stars + shown.count("☆"))
    if _COUNTED.search(shown):
        shown = _UNIT_WORD.sub(_unit_digits, _TENS_WORD.sub(_tens_digits, shown))
    if not any(character.isdigit() for character in shown):
        return _of_words(shown)
    outside = _ASIDE.sub(" ", shown)
    if any(character.isdigit() for character in outside):
        shown = outside
    if _BELOW.search(shown) or _GROUPED.search(shown):
        return None
    return _of_numbers(_MARGIN.sub("%" if "%" in shown else "", shown))


def _tens_digits(match: re.Match[str]) -> str:
    unit = match.group(2)
    return str(_TENS[match.group(1)] + (_UNITS.index(unit) if unit else 0))


def _unit_digits(match: re.Match[str]) -> str:
    return str(_UNITS.index(match.group(1)))


def _of_numbers(shown: str) -> float | None:
    for pattern in (_SCALE, _FRACTION):
        found = pattern.search(shown)
        if found:
            part, whole = (_parsed(group) for group in found.groups())
            return _ratio(part, whole)
    signed = re.search(_PERCENT, shown) is not None
    ranged = _RANGE.search(shown)
    if ranged:
        low, high = (_parsed(group) for group in ranged.groups())
        return _middle(low, high, signed=signed)
    numbers = {_parsed(found) for found in _SINGLE.findall(shown)}
    if len(numbers) != 1:
        return None
    number = numbers.pop()
    return _percent(number) if signed else _share(number)


def _parsed(digits: str) -> float:
    number = _finite(float(_DECIMAL_COMMA.sub(".", digits).replace("−", "-").replace(",", ".")))
    return -1.0 if number is None else number


def _middle(low: float, high: float, *, signed: bool) -> float | None:
    ends = [_percent(end) if signed else _share(end) for end in (low, high)]
    known = [end for end in ends if end is not None]
    return round(sum(known) / 2, 6) if len(known) == len(ends) and low <= high else None


def _of_words(shown: str) -> float | None:
    if len(shown.split()) > _MOST_WORDS:
        return None
    if _UNSURE.search(shown):
        return _SHARE_OF_WORDS[frozenset({_LOW})]
    levels = frozenset(level for level, words in _LEVELS.items() if words.search(shown))
    if _STRONGLY.search(shown) and levels in _EXTREMES:
        return _EXTREMES[levels]
    return _SHARE_OF_WORDS.get(levels)
