"""What the council has learned in words that a human approved."""

from pydantic import AwareDatetime, Field

from contracts.base import Record

ANY_TOPIC = "*"


class WeightRule(Record):
    """Juror, topic and weight: a multiplier on a juror's ballots, approved by a person."""

    juror: str
    topic: str
    """A topic of the skill, or `*` for all."""
    weight: float = Field(gt=0, le=5)
    evidence: str = ""
    approved_by: str = ""
    approved_at: str = ""
    """ISO date."""


class Topic(Record):
    """A topic that questions are matched against."""

    name: str
    words: tuple[str, ...] = ()
    """Words and phrases that point to it."""


class Skill(Record):
    """A SKILL.md, read strictly."""

    name: str
    description: str
    version: str
    body: str
    topics: tuple[Topic, ...] = ()
    rules: tuple[WeightRule, ...] = ()


class Written(Record):
    """When, by whom and on what way something was written into a SKILL.md."""

    schema_number: int = 1
    by: str
    """Who approved it."""
    source: str = "learn"
    """The way that it came in: `learn` by hand, a reflection, the page."""
    written_at: AwareDatetime
    skill_sha256: str
    """Hash of SKILL.md after the change."""


class RuleChange(Written):
    """A rule that was written into SKILL.md, as the journal keeps it (kind `rule`)."""

    rule: WeightRule
    replaced: WeightRule | None = None
    """The rule for the same juror and topic that stood there before."""
