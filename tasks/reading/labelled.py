"""The parts of an answer that is written as labelled lines or tags instead of an object."""

import json
import re
from collections.abc import Iterable
from typing import Any

from tasks.reading.fields import Fields, fields_of
from tasks.reading.labels import label_words, role_of

_WORDS = "|".join(re.escape(word).replace(r"\ ", "[ _-]") for word in label_words())
_QUALIFIER = "my|the|our|final|overall|chosen|selected|recommended|correct|best|updated|revised"
_LABEL = re.compile(
    r"(?:^|(?<=[;|.,(。；，]))[ \t>*#_|`\"'•·\-–—\[(<\d.)]{0,16}+"
    rf"(?P<label>(?:(?:{_QUALIFIER})[ \t]){{0,3}}(?:{_WORDS}))s?"
    r"(?:[ \t](?:level|score|letter|option|is))?(?:[ \t]{0,2}\([^()\n]{0,40}\))?"
    r"[ \t*_`\"'\])>|]{0,8}(?:[:：=]{1,2}|[ \t][-–—>]{1,2}[ \t]|(?<=\|[ \t])|$)"
    r"[ \t]*(?:\*\*|__)?",
    re.IGNORECASE | re.MULTILINE,
)
_TAG = re.compile(
    r"<(?:(?P<slot>parameter|param|arg|field)[ ]?(?:name[ ]?)?=[ ]?"
    r"[\"']?(?P<name>[\w-]{1,30})[\"']?"
    r"|(?P<tag>[^\W\d][\w-]{0,30}))(?:\s[^<>]{0,80})?[ ]?>"
)
_ARGUMENT = re.compile(r"<arg_key>([\w-]{1,30})</arg_key>\s{0,20}<arg_value>")
_ANY_TAG = re.compile(r"</?[^\W\d][\w-]{0,30}>")
_MOST_PARTS = 100
_EDGES = " \t\n*_`\"'|,;>"


def read_tags(text: str, names: tuple[str, ...]) -> Fields | None:
    """Return the answer of a reply in tags: `<answer>B</answer>`, `<parameter=choice>B…`."""
    if "</" not in text:
        return None
    parts: dict[str, Any] = {}
    for opened in _tags(
        _ARGUMENT.sub(r"<parameter=\1>", text).replace("</arg_value>", "</parameter>")
    ):
        parts.update(opened)
    return fields_of(parts, names) if parts else None


def _tags(text: str) -> Iterable[dict[str, Any]]:
    at = 0
    for _ in range(_MOST_PARTS):
        opened = _TAG.search(text, at)
        if opened is None:
            return
        at = opened.end()
        name = opened["name"] or opened["tag"]
        end = text.find(f"</{opened['tag'] or opened['slot']}", at) if role_of(name) else -1
        if end >= 0 and not _has_parts(text[at:end]):
            yield {name: _inner(text[at:end])}
            at = end


def _has_parts(inner: str) -> bool:
    """Whether an element is a ballot with parts of its own rather than one part."""
    names = [tag["name"] or tag["tag"] for tag in _TAG.finditer(inner)]
    return len({role_of(name) for name in names} - {None}) > 1


def _inner(text: str) -> Any:
    pieces = [piece.strip() for piece in _ANY_TAG.split(text)]
    told = [piece for piece in pieces if piece]
    return _listed(told[0]) if len(told) == 1 else told


def read_labels(text: str, names: tuple[str, ...]) -> tuple[Fields | None, str]:
    """Return the answer of a reply in labelled lines, and the text that no label claims.

    Where a decision is labelled more than once, the last that names an option or its letter is
    taken, else the last.
    """
    marks = list(_LABEL.finditer(text))[-_MOST_PARTS:]
    if not marks:
        return None, text
    parts: dict[str, Any] = {}
    rest = [text[: marks[0].start()]]
    for mark, after in zip(marks, [*marks[1:], None], strict=True):
        label = mark["label"]
        segment = text[mark.end() : after.start() if after else len(text)]
        value, left = _value(segment, label)
        rest.append(left)
        if value and not (is_plain(parts.get(_part(label)), names) and not is_plain(value, names)):
            parts[_part(label)] = value
    return fields_of(parts, names), "\n".join(piece for piece in rest if piece.strip())


def _part(label: str) -> str:
    """Return one key for all labels of the same part."""
    role = role_of(label) or label
    return "answer" if role == "either" else role


def _value(segment: str, label: str) -> tuple[Any, str]:
    """Split a label's text into its value and what follows it."""
    if role_of(label) in ("reasons", "moved_by"):
        return _listed(segment.strip(" \t*_")), ""
    shown = segment.lstrip(_EDGES)
    line, _, left = shown.partition("\n")
    return line.strip(_EDGES), left


def _listed(text: str) -> Any:
    shown = text.strip().rstrip(",;)")
    if not shown.startswith("["):
        return text.strip("\n \t|")
    try:
        return json.loads(shown)
    except (ValueError, RecursionError):
        return shown.strip("[]")


def is_plain(value: Any, names: tuple[str, ...]) -> bool:
    """Whether a stated decision is just an option's name or a letter."""
    shown = str(value or "").strip(" ()[].*:\"'`").casefold()
    return bool(shown) and (
        (len(shown) == 1 and shown.isalnum()) or shown in {name.casefold() for name in names}
    )
