"""Personas of the Hyde arena: who attacks a verdict, when, and what it looks for."""

from typing import Literal

from pydantic import Field

from contracts.base import Record

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

    persona: str
    topic: str
    cast: Cast
    n: int
    """Bouts that counted."""
    landed: int
    """Of these, weakened or overturned."""
    evidence: str
    """The same in words."""
