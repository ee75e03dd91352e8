"""`council batch`: a file of questions, both gates, a progress bar and a report."""

import asyncio
import math
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from contracts.errors import EngineError
from flows.console.terminal import err, out, plain, print_json, table

if TYPE_CHECKING:
    from contracts.batch import BatchReport

STOPPED = 3


class StageChoice(StrEnum):
    """How a question becomes tasks."""

    tasks = "tasks"
    inline = "inline"


class ReuseChoice(StrEnum):
    """Within what an earlier opinion may be used again."""

    never = "never"
    batch = "batch"
    day = "1d"
    always = "always"


def _above_zero(value: float | None) -> float | None:
    if value is not None and not (value > 0 and math.isfinite(value)):
        raise typer.BadParameter(f"{value} is not a number above 0")
    return value


def batch(
    file: Annotated[Path | None, typer.Argument(help="csv, jsonl or parquet.")] = None,
    sample: Annotated[
        int | None, typer.Option(min=1, max=100_000, help="So many made-up questions, no file.")
    ] = None,
    roster: Annotated[Path | None, typer.Option(help="Roster file; else the home's.")] = None,
    concurrency: Annotated[int, typer.Option(min=1, max=1000, help="Questions at once.")] = 32,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many now.")] = None,
    stages: Annotated[
        StageChoice, typer.Option(help="Every stage a task, or each question one task.")
    ] = StageChoice.tasks,
    reuse: Annotated[
        ReuseChoice, typer.Option(help="Use earlier opinions on the same question within this.")
    ] = ReuseChoice.batch,
    max_cost: Annotated[
        float | None, typer.Option(callback=_above_zero, help="US dollars.")
    ] = None,
    max_calls: Annotated[int | None, typer.Option(min=1, help="Calls to models.")] = None,
    max_minutes: Annotated[
        float | None, typer.Option(callback=_above_zero, help="Minutes of this run.")
    ] = None,
    batch_id: Annotated[str | None, typer.Option(help="A name of your own.")] = None,
    arena: Annotated[
        str, typer.Option(help="Attack verdicts: off, contested-only, always, auto, margin<x.")
    ] = "off",
    resume: Annotated[str | None, typer.Option(help="Carry on a batch by its id.")] = None,
    skip_bad: Annotated[bool, typer.Option("--skip-bad", help="Run the good rows.")] = False,
    flow: Annotated[bool, typer.Option("--flow", help="Only as a Prefect flow run.")] = False,
    direct: Annotated[bool, typer.Option("--direct", help="Without Prefect.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The report on stdout.")] = False,
) -> None:
    """Ask the council every question of a file. The same command again does only what is left."""
    from contracts.batch import Budget
    from contracts.settings import settings
    from flows.console.server import reachable_api
    from tasks.arena.casting import arena_policy
    from tasks.batches import watching_batch
    from tasks.sample_questions import write_sample

    if flow and direct:
        raise typer.BadParameter("--flow and --direct exclude each other")
    if sample:
        file = write_sample(settings().home, sample)
    given: dict[str, Any] = {
        "file": str(file.absolute()) if file else "",
        "resume": resume,
        "roster_file": str(roster.absolute()) if roster else None,
        "concurrency": concurrency,
        "limit": limit,
        "reuse": reuse.value,
        "budget": Budget(max_cost_usd=max_cost, max_calls=max_calls, max_minutes=max_minutes),
        "batch_id": batch_id,
        "arena": arena,
        "skip_bad": skip_bad,
    }
    arena_policy(arena)
    api_url = None if direct else reachable_api(settings())
    if flow and api_url is None:
        raise EngineError("no Prefect server answers; start one with `council up`")
    with _Bar() as bar:
        watching_batch.set(bar.show)
        done = _as_flow(given | {"stages": stages.value}, api_url) if api_url else _plainly(given)
    _print(done, as_json=as_json)
    if done.left:
        raise typer.Exit(STOPPED)


def _plainly(given: dict[str, Any]) -> "BatchReport":
    from contracts.settings import settings
    from data.store import Store
    from tasks.batches import open_batch, plain_runner, run_batch, watching_batch
    from tasks.gates import gate_in, gate_out, require
    from tasks.stages import now

    house = settings()
    names = ("file", "resume", "roster_file", "reuse", "batch_id")
    plan = open_batch(
        house, *(given[name] for name in names), skip_bad=given["skip_bad"], arena=given["arena"]
    )
    require(gate_in(house.home, plan, ran_at=now()))
    report = asyncio.run(
        run_batch(
            house.home,
            plan,
            plain_runner(house, plan),
            [watching_batch.get()],
            concurrency=given["concurrency"],
            budget=given["budget"],
            limit=given["limit"],
        )
    )
    Store(house.home).drain()
    require(gate_out(house.home, plan.batch_id, ran_at=now()))
    return report


def _as_flow(given: dict[str, Any], api_url: str) -> "BatchReport":
    from contracts.settings import settings
    from flows.console.server import point_prefect_at

    point_prefect_at(settings(), api_url)
    # Prefect reads its settings as it is imported.
    from flows.batch import batch as batch_flow

    done: BatchReport = asyncio.run(batch_flow(**given))
    return done


def _print(done: "BatchReport", *, as_json: bool) -> None:
    if as_json:
        print_json(done.model_dump(mode="json"))
        return
    figures = done.model_dump(exclude={"splits", "stopped"})
    out.print(table(("what", "figure"), [(n.replace("_", " "), v) for n, v in figures.items()]))
    most = max(done.splits.values(), default=1)
    rows = [(s, "█" * max(1, round(24 * n / most)), n) for s, n in done.splits.items()]
    out.print(table(("split", "", "deliberations"), rows))
    if done.left:
        why = f"stopped: {done.stopped}; " if done.stopped else ""
        err.print(f"{plain(why)}{done.left} left: the same command carries on", markup=False)


class _Bar:
    """The progress bar, with counts and the time that is left."""

    def __init__(self) -> None:
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=err,
        )
        self._task = self._progress.add_task("gate in", total=None)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    async def show(self, report: "BatchReport") -> None:
        """Show how far it is, and whether everything goes well."""
        said = f"{report.decided} decided"
        if undecided := report.hung + report.no_quorum:
            said += f", {undecided} not"
        if report.failed_seats:
            said += f", {report.failed_seats} seats silent"
        done = report.total - report.left
        self._progress.update(self._task, total=report.total, completed=done, description=said)
