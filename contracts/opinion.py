"""What a juror said in one round, and the stance that was read from it."""

from typing import Literal, Self

from pydantic import Field, model_validator

from contracts.base import Record

OTHER = "other"
"""Stance of a juror that chose something outside the options."""

StanceReading = Literal["explicit", "alias", "position", "reasons", "likelihood"]


class Usage(Record):
    """What one opinion cost."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    """None where the provider does not say."""
    latency_ms: float = 0.0
    calls: int = 0
    """Requests made for this opinion by the last attempt: 1, or 2 with the repair request."""


class Opinion(Record):
    """One juror's answer in one round. It holds a stance or the reason why there is none."""

    juror: str
    round: Literal[1, 2, 3] = 1
    """1 = isolated, 2 = after reading the others, 3 = reopened by the arena."""
    position: str | None = None
    """The answer in the juror's own words."""
    reasons: tuple[str, ...] = ()
    confidence: float | None = Field(default=None, ge=0, le=1)
    """As the juror states it; never used as a probability."""
    stance: str | None = None
    """An option's name, `other`, or None for an abstention."""
    stance_reading: StanceReading | None = None
    abstain_reason: str | None = None
    """A `ProviderError.kind`, or `unreadable`, `refused`, `no_stance`, `declined`."""
    abstain_detail: str | None = None
    """The cause in words, for people."""
    changed_by: str | None = None
    """Round 2: the argument that moved the juror, in its own words."""
    raw: str = ""
    """The reply as it came (capped), kept also when it could not be read."""
    flags: tuple[str, ...] = ()
    """What a reader should know: `truncated`, `repaired`, `model_mismatch`, `partial_evidence` …"""
    via: str = ""
    """The provider that answered: `offline`, `openai_compatible`, `hermes` …"""
    model: str = ""
    family: str = ""
    provider_version: str | None = None
    session_id: str | None = None
    simulated: bool = False
    """True for the stand-in: no model was asked."""
    prompt_sha256: str = ""
    usage: Usage = Usage()

    @model_validator(mode="after")
    def _stance_or_reason(self) -> Self:
        if (self.stance is None) != (self.abstain_reason is not None):
            raise ValueError("an opinion has a stance or an abstain_reason, and not both")
        return self

    @property
    def lead_reason(self) -> str:
        """The first reason, or nothing."""
        return self.reasons[0] if self.reasons else ""
