"""From a question to a prompt. Prompts are the files in `prompts/`; their hash goes on record."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any, NamedTuple

from contracts.base import sha256_text
from contracts.juror import Roster
from contracts.opinion import Opinion
from contracts.question import Question, letter
from tasks.providers.base import Request

NONE_LETTER = "none"


class Shown(NamedTuple):
    """Another juror's answer, without a name, as round 2 shows it."""

    label: str
    stance: str
    position: str
    reason: str


def ask_request(question: Question, juror: str) -> Request:
    """Return the request of round 1: the question alone."""
    return juror_request(question, juror, 1, "ask.md", material(question), facts={})


def reconsider_request(
    question: Question, juror: str, own: Opinion, shown: Sequence[Shown], round_number: int = 2
) -> Request:
    """Return the request of round 2: the question, the juror's own answer and the others'."""
    parts = material(question)
    parts["YOUR OWN EARLIER ANSWER"] = said(own.position or own.stance or "none", own.reasons)
    for other in shown:
        parts[other.label.upper()] = said(other.position, (other.reason,))
    facts = {
        "own": own.stance,
        "shown": [[other.label, other.stance, other.reason] for other in shown],
    }
    return juror_request(question, juror, round_number, "reconsider.md", parts, facts)


def material(question: Question) -> dict[str, str]:
    """Return the question with all that it is judged by, as parts to be fenced."""
    parts = {"QUESTION": question.text}
    if question.context:
        parts["CONTEXT"] = question.context
    for number, evidence in enumerate(question.evidence, start=1):
        name = f"EVIDENCE {number}" + (" (PARTIAL)" if evidence.partial else "")
        missing = [f"- {note}" for note in evidence.notes]
        told = ["Not all of it could be had or verified:", *missing] if evidence.partial else []
        parts[name] = "\n".join([f"Wanted: {evidence.goal}", *told])
        for file in evidence.files:
            parts[f"{name}, FILE {file.path}"] = file.text or "This file is no text."
    return parts


def repair_request(request: Request, problem: str) -> Request:
    """Return the one request that asks again after a reply that could not be read."""
    user = prompt_template("repair.md").substitute(problem=problem, original=request.user)
    return request.model_copy(update={"user": user})


def shown_to(
    question: Question, juror: str, opinions: Sequence[Opinion], roster: Roster
) -> tuple[Shown, ...]:
    """Return the others' positions and lead reasons, without names, in an order nobody chose.

    The order follows from the question's id and the reader's name, so that it is the same when the
    deliberation is run again, and no juror is always read first. Names of jurors and models are
    blotted out of what they said.
    """
    others = [o for o in opinions if o.juror != juror and o.stance is not None]
    others.sort(key=lambda o: sha256_text(f"{question.question_id}:{juror}:{o.juror}"))
    return tuple(
        Shown(
            label=f"Juror {letter(index)}",
            stance=other.stance or "",
            position=blot(other.position or other.stance or "", roster),
            reason=blot(other.lead_reason, roster),
        )
        for index, other in enumerate(others)
    )


def fence(parts: Mapping[str, str]) -> str:
    """Return the parts as data between boundary lines.

    The boundary is a hash of all that it encloses: no part can hold it, and the same parts give the
    same prompt, which caching needs.
    """
    boundary = sha256_text("\x00".join(f"{name}\x00{text}" for name, text in parts.items()))[:24]
    blocks = [f"===== {name} {boundary}\n{text}" for name, text in parts.items()]
    return "\n".join([*blocks, f"===== END {boundary}"])


def prompt_sha256(request: Request) -> str:
    """Return the hash of all that a model is shown."""
    return sha256_text(f"{request.system}\x00{request.user}")


def juror_request(
    question: Question,
    juror: str,
    round_number: int,
    template: str,
    parts: Mapping[str, str],
    facts: Mapping[str, Any],
) -> Request:
    """Return the request for an opinion: a template of `prompts/` around the parts as data."""
    closed = bool(question.options)
    user = prompt_template(template).substitute(
        fenced=fence({**parts, **_choice_part(question)}),
        choices=_CLOSED if closed else _OPEN,
        choice_form='"the letter of an option, or none"' if closed else "null",
    )
    return Request(
        system=prompt_text("system.md"),
        user=user,
        json_schema=_schema(question, round_number),
        options=question.option_names,
        subject=f"{juror}, round {round_number}",
        facts={
            "question_id": question.question_id,
            "question": question.text,
            "topic": question.topic,
            "juror": juror,
            "round": round_number,
            **facts,
        },
    )


_CLOSED = (
    "Choose exactly one of the options by its letter. "
    f'Only if none of them is right, choose "{NONE_LETTER}" and give your own answer as "position".'
)
_OPEN = "No options are given: put your own answer into one short sentence."


def _choice_part(question: Question) -> dict[str, str]:
    lines = [f"{letter(i)}. {option.name}" for i, option in enumerate(question.options)]
    return {"OPTIONS": "\n".join(lines)} if lines else {}


def _schema(question: Question, round_number: int) -> dict[str, Any]:
    letters = [letter(index) for index in range(len(question.options))]
    choice = {"type": ["string", "null"]}
    properties: dict[str, Any] = {
        "choice": choice | ({"enum": [*letters, NONE_LETTER, None]} if letters else {}),
        "position": {"type": "string"},
        "reasons": {"type": "array", "items": {"type": "string"}},
        "confidence": {"type": "number"},
    }
    if round_number > 1:
        properties["changed"] = {"type": "boolean"}
        properties["moved_by"] = {"type": ["string", "null"]}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def said(position: str, reasons: Sequence[str]) -> str:
    """Return a position with its reasons, one a line."""
    return "\n".join([position, *(f"- {reason}" for reason in reasons if reason)])


def blot(text: str, roster: Roster) -> str:
    """Return `text` without the names of jurors, models and families."""
    for juror in roster.jurors:
        for name in (juror.name, juror.model, juror.family):
            if len(name) > len("GPT"):
                text = text.replace(name, "a juror")
    return text


@cache
def prompt_text(name: str) -> str:
    """Return a file of `prompts/`."""
    return files("tasks").joinpath("prompts", name).read_text(encoding="utf-8").strip()


@cache
def prompt_template(name: str) -> Template:
    """Return a file of `prompts/` as a template."""
    return Template(prompt_text(name))
