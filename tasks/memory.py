"""What the council recalls before it asks: approved rules, as the judge's memory."""

from pathlib import Path

from contracts.juror import Roster
from contracts.memory import Memory
from contracts.question import Question
from contracts.skill import ANY_TOPIC
from tasks.judging.rules import describe, same_name
from tasks.skills import load_skill


def recall(home: Path, question: Question, roster: Roster) -> Memory:
    """Return the memory for this question: the rules that can touch it, and what cannot be used.

    Raises:
        SkillError: when the home's SKILL.md does not read; it names the line.
    """
    seats = [juror.name for juror in roster.jurors]
    rules, notes = [], []
    for rule in load_skill(home).rules:
        if not any(same_name(rule.topic, topic) for topic in (question.topic, ANY_TOPIC)):
            continue
        if any(same_name(rule.juror, seat) for seat in seats):
            rules.append(rule)
        else:
            notes.append(f"rule not used, no such seat: {describe(rule)}")
    return Memory(rules=tuple(rules), notes=tuple(notes))
