"""An open question closed: positions of the first round, merged where they are surely the same."""

from collections.abc import Mapping
from typing import NamedTuple

from contracts.question import Option, Question
from tasks.reading.grammar.plain import key_of
from tasks.reading.stance import Answer


class Slate(NamedTuple):
    """Distinct positions as options, and who holds which."""

    options: tuple[Option, ...]
    camp_of: Mapping[str, str | None]
    """Juror → name of its option; None where the juror gave no answer."""


def merge_positions(positions: Mapping[str, Answer], question: Question) -> Slate:
    """Return the slate of an open question from the answers of its first round."""
    del question
    names: dict[str, str] = {}
    camp_of: dict[str, str | None] = {}
    for juror, answer in positions.items():
        text = (answer.position or answer.choice or "").strip()
        key = key_of(text)
        camp_of[juror] = names.setdefault(key, text[:500]) if key else None
    return Slate(tuple(Option(name=name) for name in names.values()), camp_of)
