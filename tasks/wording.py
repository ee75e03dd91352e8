"""The foreman: the verdict in a model's words where one is named and its words agree, else ours."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from contracts.activation import Activation
from contracts.errors import ProviderError
from contracts.juror import Endpoint, Roster
from contracts.opinion import Opinion
from contracts.question import Question
from contracts.verdict import Verdict
from tasks.foreman import REHEARSAL, word_verdict
from tasks.prompting import fence, prompt_template, said
from tasks.providers.base import Request
from tasks.providers.hermes_foreman import ask_foreman, loads_skills
from tasks.providers.registry import ask_once
from tasks.reading.clean import clean
from tasks.reading.contradiction import OnRecord, contradiction
from tasks.skills import load_skill

SKILL = "council"
_REASON_CHARS = 400
_EFFECT_CHARS = 1000


class Worded(NamedTuple):
    """A verdict in words, and who found them."""

    text: str
    activations: tuple[Activation, ...] = ()


async def word(
    home: Path, question: Question, verdict: Verdict, opinions: Sequence[Opinion], roster: Roster
) -> Worded:
    """Return the verdict in words; what a model says is taken only where the record agrees."""
    template = word_verdict(verdict, carried_by(verdict, opinions))
    foreman = roster.foreman
    if foreman is None:
        return Worded(template)
    try:
        text, how = await _asked(home, foreman, question, verdict, opinions)
    except ProviderError as error:
        effect = f"failed ({error.kind}: {error}); the template words the verdict"
        return Worded(template, (_activation(foreman, effect),))
    why = contradiction(text, OnRecord(question, verdict, opinions))
    if why is not None:
        effect = f"its words were rejected, {why}; the template words the verdict"
        return Worded(template, (_activation(foreman, effect),))
    whole = f"{text} {REHEARSAL}" if verdict.simulated else text
    return Worded(whole, (_activation(foreman, f"worded the verdict with the skill, {how}"),))


def carried_by(verdict: Verdict, opinions: Sequence[Opinion]) -> str:
    """Return the lead reason of the winning side, last round first."""
    for opinion in sorted(opinions, key=lambda o: (-o.round, o.juror)):
        if opinion.stance == verdict.option and opinion.lead_reason:
            return opinion.lead_reason
    return ""


async def _asked(
    home: Path,
    foreman: Endpoint,
    question: Question,
    verdict: Verdict,
    opinions: Sequence[Opinion],
) -> tuple[str, str]:
    """Return what the model said, and how the skill was given to it."""
    prompt = foreman_prompt(question, verdict, opinions)
    if foreman.provider == "hermes" and await loads_skills(home):
        answer = await ask_foreman(home, foreman, prompt, SKILL)
        return clean(answer.text).text, "which Hermes loaded"
    skill = load_skill(home, SKILL).body
    completion = await ask_once(foreman, Request(system=skill, user=prompt, subject="the foreman"))
    return clean(completion.text).text, "which stood in the prompt"


def foreman_prompt(question: Question, verdict: Verdict, opinions: Sequence[Opinion]) -> str:
    """Return the prompt: the question, the record and the opinions as data."""
    parts = {"QUESTION": question.text, "THE RECORD": _record(verdict)}
    last = {opinion.juror: opinion for opinion in sorted(opinions, key=lambda o: o.round)}
    for name, opinion in last.items():
        held = opinion.stance or f"no opinion ({opinion.abstain_reason})"
        reasons = [reason[:_REASON_CHARS] for reason in opinion.reasons]
        parts[f"WHAT {name.upper()} SAID"] = said(held, reasons)
    return prompt_template("foreman.md").substitute(fenced=fence(parts))


def _record(verdict: Verdict) -> str:
    lines = [f"status: {verdict.status}"]
    if verdict.decided:
        lines.append(f"decided: {verdict.option}")
        known = "calibrated" if verdict.calibrated else "not calibrated"
        lines.append(f"confidence: {verdict.confidence:.0%}, {known}")
    else:
        lines.append("there is no verdict")
    lines.append(f"split: {verdict.split}, of {verdict.seats} jurors")
    lines += [f"dissent: {d.juror} for {d.option}: {d.reason}" for d in verdict.dissents]
    lines += [
        f"changed: {mind.juror} from {mind.before} to {mind.after}: {mind.moved_by or 'no reason'}"
        for mind in verdict.changed_minds
    ]
    lines += [f"no opinion: {seat.juror} ({seat.reason})" for seat in verdict.failed_seats]
    return "\n".join(lines)


def _activation(foreman: Endpoint, effect: str) -> Activation:
    subject = f"{foreman.provider} {foreman.model}"
    return Activation(kind="foreman", subject=subject, effect=effect[:_EFFECT_CHARS])
