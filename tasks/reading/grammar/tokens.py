"""Plain text as tokens: words with their symbols (C++, C#, .NET, Node.js), numbers, marks."""

import re
import unicodedata
from typing import NamedTuple

from tasks.reading.grammar.plain import folded

MAX_TOKENS = 3_000
_TOKEN = re.compile(
    r"(?P<number>(?<![\w.])[+-]?(?:\d[\d_]*(?:[.,']\d+)*|\.\d+)|\d+(?:[.,]\d+)*)"
    r"|(?P<word>(?:(?<![\w.])\.)?[^\W\d_]\w*(?:[.'&]\w+)*(?:\+\+|[#+*](?!\w))?)"
    r"|(?P<line>\n+)"
    r"|(?P<mark>->|=>|[<>=!]=|\.{2,}|\S)"
)
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "ð": "d", "þ": "th"}
)
_LOOK_ALIKES = str.maketrans(
    "авсеніјкморѕтухԁԛԝһӏαβεηικνορτυχγ",
    "abcehijkmopstyxdqwhlabenikvoptuxy",
)
_CONTRACTED = re.compile(r"(?P<stem>\w+?)(?P<tail>n't|'(?:s|d|m|re|ve|ll))$")
_STEMS = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}
_BARE = re.compile(r"(did|does|is|are|was|were|would|should|could|must|has|have|had)nt")
_SPLIT = {
    "dont": ("do", "not"),
    "cant": ("can", "not"),
    "wont": ("will", "not"),
    "aint": ("is", "not"),
    "cannot": ("can", "not"),
}
_SHORT = 2
_KEPT_DOTTED = {"js", "ts", "net", "io", "ai", "py", "rs", "com", "org", "dev"}


class Token(NamedTuple):
    """One word, number or mark."""

    word: str
    """Case, accents and look-alike letters folded."""
    shown: str
    """As it is written."""
    gap: bool
    """Whether white space, or the text's start, stands before it."""
    kind: str
    """`word`, `number`, `mark` or `line`."""


def wordset(lines: str) -> frozenset[str]:
    """Return the words of `lines`, which white space parts."""
    return frozenset(lines.split())


def fold(word: str) -> str:
    """Return `word` with case, accents, and letters that only look Latin folded."""
    lower = word.casefold().translate(_LETTERS)
    if not lower.isascii():
        parts = unicodedata.normalize("NFKD", lower)
        lower = "".join(c for c in parts if unicodedata.category(c) != "Mn").translate(_LETTERS)
        if any("a" <= c <= "z" for c in lower):
            lower = lower.translate(_LOOK_ALIKES)
    return lower


def tokenise(text: str) -> list[Token]:
    """Return at most `MAX_TOKENS` tokens of plain `text`, in order."""
    tokens: list[Token] = []
    end = 0
    for match in _TOKEN.finditer(text):
        gap = match.start() == 0 or match.start() > end
        end = match.end()
        tokens.extend(_parts(match.group(), gap=gap, kind=match.lastgroup or "mark"))
        if len(tokens) >= MAX_TOKENS:
            break
    return tokens[:MAX_TOKENS]


def words_of(text: str) -> tuple[str, ...]:
    """Return the folded words and numbers of `text`, without marks."""
    tokens = tokenise(folded(text[:MAX_TOKENS]))
    return tuple(token.word for token in tokens if token.kind in {"word", "number"})


def _parts(shown: str, *, gap: bool, kind: str) -> list[Token]:
    if kind != "word":
        return [Token(shown, shown, gap, kind)]
    head, dot, tail = shown.partition(".")
    if head and dot and _is_two_sentences(head, tail):
        return [
            *_parts(head, gap=gap, kind=kind),
            Token(".", ".", False, "mark"),  # noqa: FBT003
            *_parts(tail, gap=True, kind=kind),
        ]
    words = _uncontracted(fold(shown))
    first = Token(words[0], shown if len(words) == 1 else shown[: len(words[0])], gap, kind)
    return [first, *(Token(word, word, gap=True, kind=kind) for word in words[1:])]


def _is_two_sentences(head: str, tail: str) -> bool:
    """Tell whether the space after a full stop is missing (`MongoDB.Because`)."""
    return len(head) > _SHORT and tail[:1].isupper() and fold(tail) not in _KEPT_DOTTED


def _uncontracted(word: str) -> tuple[str, ...]:
    if word in _SPLIT:
        return _SPLIT[word]
    if bare := _BARE.fullmatch(word):
        return (bare[1], "not")
    match = _CONTRACTED.match(word)
    if match is None:
        return (word,)
    stem, tail = match["stem"], match["tail"]
    return (_STEMS.get(stem, stem), "not" if tail == "n't" else tail)
