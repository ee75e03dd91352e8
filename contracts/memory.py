"""The judge's only knowledge of the past, and the policy it judges by."""

from pydantic import Field

from contracts.base import Record
from contracts.skill import WeightRule


class Precedent(Record):
    """An earlier verdict on the like."""

    deliberation_id: str
    question: str
    option: str | None
    confidence: float


class Memory(Record):
    """Everything from the past that may shape a verdict. Its hash is kept with the verdict."""

    rules: tuple[WeightRule, ...] = ()
    precedents: tuple[Precedent, ...] = ()
    notes: tuple[str, ...] = ()
    """What could not be recalled, in words; shown with the verdict."""


class Policy(Record):
    """The house rules of judging."""

    quorum: int = Field(default=2, ge=1)
    """Opinions with a stance that are needed at least …"""
    quorum_share: float = Field(default=0.5, ge=0, le=1)
    """… and as a share of all seats."""
    tie_margin: float = Field(default=1e-9, ge=0)
    """Weights closer than this are a tie, and a tie is hung."""
    debate: bool = True
