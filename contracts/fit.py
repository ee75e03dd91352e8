"""What was learned from outcomes: how far each juror can be trusted, on what, and beside whom."""

from functools import cached_property
from typing import Literal

from pydantic import Field

from contracts.base import Record
from contracts.skill import ANY_TOPIC

Stage = Literal["alone", "debated"]
"""A vote given before the others were read, or after: each is weighed and calibrated apart."""

CalibratorKind = Literal["none", "platt", "context"]


EDGE = 1e-4
"""A confidence is never nearer than this to 0 or 1."""
ENOUGH = 30
"""Outcomes of a stage from which it is judged by what was learned from it alone."""


class PastVote(Record):
    """One juror's vote on a question of which it later turned out what was right."""

    question_id: str
    topic: str
    juror: str
    option: str | None
    """None for an abstention."""
    right: str | None
    """The option that turned out to be right; None while that is not known."""
    n_options: int | None = Field(default=None, ge=1)
    """Options that could be chosen; None where anything could be said."""
    stage: Stage = "alone"


class Reliability(Record):
    """Beta posterior of a juror being right on a topic, shrunk to its overall rate."""

    juror: str
    topic: str
    """A topic, or `*` for all of them (shrunk to the roster's rate)."""
    right: int = Field(ge=0)
    answered: int = Field(ge=0)
    alpha: float = Field(gt=0)
    beta: float = Field(gt=0)
    low: float = Field(ge=0, le=1)
    """2.5 % quantile of the posterior."""
    high: float = Field(ge=0, le=1)
    """97.5 % quantile of the posterior."""

    @property
    def mean(self) -> float:
        """Posterior mean, in (0, 1)."""
        return self.alpha / (self.alpha + self.beta)

    @property
    def spread(self) -> float:
        """Posterior standard deviation."""
        strength = self.alpha + self.beta
        return float((self.alpha * self.beta / (strength + 1)) ** 0.5 / strength)


class Overlap(Record):
    """How far two jurors err on the same questions."""

    one: str
    other: str
    correlation: float = Field(ge=-1, le=1)
    """Phi of their errors, shrunk to the mean of all pairs."""
    n: int
    """Questions that both answered."""


class Coefficients(Record):
    """What turns reliability into weights: a conditional logit over votes, none below 0."""

    log_odds: float = Field(ge=0)
    """Per unit of log-odds of a juror that is better than chance."""
    below_chance: float = Field(ge=0)
    """Per unit of log-odds of a juror that is worse than chance."""
    beyond: tuple[float, ...] = ()
    """Per unit of log-odds above a share of the strongest juror's, for each share of `SHARES`."""
    juror: dict[str, float] = Field(default_factory=dict)
    """Each juror's own part, beside what its reliability says."""
    none_of_these: float = 0.0
    """Log-odds that the right option is one that nobody named, beyond their number."""


class Calibrator(Record):
    """What turns the model's probability into the frequency that was observed."""

    kind: CalibratorKind = "none"
    terms: dict[str, float] = Field(default_factory=dict)
    """Log-odds per unit of each named term; `platt` has two of them, `context` all."""
    topics: dict[str, float] = Field(default_factory=dict)
    """Context: log-odds by which verdicts on a topic are right more often than elsewhere."""
    n_outcomes: int = 0
    log_loss: float | None = None
    """Cross-validated, in nats."""
    log_loss_uncalibrated: float | None = None


class StageFit(Record):
    """All that was learned from votes of one stage."""

    stage: Stage
    n_outcomes: int
    roster_rate: float = Field(gt=0, lt=1)
    """Share of all votes that were right, smoothed."""
    juror_strength: float = Field(gt=0)
    """Outcomes that the roster's rate counts for in a juror's rate."""
    topic_strength: float = Field(gt=0)
    """Outcomes that a juror's overall rate counts for in its rate on a topic."""
    reliability: tuple[Reliability, ...]
    overlaps: tuple[Overlap, ...] = ()
    mean_overlap: float = 0.0
    coefficients: Coefficients
    calibrator: Calibrator

    @cached_property
    def _cells(self) -> dict[tuple[str, str], Reliability]:
        return {(row.juror, row.topic): row for row in self.reliability}

    @cached_property
    def _pairs(self) -> dict[frozenset[str], float]:
        return {frozenset((pair.one, pair.other)): pair.correlation for pair in self.overlaps}

    def reliability_of(self, juror: str, topic: str) -> Reliability | None:
        """Return the row of `juror` on `topic`, else its overall row, else None."""
        return self._cells.get((juror, topic)) or self._cells.get((juror, ANY_TOPIC))

    def overlap_of(self, one: str, other: str) -> float:
        """Return the error correlation of two jurors; the mean of all pairs where not measured."""
        return self._pairs.get(frozenset((one, other)), self.mean_overlap)


class Fit(Record):
    """What the council has learned. Rebuilt from the same outcomes, it has the same bytes."""

    form: int = 1
    """Number of the record's form."""
    source: Literal["outcomes", "agreement"] = "outcomes"
    """`agreement`: nothing turned out yet; jurors were only compared with each other."""
    seed: int = 0
    alone: StageFit | None = None
    debated: StageFit | None = None

    def stage(self, stage: Stage) -> StageFit | None:
        """Return what was learned for `stage`; the other stage's while that has more to go by."""
        own, other = (self.alone, self.debated) if stage == "alone" else (self.debated, self.alone)
        if own is None or other is None:
            return own or other
        return other if own.n_outcomes < min(ENOUGH, other.n_outcomes) else own
