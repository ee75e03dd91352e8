"""Delegated work in a flow run: named tasks, a pause in which a person is asked, an artifact."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from prefect import task
from prefect.artifacts import acreate_table_artifact
from prefect.exceptions import FlowPauseTimeout
from prefect.flow_runs import apause_flow_run
from prefect.input import RunInput
from prefect.tasks import Task

from contracts.delegation import Attempt, DelegationRecord, Origin
from contracts.evidence import Choice, Decision
from contracts.settings import Settings
from tasks.hands import Hands
from tasks.markdown import escape
from tasks.stages import now
from tasks.task_options import UNCACHED
from tasks.work import Assignment, WorkStages, delegate_stage, outcome

WAIT_SECONDS = 3600
POLL_SECONDS = 2


class PersonsChoice(RunInput):
    """What a person is asked when a contract escalates."""

    choice: Choice
    note: str = ""
    """For the child's next try, or why."""


def prefect_work(
    settings: Settings, *, prefix: str = "", wait_seconds: int = WAIT_SECONDS
) -> WorkStages:
    """Return the stages of delegated work as Prefect tasks.

    Args:
        settings: the home.
        prefix: begins each run's name.
        wait_seconds: how long the run is paused for a person's answer.
    """

    @task(task_run_name=prefix + "delegate-{one.name}", **UNCACHED)
    async def delegate(
        one: Assignment, origin: Origin, hands: Hands, notes: tuple[str, ...]
    ) -> DelegationRecord:
        return await delegate_stage(settings.home, one, origin, hands, notes)

    return WorkStages(
        settings.home, _typed(delegate), partial(ask_person, wait_seconds), publish_audit
    )


def _typed(stage: Task[..., Any]) -> Any:
    # A task hands on a NamedTuple as it is; mypy sees in it any coroutine.
    return stage


async def ask_person(wait_seconds: int, record: DelegationRecord) -> Decision | None:
    """Pause the flow run until a person has chosen; None when nobody did in time."""
    wanted = f"{escape(record.contract.goal[:300])}: {outcome(record)}"
    notes = "\n".join(f"- {escape(note)}" for note in record.notes)
    form = PersonsChoice.with_initial_data(description=f"{wanted}\n\n{notes}")
    try:
        said = await apause_flow_run(
            wait_for_input=form,
            timeout=wait_seconds,
            poll_interval=POLL_SECONDS,
            key=record.delegation_id,
        )
    except FlowPauseTimeout:
        return None
    return Decision(
        delegation_id=record.delegation_id, choice=said.choice, note=said.note, decided_at=now()
    )


async def publish_audit(records: Sequence[DelegationRecord]) -> None:
    """Create the artifact `audit` (a table, one row an attempt) on the current run."""
    ended = ", ".join(outcome(record) for record in records)
    rows = [audit_row(record, attempt) for record in records for attempt in record.attempts]
    await acreate_table_artifact(key="audit", table=rows, description=ended)


def audit_row(record: DelegationRecord, attempt: Attempt) -> dict[str, Any]:
    """Return one attempt as a row of the artifact."""
    artifacts = attempt.verification.artifacts
    return {
        "delegation": record.delegation_id,
        "purpose": record.purpose,
        "goal": escape(record.contract.goal[:300]),
        "came of it": record.status,
        "attempt": attempt.number,
        "child": escape(attempt.child),
        "then": attempt.step,
        "notes": escape("; ".join(attempt.notes)[:2000]),
        "artifacts": ", ".join(f"{escape(a.path)} {a.content_sha256}" for a in artifacts),
        "tokens": attempt.tokens,
        "cost in USD": attempt.cost_usd,
    }
