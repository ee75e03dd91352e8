"""What each vote on a question weighs, and why."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import exp, log
from typing import NamedTuple

from contracts.fit import Fit, Reliability, Stage, StageFit
from contracts.skill import ANY_TOPIC
from tasks.judging.agreement import effective_jurors
from tasks.judging.evidence import Seat, vote_weights
from tasks.judging.history import option_count
from tasks.judging.reliability import FLOOR

EQUAL = "equal weight: no outcomes yet"
NOTABLE_OVERLAP = 0.3
TIE_BREAK = 0.01
"""How far agreement alone may move a weight from 1."""


class Asked(NamedTuple):
    """What a question is to the judge."""

    topic: str
    stage: Stage
    n_options: int


@dataclass(frozen=True, slots=True)
class JurorWeight:
    """One vote. `weight` is 1 for the average vote on this question, before rules."""

    juror: str
    option: str
    weight: float
    why: str


@dataclass(frozen=True, slots=True)
class Weighing:
    """The votes on one question, weighed. The verdict is the option with the most weight."""

    votes: tuple[JurorWeight, ...]
    """By name of the juror."""
    options: dict[str, float]
    """Weight of each option that was named, heaviest first."""
    posterior: dict[str, float]
    """Probability of each option that was named, in the same order; without outcomes, their
    smoothed share."""
    none_of_these: float
    """Probability that the right option is one that nobody named."""
    effective_jurors: float | None
    """Independent jurors that these amount to; None where it was never measured."""
    topic: str
    stage: Stage
    n_options: int
    """Options reckoned with: at least those that were named."""

    @property
    def leader(self) -> str | None:
        """The heaviest option; of equals the first by name."""
        return next(iter(self.options), None)


def weigh(
    votes: Mapping[str, str],
    n_options: int | None,
    topic: str,
    fit: Fit | None,
    rules: Mapping[str, float] | None = None,
    *,
    stage: Stage = "alone",
) -> Weighing:
    """Weigh votes (juror → option) on a question of `topic` with `n_options` (None: open).

    Weights are finite and ≥ 0. `rules` multiplies a juror's weight (1 where it has no entry): a
    larger multiplier never helps another option. Nothing depends on the order of the votes.
    """
    learned = fit.stage(stage) if fit else None
    ordered = sorted(votes.items())
    kinds = option_count(n_options, len(set(votes.values())))
    asked = Asked(topic, stage, kinds)
    if learned is None:
        ballots = [JurorWeight(juror, option, 1.0, EQUAL) for juror, option in ordered]
        return _share_out(_multiply(ballots, rules or {}), asked)
    if learned.n_outcomes == 0:
        ballots = [_agreed(juror, option, learned) for juror, option in ordered]
        return _share_out(_multiply(ballots, rules or {}), asked)
    return _weigh_measured(ordered, asked, learned, rules or {})


def _agreed(juror: str, option: str, learned: StageFit) -> JurorWeight:
    """Weigh by agreement alone: near enough to 1 that 64 jurors cannot turn a majority by it."""
    row = learned.reliability_of(juror, ANY_TOPIC)
    if row is None:
        return JurorWeight(juror, option, 1.0, EQUAL)
    weight = 1 + TIE_BREAK * (row.mean - learned.roster_rate)
    why = f"no outcomes yet; by agreement right in {row.right} of {row.answered}: breaks ties only"
    return JurorWeight(juror, option, weight, why)


def _weigh_measured(
    votes: list[tuple[str, str]], asked: Asked, learned: StageFit, rules: Mapping[str, float]
) -> Weighing:
    rows = [learned.reliability_of(juror, asked.topic) for juror, _ in votes]
    own = [learned.coefficients.juror.get(juror, 0.0) for juror, _ in votes]
    seats = [_seat(row, part, asked, learned) for row, part in zip(rows, own, strict=True)]
    raw = vote_weights(seats, learned.coefficients)
    base, against = _not_below_zero(votes, raw)
    mean = sum(base) / len(base) if base else 0.0
    unit = mean if mean > 0 else 1.0
    scaled = [value / unit if mean > 0 else 1.0 for value in base]
    ballots = [
        JurorWeight(juror, option, weight, _why(row, weight, raw[i], (juror, votes), learned))
        for i, ((juror, option), row, weight) in enumerate(zip(votes, rows, scaled, strict=True))
    ]
    final = _multiply(ballots, rules)
    return _posterior(final, asked, (unit if mean > 0 else 0.0, against), learned)


def _seat(row: Reliability | None, own: float, asked: Asked, learned: StageFit) -> Seat:
    """Take a juror without outcomes as the roster's average one."""
    mean, spread = (row.mean, row.spread) if row else (learned.roster_rate, 0.0)
    kinds = asked.n_options
    return Seat(log_odds_of(mean, kinds), log_odds_of(mean + spread, kinds), own)


