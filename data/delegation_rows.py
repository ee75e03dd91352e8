"""Rows of delegations, their attempts and the checks of what they left."""

from collections.abc import Iterator
from typing import Any

from contracts.checks import CheckResult
from contracts.delegation import AuditRow, DelegationRecord

Rows = Iterator[tuple[str, dict[str, Any]]]


def delegation_rows(record: DelegationRecord) -> Rows:
    """Yield a delegation and what every check of it found."""
    yield "delegations", _delegation(record)
    for attempt in record.attempts:
        key = {"delegation_id": record.delegation_id, "attempt": attempt.number}
        for result in attempt.verification.results:
            yield "delegation_checks", key | _check(result)


def attempt_rows(row: AuditRow) -> Rows:
    """Yield the one row of an attempt."""
    passed = {"artifact_paths": [*row.artifacts], "artifact_sha256": [*row.artifacts.values()]}
    named = {name: getattr(row, name) for name in _AUDITED}
    yield "delegation_attempts", named | passed | {"ended_at": row.at}


def _delegation(record: DelegationRecord) -> dict[str, Any]:
    contract, taken = record.contract, record.finished_at - record.started_at
    return {
        **{name: getattr(record, name) for name in _SAME},
        "goal": contract.goal,
        "risk": contract.risk,
        "on_fail": contract.on_fail,
        "child": record.attempts[-1].child,
        "attempts": len(record.attempts),
        "deliverables": len(contract.deliverables),
        "artifacts": len(record.artifacts),
        "duration_ms": taken.total_seconds() * 1000,
    }


_SAME = (
    "delegation_id",
    "purpose",
    "deliberation_id",
    "parent_session",
    "contract_sha256",
    "status",
    "notes",
    "tokens",
    "cost_usd",
    "simulated",
    "started_at",
    "finished_at",
)


_AUDITED = tuple(name for name in AuditRow.model_fields if name not in {"at", "artifacts"})


def _check(result: CheckResult) -> dict[str, Any]:
    same = ("path", "expected", "found", "sentence", "recoverable")
    named = {name: getattr(result, name) for name in same}
    return {"check_name": result.check, "passed": result.ok, **named}
