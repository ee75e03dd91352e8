"""A rule that the evidence speaks for, and what a person made of it."""

from functools import cached_property
from typing import Literal

from pydantic import AwareDatetime, Field

from contracts.base import Record

Basis = Literal["outcomes", "dissents"]
"""What turned out to be right; or, while nothing did, how often the juror did not go along."""


class DissentRow(Record):
    """One verdict that the juror did not go along with."""

    deliberation_id: str
    question: str
    """Its text, on one line, shortened."""
    stance: str
    """What the juror held."""
    verdict: str
    right: str | None = None
    """What turned out to be right; None while that is not known."""

    @property
    def key(self) -> str:
        """Tell one piece of evidence from another: an outcome makes it a new one."""
        return f"{self.deliberation_id}:{self.right or ''}"


class Turned(Record):
    """A past verdict that would have been another under the rule."""

    deliberation_id: str
    before: str | None
    """The option; None for no verdict."""
    after: str | None
    right: str | None = None


class Counterfactual(Record):
    """What past verdicts would have become under the rule, by the judge as it is now."""

    replayed: int = Field(ge=0)
    turned: tuple[Turned, ...] = ()
    better: int = Field(default=0, ge=0)
    """Wrong before and right after."""
    worse: int = Field(default=0, ge=0)
    """Right before and wrong after."""


class RuleProposal(Record):
    """A rule to approve or dismiss. A pure function of the store: equal evidence, equal id."""

    schema_number: int = 1
    juror: str
    topic: str
    weight: float = Field(gt=0, le=5)
    replaces: float | None = None
    """Weight of the approved rule that it would take the place of."""
    basis: Basis
    n_dissents: int = Field(ge=0)
    """Different questions on which it did not go along with the verdict."""
    answered: int = Field(default=0, ge=0)
    """Of its votes on the topic, those of which it is known what was right."""
    right: int = Field(default=0, ge=0)
    others_right: float = Field(default=0.0, ge=0)
    """On the same questions: the others' mean share of right answers, summed."""
    posterior: tuple[float, float, float] | None = None
    """Mean, 2.5 % and 97.5 % quantile of the juror being right on the topic."""
    others_posterior: float | None = None
    """Mean of the others being right on the topic."""
    learned: float | None = None
    """What the judge's learned weights give it already, relative to the others."""
    evidence: tuple[DissentRow, ...] = ()
    """Newest first."""
    counterfactual: Counterfactual
    expires_at: AwareDatetime
    """From then on it needs newer evidence."""
    words: str
    """The case for it in one or two sentences."""

    @cached_property
    def proposal_id(self) -> str:
        """First 12 hex digits of the hash of the canonical form."""
        return self.sha256()[:12]

    @property
    def evidence_keys(self) -> tuple[str, ...]:
        """Keys of its evidence. Not called `keys`: `dict()` would take the record for a mapping."""
        return tuple(row.key for row in self.evidence)


Decision = Literal["approved", "dismissed"]


class Decided(Record):
    """What a person decided on a proposal, of whatever kind."""

    schema_number: int = 1
    proposal_id: str
    decision: Decision
    topic: str
    evidence: tuple[str, ...]
    """Keys of the evidence that was in front of the person."""
    by: str
    note: str = ""
    decided_at: AwareDatetime

    @cached_property
    def decision_id(self) -> str:
        """Hex SHA-256 of the canonical form."""
        return self.sha256()


class RuleDecision(Decided):
    """What a person decided on a proposed rule."""

    juror: str
    weight: float
