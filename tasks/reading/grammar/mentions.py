"""All the ways in which a text may point to an option, the surest first."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from contracts.question import Option, Question
from tasks.reading.grammar.letters import letters, places
from tasks.reading.grammar.marks import NAMED, PRAISED
from tasks.reading.grammar.names import Mention, Namebook
from tasks.reading.grammar.naming import complements
from tasks.reading.grammar.proposition import Meaning, affirmed, balance, proposition
from tasks.reading.grammar.restate import restated
from tasks.reading.grammar.sizes import Sizes
from tasks.reading.grammar.tokens import Token, words_of
from tasks.reading.grammar.yes_no import poles, spoken, takes_back

_PAIR = 2
_LONGEST_ANSWER = 80
"""Tokens: in longer prose the question's words stand in too many other places."""
_IT: Meaning = {("it",): 1, ("this",): 1, ("that",): 1}


class Group(NamedTuple):
    """Mentions of one kind."""

    mentions: list[Mention]
    least: int = NAMED
    """How strongly the text must speak for one of them."""
    followed: bool = False
    """Whether the next group holds these and more."""
    option: int | None = None
    """The option itself, where the text says in other words which."""


class _Names(NamedTuple):
    """What a list of options is known by, whatever was asked."""

    book: Namebook
    sizes: Sizes
    poles: tuple[int, int] | None
    opposites: dict[int, int]


@lru_cache(maxsize=64)
def _names(options: tuple[Option, ...]) -> _Names:
    """Learn the options once: the questions of a batch often offer the same ones."""
    found, opposites = poles(options), complements(options)
    if found:
        yes, no = found
        opposites |= {yes: no, no: yes}
    return _Names(Namebook(options), Sizes(options), found, opposites)


class Finder:
    """Finds what stands for the options of one question."""

    def __init__(self, question: Question, *, lettered: bool) -> None:
        """Learn the question's names; with `lettered`, the options' letters too."""
        self._question = question.text
        self._count = len(question.options)
        self._book, self._sizes, self._poles, self.opposites = _names(question.options)
        self.topic = frozenset(words_of(question.text))
        self._asked = self.topic if self._poles else frozenset()
        self._proposition = proposition(question.text) if self._poles else None
        self._lettered = lettered
        self._implied = None if self._poles else _implied_poles(question, self.opposites)

    def groups(self, tokens: Sequence[Token]) -> Iterator[Group]:
        """Yield groups of mentions, each without overlaps; a later group is less sure."""
        named = [*self._book.mentions(tokens), *self._sizes.mentions(tokens)]
        if self._poles:
            yes, no = self._poles
            named = [
                m for m in named if tokens[m.start].word not in {"yes", "no"} or m.end - m.start > 1
            ]
            kept = {no} if takes_back(tokens, self._asked) else {yes, no}
            named = [*(m for m in spoken(tokens, yes, no) if m.option in kept), *named]
        pointed = list(letters(tokens, self._count)) if self._lettered else []
        sure = [mention for mention in named if mention.level != "part"]
        pointed += places(tokens, self._count, sure)
        parts = _apart([*sure, *named])
        yield Group(_apart([*sure, *pointed]), followed=len(parts) > len(sure))
        yield Group(parts, followed=self._implied is not None)
        if self._poles and self._proposition:
            sign = restated(tokens, self._question)
            sign = sign or (balance(tokens) if self._proposition.acts else 0)
            if sign:
                yield Group([], option=self._poles[sign < 0])
            if len(tokens) > _LONGEST_ANSWER:
                return
            for names in self._proposition:
                yield Group(list(affirmed(tokens, names, *self._poles, self._asked)))
            if self._proposition.acts:
                yield Group(list(affirmed(tokens, _IT, *self._poles)), PRAISED)
        if len(tokens) <= _LONGEST_ANSWER:
            yield Group(self._book.nearest(tokens))
            if self._implied:
                yield Group(list(spoken(tokens, *self._implied)))


def _implied_poles(question: Question, opposites: Mapping[int, int]) -> tuple[int, int] | None:
    """Return the options that yes and no stand for (`Approve the merger?`), by index."""
    asked = words_of(question.text)
    named = [words_of(option.name) for option in question.options]
    if len(named) != _PAIR or "or" in asked or not question.text.rstrip().endswith("?"):
        return None
    meant = proposition(question.text)
    meanings = meant.predicates | meant.acts
    for yes, no in ((0, 1), (1, 0)):
        core = named[yes][:1]
        denied = opposites.get(yes) == no or meanings.get(named[no][:1]) == -1
        affirmed_by_yes = meanings.get(core) == 1 or asked == named[yes]
        if core and core[0] in asked and affirmed_by_yes and denied:
            return yes, no
    return None


def _apart(mentions: Iterable[Mention]) -> list[Mention]:
    """Return the mentions in order, of two that overlap the longer, else the earlier given."""
    kept: list[Mention] = []
    taken: set[int] = set()
    for mention in sorted(mentions, key=lambda m: (m.start - m.end, m.start)):
        span = range(mention.start, mention.end)
        if taken.isdisjoint(span):
            kept.append(mention)
            taken.update(span)
    return sorted(kept)
