"""Eight writers, a drainer, a reader, and kill -9: commits per second, and what is lost or doubled.

    python -m tests.benchmarks.store [--json] [--commits N] [--kills N]

Each writer puts deliberations of nine opinions into the journal of one home as fast as it can and
notes each one that is acknowledged. A process drains again and again, another asks for the count.
Writers and drainer are killed at random moments and started again; a writer does again what was not
acknowledged, under the same id. In the end every acknowledged id must be in the database once, with
all its rows. Targets: at least 400 commits a second, 99 % of them within 150 ms, 0 lost, 0 doubled.
"""

import argparse
import json
import multiprocessing
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from contracts.deliberation import Deliberation
from contracts.juror import JurorSpec, Roster
from contracts.memory import Memory, Policy
from contracts.opinion import Opinion, Usage
from contracts.question import Option, Question
from data.journal import Journal
from data.store import Store
from tasks.judging.decide import decide

WRITERS = 8
JURORS = "ABCDEFGHI"
TARGETS = {"commits_per_second": 400, "p99_ms": 150}

PROCESSES = multiprocessing.get_context("forkserver")
"""A killed process is back within milliseconds, so the time is the store's and not Python's."""


class Result(NamedTuple):
    """What came out."""

    commits: int
    seconds: float
    p50_ms: float
    p99_ms: float
    worst_ms: float
    writer_kills: int
    drainer_kills: int
    reads: int
    read_p50_ms: float
    lost: int
    doubled: int
    torn: int

    @property
    def commits_per_second(self) -> float:
        """From the start of the first writer to the end of the last."""
        return self.commits / self.seconds

    @property
    def missed(self) -> list[str]:
        """Names of the targets that were missed."""
        wrong = [name for name in ("lost", "doubled", "torn") if getattr(self, name)]
        if self.commits_per_second < TARGETS["commits_per_second"]:
            wrong.append("commits_per_second")
        if self.p99_ms > TARGETS["p99_ms"]:
            wrong.append("p99_ms")
        return wrong


def example() -> Deliberation:
    """Return a deliberation of nine opinions of ordinary length."""
    question = Question(
        text="Postgres or Mongo for the invoices?",
        options=(Option(name="Postgres"), Option(name="Mongo")),
        options_source="given",
    )
    opinions = tuple(
        Opinion(
            juror=juror,
            stance="Mongo" if at % 3 == 0 else "Postgres",
            position="One of the two, for the reasons given below.",
            reasons=("It holds what was written.", "The team has run it for years."),
            confidence=0.7,
            raw="{}" * 300,
            via="offline",
            usage=Usage(latency_ms=900, calls=1, prompt_tokens=700, completion_tokens=150),
        )
        for at, juror in enumerate(JURORS)
    )
    memory, policy, now = Memory(), Policy(), datetime(2026, 1, 5, tzinfo=UTC)
    seats = tuple(JurorSpec(name=juror, provider="offline", model="m") for juror in JURORS)
    return Deliberation(
        deliberation_id="example",
        question=question,
        roster=Roster(jurors=seats),
        policy=policy,
        memory=memory,
        opinions=opinions,
        verdict=decide(question, opinions, memory, policy),
        foreman_text="Postgres, by six to three.",
        engine="direct",
        started_at=now,
        finished_at=now,
    )


def write(home: Path, writer: int, commits: int) -> None:
    """Put what is not acknowledged yet; note each acknowledgement with its milliseconds."""
    journal, whole = Journal(home), example()
    log = home / f"acknowledged-{writer}"
    log.touch()
    done = log.read_text().count("\n")
    with log.open("ab", buffering=0) as acknowledged:
        for number in range(done, commits):
            name = f"{writer}-{number}"
            document = whole.model_copy(update={"deliberation_id": name})
            began = time.perf_counter()
            journal.put("deliberation", name, document)
            took = (time.perf_counter() - began) * 1000
            acknowledged.write(f"{name} {took:.3f}\n".encode())


def drain(home: Path) -> None:
    """Drain again and again."""
    store = Store(home)
    while True:
        store.drain()
        time.sleep(0.2)


def read(home: Path) -> None:
    """Ask for the count without pause; note the milliseconds of each answer."""
    store = Store(home)
    with (home / "reads").open("a", buffering=1) as reads:
        while True:
            began = time.perf_counter()
            store.sql("select count(*) from verdicts")
            reads.write(f"{(time.perf_counter() - began) * 1000:.3f}\n")
            time.sleep(0.2)


