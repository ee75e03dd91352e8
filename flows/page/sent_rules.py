"""Rules that a browser keeps and sends along with a question: they apply to that question only."""

from collections.abc import Sequence

from pydantic import Field

from contracts.base import Record
from contracts.juror import Roster
from contracts.skill import Skill, WeightRule
from tasks.reading.request_rules import MAX_CELL, request_rules


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
