"""Bouts of the Hyde arena: an attack on a verdict, the rebuttal, blind scores, what came of it."""

from datetime import datetime
from typing import Literal, Self

from pydantic import Field, model_validator

from contracts.activation import Activation
from contracts.base import Record
from contracts.memory import Policy
from contracts.opinion import Opinion, Usage
from contracts.verdict import Verdict

BoutOutcome = Literal["upheld", "weakened", "overturned", "draw"]
"""The verdict stands; stands with a real cost; does not stand; the scorers could not tell."""
Side = Literal["A", "B"]
Pick = Literal["A", "B", "neither"]
Role = Literal["persona", "attacker", "rebutter"]


class Plea(Record):
    """What a seat said in a bout, and where it came from."""

    juror: str
    raw: str = ""
    """The reply as it came (capped)."""
    via: str = ""
    model: str = ""
    simulated: bool = False
    prompt_sha256: str = ""
    usage: Usage = Usage()


class Attack(Plea):
    """The strongest case against a verdict that a persona could make."""

    claim: str | None
    """None when it found no weakness that it could stand behind."""
    assumption: str = ""
    """What the verdict takes for granted and the attack breaks."""
    severity: int = Field(ge=1, le=5)
    """As the attacker states it: 1 is a detail, 5 settles the question."""
    option: str | None = None
    """What it would choose instead."""
    fault: str | None = None
    """Why its reply is no attack: `refused`, `declined`, `unreadable`."""


class Rebuttal(Plea):
    """The answer to an attack, for the verdict."""

    answer: str
    struck: str | None = None
    """Why it was struck out; the reasons on record were then scored in its place."""


class Score(Plea):
    """One blind reading of a bout by one scorer, in one order of the sides."""

    attack_side: Side
    picked: Pick | None = None
    """The side whose argument is the better one; None with a `fault`."""
    weight: int | None = Field(default=None, ge=1, le=5)
    """How much the better side's point counts in answering the question."""
    reason: str = ""
    fault: str | None = None
    """Why it does not count: a `ProviderError.kind`, `unreadable`, or `no_check_word`."""

    @model_validator(mode="after")
    def _pick_or_fault(self) -> Self:
        if (self.picked is None) != (self.fault is not None):
            raise ValueError("a score has a pick or a fault, and not both")
        return self

    @property
    def stronger(self) -> Literal["attack", "rebuttal", "neither"] | None:
        """Which side won, whatever letter it had."""
        if self.picked is None or self.picked == "neither":
            return self.picked
        return "attack" if self.picked == self.attack_side else "rebuttal"


class Bout(Record):
    """One persona's attack on a verdict. It has an outcome, or the reason why it is void."""

    bout_id: str
    persona: str
    round: int = Field(default=1, ge=1)
    """1 for the first attacks on a verdict, then those by personas that had read the earlier."""
    topic: str
    option: str
    """The option that was attacked."""
    attack: Attack | None = None
    rebuttal: Rebuttal | None = None
    scores: tuple[Score, ...] = ()
    outcome: BoutOutcome | None = None
    severity: int | None = Field(default=None, ge=1, le=5)
    """Of an attack that landed: the stated one, at most what the scorers found it to weigh."""
    self_scored: bool = False
    """Scored by the seat that attacked, for want of others: it cannot overturn."""
    void: str | None = None
    """Why it does not count."""

    @model_validator(mode="after")
    def _outcome_or_void(self) -> Self:
        if (self.outcome is None) != (self.void is not None):
            raise ValueError("a bout has an outcome or the reason why it is void, and not both")
        return self

    @property
    def landed(self) -> bool:
        """Whether the verdict suffered."""
        return self.outcome in ("weakened", "overturned")

    @property
    def pleas(self) -> tuple[Plea, ...]:
        """Everything that was said in it."""
        said = (self.attack, self.rebuttal, *self.scores)
        return tuple(plea for plea in said if plea is not None)


class Contest(Record):
    """An arena as a deliberation keeps it: the bouts, and the verdict before and after them."""

    bouts: tuple[Bout, ...]
    judged: Verdict
    """The verdict that was attacked."""
    settled: Verdict
    """What the bouts made of it; the last word unless the debate was reopened."""

    @property
    def spent(self) -> tuple[Usage, ...]:
        """What each call of the bouts cost; a reopened round costs beside it."""
        return tuple(plea.usage for bout in self.bouts for plea in bout.pleas)


class Arena(Record):
    """An arena held over a verdict that was kept earlier. That one stays as it is."""

    schema_number: int = 1
    arena_id: str
    deliberation_id: str
    policy: Policy
    contest: Contest
    opinions: tuple[Opinion, ...] = ()
    """Of the reopened round."""
    verdict: Verdict
    """The settled one, or the one judged after the reopened round."""
    activations: tuple[Activation, ...] = ()
    engine: Literal["direct", "prefect"]
    flow_run_id: str | None = None
    started_at: datetime
    finished_at: datetime


class Rating(Record):
    """Strength of one persona, attacker or rebutter: Bradley–Terry, in nats, 0 on average."""

    role: Role
    subject: str
    """Name of the persona or of the seat."""
    strength: float
    low: float
    """2.5 % quantile."""
    high: float
    """97.5 % quantile."""
    n: int
    """Bouts that counted."""
    won: int
    drawn: int


class Ratings(Record):
    """All ratings, as a refit keeps them."""

    schema_number: int = 1
    computed_at: datetime
    n_bouts: int
    ratings: tuple[Rating, ...]
