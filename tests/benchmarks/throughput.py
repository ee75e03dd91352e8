"""How much slower a batch is than bare asyncio: stages as tasks, and each question one task.

    python -m tests.benchmarks.throughput [--json] [--quick]

"Bare" sleeps as long as the jurors take, by `asyncio.gather` under the same limit of questions in
flight. Targets: 100 questions, 5 s jurors, 32 at once, stages as tasks: ≤ 1.15 × bare (2 s jurors
are reported beside it); 200 questions, 200 ms jurors, inline: ≤ 1.5 × bare.
"""

import argparse
import asyncio
import json
import tempfile
import time
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from contracts.batch import StageMode
from contracts.settings import Settings
from flows.console.server import point_prefect_at, start_server, stop_server
from tasks.providers.scripted_server import ScriptedServer

CONCURRENCY = 32
JURORS = ("ada", "bob", "cyd")
ANSWER = {"opinion": {"choice": "A", "position": "Go", "reasons": ["simple"]}}


class Case(NamedTuple):
    """One batch to measure."""

    name: str
    questions: int
    seconds: float
    stages: StageMode
    target: float | None


CASES = (
    Case("tasks_5s", 100, 5.0, "tasks", 1.15),
    Case("tasks_2s", 100, 2.0, "tasks", None),
    Case("inline_200ms", 200, 0.2, "inline", 1.5),
)


async def bare(case: Case) -> float:
    """Return the wall seconds of the waiting alone."""
    places = asyncio.Semaphore(CONCURRENCY)

    async def one() -> None:
        async with places:
            await asyncio.gather(*(asyncio.sleep(case.seconds) for _ in JURORS))

    began = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(case.questions)))
    return time.perf_counter() - began


def serve(pipe: Connection, seconds: float) -> None:
    """Serve jurors that take so long, as a process of its own."""
    with ScriptedServer({"*": ANSWER}, delay_seconds=seconds) as server:
        pipe.send(server.base_url)
        pipe.recv()


def batch(case: Case, house: Settings) -> float:
    """Return the wall seconds of the deliberating in a batch flow, gates left out."""
    from tasks.batch_engine import item_runner  # noqa: PLC0415 - imports Prefect
    from tasks.batches import open_batch, run_batch  # noqa: PLC0415

    spawn = get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=serve, args=(theirs, case.seconds))
    process.start()
    folder = house.home
    roster = folder / f"{case.name}.toml"
    seat = (
        '[[juror]]\nname = "{0}"\nprovider = "openai_compatible"\nmodel = "{0}"\nbase_url = "{1}"\n'
    )
    address = ours.recv()
    roster.write_text("\n".join(seat.format(name, address) for name in JURORS))
    questions = folder / f"{case.name}.jsonl"
    rows = [
        {"question": f"Go or Rust, {n}?", "options": ["Go", "Rust"]} for n in range(case.questions)
    ]
    questions.write_text("\n".join(map(json.dumps, rows)))
    plan = open_batch(house, str(questions), None, str(roster), "never", case.name, skip_bad=False)
    wall = 0.0

    from prefect import flow  # noqa: PLC0415

    @flow
    async def measured() -> None:
        nonlocal wall
        runner = item_runner(house, plan, case.stages)
        began = time.perf_counter()
        await run_batch(house.home, plan, runner, [], concurrency=CONCURRENCY)
        wall = time.perf_counter() - began

    asyncio.run(measured())
    ours.send("stop")
    process.join()
    return wall


def main() -> int:
    """Run, print, and return 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="only the last line")
    parser.add_argument("--quick", action="store_true", help="a tenth of the questions")
    chosen = parser.parse_args()
    cases = [c._replace(questions=c.questions // 10) if chosen.quick else c for c in CASES]
    walls: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        house = Settings(home=folder)
        server, _ = start_server(house, lambda _: None)
        try:
            point_prefect_at(house, server.api_url)
            for case in cases:
                alone, ours = asyncio.run(bare(case)), batch(case, house)
                walls[case.name] = {"bare": alone, "batch": ours, "ratio": ours / alone}
        finally:
            stop_server(house)
    missed = [c.name for c in cases if c.target and walls[c.name]["ratio"] > c.target]
    if not chosen.json:
        shown = Table("batch", "bare, s", "Council, s", "ratio", "target", box=None)
        for case in cases:
            wall = walls[case.name]
            figures = (f"{wall[key]:.2f}" for key in ("bare", "batch", "ratio"))
            shown.add_row(case.name, *figures, str(case.target or "reported"))
        Console().print(shown)
    print(json.dumps({"walls": walls, "missed": missed}))
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
