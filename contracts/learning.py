"""What one learning from the store came to."""

from functools import cached_property

from pydantic import AwareDatetime, Field

from contracts.base import Record
from contracts.fit import Fit


class Drift(Record):
    """A juror that is not what it was: its record starts anew where it changed."""

    juror: str
    since: str
    """Id of the first deliberation after the change."""
    noticed: str
    """Id of the deliberation whose outcome raised the alarm."""
    before: float = Field(ge=0, le=1)
    """Share of its answers that were right before."""
    n_before: int = Field(ge=1)
    right: int = Field(ge=0)
    """Since the change."""
    answered: int = Field(ge=1)
    """Since the change."""

    @property
    def worse(self) -> bool:
        """Whether it is right less often than it was."""
        return self.right / self.answered < self.before

    def told(self) -> str:
        """Return the alarm in words."""
        now = self.right / self.answered
        way = "less" if self.worse else "more"
        told = f"{self.juror} is right {way} often than it was: {self.right} of {self.answered}"
        return f"{told} ({now:.2f}) since deliberation {self.since[:8]}, {self.before:.2f} before"


class Learned(Record):
    """A fit and the changes that it allows for. From the same store it has the same bytes."""

    schema_number: int = 1
    fit: Fit
    drifts: tuple[Drift, ...] = ()
    arena_strength: float | None = Field(default=None, ge=0)
    """Nats that full damage in the arena costs, where outcomes tell; see `tasks.judging.settle`."""
    arena_outcomes: int = Field(default=0, ge=0)
    """Arenas with a known outcome behind it."""

    @cached_property
    def memory_id(self) -> str:
        """First 16 hex digits of the hash of the canonical form."""
        return self.sha256()[:16]

    @property
    def taught(self) -> bool:
        """Whether there was anything to learn from."""
        return self.fit.alone is not None or self.fit.debated is not None

    @property
    def n_outcomes(self) -> int:
        """Outcomes that it rests on."""
        stages = (self.fit.alone, self.fit.debated)
        return max((stage.n_outcomes for stage in stages if stage), default=0)


class Refit(Record):
    """A learning and when it was first made, as the journal keeps it."""

    schema_number: int = 1
    memory_id: str
    learned_at: AwareDatetime
    learned: Learned
