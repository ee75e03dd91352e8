"""How much slower a batch is than bare asyncio: stages as tasks, and each question one task.

    python -m tests.benchmarks.throughput [--json] [--quick]

"Bare" makes the same calls by `asyncio.gather`, under the same limit of questions in flight, and
nothing else: by httpx as it comes (Council has aiohttp beneath it), over one client a call in
flight, for a shared one spends its time on its pool.
"Ideal" sleeps as long as the jurors take. The clock of a batch starts after its first question,
which waits for what is loaded once (in a real batch that is loaded while the gate checks). Both
ratios are printed. Targets: 100 questions, 5 s jurors, 32 at once, stages as tasks: ≤ 1.15 × bare
(2 s jurors are reported beside it); 200 questions, 200 ms jurors, inline: ≤ 1.5 × bare.
"""

import argparse
import asyncio
import json
import ssl
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from itertools import cycle
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from rich.console import Console
from rich.table import Table

from contracts.batch import StageMode
from contracts.settings import Settings
from flows.console.server import point_prefect_at, start_server, stop_server
from tasks.asking import make_question
from tasks.prompting import ask_request
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


async def ideal(case: Case) -> float:
    """Return the wall seconds of the waiting alone."""
    return await gathered(case, lambda _: asyncio.sleep(case.seconds))


async def bare(case: Case, base_url: str) -> float:
    """Return the wall seconds of the calls alone."""
    request = ask_request(make_question("Go or Rust?", options=["Go", "Rust"]), JURORS[0])
    messages = [{"role": "user", "content": request.user}]
    tls = ssl.create_default_context()
    async with AsyncExitStack() as stack:
        made = [
            await stack.enter_async_context(
                httpx.AsyncClient(timeout=30, verify=tls, trust_env=False)
            )
            for _ in range(CONCURRENCY * len(JURORS))
        ]
        turn = cycle(made)

        async def call(juror: str) -> None:
            body = {"model": juror, "messages": messages}
            sent = await next(turn).post(f"{base_url}/chat/completions", json=body)
            sent.raise_for_status()

        return await gathered(case, call)


async def gathered(case: Case, call: Callable[[str], Awaitable[None]]) -> float:
    """Return the wall seconds of one call a juror and question, within the limit."""
    places = asyncio.Semaphore(CONCURRENCY)

    async def one() -> None:
        async with places:
            await asyncio.gather(*(call(juror) for juror in JURORS))

    began = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(case.questions)))
    return time.perf_counter() - began


def serve(pipe: Connection, seconds: float) -> None:
    """Serve jurors that take so long, as a process of its own."""
    with ScriptedServer({"*": ANSWER}, delay_seconds=seconds) as server:
        pipe.send(server.base_url)
        pipe.recv()


def measure(case: Case, house: Settings) -> dict[str, float]:
    """Return the wall seconds of each way, and how many times as long the batch takes."""
    spawn = get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=serve, args=(theirs, case.seconds))
    process.start()
    address = ours.recv()
    walls = {
        "ideal": asyncio.run(ideal(case)),
        "bare": asyncio.run(bare(case, address)),
        "batch": batch(case, house, address),
    }
    ours.send("stop")
    process.join()
    ratios = {"ratio": walls["batch"] / walls["bare"], "to_ideal": walls["batch"] / walls["ideal"]}
    return walls | ratios


def batch(case: Case, house: Settings, address: str) -> float:
    """Return the wall seconds of the deliberating in a batch flow, gates left out."""
    from tasks.batch_engine import item_runner  # noqa: PLC0415 - imports Prefect
    from tasks.batches import open_batch, run_batch  # noqa: PLC0415

    folder = house.home
    roster = folder / f"{case.name}.toml"
    seat = (
        '[[juror]]\nname = "{0}"\nprovider = "openai_compatible"\nmodel = "{0}"\nbase_url = "{1}"\n'
    )
    roster.write_text("\n".join(seat.format(name, address) for name in JURORS))
    questions = folder / f"{case.name}.jsonl"
    count = case.questions + 1
    rows = [{"question": f"Go or Rust, {n}?", "options": ["Go", "Rust"]} for n in range(count)]
    questions.write_text("\n".join(map(json.dumps, rows)))
    plan = open_batch(house, str(questions), None, str(roster), "never", case.name, skip_bad=False)
    wall = 0.0

    from prefect import flow  # noqa: PLC0415

    @flow
    async def measured() -> None:
        nonlocal wall
        async with item_runner(house, plan, case.stages) as run_one:
            await run_one(plan.items[0])
            began = time.perf_counter()
            await run_batch(house.home, plan, run_one, [], concurrency=CONCURRENCY)
            wall = time.perf_counter() - began

    asyncio.run(measured())
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
                walls[case.name] = measure(case, house)
        finally:
            stop_server(house)
    missed = [c.name for c in cases if c.target and walls[c.name]["ratio"] > c.target]
    if not chosen.json:
        heads = ("ideal, s", "bare, s", "Council, s", "to ideal", "to bare", "target")
        shown = Table("batch", *heads, box=None)
        for case in cases:
            wall = walls[case.name]
            figures = (
                f"{wall[key]:.2f}" for key in ("ideal", "bare", "batch", "to_ideal", "ratio")
            )
            shown.add_row(case.name, *figures, str(case.target or "reported"))
        Console().print(shown)
    print(json.dumps({"walls": walls, "missed": missed}))
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
