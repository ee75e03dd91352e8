"""What the judge decides, and everything a reader needs to doubt it."""

from typing import Literal

from pydantic import Field

from contracts.base import Record

VerdictStatus = Literal["unanimous", "majority", "plurality", "hung", "no_quorum", "contested"]
DECIDED: frozenset[VerdictStatus] = frozenset({"unanimous", "majority", "plurality", "contested"})


class Vote(Record):
    """One juror's part in a ballot."""

    juror: str
    weight: float = Field(ge=0)
    why: str
    """Why it weighs that much, in words and numbers."""


class Ballot(Record):
    """A stance with its weight."""

    option: str
    votes: tuple[Vote, ...]
    weight: float = Field(ge=0)
    share: float = Field(ge=0, le=1)
    """Of all weight that was cast."""


class Dissent(Record):
    """A juror that did not go along."""

    juror: str
    option: str
    reason: str
    """Its lead reason on one line; says so when it gave none."""
    reading: str = "explicit"
    """How its stance was read."""


class ChangedMind(Record):
    """A juror whose stance after the debate is not the one before."""

    juror: str
    before: str
    after: str
    moved_by: str
    """The argument that moved it, in its own words; empty when it named none."""


class FailedSeat(Record):
    """A seat that gave no opinion. It stays in the denominator."""

    juror: str
    reason: str
    detail: str = ""


class VerdictBefore(Record):
    """The verdict as it stood before the debate."""

    status: VerdictStatus
    option: str | None
    split: str
    confidence: float


class ArenaSummary(Record):
    """What the Hyde arena made of a verdict."""

    before: VerdictBefore
    """The verdict that was attacked."""
    upheld: int = 0
    weakened: int = 0
    overturned: int = 0
    draws: int = 0
    """Bouts in which the scorers, or the two orders of the sides, disagreed."""
    void: int = 0
    """Bouts that do not count."""
    worst_severity: int = Field(default=0, ge=0, le=5)
    """Of the attacks that landed; 0 when none did."""
    reopened: bool = False
    """Whether the debate was reopened, and the verdict judged again after it."""

    @property
    def counted(self) -> int:
        """Bouts that count."""
        return self.upheld + self.weakened + self.overturned + self.draws


class Verdict(Record):
    """One verdict. A pure function of the question, the opinions, the memory and the policy."""

    status: VerdictStatus
    option: str | None
    """None when hung or without quorum."""
    split: str
    """Jurors per camp, largest first: `2–1`."""
    confidence: float = Field(gt=0, lt=1)
    """Probability that the option is right, as far as `basis` can tell."""
    calibrated: bool = False
    basis: str
    """What the confidence rests on, in words."""
    n_outcomes: int = 0
    """Recorded outcomes behind the calibration."""
    seats: int
    """Jurors that were asked."""
    ballots: tuple[Ballot, ...] = ()
    """Heaviest first."""
    dissents: tuple[Dissent, ...] = ()
    changed_minds: tuple[ChangedMind, ...] = ()
    failed_seats: tuple[FailedSeat, ...] = ()
    before_debate: VerdictBefore | None = None
    arena: ArenaSummary | None = None
    """What the arena made of it; None where none was held."""
    rules_applied: tuple[str, ...] = ()
    precedents: tuple[str, ...] = ()
    """Ids of earlier deliberations that were shown or weighed."""
    effective_jurors: float | None = None
    """Number of independent jurors that the counted ones amount to, where it was measured."""
    partial_evidence: tuple[str, ...] = ()
    """Ids of the delegations that brought less than was wanted, where a counted opinion saw it."""
    warnings: tuple[str, ...] = ()
    """Hollow consensus, partial evidence, simulated jurors: what a reader must know."""
    simulated: bool = False
    """True when any counted opinion came from the stand-in."""
    memory_sha256: str
    policy_sha256: str

    @property
    def decided(self) -> bool:
        """Whether there is a verdict to act on or to contest."""
        return self.status in DECIDED
