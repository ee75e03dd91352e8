"""Fifty people ask the page at once, against the same calls to the jurors and nothing else.

    python -m tests.benchmarks.page [--json]

The real `council serve` in a process of its own, three scripted jurors of 200 ms in another, 50
questions posted at the same moment, each different. The ideal is the bare calls of as many
questions, three at once each, by `asyncio.gather` over idle HTTP clients on the same machine in
the same run, turn by turn. Target: no error, and p95 of the page ≤ 2 × p95 of the ideal, in the
median turn. The ratio to the 200 ms alone is reported.
"""

import argparse
import asyncio
import json
import os
import re
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

import httpx
from rich.console import Console
from rich.table import Table

from tasks.asking import make_question
from tasks.prompting import ask_request
from tests.benchmarks.overhead import DELAY, served

AT_ONCE = 50
REPEATS = 9
TARGET = 2.0
NAMES = ("ada", "bob", "cyd")
TLS = ssl.create_default_context()

Once = Callable[[int], Awaitable[bool]]


@contextmanager
def page(jurors: str) -> Iterator[str]:
    """Yield the address of a served council."""
    with tempfile.TemporaryDirectory() as folder:
        roster = Path(folder) / "roster.toml"
        seats = (
            f"[[juror]]\nname = '{name}'\nprovider = 'openai_compatible'\nmodel = '{name}'\n"
            f"base_url = '{jurors}'\n"
            for name in NAMES
        )
        roster.write_text("".join(seats))
        command = [sys.executable, "-c", "from flows.console.cli import main; main()"]
        process = subprocess.Popen(
            [*command, "serve", "--port", "0", "--rate", "100000"],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "COUNCIL_HOME": f"{folder}/home", "COUNCIL_ROSTER": str(roster)},
        )
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        yield found.group() if found else ""
        process.terminate()
        process.wait()
        process.stdout.close()


@contextmanager
def clients(count: int) -> Iterator[list[httpx.AsyncClient]]:
    """Yield idle clients: one with many calls in flight spends more on its pool than on calls."""
    yield [httpx.AsyncClient(timeout=60, verify=TLS, trust_env=False) for _ in range(count)]


async def turn(once: Once, number: int) -> tuple[list[float], int]:
    """Return the seconds of 50 questions at once, and how many failed."""

    async def one(place: int) -> tuple[float, bool]:
        began = time.perf_counter()
        good = await once(number * AT_ONCE + place)
        return time.perf_counter() - began, good

    done = await asyncio.gather(*map(one, range(AT_ONCE)))
    return [seconds for seconds, _ in done], sum(not good for _, good in done)


async def measured(jurors: str, address: str) -> tuple[list[list[float]], list[list[float]], int]:
    """Return the seconds of each turn of the ideal and of the page, and the page's errors.

    They take turns, so that a machine which is slow for a while is slow for both.
    """
    bare, ours, errors = [], [], 0
    with clients(AT_ONCE * len(NAMES)) as to_jurors, clients(AT_ONCE) as to_page:
        ideal, page_asked = calls(jurors, to_jurors), asks(address, to_page)
        for number in range(REPEATS + 1):
            first, _ = await turn(ideal, number)
            second, failed = await turn(page_asked, number)
            errors += failed
            if number:  # the first turn opens connections and imports
                bare.append(first)
                ours.append(second)
    return bare, ours, errors


def calls(jurors: str, free: list[httpx.AsyncClient]) -> Once:
    """Return the bare calls of one question."""
    user = ask_request(make_question("Postgres or Mongo?"), "ada").user
    body = {"messages": [{"role": "user", "content": user}]}

    async def call(model: str) -> bool:
        client = free.pop()
        said = await client.post(f"{jurors}/chat/completions", json=body | {"model": model})
        free.append(client)
        return said.is_success

    async def once(_: int) -> bool:
        return all(await asyncio.gather(*map(call, NAMES)))

    return once


def asks(address: str, free: list[httpx.AsyncClient]) -> Once:
    """Return one question to the page, each time another."""

    async def once(number: int) -> bool:
        client = free.pop()
        body = {"question": f"Postgres or Mongo for invoices of {number}?"}
        answer = await client.post(f"{address}/api/convene", json=body)
        free.append(client)
        return answer.is_success and answer.json()["verdict"]["status"] == "unanimous"

    return once


def p95(seconds: Sequence[float]) -> float:
    """Return the 95th percentile."""
    return statistics.quantiles(seconds, n=20)[-1]


def main() -> int:
    """Run, print, and return 1 where the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="only the last line")
    chosen = parser.parse_args()
    with served() as jurors, page(jurors) as address:
        bare, ours, errors = asyncio.run(measured(jurors, address))
    ratios = [p95(mine) / p95(least) for mine, least in zip(ours, bare, strict=True)]
    ratio = round(statistics.median(ratios), 3)
    figures = {
        "at_once": AT_ONCE,
        "ideal_p95_s": round(statistics.median(map(p95, bare)), 4),
        "page_p95_s": round(statistics.median(map(p95, ours)), 4),
        "ratio": ratio,
        "ratios": [round(one, 2) for one in sorted(ratios)],
        "ratio_to_delay": round(statistics.median(map(p95, ours)) / DELAY, 3),
        "errors": errors,
        "target": TARGET,
    }
    if not chosen.json:
        shown = Table("50 at once", "median, s", "p95, s", box=None)
        for name, turns in (("ideal", bare), ("page", ours)):
            middle = statistics.median(chain.from_iterable(turns))
            shown.add_row(name, f"{middle:.3f}", f"{figures[f'{name}_p95_s']:.3f}")
        Console().print(shown)
    print(json.dumps(figures))
    return 1 if errors or ratio > TARGET else 0


if __name__ == "__main__":
    raise SystemExit(main())
