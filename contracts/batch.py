"""Many questions in one run, kept so that the run can be carried on."""

from datetime import datetime, timedelta
from typing import Literal, Self

from pydantic import Field

from contracts.base import Record, sha256_text
from contracts.deliberation import Deliberation
from contracts.juror import Roster
from contracts.question import Question
from contracts.verdict import VerdictStatus

Reuse = Literal["never", "batch", "1d", "always"]
"""Within what an earlier opinion on the same question may be used again."""
StageMode = Literal["tasks", "inline"]
"""Every stage a task, or each question one task over the plain functions."""


class BatchItem(Record):
    """One row: its key within the batch, and the question."""

    key: str
    """The row's own id, else made from the question: the same file gives the same keys."""
    question: Question


class Batch(Record):
    """What a batch set out to do. Written before the first juror is asked."""

    batch_id: str
    source: str
    """Name of the file, for people; it is not read again."""
    items: tuple[BatchItem, ...]
    roster: Roster
    reuse: Reuse = "batch"
    arena: str = "off"
    """When a verdict is attacked, in the words of `council ask --arena`."""
    started_at: datetime

    def deliberation_id(self, item: BatchItem) -> str:
        """Return the id of an item's deliberation: the same however often it is carried on."""
        return self.id_of(self.batch_id, item.key)

    @staticmethod
    def id_of(batch_id: str, key: str) -> str:
        """Return the id of the deliberation of a batch's row."""
        return sha256_text(f"{batch_id}\x00{key}")[:16]

    def scope(self, item: BatchItem) -> str:
        """Return within what an opinion on this item may be used again."""
        own = self.deliberation_id(item)
        return {"never": own, "batch": self.batch_id}.get(self.reuse, self.reuse)

    @property
    def keep(self) -> timedelta | None:
        """How long an opinion may be used again; None is for ever."""
        return timedelta(days=1) if self.reuse == "1d" else None


class Budget(Record):
    """What a batch may spend; None is without limit."""

    max_cost_usd: float | None = Field(default=None, gt=0)
    max_calls: int | None = Field(default=None, gt=0)
    max_minutes: float | None = Field(default=None, gt=0)


class Settled(Record):
    """What one question came to, as its batch counts it."""

    status: VerdictStatus
    split: str
    failed_seats: int
    reused_opinions: int
    calls: int
    cost_usd: float

    @classmethod
    def of(cls, done: Deliberation) -> Self:
        """Return what a deliberation came to; an opinion heard earlier was paid for earlier."""
        fresh = [opinion for opinion in done.opinions if "reused" not in opinion.flags]
        spent = [opinion.usage for opinion in fresh]
        spent += done.contest.spent if done.contest else ()
        return cls(
            status=done.verdict.status,
            split=done.verdict.split,
            failed_seats=len(done.verdict.failed_seats),
            reused_opinions=len(done.opinions) - len(fresh),
            calls=sum(usage.calls for usage in spent),
            cost_usd=sum(usage.cost_usd or 0.0 for usage in spent),
        )


class BatchReport(Record):
    """What became of a batch so far, this run and earlier ones together."""

    batch_id: str
    total: int
    decided: int
    """With an option: unanimous, majority, plurality or contested."""
    hung: int
    no_quorum: int
    left: int
    """Questions that have no deliberation yet."""
    done_now: int
    """Deliberations that this run made."""
    failed_seats: int
    reused_opinions: int
    calls: int
    cost_usd: float
    splits: dict[str, int]
    """How many deliberations ended with each split."""
    stopped: str | None = None
    """Why it stopped before the end, in words."""
