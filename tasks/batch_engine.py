"""A batch as Prefect tasks: its gates, its questions, its progress and its report."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import NamedTuple
from uuid import UUID

from prefect import runtime, task
from prefect.artifacts import (
    acreate_markdown_artifact,
    acreate_progress_artifact,
    acreate_table_artifact,
    aupdate_progress_artifact,
)
from prefect.cache_policies import NO_CACHE

from contracts.batch import Batch, BatchItem, BatchReport, Settled, StageMode
from contracts.gate import GateResult
from contracts.settings import Settings
from data.store import Store
from tasks.batches import OnDone, RunOne, deliberate_item
from tasks.engine import sealed, stage_maker
from tasks.gates import gate_in, gate_out
from tasks.markdown import escape
from tasks.side_process import SideProcess
from tasks.stages import now, unreported
from tasks.task_options import UNCACHED

PROGRESS_SECONDS = 2.0
"""Between two updates of the progress artifact."""


class BatchTasks(NamedTuple):
    """What a batch does beside deliberating."""

    gate_in: Callable[[Batch], Awaitable[GateResult]]
    gate_out: Callable[[Batch], Awaitable[GateResult]]
    report: Callable[[BatchReport, GateResult], Awaitable[None]]


def dated(batch_id: str | None) -> str | None:
    """Return the id with `{date}` replaced by the day on which this run was due (UTC)."""
    due = runtime.flow_run.scheduled_start_time or now()
    return batch_id and batch_id.replace("{date}", due.date().isoformat())


def batch_tasks(settings: Settings) -> BatchTasks:
    """Return the batch's own stages as Prefect tasks."""

    @task(task_run_name="gate-in", cache_policy=NO_CACHE)
    async def check_in(batch: Batch) -> GateResult:
        result = await asyncio.to_thread(gate_in, settings.home, batch, ran_at=now())
        await _gate_artifact(result)
        return result

    @task(task_run_name="gate-out", cache_policy=NO_CACHE)
    async def check_out(batch: Batch) -> GateResult:
        await asyncio.to_thread(Store(settings.home).drain)
        result = await asyncio.to_thread(gate_out, settings.home, batch.batch_id, ran_at=now())
        await _gate_artifact(result)
        return result

    @task(task_run_name="batch-report", cache_policy=NO_CACHE)
    async def report(done: BatchReport, gate: GateResult) -> None:
        await acreate_markdown_artifact(key="batch-report", markdown=batch_markdown(done, gate))

    return BatchTasks(check_in, check_out, report)


@asynccontextmanager
async def item_runner(settings: Settings, batch: Batch, mode: StageMode) -> AsyncIterator[RunOne]:
    """Give what deliberates one item: every stage a task, or the whole item one task.

    For the second a process of its own is started, and ended with the block.
    """
    run_id = str(runtime.flow_run.id)
    if mode == "inline":
        async with SideProcess(settings, batch, flow_run_id=run_id) as aside:
            whole = sealed(aside, UNCACHED)
            yield lambda item: whole(f"deliberate-{item.question.short_id}", item)
        return
    make = stage_maker(settings, batch.keep)

    async def by_stages(item: BatchItem) -> Settled:
        stages = make(batch.scope(item), f"{item.question.short_id}-")
        stages = stages._replace(report=unreported)
        return await deliberate_item(settings, batch, item, stages, flow_run_id=run_id)

    yield by_stages


def progress_artifact() -> OnDone:
    """Return a callback that keeps one progress artifact up to date, a few times a minute."""
    state: dict[str, float | UUID] = {"at": 0.0}

    async def show(report: BatchReport) -> None:
        final = report.left == 0 or report.stopped is not None
        if not final and time.monotonic() - float(str(state["at"])) < PROGRESS_SECONDS:
            return
        state["at"] = time.monotonic()
        share = 100.0 * (report.total - report.left) / max(report.total, 1)
        if "id" in state:
            await aupdate_progress_artifact(UUID(str(state["id"])), progress=share)
        else:
            state["id"] = await acreate_progress_artifact(
                progress=share, key="batch-progress", description=f"batch {report.batch_id}"
            )

    return show


def batch_markdown(report: BatchReport, gate: GateResult) -> str:
    """Return the report of a batch as Markdown."""
    figures = {
        "questions": report.total,
        "decided": report.decided,
        "hung": report.hung,
        "no quorum": report.no_quorum,
        "left": report.left,
        "failed seats": report.failed_seats,
        "opinions used again": report.reused_opinions,
        "calls": report.calls,
        "cost, $": report.cost_usd,
        "gate out": "passed" if gate.passed else "FAILED",
    }
    lines = [f"# Batch {escape(report.batch_id)}", "", "| what | figure |", "|---|---|"]
    lines += [f"| {name} | {value} |" for name, value in figures.items()]
    lines += ["", "| split | deliberations |", "|---|---|"]
    lines += [
        f"| {escape(split)} | {'█' * min(count, 40)} {count} |"
        for split, count in report.splits.items()
    ]
    if report.stopped:
        lines += ["", f"Stopped: {escape(report.stopped)}"]
    return "\n".join(lines)


async def _gate_artifact(result: GateResult) -> None:
    rows = [
        {
            "expectation": check.expectation,
            "column": check.column or "",
            "passed": check.passed,
            "severity": check.severity,
            "unexpected": check.unexpected,
            "first": ", ".join(escape(key) for key in check.examples),
        }
        for check in result.checks
    ]
    await acreate_table_artifact(
        key="gate-report", table=rows, description=f"{result.gate}: {result.rows} rows"
    )
