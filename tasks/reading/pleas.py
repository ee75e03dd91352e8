"""Replies of the arena read: an attack, a rebuttal, a score. Pure and total."""

import re
from typing import Any, NamedTuple

from contracts.bout import Pick
from contracts.question import Question
from tasks.reading.clean import clean
from tasks.reading.grammar.plain import key_of
from tasks.reading.objects import find_objects
from tasks.reading.refusals import unwilling

MAX_CLAIM, MAX_ASSUMPTION, MAX_ANSWER, MAX_REASON = 700, 300, 900, 300
MIDDLE = 3
"""Severity or weight of what states none that can be read."""

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_PICKS: dict[str, Pick] = {"a": "A", "b": "B", "neither": "neither"}
_PICK_WORDS = re.compile(r"^(?:side|argument|text)\s+|[\s\"'().]+$|^[\"'(]+", re.IGNORECASE)
_NOTHING = frozenset({"", "null", "none", "no", "n/a", "nothing"})


class AttackRead(NamedTuple):
    """What an attack says. Without a claim there is a fault, or it found no weakness."""

    claim: str | None
    assumption: str
    severity: int
    option: str | None
    fault: str | None


class ScoreRead(NamedTuple):
    """What a score says. It has a pick or a fault."""

    picked: Pick | None
    weight: int | None
    reason: str
    fault: str | None


def read_attack(raw: str, question: Question) -> AttackRead:
    """Read an attack. Prose without an object is its claim, of middle severity."""
    found, text = _object(raw, "claim")
    if found is None:
        why = unwilling(text, question) if text else "unreadable"
        return AttackRead(None if why else text[:MAX_CLAIM], "", MIDDLE, None, why)
    claim = _text(found.get("claim"), MAX_CLAIM)
    return AttackRead(
        claim=None if claim.casefold() in _NOTHING else claim,
        assumption=_text(found.get("assumption"), MAX_ASSUMPTION),
        severity=_grade(found.get("severity")),
        option=_option(_words(found.get("option"), MAX_CLAIM), question),
        fault=None,
    )


def read_rebuttal(raw: str) -> str:
    """Read the answer to an attack; empty where there is none. Prose without an object is it."""
    found, text = _object(raw, "answer")
    return text[:MAX_ANSWER] if found is None else _text(found.get("answer"), MAX_ANSWER)


def read_score(raw: str, check: str) -> ScoreRead:
    """Read a score. Only an object that carries the check word counts.

    Args:
        raw: the reply as it came.
        check: the word that was to be repeated. A scorer that only says what a text dictated to it
            does not know it, and its score has the fault `no_check_word`.
    """
    found, _ = _object(raw, "stronger")
    if found is None:
        return ScoreRead(None, None, "", "unreadable")
    picked = _PICKS.get(_PICK_WORDS.sub("", _words(found.get("stronger"), 40)).casefold())
    if picked is None:
        return ScoreRead(None, None, "", "unreadable")
    if _words(found.get("check"), 80).casefold() != check.casefold():
        return ScoreRead(None, None, "", "no_check_word")
    reason = _words(found.get("reason"), MAX_REASON)
    return ScoreRead(picked, _grade(found.get("weight")), reason, None)


def _object(raw: str, wanted: str) -> tuple[dict[str, Any] | None, str]:
    """Return the last object that has the wanted field, names in lower case, or the bare prose."""
    text = clean(raw).text
    found, others = None, False
    for one in find_objects(text):
        fields = {str(name).strip().casefold(): value for name, value in one.value.items()}
        others = True
        if wanted in fields:
            found = fields
    return found, "" if others else text.strip()


def _text(value: Any, limit: int) -> str:
    """Return a text with its lines: where they begin matters to the guard."""
    if isinstance(value, list):
        value = "\n".join(part for part in value if isinstance(part, str))
    return value.strip()[:limit] if isinstance(value, str) else ""


def _words(value: Any, limit: int) -> str:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return " ".join(_text(str(value) if number else value, limit).split())


def _grade(value: Any) -> int:
    """Return a grade from 1 to 5; the middle where none can be read."""
    number = _NUMBER.search(_words(value, 40))
    return min(max(round(float(number.group()[:9])), 1), 5) if number else MIDDLE


def _option(name: str, question: Question) -> str | None:
    wanted = key_of(name)
    return next((known for known in question.option_names if key_of(known) == wanted), None)