class Keeper:
    """Keeps a process of each kind running, and kills some."""

    def __init__(self, home: Path, commits: int) -> None:
        """Start nothing yet."""
        self.makers: list[Callable[[], PROCESSES.Process]] = [
            lambda writer=writer: PROCESSES.Process(target=write, args=(home, writer, commits))
            for writer in range(WRITERS)
        ]
        self.makers.append(lambda: PROCESSES.Process(target=drain, args=(home,)))
        self.makers.append(lambda: PROCESSES.Process(target=read, args=(home,)))
        self.running = [maker() for maker in self.makers]
        self.kills = [0] * len(self.makers)

    def start(self) -> None:
        """Start all."""
        for process in self.running:
            process.start()

    def kill(self, at: int) -> None:
        """Kill one that runs and start it again."""
        if self.running[at].is_alive():
            self.running[at].kill()
            self.running[at].join()
            self.kills[at] += 1
            self.running[at] = self.makers[at]()
            self.running[at].start()

    @property
    def writing(self) -> bool:
        """Whether any writer still runs; one that failed is an error."""
        for process in self.running[:WRITERS]:
            if process.exitcode not in {None, 0}:
                raise RuntimeError(f"a writer ended with {process.exitcode}")
        return any(process.is_alive() for process in self.running[:WRITERS])

    def stop(self) -> None:
        """End the drainer and the reader."""
        for process in self.running[WRITERS:]:
            process.kill()
            process.join()


def run(home: Path, commits: int, kills: int) -> Result:
    """Write so many commits in all, under so many kills of writers and of the drainer each."""
    keeper, chance = Keeper(home, commits // WRITERS), random.Random(4)
    began = time.perf_counter()
    keeper.start()
    while keeper.writing:
        time.sleep(chance.uniform(0.1, 0.5))
        if sum(keeper.kills[:WRITERS]) < kills:
            keeper.kill(chance.randrange(WRITERS))
        if keeper.kills[WRITERS] < kills:
            keeper.kill(WRITERS)
    seconds = time.perf_counter() - began
    keeper.stop()
    return judged(home, seconds, keeper.kills)


def judged(home: Path, seconds: float, kills: Sequence[int]) -> Result:
    """Drain what is left and compare what is stored with what was acknowledged."""
    lines = [
        line.split() for log in home.glob("acknowledged-*") for line in log.read_text().splitlines()
    ]
    took = sorted(float(milliseconds) for _, milliseconds in lines)
    reads = sorted(map(float, (home / "reads").read_text().split())) or [0.0]
    store = Store(home)
    while store.drain().remaining:
        pass
    stored = [name for (name,) in store.sql("select deliberation_id from verdicts").rows]
    torn = store.sql(
        "select count(*) from deliberation_audit where n_verdicts <> 1 or n_deliberations <> 1"
        f" or n_opinions <> {len(JURORS)} or n_votes <> {len(JURORS)}"
    )
    return Result(
        commits=len(lines),
        seconds=seconds,
        p50_ms=took[len(took) // 2],
        p99_ms=took[len(took) * 99 // 100],
        worst_ms=took[-1],
        writer_kills=sum(kills[:WRITERS]),
        drainer_kills=kills[WRITERS],
        reads=len(reads),
        read_p50_ms=reads[len(reads) // 2],
        lost=len({name for name, _ in lines} - set(stored)),
        doubled=len(stored) - len(set(stored)),
        torn=torn.rows[0][0],
    )


def main() -> int:
    """Run, print, and return 1 when a target is missed."""
    parser = argparse.ArgumentParser(description="The store under many writers and kills.")
    parser.add_argument("--json", action="store_true", help="the JSON line alone")
    parser.add_argument("--commits", type=int, default=12_000)
    parser.add_argument("--kills", type=int, default=12, help="of writers, and of the drainer")
    given = parser.parse_args()
    PROCESSES.set_forkserver_preload(["data.drain", "data.store", "tasks.judging.decide"])
    with tempfile.TemporaryDirectory() as folder:
        result = run(Path(folder), given.commits, given.kills)
    figures = {
        "commits_per_second": round(result.commits_per_second, 1),
        **{name: round(value, 2) for name, value in result._asdict().items()},
    }
    if not given.json:
        table = Table("measure", "value", "target")
        limits = {"commits_per_second": "≥ 400", "p99_ms": "≤ 150"}
        for name, value in figures.items():
            zero = "0" if name in {"lost", "doubled", "torn"} else ""
            table.add_row(name, f"{value:,}", limits.get(name, zero))
        Console().print(table)
    print(json.dumps({"benchmark": "store", "missed": result.missed, **figures}))
    return 1 if result.missed else 0


if __name__ == "__main__":
    sys.exit(main())
