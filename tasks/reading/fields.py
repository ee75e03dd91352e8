"""The parts of an answer, taken from a decoded object of whatever shape the juror chose."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tasks.reading.clean import printable
from tasks.reading.confidence_text import read_confidence
from tasks.reading.labels import Role, plain_name, role_of

MAX_REASONS = 20
MAX_TEXT = 4_000
"""Characters of one reason or position that are kept."""

_DECISIVE = ("choice", "either", "position")
_SHORT_CHOICE = 8
_NAMES = ("name", "text", "label", "value", "title", "content", "description")
_ITEM = re.compile(
    r"^[ \t]{0,12}(?:[-*•–—▪◦]|\(?\d{1,2}[.):]|[a-z]\))[ \t]{1,8}(?=\S)", re.MULTILINE
)
_BLANK = frozenset({"", "none", "null", "n/a", "na", "nil", "nothing", "-", "—", "...", "…"})
_DRESSING = " \t\n*_`\"'“”"


class Fields(NamedTuple):
    """What an answer says, part by part."""

    choice: str | None = None
    """The option picked, as stated: a letter, a name."""
    position: str | None = None
    reasons: tuple[str, ...] = ()
    confidence: float | None = None
    changed: bool | None = None
    moved_by: str | None = None
    clash: bool = False
    """It gives two different answers."""

    @property
    def decision(self) -> str | None:
        """What it decides: the choice, else the position."""
        return self.choice or self.position


def fields_of(
    value: Mapping[str, Any], names: tuple[str, ...] = (), clashes: frozenset[str] = frozenset()
) -> Fields | None:
    """Return the parts of the answer that `value` holds; None when no key announces a decision.

    Args:
        value: a decoded JSON object.
        names: the options' names, for answers given as true or false.
        clashes: its keys that stood twice with different values.
    """
    parts = _by_role(value)
    decisions = [*parts["choice"], *parts["either"], *parts["position"]]
    if not decisions:
        return None
    for inner in decisions:
        if isinstance(inner, Mapping) and (nested := fields_of(inner, names)):
            return _completed(nested, parts)
    choices, eithers = _texts(parts["choice"], names), _texts(parts["either"], names)
    fields = _decided(choices, eithers, _texts(parts["position"], names))
    several = any(_names_several(item, names) for item in (*parts["choice"], *parts["either"]))
    twice = clashes | getattr(value, "clashes", frozenset()) | _spelled_twice(value)
    clash = several or any(role_of(key) in _DECISIVE for key in twice)
    return _completed(fields._replace(clash=clash), parts)


def _names_several(value: Any, names: tuple[str, ...]) -> bool:
    return isinstance(value, list) and len({t.casefold() for t in _statements(value, names)}) > 1


def _spelled_twice(value: Mapping[str, Any]) -> frozenset[str]:
    """Return the keys that differ in case or hyphens only and hold different texts."""
    seen: dict[str, str] = {}
    decisive = [(key, str(item)) for key, item in value.items() if role_of(str(key)) in _DECISIVE]
    return frozenset(
        key for key, item in decisive if seen.setdefault(plain_name(str(key)), item) != item
    )


def completed(fields: Fields, value: Mapping[str, Any]) -> Fields:
    """Return `fields` with the reasons and the confidence of another object, where it has none."""
    return _completed(fields, _by_role(value))


def reasons_of(value: Any) -> tuple[str, ...]:
    """Return the reasons of a list, an object or a text, one line of argument each."""
    found = (_trimmed(text) for text in _flat_texts(value, 0))
    return tuple(text for text in found if text.casefold() not in _BLANK)[:MAX_REASONS]


def items_of(text: str) -> list[str]:
    """Return the items of a bulleted or numbered text; the text itself when it is none."""
    marks = list(_ITEM.finditer(text))
    if not marks or text[: marks[0].start()].strip():
        return [text]
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    return [text[mark.end() : end] for mark, end in zip(marks, ends, strict=True)]


def _by_role(value: Mapping[str, Any]) -> dict[Role, list[Any]]:
    roles: tuple[Role, ...] = (
        "choice", "either", "position", "reasons", "confidence", "changed", "moved_by",
    )  # fmt: skip
    parts: dict[Role, list[Any]] = {role: [] for role in roles}
    for key, item in value.items():
        role = role_of(str(key))
        if role is not None:
            parts[role].append(_unit(str(key), item) if role == "confidence" else item)
    return parts


def _unit(key: str, value: Any) -> Any:
    percent = "percent" in key.casefold() or "pct" in key.casefold()
    plain = isinstance(value, int | float) and not isinstance(value, bool) and value > 1
    return f"{value}%" if percent and plain else value


def _texts(values: list[Any], names: tuple[str, ...]) -> list[str]:
    found = (text for value in values for text in _statements(value, names))
    return [text for text in found if text]


def _statements(value: Any, names: tuple[str, ...]) -> Iterator[str]:
    """Yield what a decision's value states: one text, or several when it is a list of many."""
    if isinstance(value, bool):
        yield _yes_or_no(names, yes=value)
    elif isinstance(value, int | float):
        yield _number(value)
    elif isinstance(value, str):
        yield _undressed(_trimmed(value).strip(_DRESSING))
    elif isinstance(value, list):
        for item in value[:MAX_REASONS]:
            if not isinstance(item, list):
                yield from _statements(item, names)
    elif isinstance(value, Mapping):
        yield next((_trimmed(value[k]) for k in _NAMES if isinstance(value.get(k), str)), "")


