"""Tokens as what the grammar sees: options, cues, plain words and breaks, sentence by sentence."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tasks.reading.grammar.cues import Cue
from tasks.reading.grammar.lexicon import PHRASES
from tasks.reading.grammar.names import Mention
from tasks.reading.grammar.tokens import Token

_BREAKS = {
    **dict.fromkeys((".", "!", ";", "..."), "."),
    **dict.fromkeys((",", "(", ")", "[", "]", "—"), ","),
    "?": "?",
    ":": ":",
}
_ARTICLES = {"the", "its", "this", "our", "that", "their", "overall"}
_LONGEST_RANK = 2


class Item(NamedTuple):
    """One step of the grammar: exactly one of `mention`, `cue`, `stop` or a plain word."""

    word: str
    shown: str
    at: int
    """Index of its first token."""
    mention: Mention | None = None
    cue: Cue | None = None
    stop: str = ""
    """`.` or `?` end a sentence, `:` and `,` a clause."""


def sentences(
    tokens: Sequence[Token], mentions: Sequence[Mention], topic: frozenset[str] = frozenset()
) -> list[list[Item]]:
    """Return the sentences of `tokens` with the mentions in their places; each ends in a stop.

    A word of the `topic` that would blame (`the risk is low`) only names what is spoken about.
    """
    found: list[list[Item]] = [[]]
    for item in _items(tokens, {mention.start: mention for mention in mentions}, topic):
        found[-1].append(item)
        if item.stop in {".", "?"}:
            found.append([])
    if found[-1]:
        found[-1].append(Item(".", ".", len(tokens), stop="."))
    return [items for items in found if len(items) > 1]


def _items(
    tokens: Sequence[Token], mentions: Mapping[int, Mention], topic: frozenset[str]
) -> Iterator[Item]:
    at, named = 0, 0
    while at < len(tokens):
        mention = mentions.get(at)
        if mention:
            yield Item(tokens[at].word, tokens[at].shown, at, mention=mention)
            at = named = mention.end
            continue
        phrase = _phrase(tokens, at, mentions)
        if phrase and not (phrase[1] is Cue.BAD and _is_topic(tokens, at, named, topic)):
            words, cue = phrase
            yield Item(" ".join(words), tokens[at].shown, at, cue=cue)
            at += len(words)
            continue
        stop = "" if _is_rank(tokens, at, mentions) else _stop(tokens, at)
        yield Item(tokens[at].word, tokens[at].shown, at, stop=stop)
        at += 1


def _is_topic(tokens: Sequence[Token], at: int, named: int, topic: frozenset[str]) -> bool:
    """Tell whether the word stands as a noun of the topic: after an option, an article, a start."""
    leads = at in {0, named} or tokens[at - 1].word in _ARTICLES
    return leads and tokens[at].word in topic


def _stop(tokens: Sequence[Token], at: int) -> str:
    token = tokens[at]
    if token.kind == "line":
        return "."
    return _BREAKS.get(token.word, "") if token.kind == "mark" else ""


def _is_rank(tokens: Sequence[Token], at: int, mentions: Mapping[int, Mention]) -> bool:
    """Tell whether the mark closes the number of a listed option (`1. Kafka` or `2) NATS`)."""
    closes = at > 0 and tokens[at].word in {".", ")"} and tokens[at - 1].kind == "number"
    return closes and len(tokens[at - 1].word) <= _LONGEST_RANK and at + 1 in mentions


def _phrase(
    tokens: Sequence[Token], at: int, mentions: Mapping[int, Mention]
) -> tuple[tuple[str, ...], Cue] | None:
    for words, cue in PHRASES.get(tokens[at].word, ()):
        if len(words) > len(tokens) - at:
            continue
        fits = all(tokens[at + step].word == word for step, word in enumerate(words))
        if fits and not any(at + step in mentions for step in range(1, len(words))):
            return words, cue
    return None
