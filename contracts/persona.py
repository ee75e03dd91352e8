"""Personas of the Hyde arena: who attacks a verdict, when, and what it looks for."""

from functools import cached_property
from typing import Literal

from pydantic import Field

from contracts.base import Record
from contracts.proposal import Decided
from contracts.skill import Written

Condition = Literal["always", "split", "unanimous", "thin", "risky", "moved"]
"""Beyond its topics a persona also applies: always; to a verdict with dissent; to one without; to
one that a single vote would turn; to a question tagged risky; where a juror changed its mind."""
Cast = Literal["always", "never"]


class Persona(Record):
    """A critic."""

    name: str = Field(min_length=1, max_length=60)
    topics: tuple[str, ...] = ()
    """Topics to which it always applies."""
    when: tuple[Condition, ...] = ()
    """Where else it applies; one that holds is enough."""
    hunts: str = Field(min_length=1, max_length=400)
    """What it looks for, as the attacker is told."""


class CastingRule(Record):
    """Approved by a person: on a topic this persona is always cast, or never."""

    persona: str
    topic: str
    """A topic, or `*` for all."""
    cast: Cast
    evidence: str = ""
    approved_by: str = ""
    approved_at: str = ""
    """ISO date."""


class Hyde(Record):
    """The arena's SKILL.md, read strictly."""

    name: str
    description: str
    version: str
    body: str
    personas: tuple[Persona, ...]
    casting: tuple[CastingRule, ...] = ()


class PersonaProposal(Record):
    """A casting rule that the bouts speak for. It takes effect when a person approves it."""

    schema_number: int = 1
    persona: str
    topic: str
    cast: Cast
    replaces: Cast | None = None
    """What the approved rule says that it would take the place of."""
    n: int = Field(ge=0)
    """Bouts that counted."""
    landed: int = Field(ge=0)
    """Of these, weakened or overturned."""
    low: float
    """2.5 % quantile of the share that lands."""
    high: float
    """97.5 % quantile."""
    evidence: str
    """The same for the rule's line."""
    words: str
    """The case for it in plain words."""
    bouts: tuple[str, ...] = ()
    """Ids of the bouts that counted."""

    @cached_property
    def proposal_id(self) -> str:
        """First 12 hex digits of the hash of the canonical form."""
        return self.sha256()[:12]

    @property
    def evidence_keys(self) -> tuple[str, ...]:
        """Keys of its evidence."""
        return self.bouts

    @property
    def rule(self) -> CastingRule:
        """The rule as it would stand in SKILL.md, without an approval."""
        return CastingRule(
            persona=self.persona, topic=self.topic, cast=self.cast, evidence=self.evidence
        )


class CastingDecision(Decided):
    """What a person decided on a proposed casting rule."""

    persona: str
    cast: Cast


class CastingChange(Written):
    """A casting rule that was written into SKILL.md, as the journal keeps it (kind `casting`)."""

    rule: CastingRule
    replaced: CastingRule | None = None
    """The rule for the same persona and topic that stood there before."""
