"""What the council recalls before it asks: approved rules and what was learned of the jurors."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from contracts.errors import StoreDamaged
from contracts.fit import Fit
from contracts.juror import Roster
from contracts.memory import Memory
from contracts.question import Question
from contracts.skill import ANY_TOPIC, Topic, WeightRule
from tasks.fit_files import current_learned
from tasks.judging.rules import describe, same_name
from tasks.judging.slices import slice_for
from tasks.skills import load_skill


def recall(
    home: Path, question: Question, roster: Roster, *, sent: Sequence[WeightRule] = ()
) -> Memory:
    """Return the memory for this question: the rules that can touch it, and what was learned.

    `sent` are rules that came along with the request, checked already: they hold for it alone and
    go before the home's. What is there and cannot be used is in the notes. A learning that does
    not read is one of these, for it is derived: the council goes on with equal weights.

    Raises:
        SkillError: when the home's SKILL.md does not read; it names the line.
    """
    seats = [juror.name for juror in roster.jurors]
    skill = load_skill(home)
    rules, notes = _usable((*sent, *skill.rules), question.topic, seats, skill.topics)
    learned = _learned(home, seats, question.topic)
    return Memory(
        rules=rules,
        notes=(*notes, *learned.notes),
        fit=learned.fit,
        memory_id=learned.memory_id,
        arena_strength=learned.arena_strength,
        arena_outcomes=learned.arena_outcomes,
    )


class _Learned(NamedTuple):
    """What one question's memory takes from the current learning."""

    fit: Fit | None = None
    memory_id: str | None = None
    notes: tuple[str, ...] = ()
    arena_strength: float | None = None
    arena_outcomes: int = 0


def _learned(home: Path, seats: Sequence[str], topic: str) -> _Learned:
    try:
        found = current_learned(home)
    except StoreDamaged as error:
        return _Learned(notes=(f"all jurors weigh the same. {error}",))
    if found is None:
        return _Learned()
    notes = tuple(drift.told() for drift in found.drifts if drift.worse and drift.juror in seats)
    return _Learned(
        slice_for(found.fit, seats, topic),
        found.memory_id,
        notes,
        found.arena_strength,
        found.arena_outcomes,
    )


def _usable(
    rules: Iterable[WeightRule], topic: str, seats: Sequence[str], topics: Sequence[Topic]
) -> tuple[tuple[WeightRule, ...], tuple[str, ...]]:
    """Return the rules that hold for the topic, each juror and topic once, and what does not."""
    kept: list[WeightRule] = []
    notes: list[str] = []
    words = [word for one in topics if same_name(one.name, topic) for word in one.words]
    names = [one.name for one in topics]
    for rule in rules:
        if not any(same_name(rule.topic, name) for name in (topic, ANY_TOPIC)):
            if _among(rule.topic, words) and not _among(rule.topic, names):
                notes.append(
                    f"rule not used: {describe(rule)}. {rule.topic!r} is a word of the topic "
                    f"{topic}, not its name"
                )
        elif not _among(rule.juror, seats):
            notes.append(f"rule not used, no such seat: {describe(rule)}")
        elif not any(_same(rule, other) for other in kept):
            kept.append(rule)
    return tuple(kept), tuple(notes)


def _among(name: str, names: Iterable[str]) -> bool:
    return any(same_name(name, other) for other in names)


def _same(one: WeightRule, other: WeightRule) -> bool:
    return same_name(one.juror, other.juror) and same_name(one.topic, other.topic)
