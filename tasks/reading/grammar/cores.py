"""The heart of a position: the name, the amount or the act that it takes, without the dressing."""

from collections.abc import Sequence
from typing import NamedTuple

from tasks.reading.grammar import cue_words as sets
from tasks.reading.grammar.acts import Act, act_of
from tasks.reading.grammar.clauses import Item, sentences
from tasks.reading.grammar.cues import Cue
from tasks.reading.grammar.quantities import Quantity, quantities
from tasks.reading.grammar.tokens import Token
from tasks.reading.grammar.verbs import STOP

_LEADING = {Cue.PICK, Cue.FINAL, Cue.SO, Cue.PLAIN}
_TRAILING = {Cue.BECAUSE, Cue.WIN, Cue.CONCEDE, Cue.IF, Cue.SO, Cue.BUT, Cue.NOT, Cue.LATER}
_NAME_TAIL = {"for", "on", "in", "with", "as", "at", "to", "over", "from", "of"}
_LONGEST = 6


class Core(NamedTuple):
    """What a position comes down to."""

    name: str
    """As written; empty where the position is prose."""
    quantity: Quantity | None
    act: Act | None


def core_of(tokens: Sequence[Token]) -> Core:
    """Return the core of a position."""
    said = sentences(tokens, [])
    if not said:
        return Core("", None, None)
    first = said[0]
    act = act_of([item for sentence in said[:1] for item in sentence])
    found = quantities(tokens)
    amount = (
        found[0].quantity
        if len(found) == 1 and _only(tokens, found[0].start, found[0].end)
        else None
    )
    return Core(_name(tokens, first) if act is None else "", amount, act)


def _only(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Tell whether nothing of weight stands beside the tokens `start` to `end`."""
    rest = [*tokens[:start], *tokens[end:]]
    return all(token.kind == "mark" or token.word in STOP | sets.FILLERS for token in rest)


def _name(tokens: Sequence[Token], items: Sequence[Item]) -> str:
    at = 0
    while at < len(items) - 1 and (items[at].cue in _LEADING or _leads(items[at])):
        at += 1
    end = at
    while end < len(items) and not items[end].stop and items[end].cue not in _TRAILING:
        if end > at and items[end].word in _NAME_TAIL:
            break
        if items[end].word in sets.AUXILIARIES or items[end].cue is Cue.NOT:
            return "" if end > at + 3 or end == at else _shown(tokens, items, at, end)
        end += 1
    return _shown(tokens, items, at, end)


def _leads(item: Item) -> bool:
    return item.word in sets.FILLERS | {"the", "a", "an", ":"} or item.stop == ":"


def _shown(tokens: Sequence[Token], items: Sequence[Item], start: int, end: int) -> str:
    if end <= start or end - start > _LONGEST:
        return ""
    last = items[end].at if end < len(items) else len(tokens)
    return joined(tokens[items[start].at : last])


def joined(tokens: Sequence[Token]) -> str:
    """Return the tokens as text, spaced as they were."""
    return "".join((" " if token.gap else "") + token.shown for token in tokens).strip(" ,;:.!?\"'")
