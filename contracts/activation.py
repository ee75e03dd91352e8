"""Who or what took part in one deliberation beside the jurors, and what it changed."""

from typing import Literal

from contracts.base import Record

ActivationKind = Literal[
    "rule",
    "skill",
    "persona",
    "precedent",
    "memory",
    "debate",
    "fallback",
    "delegation",
    "foreman",
    "guard",
]


class Activation(Record):
    """A rule, skill, persona, precedent, learning, debate or fallback … that took part."""

    kind: ActivationKind
    subject: str
    """Who or what acted: a rule's juror and topic, a seat, a persona."""
    effect: str
    """What it changed, in words."""
    turned: bool = False
    """Whether the verdict would have been another without it."""
