"""What a juror through Hermes costs beyond its model: direct HTTP, `hermes -z`, the Hermes server.

    COUNCIL_HERMES_BIN=$(.ci/hermes) python -m tests.benchmarks.hermes_overhead [--json]

Three jurors at once ask three models that answer in 200 ms each, over real HTTP on loopback; the
models run in a process of their own. Seconds are the wall time of the three beyond the model's;
CPU-seconds are those of everything that works for one call: this process, its children, the Hermes
server. Target: server ≤ 1.5 s beyond model time for three in parallel.
"""

import argparse
import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table

from contracts.errors import CouncilError
from contracts.juror import Endpoint, ProviderName
from tasks.providers.base import Provider, Request
from tasks.providers.hermes import Hermes
from tasks.providers.hermes_launch import start_gateway, stop_gateway
from tasks.providers.hermes_run import find_hermes
from tasks.providers.hermes_server import HermesServer
from tasks.providers.openai_compatible import OpenAICompatible

DELAY = 0.2
JURORS = ("ada", "bob", "cyd")
REPEATS = {"direct": 7, "hermes": 3, "hermes_server": 7}
SETTLE_SECONDS = 6.0
"""After the server's start, until what it loads in the background is loaded."""
TARGET_SECONDS = 1.5
REQUEST = Request(system="You are a juror.", user="Postgres or Mongo? " * 50)
TICKS = os.sysconf("SC_CLK_TCK")

Row = dict[str, float]


@contextmanager
def models() -> Iterator[str]:
    """Serve the models in a process of its own; yield its base URL."""
    script = {"models": {"*": "Postgres."}, "delay_seconds": DELAY}
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        file.write(json.dumps(script))
        file.flush()
        argv = [sys.executable, "-m", "tasks.providers.scripted_server", file.name]
        with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                yield process.stdout.readline().strip()
            finally:
                process.terminate()


def seats(provider: ProviderName, base_url: str) -> list[Endpoint]:
    """Return three endpoints at the models' address."""
    return [Endpoint(provider=provider, model=name, base_url=base_url) for name in JURORS]


async def rounds(
    provider: Provider, endpoints: list[Endpoint], repeats: int, cpu: Callable[[], float]
) -> Row:
    """Return wall seconds of three at once beyond the model's, and CPU-seconds of one call."""
    await asyncio.gather(*(provider.complete(each, REQUEST) for each in endpoints))
    walls, before = [], cpu()
    for _ in range(repeats):
        began = time.perf_counter()
        await asyncio.gather(*(provider.complete(each, REQUEST) for each in endpoints))
        walls.append(time.perf_counter() - began)
    spent = (cpu() - before) / (repeats * len(endpoints))
    return {
        "three_seconds": round(statistics.median(walls) - DELAY, 3),
        "three_seconds_worst": round(max(walls) - DELAY, 3),
        "cpu_seconds_per_call": round(spent, 3),
    }


def own_cpu() -> float:
    """Return the CPU-seconds of this process and of its children that ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def cpu_with(pid: int) -> float:
    """Return `own_cpu` and the CPU-seconds of another process, from /proc."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return own_cpu() + (int(fields[11]) + int(fields[12])) / TICKS


def measure(base_url: str, home: Path) -> dict[str, Row]:
    """Measure the three ways, one after the other."""
    binary = find_hermes(home)
    direct = seats("openai_compatible", base_url)
    found = {"direct": _run(OpenAICompatible(), direct, "direct", own_cpu)}
    found["hermes"] = _run(Hermes(home, binary), seats("hermes", base_url), "hermes", own_cpu)
    served = seats("hermes_server", base_url)
    info = start_gateway(home, served, binary=binary)
    try:
        time.sleep(SETTLE_SECONDS)
        server = HermesServer(home)
        found["hermes_server"] = _run(server, served, "hermes_server", lambda: cpu_with(info.pid))
    finally:
        stop_gateway(home)
    return found


def _run(provider: Provider, endpoints: list[Endpoint], name: str, cpu: Callable[[], float]) -> Row:
    return asyncio.run(rounds(provider, endpoints, REPEATS[name], cpu))


def main() -> int:
    """Run, print, and return 1 where the target is missed or Hermes is not there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="only the last line")
    chosen = parser.parse_args()
    try:
        with models() as base_url, tempfile.TemporaryDirectory() as folder:
            found = measure(base_url, Path(folder))
    except CouncilError as error:
        print(error, file=sys.stderr)
        return 1
    if not chosen.json:
        shown = Table("way", "three at once, s", "worst, s", "CPU-s a call", box=None)
        for name, row in found.items():
            shown.add_row(name, *(f"{value:.3f}" for value in row.values()))
        Console().print(shown)
    missed = found["hermes_server"]["three_seconds"] > TARGET_SECONDS
    ratios = {
        f"{name}_cpu": round(row["cpu_seconds_per_call"] / found["direct"]["cpu_seconds_per_call"])
        for name, row in found.items()
        if name != "direct" and found["direct"]["cpu_seconds_per_call"]
    }
    targets = {"hermes_server_three_seconds": TARGET_SECONDS}
    missing = list(targets) if missed else []
    print(json.dumps({"ways": found, "ratios": ratios, "targets": targets, "missed": missing}))
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
