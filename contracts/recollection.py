"""What was recalled of earlier verdicts: what is used is what the memory keeps longest."""

from typing import Literal

from pydantic import AwareDatetime

from contracts.base import Record


class Recollection(Record):
    """One question to the memory, and who answered it from where."""

    schema_number: int = 1
    words: str
    """What was asked for."""
    by: Literal["hermes", "store"]
    model: str = ""
    """The model that answered from the memory of Hermes."""
    answer: str = ""
    ids: tuple[str, ...] = ()
    """First eight characters of the ids of the deliberations that were named."""
    recalled_at: AwareDatetime
