"""Casting rules that the bouts speak for and that a person was not asked about yet. Pure."""

from collections.abc import Iterable, Sequence

from contracts.bout import Bout
from contracts.persona import CastingDecision, CastingRule, Hyde, PersonaProposal
from tasks.judging.propose import is_new
from tasks.judging.rating import propose_casting
from tasks.judging.rules import same_name


def propose_personas(
    bouts: Iterable[Bout], hyde: Hyde, decided: Sequence[CastingDecision]
) -> tuple[PersonaProposal, ...]:
    """Return the casting rules to offer, by persona and topic.

    Only for personas that the skill has, under the name that it gives them, and not where the rule
    stands already. What a person decided on is not offered again on the same bouts: as for a rule,
    two must be new.
    """
    found = (_for_skill(one, hyde) for one in propose_casting(bouts))
    return tuple(one for one in found if one and is_new(one.evidence_keys, _about(one, decided)))


def _for_skill(one: PersonaProposal, hyde: Hyde) -> PersonaProposal | None:
    name = next((p.name for p in hyde.personas if same_name(p.name, one.persona)), None)
    rule = next((rule for rule in hyde.casting if _same(rule, one)), None)
    if name is None or (rule and rule.cast == one.cast):
        return None
    return one.model_copy(update={"persona": name, "replaces": rule.cast if rule else None})


def _about(one: PersonaProposal, decided: Sequence[CastingDecision]) -> list[CastingDecision]:
    return [decision for decision in decided if _same(decision, one)]


def _same(rule: CastingRule | CastingDecision, one: PersonaProposal) -> bool:
    return same_name(rule.persona, one.persona) and same_name(rule.topic, one.topic)
