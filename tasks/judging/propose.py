"""Rules that the evidence speaks for: computed, never invented. Pure.

Where outcomes are known, the record of a juror on a topic speaks. Where none is, only the tally of
dissents is left: it says that a juror sees something else, and not that it is right.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from contracts.proposal import Counterfactual, Decided, RuleDecision, RuleProposal
from contracts.skill import WeightRule
from tasks.judging.counterfactual import Bench, under_rule
from tasks.judging.rules import multiplier, same_name
from tasks.judging.standouts import DISSENTS, KNOWN, Deserved, standouts
from tasks.judging.testimony import Cell, Heard, Sitting, cells_of

DISSENT_WEIGHT = 1.5
"""While nothing has turned out: louder, and still not as loud as two others."""
ELSEWHERE = 4
"""Verdicts on other topics from which a juror's habit of dissent is known."""
APART = 2.0
"""Times as often as elsewhere, at least, must a juror dissent for it to be about the topic."""
DAYS = 90
"""Evidence older than this is too old to go by."""
REPLAYED = 1000
"""Newest verdicts that are judged again under a rule."""


def propose(
    sittings: Sequence[Sitting], bench: Bench, decided: Sequence[RuleDecision], *, now: datetime
) -> tuple[RuleProposal, ...]:
    """Return the rules that the evidence speaks for, the best founded first.

    A proposal needs dissents on two different questions, the newest within `DAYS`. What a person
    decided on is not offered again on the same evidence: two dissents must be new. A rule that
    would have made known verdicts worse on balance is not proposed, and on top of learned weights
    it must have made them better.
    """
    cells = cells_of(sittings, bench.jurors)
    outstanding = standouts(sittings, cells, bench)
    made = []
    for cell in cells:
        found = outstanding.get((cell.juror, cell.topic)) or _from_dissents(cell, cells, bench)
        if found is None or _is_old(cell, now) or not _is_new(cell, decided):
            continue
        proposal = _proposal(cell, found, bench)
        if _gain(proposal) >= (0 if found.learned is None else 1):
            made.append(proposal)
    return tuple(sorted(made, key=_rank))


def rule_of(proposal: RuleProposal) -> WeightRule:
    """Return the rule as it would stand in SKILL.md, without an approval."""
    return WeightRule(
        juror=proposal.juror,
        topic=proposal.topic,
        weight=proposal.weight,
        evidence=_evidence(proposal),
    )


def is_new(keys: Iterable[str], decided: Iterable[Decided]) -> bool:
    """Whether enough of the evidence was in front of a person in none of these decisions."""
    seen = {key for decision in decided for key in decision.evidence}
    return sum(key not in seen for key in keys) >= DISSENTS


def _from_dissents(cell: Cell, cells: Sequence[Cell], bench: Bench) -> Deserved | None:
    """Return the weight of a juror that sees something else on this topic and seldom elsewhere."""
    if len(cell.known) >= KNOWN or len(cell.dissents) < DISSENTS:
        return None
    if multiplier(cell.juror, cell.topic, bench.rules).rule is not None:
        return None
    rights = [(one.stance, one.sitting.right) for one in cell.dissents]
    if any(right is not None and stance != right for stance, right in rights):
        return None
    mine = (one for one in cells if one.juror == cell.juror and one.topic != cell.topic)
    elsewhere = [heard for one in mine for heard in one.heard]
    if len(elsewhere) >= ELSEWHERE and _habit(cell.heard) < APART * _habit(elsewhere):
        return None
    return Deserved(DISSENT_WEIGHT, "dissents")


def _habit(heard: Sequence[Heard]) -> float:
    return sum(one.is_dissent for one in heard) / len(heard)


def _is_old(cell: Cell, now: datetime) -> bool:
    return _expiry(cell) <= now


def _expiry(cell: Cell) -> datetime:
    return cell.newest + timedelta(days=DAYS)


def _is_new(cell: Cell, decided: Sequence[RuleDecision]) -> bool:
    mine = (one for one in decided if same_name(one.juror, cell.juror))
    return is_new(
        (row.key for row in cell.rows()), (one for one in mine if same_name(one.topic, cell.topic))
    )


def _proposal(cell: Cell, found: Deserved, bench: Bench) -> RuleProposal:
    rule = WeightRule(juror=cell.juror, topic=cell.topic, weight=found.weight)
    holds = multiplier(cell.juror, cell.topic, bench.rules).rule
    replaces = holds if holds and same_name(holds.topic, cell.topic) else None
    replay = under_rule(rule, [one.sitting for one in cell.heard[-REPLAYED:]], bench)
    row = found.posterior
    return RuleProposal(
        juror=cell.juror,
        topic=cell.topic,
        weight=found.weight,
        replaces=replaces.weight if replaces else None,
        basis=found.basis,
        n_dissents=len(cell.dissents),
        answered=len(cell.known),
        right=cell.right,
        others_right=round(cell.others_right, 2),
        posterior=(round(row.mean, 4), row.low, row.high) if row else None,
        others_posterior=None if found.others is None else round(found.others, 4),
        learned=found.learned,
        evidence=cell.rows(),
        counterfactual=replay,
        expires_at=_expiry(cell),
        words=_words(cell, found, replay),
    )


def _words(cell: Cell, found: Deserved, replay: Counterfactual) -> str:
    """Return the case for a rule, from the figures alone."""
    dissents = cell.dissents
    if found.basis == "outcomes":
        told = f"On {cell.topic}, {cell.juror} was right in {cell.right} of {len(cell.known)}, the "
        told += f"others in {cell.others_right:.3g} of the same ({len(dissents)} dissents)."
    else:
        known = sum(one.sitting.right is not None for one in dissents)
        told = f"On {cell.topic}, {cell.juror} did not go along with the verdict on "
        told += f"{len(dissents)} questions; "
        told += f"it turned out right on {known}." if known else "what was right is not recorded."
    return f"{told} {_would_have(replay)}"


def _would_have(replay: Counterfactual) -> str:
    if not replay.turned:
        return f"Under the rule none of {replay.replayed} past verdicts would have been another."
    told = f"Under the rule {len(replay.turned)} of {replay.replayed} past verdicts would have "
    return told + f"been another: {replay.better} better, {replay.worse} worse as far as is known."


def _evidence(proposal: RuleProposal) -> str:
    """Return the evidence for the rule's line: figures only, no word of a juror."""
    if proposal.basis == "outcomes":
        told = f"right in {proposal.right} of {proposal.answered}, others in "
        return f"{told}{proposal.others_right:g}; {proposal.n_dissents} dissents"
    return f"{proposal.n_dissents} dissents, no outcomes"


def _rank(proposal: RuleProposal) -> tuple[bool, int, int, str, str]:
    return (
        proposal.basis != "outcomes",
        -_gain(proposal),
        -proposal.n_dissents,
        proposal.topic,
        proposal.juror,
    )


def _gain(proposal: RuleProposal) -> int:
    return proposal.counterfactual.better - proposal.counterfactual.worse