def _undressed(text: str) -> str:
    """Return a letter without its brackets and stops; any other text as it is."""
    bare = text.strip("()[]{}.:;,* ")
    return bare if len(bare) == 1 and bare.isalnum() else text


def _number(value: float) -> str:
    whole = value == value and abs(value) < 1e15 and value == int(value)  # noqa: PLR0124, PLR2004
    return str(int(value)) if whole else f"{value:g}" if abs(value) < 1e15 else ""  # noqa: PLR2004


def _yes_or_no(names: tuple[str, ...], *, yes: bool) -> str:
    words = ("yes", "true") if yes else ("no", "false")
    own = next((name for name in names if name.casefold() in words), None)
    return own or words[1]


def _decided(choices: list[str], eithers: list[str], positions: list[str]) -> Fields:
    short = [text for text in eithers if len(text.split()) <= _SHORT_CHOICE]
    long = [text for text in eithers if text not in short]
    picked = [*choices, *short]
    said = [*positions, *long, *picked[1:]]
    return Fields(choice=picked[0] if picked else None, position="; ".join(said) or None)


def _completed(fields: Fields, parts: Mapping[Role, list[Any]]) -> Fields:
    """Fill in what the answer's own object left open from the object around it."""
    reasons = fields.reasons or reasons_of(parts["reasons"])
    confidence = fields.confidence
    for stated in parts["confidence"]:
        confidence = read_confidence(stated) if confidence is None else confidence
    changed = next((item for item in parts["changed"] if isinstance(item, bool)), fields.changed)
    moved = [text for text in reasons_of(parts["moved_by"]) if text.casefold() not in _BLANK]
    moved_by = fields.moved_by or (moved[0] if moved and changed is not False else None)
    return fields._replace(
        reasons=reasons, confidence=confidence, changed=changed, moved_by=moved_by
    )


def _flat_texts(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield from items_of(value)
    elif isinstance(value, bool) or value is None or depth > 4:  # noqa: PLR2004
        return
    elif isinstance(value, int | float):
        yield _number(value)
    elif isinstance(value, list):
        for item in value:
            yield from _flat_texts(item, depth + 1)
    elif isinstance(value, Mapping):
        yield from _argument(value, depth)


def _argument(value: Mapping[str, Any], depth: int) -> Iterator[str]:
    """Yield an object's reasons: a title and its text in one line, else each of its values."""
    titled = [value[key] for key in value if str(key).casefold() in _TITLED]
    if titled and all(isinstance(item, str) for item in titled):
        yield ": ".join(titled)
        return
    for item in value.values():
        yield from _flat_texts(item, depth + 1)


_TITLED = frozenset(
    [
        "reason",
        "title",
        "text",
        "point",
        "claim",
        "argument",
        "name",
        "detail",
        "details",
        "description",
        "explanation",
    ]
)


def _trimmed(text: str) -> str:
    return printable(text[:MAX_TEXT]).strip()
