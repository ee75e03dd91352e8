"""Approved rules as multipliers on a juror's weight."""

from collections.abc import Sequence
from typing import NamedTuple

from contracts.persona import CastingRule, PersonaProposal
from contracts.proposal import RuleProposal
from contracts.skill import ANY_TOPIC, WeightRule


class Multiplier(NamedTuple):
    """What the rules make of one juror on one topic."""

    value: float
    rule: WeightRule | None


def multiplier(juror: str, topic: str, rules: Sequence[WeightRule]) -> Multiplier:
    """Return the multiplier of the rule that fits best; 1 where none does.

    A rule for the topic goes before a rule for all topics; they are not multiplied together.
    """
    mine = [rule for rule in rules if same_name(rule.juror, juror)]
    for wanted in (topic, ANY_TOPIC):
        for rule in mine:
            if same_name(rule.topic, wanted):
                return Multiplier(rule.weight, rule)
    return Multiplier(1.0, None)


def describe(rule: WeightRule | RuleProposal | CastingRule | PersonaProposal) -> str:
    """Return the rule on one line: `Ada | security | 1.5`, `newcomer | * | never`."""
    if isinstance(rule, WeightRule | RuleProposal):
        return f"{rule.juror} | {rule.topic} | {rule.weight:g}"
    return f"{rule.persona} | {rule.topic} | {rule.cast}"


def same_name(one: str, other: str) -> bool:
    """Whether two names of jurors or topics are the same, whatever their case."""
    return one.strip().casefold() == other.strip().casefold()
