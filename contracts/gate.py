"""What a data gate found."""

from datetime import datetime
from typing import Any, Literal

from contracts.base import Record


class GateCheck(Record):
    """One expectation and whether it held."""

    expectation: str
    column: str | None
    passed: bool
    severity: str
    unexpected: int
    """Rows that broke it."""
    examples: tuple[str, ...] = ()
    """Keys of the first rows that broke it."""
    detail: str = ""


class GateResult(Record):
    """One run of one suite over one frame."""

    gate_id: str
    gate: Literal["batch_in", "batch_out", "store"]
    batch_id: str | None
    passed: bool
    rows: int
    checks: tuple[GateCheck, ...]
    ran_at: datetime

    def summary(self) -> dict[str, Any]:
        """Return the figures that a list of gates shows."""
        failed = [check.expectation for check in self.checks if not check.passed]
        return {"gate": self.gate, "passed": self.passed, "rows": self.rows, "failed": failed}
