"""From stances to weighed ballots, and how sure they make the judge."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from contracts.fit import Stage
from contracts.memory import Memory
from contracts.opinion import OTHER, Opinion
from contracts.question import Question
from contracts.verdict import Ballot, Vote
from tasks.judging.rules import describe, multiplier

EQUAL = "equal weight: no outcomes yet"


class Cast(NamedTuple):
    """The ballots on one question, and the confidence that they give."""

    ballots: tuple[Ballot, ...]
    """Heaviest first; of equals by name."""
    rules: tuple[str, ...]
    """Rules that took part."""
    confidence: float
    """Of the leading option, in (0, 1)."""
    basis: str
    calibrated: bool = False
    n_outcomes: int = 0
    effective_jurors: float | None = None
    warnings: tuple[str, ...] = ()


class Ruled(NamedTuple):
    """What the approved rules make of the jurors that took a stance."""

    factors: dict[str, float]
    applied: tuple[str, ...]


def cast_ballots(
    question: Question, final: Mapping[str, Opinion], memory: Memory, stage: Stage
) -> Cast:
    """Weigh the stances: by what was learned where something was, else each juror alike.

    `final` has an opinion for every seat; one without a stance is a silent seat.
    """
    stances = {juror: said.stance for juror, said in sorted(final.items()) if said.stance}
    ruled = apply_rules(stances, question.topic, memory)
    if memory.fit is None or memory.fit.stage(stage) is None:
        return _equal(question, stances, ruled, seats=len(final))
    from tasks.judging.learned import cast_learned  # noqa: PLC0415 - imports numpy

    return cast_learned(question, stances, ruled, memory.fit, stage=stage, seats=len(final))


def apply_rules(jurors: Iterable[str], topic: str, memory: Memory) -> Ruled:
    """Return each juror's multiplier, and the rules that they come from."""
    found = {juror: multiplier(juror, topic, memory.rules) for juror in jurors}
    applied = {describe(one.rule) for one in found.values() if one.rule is not None}
    factors = {juror: one.value for juror, one in found.items()}
    return Ruled(factors, tuple(sorted(applied)))


def make_ballots(votes: Iterable[tuple[str, Vote]]) -> tuple[Ballot, ...]:
    """Gather votes, each with its option, into ballots."""
    by_option: dict[str, list[Vote]] = {}
    for option, vote in votes:
        by_option.setdefault(option, []).append(vote)
    weights = {option: sum(vote.weight for vote in mine) for option, mine in by_option.items()}
    total = sum(weights.values())
    return tuple(
        Ballot(
            option=option,
            votes=tuple(by_option[option]),
            weight=weight,
            share=weight / total if total else 0.0,
        )
        for option, weight in sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    )


def _equal(question: Question, stances: Mapping[str, str], ruled: Ruled, *, seats: int) -> Cast:
    ballots = make_ballots(
        (stance, Vote(juror=juror, weight=ruled.factors[juror], why=_why(ruled.factors[juror])))
        for juror, stance in stances.items()
    )
    kind = "weights from approved rules" if ruled.applied else "equal weights"
    return Cast(
        ballots,
        ruled.applied,
        _share(question, ballots, silent=seats - len(stances)),
        f"smoothed share of the votes, {kind}; not calibrated: no outcomes recorded yet",
    )


def _why(factor: float) -> str:
    return EQUAL if factor == 1.0 else f"{EQUAL}; × {factor:g} by an approved rule"


def _share(question: Question, ballots: Sequence[Ballot], *, silent: int) -> float:
    """Return (w + 1) / (W + K) of the leading option: Laplace's rule of succession.

    W is the weight of all seats, silent ones included; K the number of options.
    """
    kinds = max(len(question.options), len(ballots), 2)
    lead = next((ballot.weight for ballot in ballots if ballot.option != OTHER), 0.0)
    return (lead + 1) / (sum(ballot.weight for ballot in ballots) + silent + kinds)
