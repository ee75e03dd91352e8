"""What the council costs beyond the models: one deliberation, and 20 at once, against bare asyncio.

    python -m tests.benchmarks.overhead [--json] [--no-prefect]

Three jurors answer in 200 ms each over real HTTP on loopback. "Bare" is the same calls by
`asyncio.gather` over one HTTP client, nothing else; "floor" over one client a call, for a client
with 60 calls in flight spends much of its time on its pool. Ratios are to bare. Targets: direct
≤ 1.1 × bare for one, ≤ 1.3 × for 20 at once. Prefect is reported.
"""

import argparse
import asyncio
import json
import ssl
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from itertools import cycle
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import httpx
from rich.console import Console
from rich.table import Table

from contracts.deliberation import Deliberation
from contracts.juror import JurorSpec, Roster
from contracts.memory import Policy
from contracts.settings import Settings
from flows.console.server import point_prefect_at, start_server, stop_server
from tasks.asking import make_question
from tasks.deliberate import deliberate, new_session
from tasks.prompting import ask_request
from tasks.providers.scripted_server import ScriptedServer
from tasks.stages import plain_stages

DELAY = 0.2
JURORS = 3
AT_ONCE = 20
REPEATS = 7
TARGETS = {"direct_one": 1.1, "direct_20": 1.3}
ANSWER = {"opinion": {"choice": "A", "position": "Postgres", "reasons": ["ACID"]}}
QUESTION = make_question("Postgres or Mongo?", options=["Postgres", "Mongo"])

Deliberating = Callable[[], Awaitable[object]]


def roster(base_url: str) -> Roster:
    """Return three seats on the scripted server."""
    return Roster(
        jurors=tuple(
            JurorSpec(name=name, provider="openai_compatible", model=name, base_url=base_url)
            for name in ("ada", "bob", "cyd")[:JURORS]
        )
    )


async def timed(once: Deliberating, at_once: int) -> float:
    """Return the median wall seconds of `at_once` deliberations together."""
    await once()
    walls = []
    for _ in range(REPEATS if at_once == 1 else 3):
        began = time.perf_counter()
        await asyncio.gather(*(once() for _ in range(at_once)))
        walls.append(time.perf_counter() - began)
    return statistics.median(walls)


async def bare(base_url: str, clients: int) -> dict[str, float]:
    """Time the calls alone, over so many HTTP clients with one TLS context."""
    request = ask_request(QUESTION, "ada")
    messages = [{"role": "user", "content": request.user}]
    tls, every = ssl.create_default_context(), httpx.Limits(max_connections=None)
    made = [
        httpx.AsyncClient(timeout=30, verify=tls, trust_env=False, limits=every)
        for _ in range(clients)
    ]
    turn = cycle(made)

    async def call(model: str) -> None:
        body = {"model": model, "messages": messages}
        (await next(turn).post(f"{base_url}/chat/completions", json=body)).raise_for_status()

    async def once() -> None:
        await asyncio.gather(*(call(model) for model in ("ada", "bob", "cyd")[:JURORS]))

    walls = {"one": await timed(once, 1), "20": await timed(once, AT_ONCE)}
    for client in made:
        await client.aclose()
    return walls


async def direct(base_url: str, home: Path) -> dict[str, float]:
    """Time the product's graph over the plain stages, journal included."""
    seats, stages = roster(base_url), plain_stages(Settings(home=home))

    async def once() -> Deliberation:
        return await deliberate(QUESTION, seats, Policy(), stages, new_session("direct"))

    return {"one": await timed(once, 1), "20": await timed(once, AT_ONCE)}


def prefect(base_url: str, home: Path) -> dict[str, float]:
    """Time the same as a flow with every stage a task, against a running server."""
    house = Settings(home=home)
    server, _ = start_server(house, lambda _: None)
    try:
        point_prefect_at(house, server.api_url)
        from prefect import flow  # noqa: PLC0415 - reads its settings when imported

        from tasks.engine import prefect_stages  # noqa: PLC0415

        seats = roster(base_url)

        @flow
        async def convened(at_once: int) -> None:
            async def once() -> Deliberation:
                session = new_session("prefect")
                stages = prefect_stages(house, scope=session.deliberation_id)
                return await deliberate(QUESTION, seats, Policy(), stages, session)

            await asyncio.gather(*(once() for _ in range(at_once)))

        return {
            "one": asyncio.run(timed(lambda: convened(1), 1)),
            "20": asyncio.run(timed(lambda: convened(AT_ONCE), 1)),
        }
    finally:
        stop_server(house)


def serve(pipe: Connection) -> None:
    """Serve the scripted jurors until the pipe speaks, as a process of its own."""
    with ScriptedServer({"*": ANSWER}, delay_seconds=DELAY) as server:
        pipe.send(server.base_url)
        pipe.recv()


@contextmanager
def served() -> Iterator[str]:
    """Yield the address of the scripted jurors."""
    spawn = get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=serve, args=(theirs,))
    process.start()
    yield ours.recv()
    ours.send("stop")
    process.join()


def main() -> int:
    """Run, print, and return 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="only the last line")
    parser.add_argument("--no-prefect", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, served() as base_url:
        walls = {
            "floor": asyncio.run(bare(base_url, JURORS * AT_ONCE)),
            "bare": asyncio.run(bare(base_url, 1)),
            "direct": asyncio.run(direct(base_url, Path(folder))),
        }
        if not chosen.no_prefect:
            walls["prefect"] = prefect(base_url, Path(folder))
    ratios = {
        f"{engine}_{size}": round(wall / walls["bare"][size], 3)
        for engine, sizes in walls.items()
        for size, wall in sizes.items()
        if engine != "bare"
    }
    if not chosen.json:
        shown = Table("engine", "one, s", "ratio", "20 at once, s", "ratio", box=None)
        for engine, wall in walls.items():
            one, many = (f"{ratios.get(f'{engine}_{size}', 1.0):.2f}" for size in ("one", "20"))
            shown.add_row(engine, f"{wall['one']:.3f}", one, f"{wall['20']:.3f}", many)
        Console().print(shown)
    missed = [name for name, most in TARGETS.items() if ratios[name] > most]
    print(json.dumps({"walls": walls, "ratios": ratios, "targets": TARGETS, "missed": missed}))
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
