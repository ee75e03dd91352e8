"""What an answer names beside the question's own words: the people, places, dates and amounts."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from tasks.reading.grammar import forms
from tasks.reading.grammar.clauses import Item, sentences
from tasks.reading.grammar.cue_words import AUXILIARIES
from tasks.reading.grammar.cues import Cue
from tasks.reading.grammar.lexicon import PHRASES
from tasks.reading.grammar.quantities import DIGITS
from tasks.reading.grammar.tokens import Token, wordset
from tasks.reading.grammar.verbs import STOP

Wanted = Literal["name", "number", "any"]

_NUMBERS_ASKED = wordset("many much long old far tall big high deep fast large")
_LEAD = 2
_SHORT, _NOTED, _BULLET, _STATEMENT = 8, 4, 2, 7
_AGAINST = {
    *(Cue.NOT, Cue.DROP, Cue.BUT, Cue.UNSURE, Cue.IF, Cue.ELSE, Cue.WIN, Cue.LOSE, Cue.BESIDE),
    *(Cue.CONCEDE, Cue.BAD, Cue.PAST, Cue.ASK, Cue.NEITHER, Cue.BOTH, Cue.EITHER, Cue.LATER),
    *(Cue.AND, Cue.ORDER),
}
_DECIDING = wordset("""
    should shall we our ought recommend view opinion think prefer choose advise best better right
""")
_MONTHS = wordset("""
    january february march april may june july august september october november december
""")
_STATING = wordset("""
    is 's was are were does did do has had have wrote won made plays sang sings said says built wins
    comes holds means became found began led born
""")
_LEADING = wordset("cutoff knowledge according language ai model wikipedia")
_NOISE = (
    STOP
    | AUXILIARIES
    | wordset("""
    according wikipedia based source also known called named called answer sure hello hi following
    however although bing imdb
""")
)


class Told(NamedTuple):
    """What one answer tells."""

    objects: frozenset[str]
    """The words of its first sentence that answer."""
    words: frozenset[str]
    """All words of its first sentences."""
    names: frozenset[str]
    """The names and numbers in all of it."""
    negated: bool
    """Whether an odd number of denials stands in the sentence that answers."""
    denied: bool
    """Whether these deny, compare or hedge, so that a name in them may be the wrong one."""
    lengthy: bool
    """Whether it is a sentence rather than a name."""
    factual: bool
    """Whether the question asks what is so."""


def wanted(question: Sequence[Token]) -> Wanted:
    """Return what kind of thing the question asks for."""
    words = [token.word for token in question if token.kind == "word"]
    for word, after in pairwise([*words, ""]):
        if word == "when" or (word == "how" and after in _NUMBERS_ASKED):
            return "number"
        if word in {"who", "whose", "whom", "where"}:
            return "name"
    return "any"


def is_factual(question: Sequence[Token]) -> bool:
    """Tell whether the question asks what is so, not what to do."""
    words = {token.word for token in question}
    asks = words & {"who", "whose", "whom", "where", "when"}
    open_ = words & {"what", "which", "how"}
    states = words & _STATING or any(word.endswith("ed") for word in words)
    to_do = any(one.word in open_ and two.word == "to" for one, two in pairwise(question))
    told_of = len(question) >= _STATEMENT and question[-1].word != "?"
    return bool(asks or told_of or (open_ and states)) and not (to_do or words & _DECIDING)


def told(tokens: Sequence[Token], asked: frozenset[str], kind: Wanted, *, factual: bool) -> Told:
    """Return what the answer `tokens` tells beside the words that the question `asked`."""
    heard = [kept for items in sentences(tokens, []) if (kept := _after_lead(items))]
    said = [items for items in heard if len(items) > _BULLET or len(heard) == 1]
    doubts = {Cue.UNSURE, Cue.NEITHER} if factual else _AGAINST
    words = {_stem(word) for items in said[:_LEAD] for word in _words(items)}
    short = sum(token.kind != "mark" for token in tokens) <= _SHORT
    for items in said:
        objects = frozenset(_objects(tokens, items, kind, short=short)) - asked
        if objects:
            break
    else:
        items = said[0] if said else []
        weighty = {_stem(word) for word in _words(items) if word not in _NOISE and word.isalnum()}
        objects = frozenset(weighty) - asked
    negated = sum(item.cue is Cue.NOT for item in items) % 2 == 1
    denied = any(item.cue in doubts for item in items)
    named = {name for sentence in said for name in _objects(tokens, sentence, "any", short=False)}
    return Told(
        objects, frozenset(words), frozenset(named) - asked, negated, denied, not short, factual
    )


def _after_lead(items: list[Item]) -> list[Item]:
    """Return a sentence without `as of my knowledge cutoff in 2021` and `according to …`."""
    comma = next((at for at, item in enumerate(items) if item.stop), len(items))
    lead = {word for item in items[:comma] for word in item.word.split(" ")}
    return items[comma + 1 :] if lead & _LEADING else items


def stems(tokens: Sequence[Token]) -> frozenset[str]:
    """Return the words of a text in the form in which answers are compared."""
    return frozenset(_stem(token.word) for token in tokens if token.kind != "mark")


def _words(items: Sequence[Item]) -> Iterator[str]:
    for item in items:
        yield from item.word.split(" ")


def _stem(word: str) -> str:
    if word in DIGITS:
        return DIGITS[word]
    bare = word.rstrip("0123456789") if len(word) > _NOTED and word[:_NOTED].isalpha() else word
    return min(bare, *forms.numbered(bare), key=len) if bare else word


def _objects(
    tokens: Sequence[Token], items: Sequence[Item], kind: Wanted, *, short: bool
) -> Iterator[str]:
    """Yield the telling words: names and numbers, and of a short answer every word of weight."""
    start = items[0].at
    end = items[-1].at
    for at in range(start, min(end, len(tokens))):
        token = tokens[at]
        number = token.kind == "number" or token.word in _MONTHS or token.word in DIGITS
        opening = at == start and (token.word in PHRASES or token.word.endswith("ly"))
        name = token.kind == "word" and token.shown[:1].isupper() and not opening
        if token.word in _NOISE or token.kind == "mark":
            continue
        if len(token.word) == 1 and not number:
            continue
        fits = {"number": number, "name": name and not number, "any": name or number}[kind]
        if fits or (short and (kind == "any" or not number)):
            yield _stem(token.word)
