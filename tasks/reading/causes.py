"""Why a reply holds no answer: the cause under which a juror's abstention is recorded."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

from contracts.question import Question
from tasks.reading.failures import (
    Failure,
    failure_in_object,
    failure_in_text,
    is_sentinel,
)
from tasks.reading.fields import Fields
from tasks.reading.refusals import unwilling
from tasks.reading.wrappers import refusal_in

ReplyStatus = Literal[
    "ok", "empty", "refused", "declined", "truncated", "not_an_answer", "unreadable"
]
_NO_CHOICE = ("none", "null", "n/a")


class Cause(NamedTuple):
    """Why there is no answer."""

    status: ReplyStatus
    kind: str
    """A `ProviderError.kind` where one fits, else the status or `echo`, `tool_call`."""
    detail: str


EMPTY = Cause("empty", "empty", "the reply is empty")
ECHO = Cause("not_an_answer", "echo", "the reply gives back what the juror was shown")
NO_ANSWER_OBJECT = Cause("not_an_answer", "tool_call", "the reply is an object without an answer")
CONTRADICTION = Cause("unreadable", "unreadable", "the reply gives two answers that differ")
CUT = Cause("truncated", "truncated", "the reply was cut off before its answer was complete")
UNREADABLE = Cause("unreadable", "unreadable", "no answer was found in the reply")
THOUGHT_ONLY = Cause("unreadable", "unreadable", "the reply ends inside the juror's thoughts")
FILTERED = Cause("refused", "refused", "the provider's content filter stopped the reply")


def of_failure(failure: Failure) -> Cause:
    """Return the cause that a reported failure is."""
    if failure.kind == "refused":
        return Cause("refused", failure.kind, failure.detail)
    if failure.kind == "empty":
        return Cause("empty", failure.kind, failure.detail)
    return Cause("not_an_answer", failure.kind, failure.detail)


def in_objects(objects: Iterable[Mapping[str, Any]], question: Question) -> Cause | None:
    """Return the refusal or the failure that one of the objects reports."""
    for value in objects:
        if told := refusal_in(value):
            return Cause("refused", "refused", told)
        if failure := failure_in_object(value, question):
            return of_failure(failure)
    return None


def in_text(text: str, question: Question) -> Cause | None:
    """Return the failure that the text words."""
    failure = failure_in_text(text, question)
    return of_failure(failure) if failure else None


def in_fields(fields: Fields, question: Question) -> Cause | None:
    """Return why the words in an answer's place are none: a blank, an error, a refusal.

    A choice that names something counts, whatever the position beside it says.
    """
    said = fields.position or fields.choice or ""
    if fields.clash:
        return CONTRADICTION
    if all(is_sentinel(text, question) for text in (fields.choice, fields.position) if text):
        return _of_blank(fields, said)
    if fields.choice and fields.choice.casefold() not in _NO_CHOICE:
        return None if fields.position else _of_will(fields.choice, question)
    return in_text(said, question) or _of_will(said, question)


def _of_blank(fields: Fields, said: str) -> Cause:
    if fields.choice and fields.choice.casefold() == "none":
        return Cause("declined", "declined", "chose none of the options and named no other")
    if not said:
        return Cause("declined", "declined", "the answer names no choice")
    return Cause("empty", "empty", f"a blank stands in the answer's place: {said}")


def _of_will(text: str, question: Question) -> Cause | None:
    how = unwilling(text, question)
    return Cause(how, how, text) if how else None
