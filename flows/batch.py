"""Deliberate a file of questions: both gates, every question, one report."""

from prefect import flow

from contracts.batch import BatchReport, Budget, Reuse, StageMode
from contracts.settings import settings
from tasks.batch_engine import batch_tasks, dated, item_runner, progress_artifact
from tasks.batches import open_batch, run_batch, watching_batch
from tasks.engine import tag_run
from tasks.gates import require


@flow(flow_run_name="batch {file}", persist_result=False)
async def batch(
    file: str = "",
    resume: str | None = None,
    roster_file: str | None = None,
    concurrency: int = 32,
    limit: int | None = None,
    stages: StageMode = "tasks",
    reuse: Reuse = "batch",
    budget: Budget | None = None,
    batch_id: str | None = None,
    arena: str = "off",
    skip_bad: bool = False,  # noqa: FBT001, FBT002 - a flow's parameters are given by name
) -> BatchReport:
    """Ask the council every question of a file.

    Args:
        file: csv, jsonl or parquet.
        resume: a batch begun earlier is carried on; the file is not read again.
        roster_file: path of a roster; else the home's, else the stand-ins.
        concurrency: questions in flight at once.
        limit: questions to deliberate in this run.
        stages: every stage a task, or each question one task (for jurors that answer in moments).
        reuse: within what an earlier opinion on the same question may be used again.
        budget: what may be spent.
        batch_id: a name of one's own, in which `{date}` is the day that the run was due; else made
            from the questions and the roster.
        arena: when a verdict is attacked: off, contested-only, always, auto, or margin<x.
        skip_bad: deliberate the good rows of a file that has bad ones.
    """
    house, steps = settings(), batch_tasks(settings())
    named = dated(batch_id)
    plan = open_batch(
        house, file, resume, roster_file, reuse, named, skip_bad=skip_bad, arena=arena
    )
    await tag_run(plan.roster, f"batch:{plan.batch_id}")
    async with item_runner(house, plan, stages) as run_one:
        require(await steps.gate_in(plan))
        report = await run_batch(
            house.home,
            plan,
            run_one,
            [progress_artifact(), watching_batch.get()],
            concurrency=concurrency,
            budget=budget,
            limit=limit,
        )
    gate = await steps.gate_out(plan)
    await steps.report(report, gate)
    require(gate)
    return report
