"""What turned out to be right, recorded by a person or a system that knows."""

from functools import cached_property

from pydantic import AwareDatetime, Field

from contracts.base import Record


class Outcome(Record):
    """The truth about one deliberation. A later record corrects an earlier one."""

    schema_number: int = 1
    deliberation_id: str = Field(min_length=1)
    right_option: str = Field(min_length=1)
    """An option of the question, or `other` when none of them was right."""
    by: str
    """Who says so."""
    note: str = ""
    """How it is known."""
    recorded_at: AwareDatetime

    @cached_property
    def outcome_id(self) -> str:
        """Hex SHA-256 of the canonical form: the same record twice is one."""
        return self.sha256()
