"""A juror's raw reply read into an answer, or into the cause why it holds none. Pure and total."""

import re
from typing import Literal

from pydantic import Field

from contracts.base import Record
from contracts.question import Question
from tasks.reading import causes
from tasks.reading.candidates import Picked, pick_answer
from tasks.reading.causes import Cause, ReplyStatus
from tasks.reading.clean import clean, encodable, without_fences
from tasks.reading.echoes import is_placeholder, is_question, stands_in, without_prompt
from tasks.reading.failures import is_sentinel, kind_of_status
from tasks.reading.fields import Fields
from tasks.reading.prose import read_prose
from tasks.reading.wrappers import Candidate, decoded_text

Flag = Literal["prose", "repaired", "thoughts_removed", "truncated"]

_CUT = frozenset({"length", "max_tokens", "max_output_tokens", "model_length", "incomplete"})
_FILTERED = frozenset({"content_filter", "content-filter", "safety", "recitation", "blocklist"})
_FAILED = frozenset({"error", "failed", "malformed_function_call"})
_EVENT_STREAM = re.compile(r"(?:data|event|id): ?\S")
_MOST_ENVELOPES = 3
_PROSE_HEAD, _PROSE_TAIL = 20_000, 40_000


class Reply(Record):
    """What one reply says. With status `ok` it has a choice or a position, otherwise neither."""

    status: ReplyStatus
    choice: str | None = None
    """The option picked, as the juror states it: a letter, a name, `none`."""
    position: str | None = None
    """The answer in the juror's words; never None for an open question."""
    reasons: tuple[str, ...] = ()
    confidence: float | None = Field(default=None, ge=0, le=1)
    """As stated; None where none was stated or its scale is anyone's guess."""
    changed: bool | None = None
    """Round 2: whether the juror says that it changed its mind."""
    changed_by: str | None = None
    """Round 2: the argument that moved it, in its own words."""
    flags: tuple[Flag, ...] = ()
    """Sorted, each once.

    `prose`: no answer object was found; `repaired`: its syntax was mended; `thoughts_removed`;
    `truncated`: the text was cut off, and what is here was whole before that.
    """
    kind: str | None = None
    """The word under which an abstention is recorded; None with status `ok`."""
    detail: str | None = None
    """The cause in words, for people; None with status `ok`."""

    @property
    def worth_a_repair(self) -> bool:
        """Whether the same juror may do better when it is told what was wrong with the reply."""
        return self.status in ("unreadable", "truncated") or self.kind in ("echo", "tool_call")


def read_reply(
    raw: str | None,
    question: Question,
    *,
    finish_reason: str | None = None,
    refusal: str | None = None,
    http_status: int | None = None,
    prompt: str | None = None,
) -> Reply:
    """Read a raw reply. Never raises.

    Time is linear in the length of `raw`, of which the first and the last 1.5 million characters
    are read.

    What counts as an answer is decided here; what an option's name means in a sentence is decided
    by `tasks.reading.stance`. A complete answer object counts also when the text after it was cut
    off; of a cut one, only what was surely whole.

    Args:
        raw: the text as it came; None for no text at all.
        question: with its options in letter order, if it has any.
        finish_reason: why the provider says the text ended.
        refusal: the provider's own field for refusals.
        http_status: of the response, where there was one.
        prompt: what the juror was shown; answers that stand in it word for word are echoes.
    """
    reason = (finish_reason or "").strip().casefold()
    cause = _reported(raw, reason, refusal, http_status)
    if cause is not None:
        return _none(cause)
    return _read(raw or "", question, prompt, cut=reason in _CUT)


def _reported(
    raw: str | None, reason: str, refusal: str | None, http_status: int | None
) -> Cause | None:
    """Return the cause that the provider itself reports, or that an empty text is."""
    if refusal and refusal.strip():
        return Cause("refused", "refused", refusal)
    if reason in _FILTERED:
        return causes.FILTERED
    failed = http_status is not None and http_status >= 400  # noqa: PLR2004
    if failed or reason in _FAILED:
        kind = kind_of_status(http_status or 500) if failed else "failed"
        return Cause("not_an_answer", kind, f"the provider reported a failure: {raw or ''}")
    return None if raw and raw.strip() else causes.EMPTY


