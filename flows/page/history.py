"""The past, searched and filtered."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from contracts.base import Record
from data.store import Store

SEARCHED = 5_000
"""The latest verdicts that are looked through."""
PER_PAGE = 20


class Row(Record):
    """One verdict of the list."""

    deliberation_id: str
    finished_at: datetime
    question: str
    status: str
    option: str | None
    split: str
    confidence: float
    topic: str
    simulated: bool


class Filters(Record):
    """What the list is narrowed to; what is empty narrows nothing."""

    q: str = ""
    """Words, each of which the question or the option has."""
    topic: str = ""
    status: str = ""

    def fits(self, row: Mapping[str, Any]) -> bool:
        """Whether a row is wanted."""
        text = f"{row['question']} {row['option'] or ''}".casefold()
        return (
            all(word in text for word in self.q.casefold().split())
            and self.topic in ("", row["topic"])
            and self.status in ("", row["status"])
        )


class Found(Record):
    """A stretch of the list."""

    verdicts: tuple[Row, ...]
    total: int
    """Verdicts that fit, of the latest 5,000."""
    offset: int
    topics: tuple[str, ...]
    """All there are, for the filter."""


def find_verdicts(
    store: Store, filters: Filters, *, limit: int = PER_PAGE, offset: int = 0
) -> Found:
    """Return the verdicts that fit, newest first."""
    rows = store.history(SEARCHED).records()
    fitting = [row for row in rows if filters.fits(row)]
    return Found(
        verdicts=tuple(Row.model_validate(row) for row in fitting[offset : offset + limit]),
        total=len(fitting),
        offset=offset,
        topics=tuple(sorted({row["topic"] for row in rows})),
    )
