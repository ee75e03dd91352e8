"""What an option may be called: its name, its aliases, their forms, and words of its own."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from contracts.question import Option
from tasks.reading.grammar import forms
from tasks.reading.grammar.plain import folded
from tasks.reading.grammar.quantities import quantities
from tasks.reading.grammar.tokens import Token, tokenise, words_of
from tasks.reading.grammar.verbs import ACTIONS, FUNCTION, ORDINARY, STOP, TOGGLES

Level = Literal["name", "alias", "part"]

_BRACKETS = re.compile(r"^([^()\n]{1,300})\(([^()\n]{1,200})\)\s*$")
_ARTICLES = {"a", "an", "the"}
_NEGATIONS = {"do", "not", "dont", "never", "no", "non", "please"}
_CONTRARY = (("true", "false"), ("right", "wrong"))
_PREFIXED, _CASED = 4, 1
_DENIABLE = {"approve", "agree", "allow", "continue", "comply"}
_FALSE_PREFIX = {"port", "press", "form", "count", "place", "patch", "side", "like", "less", "able"}


class Entry(NamedTuple):
    """One way to call an option."""

    option: int
    level: Level
    words: tuple[str, ...]
    given: bool = False
    """Whether a person wrote it so; a derived form that fits two options stands for neither."""
    case: str | None = None
    """Spelling that is asked for where the name is a word of plain prose."""
    sign: int = 1
    """-1 where the words deny the option (`untrue`)."""


def are_acts(options: Sequence[Option]) -> bool:
    """Tell whether every option is an act (`Hire`, `Do not outsource`), not a name."""
    firsts = [without_negation(words_of(option.name))[:1] for option in options]
    return bool(firsts) and all(first and first[0] in ACTIONS for first in firsts)


def without_negation(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return `words` without a leading `do not` and the like, where something is left."""
    at = 0
    while at < len(words) - 1 and words[at] in _NEGATIONS:
        at += 1
    return words[at:]


def is_quantity(tokens: Sequence[Token]) -> bool:
    """Tell whether the tokens are one quantity and nothing else."""
    found = quantities(tokens)
    return len(found) == 1 and (found[0].start, found[0].end) == (0, len(tokens))


def complements(options: Sequence[Option]) -> dict[int, int]:
    """Return for each option that another one denies, which (`Safe`, `Unsafe`), by index."""
    keys = ["".join(words_of(option.name)) for option in options]
    denials = (*forms.NEGATIVE_PREFIXES, "not", "no", "never", "donot", "dont")
    place = {key: index for index, key in enumerate(keys) if key}
    pairs = {
        place[prefix + key]: index
        for key, index in place.items()
        for prefix in denials
        if prefix + key in place
    }
    pairs |= {place[no]: place[yes] for yes, no in _CONTRARY if {yes, no} <= place.keys()}
    return pairs | {index: other for other, index in pairs.items()}


def entries(options: Sequence[Option]) -> Iterator[tuple[str, Entry]]:
    """Yield (key, entry) for every way to call one of `options`; keys are words run together."""
    acts = are_acts(options) or all(option.name.casefold() in TOGGLES for option in options)
    for index, option in enumerate(options):
        if not is_quantity(tokenise(folded(option.name))):
            yield from _named(index, option.name, "name", acts=acts)
        for alias in _aliases(option):
            if is_quantity(tokenise(folded(alias))):
                continue
            given = alias in option.aliases
            yield from _named(index, alias, "alias", acts=acts, given=given)
    yield from _parts(options, acts=acts)


def _aliases(option: Option) -> Iterator[str]:
    yield from option.aliases
    if match := _BRACKETS.match(option.name):
        yield from match.groups()
    yield forms.umlauts(option.name)


def _named(
    index: int, name: str, level: Level, *, acts: bool, given: bool = True
) -> Iterator[tuple[str, Entry]]:
    words = words_of(name)
    if not words:
        return
    case = _case(name, words, acts=acts)
    for full in {words, words[1:] if words[0] in _ARTICLES and len(words) > 1 else words}:
        yield from _keyed(Entry(index, level, full, given, case))
        for form in _derived(full, acts=acts):
            if "".join(form) not in FUNCTION:
                yield from _keyed(Entry(index, "alias", form, case=_short_case(form, acts=acts)))
        if len(full) == 1 and _may_be_denied(full[0]):
            for prefix in forms.NEGATIVE_PREFIXES:
                yield from _keyed(Entry(index, "alias", (prefix + full[0],), sign=-1))


def _case(name: str, words: tuple[str, ...], *, acts: bool) -> str | None:
    plain_word = len(words) == 1 and (words[0] in ORDINARY or len(words[0]) == _CASED)
    return name.strip() if plain_word and not acts and words[0].isalpha() else None


def _short_case(words: tuple[str, ...], *, acts: bool) -> str | None:
    plain_word = len(words) == 1 and words[0] in ORDINARY and not acts
    if not plain_word:
        return None
    return words[0].capitalize() if words[0] == "go" else words[0].upper()


def _may_be_denied(word: str) -> bool:
    long = len(word) >= _PREFIXED and word.isalpha() and word not in _FALSE_PREFIX
    return long and (word not in ACTIONS or word in _DENIABLE)


def _keyed(entry: Entry) -> Iterator[tuple[str, Entry]]:
    joined = "".join(entry.words)
    yield joined, entry
    loose = joined.replace(".", "").replace("'", "").replace("_", "")
    if loose != joined and len(loose) >= _PREFIXED:
        yield loose, entry


def _derived(words: tuple[str, ...], *, acts: bool) -> Iterator[tuple[str, ...]]:
    """Yield the words with the last one's number, the first one's tense, other spellings."""
    for last in forms.numbered(words[-1]):
        yield (*words[:-1], last)
    for at, word in enumerate(words):
        for spelling in forms.respelled(word):
            yield (*words[:at], spelling, *words[at + 1 :])
    if acts:
        for first in forms.inflected(words[0]):
            yield (first, *words[1:])
    for short in forms.shortened(words):
        yield (short,)
    for other in forms.other_names(" ".join(words)):
        yield words_of(other)


def _parts(options: Sequence[Option], *, acts: bool) -> Iterator[tuple[str, Entry]]:
    """Yield the content words that only one option has."""
    amounts = [is_quantity(tokenise(folded(option.name))) for option in options]
    contents = [
        frozenset() if amount else content_of(option.name)
        for option, amount in zip(options, amounts, strict=True)
    ]
    count = Counter(word for words in contents for word in words)
    for index, words in enumerate(contents):
        for word in words:
            alone = len(words) == 1 and len(words_of(options[index].name)) == 1
            if count[word] > 1 or alone:
                continue
            for form in {word, *forms.numbered(word), *(forms.inflected(word) if acts else ())}:
                if form not in STOP:
                    yield form, Entry(index, "part", (form,))


def content_of(name: str) -> frozenset[str]:
    """Return the words of a name that carry its meaning."""
    return frozenset(word for word in words_of(name) if word not in STOP)
