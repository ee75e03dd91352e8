"""Rules that a browser keeps and sends along with a question: they apply to that question only."""

from collections.abc import Sequence

from pydantic import Field

from contracts.base import Record
from contracts.juror import Roster
from contracts.memory import Memory
from contracts.question import Question
from contracts.skill import ANY_TOPIC, Skill, WeightRule
from tasks.judging.rules import same_name
from tasks.reading.request_rules import MAX_CELL, request_rules
from tasks.stages import Stages


class SentRule(Record):
    """Juror, topic and weight, as a browser keeps them."""

    juror: str = Field(min_length=1, max_length=60)
    topic: str = Field(min_length=1, max_length=80)
    """A topic, or `*` for all."""
    weight: float = Field(gt=0, le=5, allow_inf_nan=False)
    evidence: str = Field(default="", max_length=MAX_CELL)


def sent_rule(rule: WeightRule) -> SentRule:
    """Return a rule as a browser keeps it."""
    fields = rule.model_dump(include={"juror", "topic", "weight"})
    return SentRule(**fields, evidence=rule.evidence[:MAX_CELL])


def check_sent(sent: Sequence[SentRule], roster: Roster, skill: Skill) -> tuple[WeightRule, ...]:
    """Return the rules as the judge takes them, marked as sent.

    Raises:
        SkillError: naming the rule that does not fit; see `request_rules`.
    """
    seats = [seat.name for seat in roster.jurors]
    return request_rules([one.model_dump() for one in sent], seats, skill.topics)


def with_sent(stages: Stages, rules: Sequence[WeightRule]) -> Stages:
    """Return stages that recall these rules too; one of them goes before the skill's own."""

    async def recall(question: Question, roster: Roster) -> Memory:
        memory = await stages.recall(question, roster)
        fitting = [
            rule
            for rule in rules
            if any(same_name(rule.topic, topic) for topic in (question.topic, ANY_TOPIC))
        ]
        own = [old for old in memory.rules if not any(_rivals(old, new) for new in fitting)]
        return memory.model_copy(update={"rules": (*own, *fitting)})

    return stages._replace(recall=recall)


def _rivals(one: WeightRule, other: WeightRule) -> bool:
    return same_name(one.juror, other.juror) and same_name(one.topic, other.topic)
