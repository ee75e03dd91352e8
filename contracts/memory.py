"""The judge's only knowledge of the past, and the policy it judges by."""

from typing import Literal

from pydantic import Field

from contracts.base import Record, canonical_json, sha256_text
from contracts.evidence import PartialEvidence
from contracts.fit import Fit
from contracts.skill import WeightRule


class Weighed(Record):
    """A record that a verdict is a function of, known by its hash."""

    def sha256(self) -> str:
        """Return the hash of what differs from the defaults.

        A field that a later form adds does not change the hashes of what was kept before.
        """
        return sha256_text(canonical_json(self.model_dump(mode="json", exclude_defaults=True)))


class Precedent(Record):
    """An earlier verdict on the like."""

    deliberation_id: str
    question: str
    option: str | None
    confidence: float


class Memory(Weighed):
    """Everything from the past that may shape a verdict. Its hash is kept with the verdict."""

    rules: tuple[WeightRule, ...] = ()
    precedents: tuple[Precedent, ...] = ()
    notes: tuple[str, ...] = ()
    """What could not be recalled, in words; shown with the verdict."""
    fit: Fit | None = None
    """What was learned of these jurors on this topic; None while nothing was."""
    memory_id: str | None = None
    """Which learning the fit is a slice of."""
    arena_strength: float | None = Field(default=None, ge=0)
    """What landed attacks cost in nats, learned from outcomes; None takes the policy's."""
    arena_outcomes: int = Field(default=0, ge=0)
    """Outcomes behind it."""


ArenaMode = Literal["off", "auto", "contested-only", "always", "margin"]
"""When the arena is held over a verdict that decides: never; when it is not unanimous or the
question is tagged risky; when it is not unanimous; always; when the lead is below a margin."""


class ArenaPolicy(Record):
    """The house rules of the Hyde arena."""

    mode: ArenaMode = "off"
    margin: float = Field(default=0.0, ge=0, le=1)
    """With the mode `margin`: share of all weight below which a lead is contested."""
    personas: tuple[str, ...] = ()
    """Only these are cast; else those that apply."""
    bouts: int = Field(default=3, ge=1, le=32)
    """Personas cast in each round, at most."""
    rounds: int = Field(default=1, ge=1, le=10)
    """From the second on, the personas have read the earlier attacks."""
    scorers: int = Field(default=3, ge=1, le=9)
    """Seats that score each bout, at most; each is asked twice."""
    max_calls: int = Field(default=40, ge=4)
    """Calls to models, the reopened round included."""
    reopen: bool = False
    """Whether an overturned bout reopens the debate for one round."""
    overturning: int = Field(default=4, ge=1, le=5)
    """Severity from which an attack that lands overturns and does not only weaken."""
    strength: float = Field(default=2.0, ge=0, le=20)
    """Nats that a verdict loses which survives nothing of the worst severity."""
    outcomes: int = Field(default=0, ge=0)
    """Outcomes that the strength was learned from; 0 for a rule of the house."""


class Policy(Weighed):
    """The house rules of judging."""

    quorum: int = Field(default=2, ge=1)
    """Opinions with a stance that are needed at least …"""
    quorum_share: float = Field(default=0.5, ge=0, le=1)
    """… and as a share of all seats."""
    tie_margin: float = Field(default=1e-9, ge=0)
    """Weights closer than this are a tie, and a tie is hung."""
    debate: bool = True
    partial_evidence: PartialEvidence = "allow"
    """Whether jurors may be asked with less evidence than was wanted."""
    arena: ArenaPolicy = ArenaPolicy()
