"""What past verdicts would have become under another rule, by the judge as it is now."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from contracts.fit import Fit
from contracts.memory import Memory
from contracts.proposal import Counterfactual, Turned
from contracts.skill import WeightRule
from tasks.judging.decide import decide
from tasks.judging.rules import same_name
from tasks.judging.slices import slice_for
from tasks.judging.testimony import Sitting


class Bench(NamedTuple):
    """The judge as it is now: who sits, the approved rules, and what was learned."""

    jurors: tuple[str, ...]
    rules: tuple[WeightRule, ...] = ()
    fit: Fit | None = None


def under_rule(rule: WeightRule, sittings: Iterable[Sitting], bench: Bench) -> Counterfactual:
    """Judge each sitting with and without the rule and compare. Nobody is asked anything."""
    others = tuple(old for old in bench.rules if not _same(old, rule))
    turned = []
    replayed = better = worse = 0
    for sitting in sittings:
        before = _option(sitting, bench.rules, bench.fit)
        after = _option(sitting, (rule, *others), bench.fit)
        replayed += 1
        if before == after:
            continue
        one = sitting.deliberation.deliberation_id
        turned.append(Turned(deliberation_id=one, before=before, after=after, right=sitting.right))
        if sitting.right is not None:
            better += after == sitting.right
            worse += before == sitting.right
    return Counterfactual(replayed=replayed, turned=tuple(turned), better=better, worse=worse)


def _option(sitting: Sitting, rules: Sequence[WeightRule], fit: Fit | None) -> str | None:
    one = sitting.deliberation
    seats = [juror.name for juror in one.roster.jurors]
    part = None if fit is None else slice_for(fit, seats, one.question.topic)
    memory = Memory(rules=tuple(rules), fit=part)
    return decide(one.question, one.opinions, memory, one.policy).option


def _same(one: WeightRule, other: WeightRule) -> bool:
    return same_name(one.juror, other.juror) and same_name(one.topic, other.topic)
