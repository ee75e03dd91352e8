"""A model may order proposals and put them in its words; it can add nothing to them. Pure."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from contracts.proposal import RuleProposal
from tasks.reading.objects import find_objects

MAX_WORDS = 300
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_NAME = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-Z][\w-]*")
_COUNTED = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|half|double|twice|"
    r"thrice|all|every|none|always|never|most)\b",
    re.IGNORECASE,
)


class Worded(NamedTuple):
    """A proposal of the table, and the words for it."""

    proposal: RuleProposal
    words: str


def worded(proposals: Sequence[RuleProposal], reply: str) -> tuple[Worded, ...]:
    """Return the same proposals in the order and the words of a model's reply.

    Only rows that are named by their id are taken from the reply, each once; what it does not name
    follows in its own order. Words that hold a number, a quantity or a name which the row does not
    are dropped for the row's own, and so are those that leave out the juror or look like a rule.
    """
    table = {one.proposal_id: one for one in proposals}
    said: dict[str, str] = {}
    for row in _rows(reply):
        name, words = row.get("id"), row.get("words")
        if isinstance(name, str) and name in table and name not in said:
            text = " ".join(words.split()) if isinstance(words, str) else ""
            said[name] = text if _holds(text, table[name], proposals) else table[name].words
    rest = (name for name in table if name not in said)
    order = [*said, *rest]
    return tuple(Worded(table[name], said.get(name, table[name].words)) for name in order)


def in_own_words(proposals: Iterable[RuleProposal]) -> tuple[Worded, ...]:
    """Return the proposals in their own order and words."""
    return tuple(Worded(one, one.words) for one in proposals)


def _rows(reply: str) -> Iterable[dict[str, Any]]:
    for found in find_objects(reply):
        rows = found.value.get("proposals")
        yield from (row for row in rows if isinstance(row, dict)) if isinstance(rows, list) else ()


def _holds(text: str, one: RuleProposal, proposals: Sequence[RuleProposal]) -> bool:
    """Whether the words say nothing that the row does not."""
    if not text or len(text) > MAX_WORDS or not text.isprintable() or "|" in text:
        return False
    own = f"{one.words} {one.juror} {one.topic} {one.weight:g} {one.weight:.1f}".casefold()
    others = {other.juror.casefold() for other in proposals} - {one.juror.casefold()}
    return (
        one.juror.casefold() in text.casefold()
        and _figures(text) <= _figures(own)
        and all(name.casefold() in own for name in _NAME.findall(text))
        and all(word.casefold() in own for word in _COUNTED.findall(text))
        and not any(re.search(rf"\b{re.escape(name)}\b", text.casefold()) for name in others)
    )


def _figures(text: str) -> set[str]:
    return set(_NUMBER.findall(text))
