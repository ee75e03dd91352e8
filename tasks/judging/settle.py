"""Folds the bouts of the Hyde arena into the verdict that they attacked. Pure, order-free."""

from collections import Counter
from collections.abc import Sequence
from math import exp, log, log1p
from typing import Any

from contracts.bout import Bout
from contracts.deliberation import Deliberation
from contracts.fit import EDGE, ENOUGH
from contracts.memory import Memory, Policy
from contracts.verdict import ArenaSummary, Verdict, VerdictBefore
from tasks.judging.decide import decide

_ARENA = "arena:"
_HARM = {"overturned": 1.0, "weakened": 0.5}


def settle(verdict: Verdict, bouts: Sequence[Bout], policy: Policy) -> Verdict:
    """Return the verdict after its bouts; without bouts, or undecided, the verdict itself.

    The confidence loses `policy.arena.strength` nats of log-odds × the worst harm × the share of
    all weight on the harmed side, D / (D + U): the harm of an attack that landed is its severity
    out of 5, half as much where it only weakened, D is the sum of all harms and U the number of
    attacks that the verdict survived. So every attack survived costs nothing and softens the
    others, each one that lands costs something, a draw changes nothing, and the result is in
    (0, 1) and never above the judge's. With at least one overturned bout the status is `contested`.

    Args:
        verdict: as the judge gave it.
        bouts: in any order; void ones do not count.
        policy: its `arena` part.
    """
    if not bouts or not verdict.decided:
        return verdict
    summary = summarise(verdict, bouts)
    lost = policy.arena.strength * damage(bouts)
    changed: dict[str, Any] = {
        "arena": summary,
        "warnings": (*verdict.warnings, *_warnings(bouts, summary)),
    }
    if summary.overturned:
        changed["status"] = "contested"
    if lost > 0:
        changed |= _lowered(verdict, lost, policy.arena.outcomes)
    return verdict.model_copy(update=changed)


def damage(bouts: Sequence[Bout]) -> float:
    """Return the worst harm × D / (D + U), in [0, 1], as `settle` takes it."""
    harms = [_HARM[b.outcome] * (b.severity or 1) / 5 for b in bouts if b.outcome in _HARM]
    survived = sum(bout.outcome == "upheld" for bout in bouts)
    total = sum(sorted(harms))
    return max(harms) * total / (total + survived) if harms else 0.0


def summarise(verdict: Verdict, bouts: Sequence[Bout]) -> ArenaSummary:
    """Count what became of the bouts over `verdict`."""
    outcomes = Counter(bout.outcome for bout in bouts)
    return ArenaSummary(
        before=VerdictBefore(
            status=verdict.status,
            option=verdict.option,
            split=verdict.split,
            confidence=verdict.confidence,
        ),
        upheld=outcomes["upheld"],
        weakened=outcomes["weakened"],
        overturned=outcomes["overturned"],
        draws=outcomes["draw"],
        void=outcomes[None],
        worst_severity=max((bout.severity or 0 for bout in bouts if bout.landed), default=0),
    )


def strongest(bouts: Sequence[Bout]) -> Bout | None:
    """Return the attack that did most harm, else the gravest one that was made; None without any.

    Of equals the one whose persona comes first in the alphabet.
    """
    made = [b for b in bouts if b.attack and b.attack.claim and b.outcome]
    rank = {"overturned": 3, "weakened": 2, "draw": 1, "upheld": 0}

    def key(bout: Bout) -> tuple[int, int, int, str, str]:
        stated = bout.attack.severity if bout.attack else 0
        return (
            -rank[str(bout.outcome)],
            -(bout.severity or 0),
            -stated,
            bout.persona,
            bout.bout_id,
        )

    return min(made, key=key, default=None)


def after_reopening(settled: Verdict, judged_again: Verdict) -> Verdict:
    """Return the judge's second verdict, with what the arena had made of the first."""
    if settled.arena is None:
        return judged_again
    summary = settled.arena.model_copy(update={"reopened": True})
    told = tuple(warning for warning in settled.warnings if warning.startswith(_ARENA))
    warnings = (*judged_again.warnings, *told, f"{_ARENA} judged again after one more round")
    return judged_again.model_copy(update={"arena": summary, "warnings": warnings})


def with_learned_strength(policy: Policy, memory: Memory) -> Policy:
    """Return the policy with the strength that was learned from outcomes, where there is one."""
    if memory.arena_strength is None:
        return policy
    learned = {"strength": memory.arena_strength, "outcomes": memory.arena_outcomes}
    arena = policy.arena.model_copy(update=learned)
    return policy.model_copy(update={"arena": arena})


def rejudge(deliberation: Deliberation) -> Verdict:
    """Return the verdict that the recorded opinions, memory, policy and bouts give.

    For a sound record it is the recorded one, byte for byte. Under another memory the option may
    be another one; the bouts were not over that, and it stands as judged.
    """
    one = deliberation
    first = [opinion for opinion in one.opinions if opinion.round < 3]  # noqa: PLR2004
    judged = decide(one.question, first, one.memory, one.policy)
    if one.contest is None or judged.option != one.contest.judged.option:
        return judged
    settled = settle(judged, one.contest.bouts, with_learned_strength(one.policy, one.memory))
    if len(first) == len(one.opinions):
        return settled
    return after_reopening(settled, decide(one.question, one.opinions, one.memory, one.policy))


def _lowered(verdict: Verdict, nats: float, outcomes: int) -> dict[str, Any]:
    confidence = verdict.confidence
    odds = log(confidence) - log1p(-confidence) - nats
    share = 1 / (1 + exp(min(-odds, 700.0)))
    rule = f"learned from {outcomes} outcomes" if outcomes else "by a rule of the house"
    return {
        "confidence": min(max(share, EDGE), confidence),
        "calibrated": verdict.calibrated and outcomes >= ENOUGH,
        "basis": f"{verdict.basis}; lowered by what landed in the arena, {rule}",
    }


def _warnings(bouts: Sequence[Bout], summary: ArenaSummary) -> list[str]:
    told = sorted(
        f"{_ARENA} the attack of the {bout.persona} is void: {bout.void}"
        for bout in bouts
        if bout.void is not None
    )
    if any(bout.self_scored and bout.outcome for bout in bouts):
        told.append(f"{_ARENA} self-scored, for want of seats: it could not overturn the verdict")
    if summary.overturned:
        told.append(f"{_ARENA} contested, {summary.overturned} of {summary.counted} overturned it")
    return told