def _read(
    raw: str, question: Question, prompt: str | None, *, cut: bool, envelopes: int = 0
) -> Reply:
    cleaned = clean(raw)
    text = without_prompt(decoded_text(cleaned.text), prompt).strip()
    if cleaned.unclosed:
        before = _read_text(text, question, prompt, cut=True) if text else None
        if before is None or before.status != "ok":
            return _none(causes.CUT if cut else causes.THOUGHT_ONLY)
        return _flagged(before, "thoughts_removed", "truncated")
    reply = _read_text(text, question, prompt, cut=cut, envelopes=envelopes)
    return _flagged(reply, "thoughts_removed") if cleaned.thought else reply


def _read_text(
    text: str, question: Question, prompt: str | None, *, cut: bool, envelopes: int = 0
) -> Reply:
    if is_sentinel(without_fences(text), question):
        return _none(causes.EMPTY)
    picked = pick_answer(text, question, prompt, cut=cut)
    if picked.answer is not None:
        return _of_object(picked.answer, question, cut=cut)
    cause = causes.in_objects(picked.objects, question)
    if picked.contradictory or cause:
        return _none(cause or causes.CONTRADICTION)
    if picked.inner and envelopes < _MOST_ENVELOPES and _is_all_object(text):
        return _read(picked.inner, question, prompt, cut=cut, envelopes=envelopes + 1)
    return _of_words(text, picked, question, prompt, cut=cut)


def _is_all_object(text: str) -> bool:
    first, last = text.lstrip(" \t\n`~json")[:1], text.rstrip(" \t\n`~")[-1:]
    return first in ("{", "[") and last in ("}", "]")


def _of_object(answer: Candidate, question: Question, *, cut: bool) -> Reply:
    if answer.cut and not answer.fields.decision:
        return _none(causes.CUT)
    reply = _judged(answer.fields, question)
    reply = _flagged(reply, "repaired") if answer.mended else reply
    return _flagged(reply, "truncated") if answer.cut or cut else reply


def _of_words(
    text: str, picked: Picked, question: Question, prompt: str | None, *, cut: bool
) -> Reply:
    """Read a reply that has no answer object in it."""
    if cause := causes.in_text(text, question):
        return _none(cause)
    if stands_in(text, prompt, question):
        return _none(causes.ECHO)
    if picked.objects and (_is_all_object(text) or _EVENT_STREAM.match(text)):
        return _none(causes.NO_ANSWER_OBJECT)
    cut = cut or picked.cut_at is not None
    meant_as_object = picked.broken or picked.only_forms or _is_all_object(text)
    shown = _bounded(text[: picked.cut_at])
    fields = read_prose(shown, question, cut=cut, broken=meant_as_object)
    blank = not fields.choice or is_placeholder(fields.choice, question)
    if (picked.only_forms and blank) or (not fields.choice and is_question(text, question)):
        return _none(causes.ECHO)
    if not fields.decision:
        return _none(causes.CUT if cut else causes.UNREADABLE)
    return _flagged(_judged(fields, question), "prose", *(("truncated",) if cut else ()))


def _bounded(text: str) -> str:
    if len(text) <= _PROSE_HEAD + _PROSE_TAIL:
        return text
    return f"{text[:_PROSE_HEAD]}\n{text[-_PROSE_TAIL:]}"


def _judged(fields: Fields, question: Question) -> Reply:
    """Return the reply that the parts make, unless words in the answer's place are no answer."""
    if cause := causes.in_fields(fields, question):
        return _none(cause)
    choice, position = fields.choice, fields.position
    if choice and position and is_placeholder(position, question):
        position = None
    if choice and position and choice.casefold() != "none" and is_sentinel(choice, question):
        choice = None
    if not question.options:
        position = position or choice
    return Reply(
        status="ok",
        choice=choice,
        position=position,
        reasons=fields.reasons,
        confidence=fields.confidence,
        changed=fields.changed,
        changed_by=fields.moved_by,
    )


def _none(cause: Cause) -> Reply:
    detail = " ".join(encodable(cause.detail[:400]).split())[:200]
    return Reply(status=cause.status, kind=cause.kind, detail=detail)


def _flagged(reply: Reply, *flags: Flag) -> Reply:
    return reply.model_copy(update={"flags": tuple(sorted({*reply.flags, *flags}))})
