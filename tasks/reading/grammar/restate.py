"""A yes-or-no question answered in its own words: `the penalty should not be an option`."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tasks.reading.grammar.clauses import Item, sentences
from tasks.reading.grammar.cues import Cue
from tasks.reading.grammar.plain import plain
from tasks.reading.grammar.tokens import Token, tokenise, wordset
from tasks.reading.grammar.verbs import STOP

_STEM = 6
_LEAST_WORDS, _ENOUGH, _SHORT = 2, 3, 2
_LEAST_SHARE = 0.6
_SWAPPED = {"than", "over", "before"}
_UNCLEAR = {Cue.ASK, Cue.CONCEDE, Cue.IF, Cue.PAST, Cue.BESIDE, Cue.UNSURE}
_HEARSAY = frozenset(
    word[:6]
    for word in wordset("""
    some many critics proponents others argue argues argued claim claims claimed say says contend
    myth fallacy notion idea assumption touted misconception assertion narrative
""")
)
_EMPTY = STOP | wordset("""
    i we believe think hold feel argue firmly strongly clearly indeed proposition statement that
    absolutely simply really truly also should would could must may might shall be being been
    always never ever only all
""")


class _Said(NamedTuple):
    words: frozenset[str]
    left: frozenset[str]
    """Those before `than`."""
    denials: int


def restated(tokens: Sequence[Token], question: str) -> int:
    """Return 1 where the text says again what the question proposes, -1 its opposite, else 0."""
    asked = [_said(items) for items in sentences(tokenise(plain(question)), [])]
    if not asked or len(asked[-1].words) < _LEAST_WORDS:
        return 0
    said = sentences(tokens, [])
    own = [items for items in said if len(said) <= _SHORT or _is_own(items)]
    signs = {sign for items in own for sign in _signs(items, asked[-1])}
    return signs.pop() if len(signs) == 1 else 0


def _is_own(items: Sequence[Item]) -> bool:
    """Tell whether the sentence says what `I` or `we` think."""
    words = {word for item in items for word in item.word.split(" ")}
    return bool(words & {"i", "we"})


def _signs(items: Sequence[Item], asked: _Said) -> Iterator[int]:
    """Yield the sign of a sentence that speaks of what is asked; nothing where it is not sure."""
    words = {word[:_STEM] for item in items for word in item.word.split(" ")}
    partly = any(item.word in {"not only", "not just", "not merely"} for item in items)
    doubtful = any(item.cue in _UNCLEAR for item in items) or words & (_HEARSAY - asked.words)
    if partly or doubtful or items[-1].stop == "?":
        return
    said = _said(items)
    shared = said.words & asked.words
    if len(shared) < min(_ENOUGH, len(asked.words)) or len(shared) < _LEAST_SHARE * len(
        asked.words
    ):
        return
    sign = -1 if (said.denials + asked.denials) % 2 else 1
    order = _order(said, asked)
    if order:
        yield sign * order


def _order(said: _Said, asked: _Said) -> int:
    """Return -1 where the sides of a comparison are swapped, 0 where only one compares."""
    if not said.left and not asked.left:
        return 1
    if not said.left or not asked.left:
        return 0
    ours, theirs = said.words - said.left, asked.words - asked.left
    straight = len(said.left & asked.left) + len(ours & theirs)
    crossed = len(said.left & theirs) + len(ours & asked.left)
    return (straight > crossed) - (straight < crossed)


def _said(items: Sequence[Item]) -> _Said:
    before: set[str] = set()
    after: set[str] = set()
    split = False
    denials = 0
    for item in items:
        denials += item.cue is Cue.NOT
        split = split or item.word in _SWAPPED
        side = after if split else before
        side.update(
            word[:_STEM]
            for word in item.word.split(" ")
            if word[:1].isalnum() and word not in _EMPTY
        )
    return _Said(frozenset(before | after), frozenset(before) if split else frozenset(), denials)
