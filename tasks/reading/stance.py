"""Which option a juror's answer endorses, in its own words."""

from typing import Literal, NamedTuple

from contracts.question import Question, letter
from tasks.reading.names import key_of

How = Literal["explicit", "alias", "position", "reasons"]


class Answer(NamedTuple):
    """What a reply was taken apart into: the option picked, the position, the reasons."""

    choice: str | None
    position: str | None
    reasons: tuple[str, ...]


class Reading(NamedTuple):
    """A stance with how it was read; `stance` is None for an abstention."""

    stance: str | None
    """An option's name, `other`, or None."""
    how: How | None
    note: str
    """Why it abstained or how it was read, for people."""
    other: str | None
    """What it chose outside the options."""


def read_stance(answer: Answer, question: Question, *, lettered: bool = True) -> Reading:
    """Return the stance that `answer` takes on `question`. Total: never raises.

    Args:
        answer: the option picked (a letter or a name), the position in prose, the reasons.
        question: with its options; an open question has no stance to read.
        lettered: whether the juror was shown the options with the letters A, B, C …
    """
    for text in (answer.choice, answer.position):
        found = _named(text or "", question, lettered=lettered)
        if found is not None:
            return found
    return Reading(None, None, "names none of the options", None)


def _named(text: str, question: Question, *, lettered: bool) -> Reading | None:
    key = key_of(text)
    for index, option in enumerate(question.options):
        if key and key == key_of(option.name):
            return Reading(option.name, "explicit", "names the option", None)
        if key and key in {key_of(alias) for alias in option.aliases}:
            return Reading(option.name, "alias", f"names it as {text.strip()!r}", None)
        if lettered and key == letter(index).casefold():
            return Reading(option.name, "explicit", "gives the option's letter", None)
    return None
