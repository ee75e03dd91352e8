"""The stages of a refit as Prefect tasks, and what the dashboard shows of it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from prefect import task
from prefect.artifacts import acreate_markdown_artifact, acreate_table_artifact

from contracts.learning import Learned
from contracts.settings import Settings
from tasks.learning import keep_learned, learn_home, posteriors, told
from tasks.markdown import escape
from tasks.stages import now
from tasks.task_options import UNCACHED, disk_options

ARTIFACT_ROWS = 500


class RefitTasks(NamedTuple):
    """What a refit is made of."""

    learn: Callable[[], Awaitable[Learned]]
    keep: Callable[[Learned], Awaitable[Learned]]
    report: Callable[[Learned], Awaitable[None]]


def refit_tasks(settings: Settings) -> RefitTasks:
    """Return the stages as Prefect tasks."""

    @task(task_run_name="learn", **disk_options(settings))
    async def learn() -> Learned:
        return await asyncio.to_thread(learn_home, settings.home)

    @task(task_run_name="keep", **disk_options(settings))
    async def keep(learned: Learned) -> Learned:
        return await asyncio.to_thread(keep_learned, settings.home, learned, at=now())

    @task(task_run_name="report", **UNCACHED)
    async def report(learned: Learned) -> None:
        await acreate_markdown_artifact(
            key="refit", markdown=refit_markdown(learned), description=learned.memory_id
        )
        rows = [
            {name: escape(cell) if isinstance(cell, str) else cell for name, cell in row.items()}
            for row in posteriors(learned)[:ARTIFACT_ROWS]
        ]
        await acreate_table_artifact(key="reliability", table=rows, description=told(learned))

    return RefitTasks(learn, keep, report)


def refit_markdown(learned: Learned) -> str:
    """Return what was learned as Markdown: what it rests on, and who changed."""
    lines = [f"# Memory {learned.memory_id}", told(learned)]
    if learned.drifts:
        lines.append("## Jurors that changed")
        lines += [f"- {escape(drift.told())}" for drift in learned.drifts]
    return "\n\n".join(lines)