def log_odds_of(rate: float, n_options: int) -> float:
    """Log-odds of a vote against each other option, in nats; 0 at chance."""
    rate = min(max(rate, FLOOR), 1 - FLOOR)
    return log(rate * (n_options - 1) / (1 - rate))


def _not_below_zero(votes: list[tuple[str, str]], raw: list[float]) -> tuple[list[float], float]:
    """Turn evidence against an option into weight of those who chose another.

    A juror that is wrong more often than chance speaks for the options that it did not choose:
    every other camp gains what the juror's own would lose, which changes no difference between
    camps. The gain is shared in a camp in proportion to its jurors' weights. Returns the weights
    and what was added to every camp's score.
    """
    against = -sum(value for value in raw if value < 0)
    if not against:
        return raw, 0.0
    camps: dict[str, list[float]] = {}
    for (_, option), value in zip(votes, raw, strict=True):
        camps.setdefault(option, []).append(value)
    out = []
    for (_, option), value in zip(votes, raw, strict=True):
        mine = camps[option]
        plain = sum(max(v, 0.0) for v in mine)
        total = max(sum(mine) + against, 0.0)
        out.append(total * (max(value, 0.0) / plain if plain > 0 else 1 / len(mine)))
    return out, against


def _multiply(ballots: list[JurorWeight], rules: Mapping[str, float]) -> tuple[JurorWeight, ...]:
    out = []
    for ballot in ballots:
        factor = rules.get(ballot.juror, 1.0)
        ruled = f"; × {factor:g} by an approved rule" if factor != 1.0 else ""
        out.append(replace(ballot, weight=ballot.weight * factor, why=ballot.why + ruled))
    return tuple(out)


def _totals(ballots: tuple[JurorWeight, ...]) -> dict[str, float]:
    totals: dict[str, float] = {}
    for ballot in ballots:
        totals[ballot.option] = totals.get(ballot.option, 0.0) + ballot.weight
    return dict(sorted(totals.items(), key=lambda item: (-item[1], item[0])))


def _share_out(ballots: tuple[JurorWeight, ...], asked: Asked) -> Weighing:
    totals = _totals(ballots)
    whole = sum(totals.values()) + asked.n_options
    posterior = {option: (weight + 1) / whole for option, weight in totals.items()}
    unnamed = (asked.n_options - len(totals)) / whole
    return Weighing(ballots, totals, posterior, unnamed, None, *asked)


def _posterior(
    ballots: tuple[JurorWeight, ...], asked: Asked, scale: tuple[float, float], learned: StageFit
) -> Weighing:
    """Return the softmax of the camps' weights in nats, beside the options that nobody named."""
    totals, (unit, against) = _totals(ballots), scale
    score = {option: unit * weight - against for option, weight in totals.items()}
    unnamed = asked.n_options - len(totals)
    rest = learned.coefficients.none_of_these + log(unnamed) if unnamed else -1e9
    top = max((*score.values(), rest))
    odds = {option: exp(value - top) for option, value in score.items()}
    none = exp(rest - top) if unnamed else 0.0
    whole = sum(odds.values()) + none
    posterior = {option: value / whole for option, value in odds.items()}
    seats = effective_jurors([(ballot.juror, ballot.weight) for ballot in ballots], learned)
    return Weighing(ballots, totals, posterior, none / whole, seats, *asked)


def _why(
    row: Reliability | None,
    weight: float,
    raw: float,
    seat: tuple[str, list[tuple[str, str]]],
    learned: StageFit,
) -> str:
    if row is None:
        return f"no outcomes yet: taken as the average juror, counts {weight:.2f}"
    where = "all topics" if row.topic == ANY_TOPIC else row.topic
    told = f"right in {row.right} of {row.answered} on {where}, "
    told += f"{row.mean:.2f} ({row.low:.2f}–{row.high:.2f})"
    if raw < 0:
        told += ": less often than chance, so its vote speaks for the others"
        return f"{told}; counts {weight:.2f}"
    return f"{told}{_beside(seat, learned)}; counts {weight:.2f}"


def _beside(seat: tuple[str, list[tuple[str, str]]], learned: StageFit) -> str:
    juror, votes = seat
    others = [(learned.overlap_of(juror, name), name) for name, _ in votes if name != juror]
    overlap, name = max(others, default=(0.0, ""))
    if overlap < NOTABLE_OVERLAP:
        return ""
    return f"; its errors overlap with those of {name} ({overlap:.2f})"
