"""JSON objects in free text, as models really write them: found and read in linear time."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from tasks.reading.mending import mended

_QUOTE = "\"'“”„«»‘’‹›「『＂`"
OBJECT_START = re.compile(
    r"\{(?:\s++|//[^\n]{0,200}\n|/\*[^*]{0,200}\*/){0,8}+"
    rf"(?:[{_QUOTE}]|[^\W\d][\w -]{{0,40}}\s{{0,9}}[:=：])"
)
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
_CUT_TOKEN = re.compile(r"[\w.+\\-]{0,12}\s{0,40}(?:`{3,}\s{0,40})?\Z")
_MOST_STARTS = 300
_MOST_MENDED = 60_000
_LONGEST_MENDED = 20_000
_DEEPEST = 60
_MOST_KEYS = 60
_DELIMITERS = (",", "}", "]")
_STRUCTURE = ("", "{", "[", ",", ":")
_VALUE_PLACE = re.compile(r"[\"'”]\s{0,20}:\s{0,20}\Z|[\[,]\s{0,20}\Z")
_MOST_DIGITS = 300


class Found(NamedTuple):
    """One object in a text."""

    start: int
    end: int
    value: dict[str, Any]
    clashes: frozenset[str]
    """Keys of the outermost object that stand twice with different values."""
    mended: bool
    """Its syntax had to be repaired."""
    cut: bool
    """The text ends before it does; only what was surely whole is kept."""


def find_objects(text: str, *, cut: bool = False) -> Iterator[Found]:
    """Yield the outermost objects of `text`, in order; what cannot be read as one is passed over.

    An object that is cut off claims everything up to the end of the text, so that no object inside
    it is taken for the answer. At most 300 beginnings are looked at (the first and the last), and
    at most 60,000 characters are mended: the time is linear in the length of the text.

    Args:
        text: any text.
        cut: whether the text is known to have been cut off.
    """
    at, budget = 0, _MOST_MENDED
    for start in _starts(text):
        if start < at:
            continue
        found = _strict(text, start, cut=cut)
        if found is None and budget > 0:
            extent = _follow(text, start)
            budget -= min(extent.seen, _LONGEST_MENDED)
            found = _lenient(text, start, extent)
        if found is not None:
            at = found.end
            yield found


def object_end(text: str, start: int) -> int | None:
    """Return where the object that begins at `start` ends; None when it is none or is cut off."""
    found = _strict(text, start, cut=False)
    if found is not None:
        return None if found.cut else found.end
    return _follow(text, start).end


def _starts(text: str) -> list[int]:
    starts = [match.start() for match in OBJECT_START.finditer(text)]
    half = _MOST_STARTS // 2
    return starts if len(starts) <= _MOST_STARTS else starts[:half] + starts[-half:]


class _Object(dict[str, Any]):
    """A decoded object that remembers which keys stood twice with different values."""

    clashes: frozenset[str] = frozenset()


def _object(pairs: list[tuple[str, Any]]) -> _Object:
    made = _Object(pairs)
    if len(made) < len(pairs):
        made.clashes = frozenset(key for key, value in pairs if str(value) != str(made[key]))
    return made


def _integer(digits: str) -> float | int:
    # beyond a few hundred digits Python refuses to convert, and nothing here means that much
    return int(digits) if len(digits) <= _MOST_DIGITS else float("inf")


_DECODER = json.JSONDecoder(
    strict=False, object_pairs_hook=_object, parse_int=_integer, parse_constant=lambda _name: None
)


def _strict(text: str, start: int, *, cut: bool) -> Found | None:
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        return _cut(text, start) if _ends_early(text, error, cut=cut) else None
    except (RecursionError, ValueError):
        return None
    if _too_deep(value):
        return None
    return Found(start, end, value, value.clashes, mended=False, cut=False)


def _too_deep(value: Any) -> bool:
    """Whether a value nests deeper than any answer does, and than it is safe to walk through."""
    level: list[Any] = [value]
    for _ in range(_DEEPEST):
        held = (item.values() if isinstance(item, dict) else item for item in level)
        level = [part for parts in held for part in parts if isinstance(part, dict | list)]
        if not level:
            return False
    return True


def _ends_early(text: str, error: json.JSONDecodeError, *, cut: bool) -> bool:
    """Whether the object was in order up to the end of the text."""
    if error.msg.startswith("Unterminated string"):
        return cut or not text.rstrip(" \t\n`").endswith("}")
    return _CUT_TOKEN.match(text, error.pos) is not None


def _cut(text: str, start: int) -> Found | None:
    whole = _follow(text, start).whole
    try:
        value = _DECODER.decode(whole) if whole else _Object()
    except (RecursionError, ValueError):
        value = mended(whole, text[start:])
    if value is None:
        return None
    return Found(start, len(text), value, frozenset(), mended=False, cut=True)


class _Extent(NamedTuple):
    end: int | None
    """Where the object closes; None when the text ends first."""
    whole: str
    """For an object that does not close: what of it was surely complete, closed."""
    repeated: frozenset[str]
    """Keys of the outermost object that stand twice."""
    seen: int
    """Characters looked at."""


_NOTHING = _Extent(None, "", frozenset(), 0)


def _follow(text: str, start: int) -> _Extent:
    """Follow brackets and double-quoted strings from `start` on, with no other idea of syntax."""
    path = _Path(text, start)
    for token in _TOKEN.finditer(text, start, min(len(text), start + _LONGEST_MENDED)):
        path.step(token)
        if not path.closers or len(path.closers) > _DEEPEST:
            break
    return path.extent()


class _Path:
    """Where a walk through an object stands: the brackets that are open, the last safe cut."""

    def __init__(self, text: str, start: int) -> None:
        self.text, self.start = text, start
        self.closers: list[str] = []
        self._at = self._safe = start
        self._safe_closers = ""
        self._marks = ("", "")
        self._keys: list[str] = []

    def step(self, token: re.Match[str]) -> None:
        mark, before = token.group(), self._marks[1]
        if mark in _DELIMITERS and before not in _STRUCTURE:
            self._keep(token.start())
        if mark in "{[":
            self.closers.append("}" if mark == "{" else "]")
        elif mark in "}]":
            self.closers.pop()
        elif mark == ":" and len(self.closers) == 1:
            self._keys.append(before.strip("\"' "))
        self._at, self._marks = token.end(), (before, mark)

    def _keep(self, at: int) -> None:
        self._safe, self._safe_closers = at, "".join(reversed(self.closers))

    def extent(self) -> _Extent:
        seen = self._at - self.start
        if len(self.closers) > _DEEPEST:
            return _NOTHING._replace(seen=seen)
        keys = self._keys[:_MOST_KEYS]
        repeated = frozenset(key for key in keys if keys.count(key) > 1)
        if not self.closers:
            return _Extent(self._at, "", repeated, seen)
        if self._ends_whole():
            self._keep(self._at)
        whole = self.text[self.start : self._safe] + self._safe_closers
        return _Extent(None, whole if self._safe_closers else "", repeated, seen)

    def _ends_whole(self) -> bool:
        """Whether the last token is a whole value: a bracket that closes, a string in its place."""
        before, last = self._marks
        if last in ("}", "]"):
            return True
        in_place = before == ":" or (self.closers[-1] == "]" and before in ("[", ","))
        closed = len(last) > 1 and last.endswith('"') and not last.endswith('\\"')
        return in_place and last.startswith('"') and closed


def _lenient(text: str, start: int, extent: _Extent) -> Found | None:
    end = extent.end or _brace_end(text, start, extent.seen)
    if end is not None:
        source = text[start:end]
        value = mended(source, source)
        return Found(start, end, value, extent.repeated, mended=True, cut=False) if value else None
    if not extent.whole or _has_loose_object(text, start, start + extent.seen):
        return None
    value = mended(extent.whole, text[start : start + extent.seen])
    return Found(start, len(text), value, extent.repeated, mended=True, cut=True) if value else None


def _has_loose_object(text: str, start: int, end: int) -> bool:
    """Whether an object begins that is no value of the one that began at `start`."""
    inner = OBJECT_START.finditer(text, start + 1, end)
    return any(
        not _VALUE_PLACE.search(text, max(start, at.start() - 40), at.start()) for at in inner
    )


def _brace_end(text: str, start: int, seen: int) -> int | None:
    """Return where an object with a stray quote in it ends: its braces balance by themselves."""
    end = text.rfind("}", start, start + seen) + 1
    balanced = end > start and text.count("{", start, end) == text.count("}", start, end)
    return end if balanced else None
