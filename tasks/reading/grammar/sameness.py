"""Whether two positions on an open question are surely the same."""

from collections.abc import Sequence
from typing import NamedTuple

from contracts.question import Option
from tasks.reading.grammar import forms
from tasks.reading.grammar.acts import same_act
from tasks.reading.grammar.cores import Core, core_of
from tasks.reading.grammar.names import Namebook
from tasks.reading.grammar.naming import content_of
from tasks.reading.grammar.plain import key_of, plain
from tasks.reading.grammar.quantities import same
from tasks.reading.grammar.telling import Told, is_factual, stems, told, wanted
from tasks.reading.grammar.tokens import Token, tokenise
from tasks.reading.grammar.yes_no import spoken

_FEW_WORDS = 6
_TURNING = {"after", "before", "until", "except", "without"}
_PAIR = 2
_MOST = 0.6


class Held(NamedTuple):
    """One juror's position."""

    juror: str
    text: str
    """As plain prose."""
    core: Core
    told: Told


def held(juror: str, text: str, asked: Sequence[Token]) -> Held:
    """Return a position on the question `asked`."""
    shown = plain(text)
    tokens = tokenise(shown)
    telling = told(tokens, stems(asked), wanted(asked), factual=is_factual(asked))
    return Held(juror, shown, _yes_or_no(tokens) or core_of(tokens, asked), telling)


def _yes_or_no(tokens: Sequence[Token]) -> Core | None:
    said = {mention.option for mention in spoken(tokens, 0, 1)}
    if len(said) != 1:
        return None
    return Core(name="No" if said.pop() else "Yes")


def alike(one: Held, other: Held, at_issue: frozenset[str]) -> bool:
    """Tell whether two positions are surely the same.

    They are with the same text but for dressing, the same amount or date, the same act, the same
    name under an alias, the same few words in another order, and, where the question asks what is
    so, when one names all that the other does. `at_issue` are the kinds of act under debate.
    """
    if key_of(one.text) == key_of(other.text) or _joined(one.text) == _joined(other.text):
        return True
    if one.told.factual:
        return _same_fact(one, other)
    if one.core.quantity and other.core.quantity:
        return same(one.core.quantity, other.core.quantity)
    if one.core.act and other.core.act:
        return same_act(one.core.act, other.core.act, at_issue)
    named = one_name(one.core, other.core) or _same_words(one, other)
    return named or _takes(one, other) or _takes(other, one)


def _joined(text: str) -> str:
    """Return the text run together, where that makes it one word (`roll back`)."""
    parts = key_of(text).replace("-", " ").split()
    return "".join(parts) if len(parts) == _PAIR and parts[0] not in {"no", "not"} else key_of(text)


def _same_fact(one: Held, other: Held) -> bool:
    mine, theirs = one.core.quantity, other.core.quantity
    if mine and theirs and mine.kind == theirs.kind:
        return same(mine, theirs)
    lengthy = one.told.lengthy or other.told.lengthy
    named = not lengthy and one_name(one.core, other.core)
    return named or _holds(one, other) or _holds(other, one)


def _holds(long: Held, short: Held) -> bool:
    """Tell whether one answer names all that the other one does, and neither denies."""
    objects = short.told.objects
    shared = objects & (long.told.words | long.told.objects)
    numbers = {word for word in objects - shared if word[0].isdigit()}
    most = len(shared) > 1 and len(shared) >= _MOST * len(objects) and not numbers
    fits = bool(objects) and (shared == objects or (most and short.told.factual))
    if (long.told.words ^ short.told.words) & _TURNING and not long.told.lengthy:
        return False  # `tomorrow`, `the day after tomorrow`
    doubted = long.told.denied or short.told.denied or long.told.negated != short.told.negated
    return fits and not doubted


def _takes(long: Held, short: Held) -> bool:
    """Tell whether a sentence takes what the other position names, and names nothing else."""
    named = bool(short.core.name) and not short.told.lengthy and long.told.lengthy
    return named and long.told.names <= short.told.objects and _holds(long, short)


def one_name(one: Core, other: Core) -> bool:
    """Tell whether the two are one name: spelling, number, article, well-known short form."""
    for name, text in ((one.name, other.name), (other.name, one.name)):
        tokens = tokenise(text)
        found = Namebook([Option(name=name[:500])]).mentions(tokens) if name and text else []
        if len(found) == 1 and (found[0].start, found[0].end) == (0, len(tokens)):
            return found[0].level != "part" and found[0].sign * one.sign == other.sign
    return False


def _same_words(one: Held, other: Held) -> bool:
    """Tell whether the two are the same few words in another order, with no comparison."""
    if not (one.core.plain and other.core.plain):
        return False
    mine, theirs = (
        frozenset(min(word, *forms.numbered(word), key=len) for word in content_of(text))
        for text in (one.text, other.text)
    )
    numbers = [word for word in mine if word[0].isdigit()]
    return bool(mine) and mine == theirs and len(mine) <= _FEW_WORDS and len(numbers) <= 1
