"""Ranked lists: which option stands at the top."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from tasks.reading.grammar.names import Mention
from tasks.reading.grammar.quantities import quantities
from tasks.reading.grammar.tokens import Token

_ORDINALS = {
    word: rank
    for rank, words in enumerate(("first 1st 1", "second 2nd 2", "third 3rd 3", "4th 4", "5"), 1)
    for word in words.split(" ")
}
_CLOSING = {".", ")", ":", "-", "—", "choice", "place"}
_UPWARD = (
    ("worst", "to", "best"),
    ("worst", "first"),
    ("ascending", "order"),
    ("lowest", "to", "highest"),
    ("least", "to", "most"),
    ("reverse", "order"),
    ("bottom", "to", "top"),
)
_DOWNWARD = (
    ("best", "to", "worst"),
    ("best", "first"),
    ("order", "of", "preference"),
    ("descending", "order"),
    ("highest", "to", "lowest"),
    ("most", "to", "least"),
    ("preference", "order"),
    ("top", "to", "bottom"),
    ("ranking",),
    ("ranked",),
    ("rank",),
)
_BETWEEN = {",", ";", ">", ">>", "→", "->", "then", "and", "\n", "(", ")", ".", "=>", "—"}
_BESIDE = {"(", ")", ":", "=", "—", "-", "[", "]", "at", "for"}
_SIGNS = {"✅": 1, "✔": 1, "✓": 1, "👍": 1, "❌": 0, "✖": 0, "✗": 0, "✘": 0, "👎": 0}
_ROOM = 6
_LEAST = 2


class _Share(NamedTuple):
    """Tokens `start` to `end` (excluded) that say how much is given to an option."""

    start: int
    end: int
    value: Fraction


def top_ranked(tokens: Sequence[Token], mentions: Sequence[Mention]) -> int | None:
    """Return the option at the top of a list that ranks at least two; None without a ranking."""
    if len({mention.option for mention in mentions}) < _LEAST:
        return None
    rated = _rated(tokens, mentions)
    if rated is not None:
        return rated
    for step in (-1, 1):
        numbered = _numbered(tokens, mentions, step)
        if numbered is not None:
            return numbered
    return _announced(tokens, mentions)


def _numbered(tokens: Sequence[Token], mentions: Sequence[Mention], step: int = -1) -> int | None:
    """Read `1. Kafka 2. NATS`, `first: Kafka, second: NATS`, and with `step` 1 `Kafka = 1`.

    Items that hold prose make no ranking.
    """
    ranks: dict[int, Mention] = {}
    for mention in mentions:
        rank = _rank_beside(tokens, mention, step)
        if rank is not None and ranks.setdefault(rank, mention) is not mention:
            return None
    options = {mention.option for mention in ranks.values()}
    if 1 not in ranks or len(ranks) < _LEAST or len(options) < len(ranks):
        return None
    order = sorted(ranks.values())
    roomy = [later.start - one.end for one, later in pairwise(order)]
    return ranks[1].option if max(roomy) <= _ROOM else None


def _rank_beside(tokens: Sequence[Token], mention: Mention, step: int) -> int | None:
    """Return the rank before the mention, or after it with `step` 1."""
    at = mention.end if step > 0 else mention.start - 1
    closing = {"=", "(", ":"} if step > 0 else _CLOSING
    while 0 <= at < len(tokens) and tokens[at].word in closing:
        at += step
    return _ORDINALS.get(tokens[at].word) if 0 <= at < len(tokens) else None


def _rated(tokens: Sequence[Token], mentions: Sequence[Mention]) -> int | None:
    """Read `70% Kafka, 30% NATS`, `Kafka (8/10), NATS (6/10)`, `❌ NATS ✅ Kafka`.

    Where every option named has its share or its mark, on the same side, and nothing else is said.
    """
    if len({mention.option for mention in mentions}) < len(mentions):
        return None
    before, shares = {m.start: m for m in mentions}, _shares(tokens)
    after = {mention.end: mention for mention in mentions}
    for places, ahead in ((after, False), (before, True)):
        worth: dict[int, Fraction] = {}
        used: set[int] = set()
        for share in shares:
            at = share.end if ahead else share.start - 1
            while 0 <= at < len(tokens) and tokens[at].word in _BESIDE:
                at += 1 if ahead else -1
            mention = places.get(at if ahead else at + 1)
            if mention is not None:
                worth[mention.option] = share.value
                used.update(range(share.start, share.end), range(mention.start, mention.end))
        rest = [token for at, token in enumerate(tokens) if at not in used]
        bare = all(token.kind != "word" or token.word in _BETWEEN for token in rest)
        if len(worth) == len(mentions) == len(shares) and bare:
            first, second = sorted(worth.values(), reverse=True)[:2]
            return max(worth, key=lambda option: worth[option]) if first > second else None
    return None


def _shares(tokens: Sequence[Token]) -> list[_Share]:
    """Return the percentages, fractions and marks of approval in `tokens`."""
    found = [
        _Share(hit.start, hit.end, hit.quantity.low)
        for hit in quantities(tokens)
        if hit.quantity.kind in {"number", "share"} and hit.quantity.high < 1
    ]
    signs = ((at, _SIGNS.get(token.word)) for at, token in enumerate(tokens))
    return found or [_Share(at, at + 1, Fraction(sign)) for at, sign in signs if sign is not None]


def _announced(tokens: Sequence[Token], mentions: Sequence[Mention]) -> int | None:
    """Read `from worst to best: NATS, Kafka` and `ranking: Kafka, NATS`."""
    words = [token.word for token in tokens]
    for phrases, pick in ((_UPWARD, -1), (_DOWNWARD, 0)):
        for phrase in phrases:
            end = _end_of(words, phrase)
            listed = [mention for mention in mentions if mention.start >= end] if end else []
            if len({m.option for m in listed}) == len(listed) > 1 and _is_list(words, listed):
                return listed[pick].option
    return None


def _end_of(words: Sequence[str], phrase: tuple[str, ...]) -> int | None:
    size = len(phrase)
    for at in range(len(words) - size + 1):
        if tuple(words[at : at + size]) == phrase:
            return at + size
    return None


def _is_list(words: Sequence[str], listed: Sequence[Mention]) -> bool:
    gaps = (words[one.end : two.start] for one, two in pairwise(listed))
    return all(word in _BETWEEN or word in _ORDINALS for gap in gaps for word in gap)
