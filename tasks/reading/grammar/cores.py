"""The heart of a position: the name, the amount or the act that it takes, without the dressing."""

from collections.abc import Sequence
from typing import NamedTuple

from tasks.reading.grammar import cue_words as sets
from tasks.reading.grammar.acts import Act, act_of
from tasks.reading.grammar.clauses import Item, sentences
from tasks.reading.grammar.cues import Cue
from tasks.reading.grammar.quantities import Found, Quantity, quantities
from tasks.reading.grammar.tokens import Token, fold
from tasks.reading.grammar.verbs import STOP

_LEADING = {Cue.PICK, Cue.FINAL, Cue.SO, Cue.PLAIN}
_TRAILING = {Cue.BECAUSE, Cue.WIN, Cue.CONCEDE, Cue.IF, Cue.SO, Cue.BUT, Cue.NOT, Cue.LATER}
_AGAINST = {Cue.NOT, Cue.DROP}
_NEUTRAL = {None, Cue.PLAIN, Cue.GOOD, Cue.PICK, Cue.FIRST, Cue.FINAL, Cue.AND}
_NAME_TAIL = {"for", "on", "in", "with", "as", "at", "to", "over", "from", "of"}
_LEGAL = {"inc", "corp", "corporation", "ltd", "llc", "gmbh", "plc", "incorporated", "limited"}
_ROUGHLY = {"about", "approximately", "roughly", "around", "circa", "approx", "ca"}
_LONGEST, _LONGEST_NAME, _FEW = 6, 120, 3


class Core(NamedTuple):
    """What a position comes down to."""

    name: str = ""
    """As written; empty where the position is prose."""
    sign: int = 1
    """-1 where the name is turned down."""
    quantity: Quantity | None = None
    act: Act | None = None
    plain: bool = False
    """Whether no cue of the grammar stands in it, so that its words are all there is to it."""


def core_of(tokens: Sequence[Token], asked: Sequence[Token] = ()) -> Core:
    """Return the core of a position on the question `asked`."""
    said = sentences(tokens, [])
    if not said:
        return Core()
    found = quantities(tokens)
    whole = len(found) == 1 and _only(tokens, found[0], {token.word for token in asked})
    act = act_of(said[0])
    name, sign = ("", 1) if act else _name(tokens, said[0])
    name = _without(name, {token.word for token in asked})
    cued = any(item.cue not in {None, Cue.PLAIN} for items in said for item in items)
    return Core(name, sign, found[0].quantity if whole else None, act, not cued)


def _without(name: str, asked: set[str]) -> str:
    """Return the name without the question's own words at its end (`MIT license`), or `Inc.`."""
    words = name.split(" ")
    while len(words) > 1 and (fold(words[-1]) in asked or fold(words[-1]).strip(".") in _LEGAL):
        words.pop()
    return " ".join(words)


def _only(tokens: Sequence[Token], found: Found, asked: set[str]) -> bool:
    """Tell whether nothing of weight stands beside the quantity."""
    empty = STOP | sets.FILLERS | _ROUGHLY | asked
    rest = [*tokens[: found.start], *tokens[found.end :]]
    return all(token.kind == "mark" or token.word in empty for token in rest)


def _name(tokens: Sequence[Token], items: Sequence[Item]) -> tuple[str, int]:
    """Return the name that a sentence consists of, and -1 where it is turned down."""
    at, sign = 0, 1
    while at < len(items) - 1 and (items[at].cue in _LEADING | _AGAINST or _leads(items[at])):
        sign = -sign if items[at].cue in _AGAINST else sign
        at += 1
    end = at
    while end < len(items) and not items[end].stop and items[end].cue not in _TRAILING:
        if end > at and items[end].word in _NAME_TAIL:
            break
        if items[end].word in sets.AUXILIARIES or items[end].cue not in _NEUTRAL:
            return "", 1
        end += 1
    name = _shown(tokens, items, at, end)
    if name or len(items) > _FEW:
        return name, sign
    whole = joined(tokens)
    return whole if len(whole) <= _LONGEST_NAME else "", 1


def _leads(item: Item) -> bool:
    return item.word in sets.FILLERS | {"the", "a", "an", ":"} or item.stop == ":"


def _shown(tokens: Sequence[Token], items: Sequence[Item], start: int, end: int) -> str:
    if end <= start or end - start > _LONGEST:
        return ""
    last = items[end].at if end < len(items) else len(tokens)
    name = joined(tokens[items[start].at : last])
    return name if len(name) <= _LONGEST_NAME else ""


def joined(tokens: Sequence[Token]) -> str:
    """Return the tokens as text, spaced as they were."""
    return "".join((" " if token.gap else "") + token.shown for token in tokens).strip(" ,;:.!?\"'")
