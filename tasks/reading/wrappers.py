"""What replies come wrapped in: a string in a string, an API's body, a tool call, an outer key."""

import html
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tasks.reading.fields import Fields, fields_of
from tasks.reading.labels import plain_name
from tasks.reading.objects import Found, find_objects

_MOST_NODES = 600
_DEEPEST = 8
_MOST_WRAPS = 3
_ENTITY = re.compile(r"&(?:quot|#34|#x22);")
_LOST_BRACE = re.compile(
    r"\s{0,99}(?:(?:`{3,}|~{3,})\w{0,10}\s{0,9})?(?P<key>[\"']\w{2,30}[\"']\s?:)"
)
_SIDE = """
    example examples sample schema format template draft drafts firstdraft thinking thoughts thought
    scratchpad analysis alternative alternatives counterargument counterarguments counterposition
    dissent dissents runnerup rejected rejectedoptions other others otherpositions opponents
    previous prior before initial old history jurors opinions peers prompt question systemprompt
    properties defs definitions
"""
_SIDE_KEYS = frozenset(_SIDE.split())
"""Under these keys stands what is not the answer."""

_CARRYING = """
    content text output result response completion generated_text output_text message reply body
    data final_output value
"""
_CARRIERS = tuple(_CARRYING.split())
_NOT_THEIRS = frozenset({"user", "system", "tool", "developer"})


class Candidate(NamedTuple):
    """One answer that a reply holds."""

    fields: Fields
    before: str
    """The words right before it, and the key it stands under."""
    mended: bool
    cut: bool


def variants(text: str) -> Iterator[str]:
    """Yield `text`, and what it is where its quotes were escaped or its first brace was lost."""
    yield text
    if _ENTITY.search(text):
        yield html.unescape(text)
    if '\\"' in text:
        yield text.replace("\\\\", "\\").replace('\\"', '"').replace("\\n", "\n")
    lost = _LOST_BRACE.match(text)
    if lost:
        yield "{" + text[lost.start("key") :]


def decoded_text(text: str) -> str:
    """Return the text inside, where the whole reply is one JSON string, however often encoded."""
    for _ in range(_MOST_WRAPS):
        shown = text.strip()
        if not (len(shown) > 1 and shown.startswith('"') and shown.endswith('"')):
            return text
        try:
            inner = json.loads(shown, strict=False)
        except (ValueError, RecursionError):
            return text
        text = inner if isinstance(inner, str) else text
    return text


def answers_in(found: Found, before: str, names: tuple[str, ...]) -> list[Candidate]:
    """Return the answers that an object is or holds, also as JSON written in a string."""
    return list(_answers(found, before, names, 0))


def _answers(found: Found, before: str, names: tuple[str, ...], wraps: int) -> Iterator[Candidate]:
    own = fields_of(found.value, names, found.clashes)
    if own is not None and own.decision:
        inside = list(_in_text(own.decision, names, wraps))
        yield from inside or [Candidate(own, before, found.mended, found.cut)]
        return
    held: list[Candidate] = []
    for key, item in _walk(found.value, names):
        if isinstance(item, str):
            held += _in_text(item, names, wraps)
        else:
            held.append(Candidate(item, f"{before}\n{key}", found.mended, found.cut))
    if own is not None and not held:
        held.append(Candidate(own, before, found.mended, found.cut))
    yield from held


def _in_text(text: str, names: tuple[str, ...], wraps: int) -> Iterator[Candidate]:
    if "{" in text and wraps < _MOST_WRAPS:
        for found in find_objects(text):
            yield from _answers(found, "", names, wraps + 1)


def _walk(value: Any, names: tuple[str, ...]) -> Iterator[tuple[str, Fields | str]]:
    """Yield the answers inside an object that is none, and the texts that may hold one."""
    for key, item, depth in _nodes(value):
        if isinstance(item, str):
            if "{" in item:
                yield key, item
        elif depth and (fields := fields_of(item, names)):
            yield key, fields


def _nodes(value: Any) -> Iterator[tuple[str, Any, int]]:
    """Yield the mappings and texts of a decoded value with their keys, outermost first."""
    queue: list[tuple[str, Any, int]] = [("", value, 0)]
    for key, item, depth in queue:
        if depth > _DEEPEST or len(queue) > _MOST_NODES:
            return
        if isinstance(item, list):
            queue += [(key, part, depth + 1) for part in item[:_MOST_NODES]]
        elif isinstance(item, str):
            yield key, item, depth
        elif isinstance(item, Mapping) and item.get("role") not in _NOT_THEIRS:
            yield key, item, depth
            named = [(str(name), part, depth + 1) for name, part in item.items()]
            queue += [node for node in named if plain_name(node[0]) not in _SIDE_KEYS]


def refusal_in(value: Any) -> str | None:
    """Return the words of a `refusal` field, where an object or what it wraps has one."""
    for _, item, _ in _nodes(value):
        told = item.get("refusal") if isinstance(item, Mapping) else None
        if isinstance(told, str) and told.strip():
            return told
    return None


def carried_text(value: Any) -> str | None:
    """Return the text that the envelope of an API or a tool carries, None where it carries none."""
    for _, item, _ in _nodes(value):
        if isinstance(item, Mapping):
            for name in _CARRIERS:
                if isinstance(item.get(name), str) and item[name].strip():
                    return str(item[name])
    return None
