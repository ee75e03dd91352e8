"""What delegated work brought before the jurors, and what a person decided where it failed."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from contracts.base import Record

PARTIAL = "partial_evidence"
"""Flag of an opinion that was given with partial evidence before it."""

PartialEvidence = Literal["allow", "forbid"]
Choice = Literal["accept_partial", "retry_with_note", "fail"]


class EvidenceFile(Record):
    """A verified file, as the jurors see it."""

    path: str
    content_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    """Of the whole file."""
    text: str | None
    """None where it is no text, and so cannot be shown."""
    cut: bool = False
    """Whether only its beginning is shown."""


class Evidence(Record):
    """What one contract brought."""

    name: str = Field(min_length=1, max_length=200)
    """Of the contract's file, without its ending."""
    delegation_id: str
    goal: str
    status: Literal["accepted", "partial"]
    files: tuple[EvidenceFile, ...] = ()
    notes: tuple[str, ...] = ()
    """What is missing, what failed, what could not be shown."""

    @property
    def partial(self) -> bool:
        """Whether the jurors see less than what was wanted."""
        return self.status == "partial" or any(f.cut or f.text is None for f in self.files)


class Decision(Record):
    """What a person decided about an escalated delegation; kept under its id."""

    delegation_id: str
    choice: Choice
    note: str = ""
    """For the child's next try, or why."""
    decided_at: datetime
