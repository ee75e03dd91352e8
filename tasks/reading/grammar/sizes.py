"""Options that are amounts, dates or ranges, found in prose whatever their spelling."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from contracts.question import Option
from tasks.reading.grammar.names import SEVERAL, Mention
from tasks.reading.grammar.naming import Level
from tasks.reading.grammar.plain import folded
from tasks.reading.grammar.quantities import MONEY, Found, Quantity, first_number, quantities, same
from tasks.reading.grammar.tokens import Token, tokenise

_UP = {"raise", "increase", "up", "hike", "add", "grow", "rise"}
_DOWN = {"cut", "lower", "reduce", "decrease", "down", "drop", "trim"}
_BACK = 3


class _Size(NamedTuple):
    option: int
    quantity: Quantity
    whole: bool
    """Whether the option's name is this and nothing else."""
    written: list[str]
    number: Fraction | None
    """As written, whatever its unit."""


class Sizes:
    """The options of one question that hold exactly one quantity."""

    def __init__(self, options: Sequence[Option]) -> None:
        """Read the quantity of each option's name."""
        self._sizes: list[_Size] = []
        for index, option in enumerate(options):
            tokens = tokenise(folded(option.name))
            found = quantities(tokens)
            if len(found) == 1:
                hit = found[0]
                whole = hit.end - hit.start == len(tokens)
                written = [token.word for token in tokens[hit.start : hit.end]]
                number = first_number(tokens[hit.start : hit.end])
                self._sizes.append(_Size(index, hit.quantity, whole, written, number))

    def mentions(self, tokens: Sequence[Token]) -> Iterator[Mention]:
        """Yield the quantities in `tokens` that are those of an option."""
        if not self._sizes:
            return
        for found in quantities(tokens):
            hits = _as_written(tokens, found, self._equal(tokens, found))
            if len({size.option for size in hits}) == 1:
                level: Level = "name" if hits[0].whole else "part"
                yield Mention(found.start, found.end, hits[0].option, level)
            elif hits and hits[0].whole:
                yield Mention(found.start, found.end, SEVERAL, "name")

    def _equal(self, tokens: Sequence[Token], found: Found) -> list[_Size]:
        asked = found.quantity
        signed = _signed(tokens, found)
        hits = [size for size in self._sizes if same(signed, size.quantity)]
        if not asked.signed and signed == asked:
            flipped = asked._replace(low=-asked.high, high=-asked.low)
            mirrored = [size for size in self._sizes if same(flipped, size.quantity)]
            if mirrored and any(size.quantity.signed for size in mirrored + hits):
                return hits + mirrored
        if hits:
            return hits
        return [size for size in self._sizes if _same_but_for_unit(tokens, found, size)]


def _as_written(tokens: Sequence[Token], found: Found, hits: list[_Size]) -> list[_Size]:
    """Return of several sizes that are equal (`1.1`, `1.10`) the one that is written alike."""
    written = [token.word for token in tokens[found.start : found.end]]
    alike = [size for size in hits if size.written == written]
    return alike if len(alike) == 1 else hits


def _same_but_for_unit(tokens: Sequence[Token], found: Found, size: _Size) -> bool:
    """Tell whether one of the two leaves its unit out and the digits are the same."""
    number = first_number(tokens[found.start : found.end])
    ranged = size.quantity.low != size.quantity.high
    if found.quantity.kind == "day" and size.quantity.kind == "date":
        return found.quantity.low == size.quantity.low % 10_000  # the year goes without saying
    spelled = tokens[found.end - 1].word
    if spelled == "m" and number is not None and size.quantity.kind in MONEY:
        return number * 10**6 == size.quantity.low  # millions, no metres
    unitless = found.quantity.kind == "number" or size.quantity.kind == "number"
    dated = {"date", "share"} & {found.quantity.kind}
    return unitless and not dated and not ranged and number is not None and number == size.number


def _signed(tokens: Sequence[Token], found: Found) -> Quantity:
    """Return the quantity with the sign that the words before it give."""
    asked = found.quantity
    before = {token.word for token in tokens[max(0, found.start - _BACK) : found.start]}
    after = {token.word for token in tokens[found.end : found.end + 1]}
    if asked.signed or not (before | after) & _DOWN or (before | after) & _UP:
        return asked._replace(signed=True) if (before | after) & _UP else asked
    return asked._replace(low=-asked.high, high=-asked.low, signed=True)
