"""The wall of the arena against its critical path: attack, rebut, score, one after the other.

    python -m tests.benchmarks.arena [--json] [--no-prefect]

Three jurors answer in 200 ms each over real HTTP on loopback; P personas attack at once. The
critical path is measured in the same run: three calls one after the other over one HTTP client,
nothing else. "Plain" is the stage over the plain functions, retries, reading, guard and settling
included. Target: plain ≤ 1.3 × the critical path for every P. Prefect, every call a task, is
reported.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
from rich.console import Console
from rich.table import Table

from contracts.juror import JurorSpec, Roster
from contracts.memory import ArenaPolicy, Memory, Policy
from contracts.opinion import Opinion
from contracts.persona import Hyde, Persona
from contracts.settings import Settings
from flows.console.server import point_prefect_at, start_server, stop_server
from tasks.arena.arena import Held, hold_arena
from tasks.arena.case import Case, heard_seats
from tasks.arena.stages import ArenaStages
from tasks.asking import make_question
from tasks.judging.decide import decide
from tasks.providers.scripted_server import ScriptedServer
from tasks.stages import plain_stages
from tests.tasks.arena.making import Seat, stage_of, weighing

DELAY = 0.2
PERSONAS = (1, 3, 8)
REPEATS = 5
TARGET = 1.3
QUESTION = make_question("Postgres or Mongo?", options=["Postgres", "Mongo"])
NAMES = ("ada", "bob", "cyd")


def attack(body: dict[str, object]) -> dict[str, object]:
    """Answer with an attack in other words for each persona, so that none is a copy."""
    name = str(body).partition("You are this critic: the ")[2].partition(".")[0]
    return {"opinion": {"claim": f"ATTACK by {name}: {name[::-1]} {name * 2}", "severity": 4}}


def hyde(personas: int) -> Hyde:
    """Return so many personas that always apply."""
    return Hyde(
        name="bench",
        description="",
        version="1",
        body="",
        personas=tuple(
            Persona(name=f"critic{n}", when=("always",), hunts="flaws") for n in range(personas)
        ),
    )


def case(base_url: str, personas: int) -> Case:
    """Return a decided question before three seats on the scripted server."""
    roster = Roster(
        jurors=tuple(
            JurorSpec(name=name, provider="openai_compatible", model=name, base_url=base_url)
            for name in NAMES
        )
    )
    said = tuple(Opinion(juror=n, stance="Postgres", reasons=("ACID",), raw="r") for n in NAMES)
    policy = Policy(arena=ArenaPolicy(mode="always", bouts=personas, max_calls=1000))
    return Case(
        arena_id="bench",
        question=QUESTION,
        roster=roster,
        verdict=decide(QUESTION, said, Memory(), policy),
        opinions=said,
        policy=policy,
        memory=Memory(),
        seats=heard_seats(roster, said, {}),
    )


async def timed(once: Callable[[], Awaitable[object]]) -> float:
    """Return the median wall seconds."""
    await once()
    walls = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        await once()
        walls.append(time.perf_counter() - began)
    return statistics.median(walls)


async def critical_path(base_url: str) -> float:
    """Time three calls one after the other."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(timeout=30, trust_env=False, limits=limits) as client:

        async def once() -> None:
            for model in ("path-1", "path-2", "path-3"):
                body = {"model": model, "messages": [{"role": "user", "content": "?"}]}
                (await client.post(f"{base_url}/chat/completions", json=body)).raise_for_status()

        return await timed(once)


async def arena(held: Case, personas: int, stages: ArenaStages) -> Held:
    """Hold one arena and make sure that every bout was fought."""
    done = await hold_arena(held, hyde(personas), stages, lambda *_: None)
    assert done.contest is not None
    outcomes = [bout.outcome for bout in done.contest.bouts]
    assert outcomes == ["upheld"] * personas, outcomes
    return done


async def plain(base_url: str, home: Path) -> dict[int, float]:
    """Time the stage over the plain functions."""
    stages = plain_stages(Settings(home=home)).arena()
    walls = {}
    for personas in PERSONAS:
        held = case(base_url, personas)
        walls[personas] = await timed(lambda held=held, n=personas: arena(held, n, stages))
    return walls


def prefect(base_url: str, home: Path) -> dict[int, float]:
    """Time the same as a flow with every call a task, against a running server."""
    house = Settings(home=home)
    server, _ = start_server(house, lambda _: None)
    try:
        point_prefect_at(house, server.api_url)
        from prefect import flow  # noqa: PLC0415 - reads its settings when imported

        from tasks.arena.engine import prefect_arena  # noqa: PLC0415

        runs = iter(range(1_000_000))

        @flow
        async def attacked(personas: int) -> None:
            stages = prefect_arena(house, scope=f"run {next(runs)}")
            await arena(case(base_url, personas), personas, stages)

        return {n: asyncio.run(timed(lambda n=n: attacked(n))) for n in PERSONAS}
    finally:
        stop_server(house)


def main() -> int:
    """Run, print, and return 1 where the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="only the last line")
    parser.add_argument("--no-prefect", action="store_true")
    chosen = parser.parse_args()
    seat = Seat("A", attack=attack, score=weighing("REPLY"))

    def juror(body: dict[str, object]) -> object:
        return seat(body) if len(body["messages"]) > 1 else "ok"  # type: ignore[arg-type]

    with (
        tempfile.TemporaryDirectory() as folder,
        ScriptedServer({"*": juror}, delay_seconds=DELAY) as server,
    ):
        path = asyncio.run(critical_path(server.base_url))
        walls = {"plain": asyncio.run(plain(server.base_url, Path(folder)))}
        calls = sum(len(s.body["messages"]) > 1 and bool(stage_of(s.body)) for s in server.asked())
        if not chosen.no_prefect:
            walls["prefect"] = prefect(server.base_url, Path(folder))
    ratios = {
        f"{engine}_{n}": round(wall / path, 3)
        for engine, mine in walls.items()
        for n, wall in mine.items()
    }
    missed = [f"plain_{n}" for n in PERSONAS if ratios[f"plain_{n}"] > TARGET]
    if not chosen.json:
        shown = Table("personas", "engine", "wall, s", "of the critical path", box=None)
        for engine, mine in walls.items():
            for n, wall in mine.items():
                shown.add_row(str(n), engine, f"{wall:.3f}", f"{ratios[f'{engine}_{n}']:.2f}")
        Console().print(shown)
    report = {"critical_path": path, "walls": walls, "ratios": ratios, "calls": calls}
    print(json.dumps(report | {"target": TARGET, "missed": missed}))
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
