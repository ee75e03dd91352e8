"""The answer object among all that look like one: examples, drafts, echoes, corrections."""

import re
from collections.abc import Mapping
from itertools import islice
from typing import Any, NamedTuple

from contracts.question import Question
from tasks.reading.echoes import is_placeholder
from tasks.reading.fields import Fields, completed
from tasks.reading.labels import role_of
from tasks.reading.objects import find_objects
from tasks.reading.wrappers import Candidate, answers_in, carried_text, variants

_KEY = re.compile(r"[{,]\s{0,20}[\"'“«]?(\w{2,30})[\"'”»]?\s{0,5}[:=：]")
_MOST_KEYS = 50
_CONTEXT = 160
_FENCE = re.compile(r"(?:`{3,}|~{3,})[\w+-]{0,20}")

_DECOY = re.compile(
    r"\b(?:examples?|e\.g\.|for instance|sample|schema|template|placeholder|few-shot|draft"
    r"|beispiel|ejemplo|exemple|esempio|exemplo|пример\w*)\b|例|示例|草稿",
    re.IGNORECASE,
)
_PASSED = re.compile(
    r"\b(?:first thought|initial\w*|at first|previous\w*|earlier|before|juror \w{1,20}"
    r"|other jurors?|would have been|would be|instead of|alternative\w*|counter\w*|not like|wrong"
    r"|bad)\b|\b(?:format|structure|shape|layout|form)\b[^\n]{0,20}$",
    re.IGNORECASE,
)
_OWN = re.compile(
    r"\b(?:final\w*|my|revised|corrected|correction|updated?|actually|on reflection|wait|now)\b"
    r"|最终|最終",
    re.IGNORECASE,
)
_FINAL = re.compile(
    rf"{_OWN.pattern}|\b(?:conclusion|therefore|so|answer|verdict|result|ballot|vote|decision"
    r"|choose|antwort|respuesta|réponse|risposta|resposta|ответ)\b|答案|回答",
    re.IGNORECASE,
)
_EXAMPLE_ONLY = re.compile(
    r"\W*(?:for )?(?:example|sample|template|schema)s?\b[^\n]{0,30}", re.IGNORECASE
)
_DRESSING = re.compile(r"^\W*(?:option|answer|choice)\b|[\W_]+")


class Picked(NamedTuple):
    """What the objects of a reply amount to."""

    answer: Candidate | None
    contradictory: bool = False
    """Two answers that say different things, and nothing to tell which is meant."""
    only_forms: bool = False
    """There were answer objects, but none filled in, or only examples."""
    inner: str | None = None
    """The text that an envelope carries, where no object in it is an answer."""
    objects: tuple[Mapping[str, Any], ...] = ()
    """Objects that are no answers."""
    cut_at: int | None = None
    """Where an object without an answer begins that the text does not end."""
    broken: bool = False
    """Parts of an answer are written as an object's, but no object could be read there."""


def pick_answer(text: str, question: Question, prompt: str | None, *, cut: bool) -> Picked:
    """Return the answer object of `text`, whatever wraps it.

    Blanks of a form, objects that stand in the prompt and those introduced as an example or a draft
    are passed over. Of several answers that agree the last is taken; of several that differ, the
    last if it is announced as final or as a correction, else none: guessing between two would
    count a vote that was not cast.
    """
    picked = Picked(None)
    for variant in variants(text):
        picked = _pick(variant, question, prompt, cut=cut)
        if picked.answer or picked.contradictory:
            break
    return picked


def _pick(text: str, question: Question, prompt: str | None, *, cut: bool) -> Picked:
    known: list[Candidate] = []
    objects: list[Mapping[str, Any]] = []
    cut_at: int | None = None
    before, at = "", 0
    for found in find_objects(text, cut=cut):
        before = _FENCE.sub("", text[max(at, found.start - _CONTEXT) : found.start])
        at = found.end
        if prompt is not None and text[found.start : found.end] in prompt:
            continue
        answers = answers_in(found, before, question.option_names)
        known += answers
        if not answers and found.cut:
            cut_at = found.start
        elif not answers:
            objects.append(found.value)
    if cut_at is not None and _OWN.search(_last_line(before)):
        return Picked(None, cut_at=cut_at)
    return _with_rest(_chosen(known, question), objects)._replace(
        cut_at=cut_at, broken=_has_part(text, at)
    )


def _has_part(text: str, at: int) -> bool:
    """Whether a key of an answer stands in `text` after the last object that could be read."""
    return any(role_of(key[1]) for key in islice(_KEY.finditer(text, at), _MOST_KEYS))


def _with_rest(picked: Picked, objects: list[Mapping[str, Any]]) -> Picked:
    """Add what the other objects hold: parts that the answer lacks, an envelope's text."""
    if picked.answer is not None:
        fields = picked.answer.fields
        for value in objects:
            fields = completed(fields, value)
        return picked._replace(answer=picked.answer._replace(fields=fields))
    texts = [text for value in objects if (text := carried_text(value))]
    return picked._replace(objects=tuple(objects), inner=texts[-1] if texts else None)


def _chosen(known: list[Candidate], question: Question) -> Picked:
    filled = [one for one in known if not _is_form(one.fields, question)]
    if not filled:
        return Picked(None, only_forms=bool(known))
    real = [one for one in filled if not _is_decoy(_last_line(one.before))]
    if not real and any(_EXAMPLE_ONLY.fullmatch(_last_line(one.before)) for one in filled):
        return Picked(None, only_forms=True)
    real = real or filled
    decided = [one for one in real if one.fields.decision] or real
    last = decided[-1]
    if len({_meaning(one.fields, question) for one in decided}) == 1:
        return Picked(_fullest(decided))
    if _FINAL.search(_last_line(last.before)):
        return Picked(last)
    return Picked(None, contradictory=True)


def _is_form(fields: Fields, question: Question) -> bool:
    stated = [text for text in (fields.choice, fields.position) if text]
    return bool(stated) and all(is_placeholder(text, question) for text in stated)


def _is_decoy(line: str) -> bool:
    if _DECOY.search(line):
        return "final" not in line.casefold()
    return _PASSED.search(line) is not None and _OWN.search(line) is None


def _last_line(before: str) -> str:
    lines = [line for line in before.split("\n") if line.strip(" \t*#>`~-")]
    return lines[-1] if lines else ""


def _fullest(agreeing: list[Candidate]) -> Candidate:
    """Return the last answer, with what an earlier one that agrees says beyond it."""
    last = agreeing[-1]
    fields = last.fields
    for one in reversed(agreeing[:-1]):
        fields = fields._replace(
            position=fields.position or one.fields.position,
            reasons=fields.reasons or one.fields.reasons,
            confidence=one.fields.confidence if fields.confidence is None else fields.confidence,
        )
    return last._replace(fields=fields)


def _meaning(fields: Fields, question: Question) -> str:
    """Return what an answer decides, as far as two may be compared: a letter is its option."""
    shown = _bare(fields.decision or "")
    index = ord(shown) - ord("a") if len(shown) == 1 else -1
    names = question.option_names
    return _bare(names[index]) if 0 <= index < len(names) else shown


def _bare(text: str) -> str:
    return " ".join(_DRESSING.sub(" ", text.casefold()).split())
