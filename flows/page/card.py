"""The verdict card as plain values: what the template shows, worked out from the record alone."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from contracts.bout import Bout
from contracts.deliberation import Deliberation
from contracts.opinion import OTHER, Opinion
from contracts.question import letter
from contracts.skill import WeightRule
from contracts.verdict import ChangedMind, Dissent, FailedSeat, Verdict, VerdictBefore
from tasks.arena.words import arena_lines
from tasks.judging.rules import describe, same_name
from tasks.reading.request_rules import SENT

COLOURS = 6
"""Camps that have a colour of their own; every camp has a letter as well."""
HELD = {
    "upheld": ("held", "The verdict held."),
    "weakened": ("weakened", "It weakened the verdict."),
    "overturned": ("not held", "The verdict did not hold."),
    "draw": ("undecided", "The scorers could not tell."),
}


class Seat(NamedTuple):
    """A juror's chip, and what stands behind it."""

    juror: str
    camp: int | None
    """Place of its option, for letter and colour; None for one outside, or silent."""
    mark: str
    """The option's letter; `∗` outside the options; `–` for no answer."""
    stance: str
    first: Opinion
    last: Opinion
    changed: ChangedMind | None
    failed: FailedSeat | None
    weight: str
    why: str
    via: str


class Camp(NamedTuple):
    """An option, who holds it, and with how much weight."""

    camp: int | None
    mark: str
    option: str
    jurors: tuple[str, ...]
    share: float


class RuleShown(NamedTuple):
    """An approved rule that weighed in."""

    text: str
    evidence: str
    sent: bool
    """It came with the question from a browser."""


class BoutShown(NamedTuple):
    """An arena bout in words."""

    persona: str
    claim: str
    rebuttal: str
    severity: int
    held: str
    told: str


class Card(NamedTuple):
    """One deliberation, ready to be shown."""

    deliberation: Deliberation
    headline: str
    standing: str
    sure: int
    """Confidence in per cent."""
    calibration: str
    seats: tuple[Seat, ...]
    camps: tuple[Camp, ...]
    dissents: tuple[Dissent, ...]
    before: VerdictBefore | None
    """Where the debate turned the verdict."""
    arena: tuple[str, ...]
    bouts: tuple[BoutShown, ...]
    rules: tuple[RuleShown, ...]
    cost: str
    partial: tuple[str, ...]
    """Jurors that had partial evidence before them."""
    seconds: float
    dashboard: str | None

    @property
    def verdict(self) -> Verdict:
        """The verdict."""
        return self.deliberation.verdict

    @property
    def split_line(self) -> str:
        """The disagreement in one line: what is read without opening anything."""
        return _split_line(self.verdict)


def card_of(done: Deliberation, dashboard: str | None = None) -> Card:
    """Return the card of a deliberation; `dashboard` is the address of its flow run."""
    verdict = done.verdict
    seats = tuple(_seats(done))
    turned = verdict.before_debate
    return Card(
        deliberation=done,
        headline=verdict.option or "No verdict",
        standing=verdict.status.replace("_", " "),
        sure=round(verdict.confidence * 100),
        calibration=_calibration(verdict),
        seats=seats,
        camps=tuple(_camps(done)),
        dissents=verdict.dissents,
        before=turned if turned and turned.option != verdict.option else None,
        arena=tuple(arena_lines(done.contest, verdict)) if done.contest else (),
        bouts=tuple(map(_bout, done.contest.bouts)) if done.contest else (),
        rules=tuple(_rules(done)),
        cost=_cost(done),
        partial=tuple(o.juror for o in done.opinions if "partial_evidence" in o.flags),
        seconds=(done.finished_at - done.started_at).total_seconds(),
        dashboard=dashboard,
    )


def camp_of(stance: str | None, options: Sequence[str]) -> int | None:
    """Return the place of a stance among the options."""
    return options.index(stance) if stance in options else None


def mark_of(stance: str | None, options: Sequence[str]) -> str:
    """Return the sign of a stance."""
    camp = camp_of(stance, options)
    if camp is not None:
        return letter(camp)
    return "–" if stance is None else "∗"


def _seats(done: Deliberation) -> Iterator[Seat]:
    verdict, options = done.verdict, done.question.option_names
    votes = {vote.juror: vote for ballot in verdict.ballots for vote in ballot.votes}
    total = sum(vote.weight for vote in votes.values()) or 1.0
    for spec in done.roster.jurors:
        mine = sorted((o for o in done.opinions if o.juror == spec.name), key=lambda o: o.round)
        if not mine:
            continue
        heard = [opinion for opinion in mine if opinion.stance is not None]
        last = (heard or mine)[-1]
        vote = votes.get(spec.name)
        yield Seat(
            juror=spec.name,
            camp=camp_of(last.stance, options),
            mark=mark_of(last.stance, options),
            stance=_stance(last),
            first=mine[0],
            last=last,
            changed=next((c for c in verdict.changed_minds if c.juror == spec.name), None),
            failed=next((f for f in verdict.failed_seats if f.juror == spec.name), None),
            weight=f"weight {vote.weight / total:.0%}" if vote else "no vote",
            why=vote.why if vote else "",
            via=_via(last),
        )


def _stance(opinion: Opinion) -> str:
    if opinion.stance == OTHER:
        return opinion.position or "something else"
    return opinion.stance or (opinion.abstain_reason or "no answer").replace("_", " ")


def _via(opinion: Opinion) -> str:
    if opinion.simulated:
        return "stand-in, no model asked"
    return via_line(opinion.model, opinion.via)


def via_line(model: str, provider: str) -> str:
    """Return what is asked through what."""
    return f"{model} via {provider.replace('_', ' ')}"


def _camps(done: Deliberation) -> Iterator[Camp]:
    options = done.question.option_names
    for ballot in done.verdict.ballots:
        jurors = tuple(vote.juror for vote in ballot.votes)
        name = "Something else" if ballot.option == OTHER else ballot.option
        mark = mark_of(ballot.option, options)
        yield Camp(camp_of(ballot.option, options), mark, name, jurors, ballot.share)


def _calibration(verdict: Verdict) -> str:
    outcomes = f"{verdict.n_outcomes} recorded outcome{'s' if verdict.n_outcomes != 1 else ''}"
    return f"calibrated on {outcomes}" if verdict.calibrated else f"not calibrated: {outcomes}"


def _rules(done: Deliberation) -> Iterator[RuleShown]:
    for rule in done.memory.rules:
        if _applied(rule, done.verdict.rules_applied):
            yield RuleShown(describe(rule), rule.evidence, rule.approved_by == SENT)


def _applied(rule: WeightRule, applied: Sequence[str]) -> bool:
    return any(same_name(describe(rule), line) for line in applied)


def _bout(bout: Bout) -> BoutShown:
    held, told = HELD.get(bout.outcome or "", ("void", f"It does not count: {bout.void}."))
    return BoutShown(
        persona=bout.persona,
        claim=(bout.attack.claim if bout.attack else None) or "found nothing to attack",
        rebuttal=bout.rebuttal.answer if bout.rebuttal else "",
        severity=bout.severity or (bout.attack.severity if bout.attack else 0),
        held=held,
        told=told,
    )


def _cost(done: Deliberation) -> str:
    usages = [opinion.usage for opinion in done.opinions]
    if done.contest:
        usages += [plea.usage for bout in done.contest.bouts for plea in bout.pleas]
    calls = sum(usage.calls for usage in usages)
    tokens = sum((u.prompt_tokens or 0) + (u.completion_tokens or 0) for u in usages)
    known = [usage.cost_usd for usage in usages if usage.cost_usd is not None]
    price = f"${sum(known):.4f}" if any(known) else "no cost" if known else "price not told"
    if known and len(known) < len(usages):
        price = f"at least {price}"
    parts = [price, f"{calls} calls"] + ([f"{tokens:,} tokens"] if tokens else [])
    return " · ".join(parts)


def _split_line(verdict: Verdict) -> str:
    if verdict.dissents:
        n, chosen = len(verdict.dissents), {d.option for d in verdict.dissents}
        who = verdict.dissents[0].juror if n == 1 else f"{n} jurors"
        what = next(iter(chosen)) if len(chosen) == 1 else f"{len(chosen)} other options"
        return f"{who} chose {what}"
    if verdict.status == "hung":
        return "No side had more weight"
    return "Nobody dissented" if verdict.decided else "Too few were heard"
