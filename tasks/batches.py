"""Runs a batch over any engine: bounded, within a budget, and carried on where it stopped."""

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextvars import ContextVar
from datetime import datetime
from pathlib import Path

from contracts.base import canonical_json, sha256_text
from contracts.batch import Batch, BatchItem, BatchReport, Budget, Reuse, Settled
from contracts.deliberation import Deliberation
from contracts.errors import ConfigError, NotFound, UsageError
from contracts.juror import Roster
from contracts.memory import Policy
from contracts.settings import Settings
from data.heard import Heard
from data.journal import Journal
from tasks.arena.casting import with_arena
from tasks.batch_file import explain, read_batch_file
from tasks.calm import calm, rare_collections
from tasks.deliberate import Session, deliberate
from tasks.reuse import remembering
from tasks.seating import load_roster
from tasks.skills import load_skill
from tasks.stages import Stages, now, plain_stages

RunOne = Callable[[BatchItem], Awaitable[Settled]]
"""Deliberates one item; the deliberation is recorded when it returns."""
OnDone = Callable[[BatchReport], Awaitable[None]]


async def unwatched_batch(report: BatchReport) -> None:
    """Watch nothing."""


watching_batch: ContextVar[OnDone] = ContextVar("watching_batch", default=unwatched_batch)
"""Who watches a batch flow: a flow's parameters are data, and a callback is not."""


def plan_batch(
    items: Sequence[BatchItem],
    roster: Roster,
    *,
    source: str,
    reuse: Reuse,
    started_at: datetime,
    batch_id: str | None = None,
    arena: str = "off",
) -> Batch:
    """Return the batch. Without an id the same questions to the same roster are the same batch."""
    content: dict[str, object] = {
        "keys": [item.key for item in items],
        "questions": [item.question.question_id for item in items],
        "roster": roster.sha256(),
    }
    if arena != "off":
        content["arena"] = arena
    return Batch(
        batch_id=batch_id or sha256_text(canonical_json(content))[:12],
        source=source,
        items=tuple(items),
        roster=roster,
        reuse=reuse,
        arena=arena,
        started_at=started_at,
    )


def open_batch(
    settings: Settings,
    file: str,
    resume_id: str | None,
    roster_file: str | None,
    reuse: Reuse,
    batch_id: str | None,
    *,
    skip_bad: bool,
    arena: str = "off",
) -> Batch:
    """Return the batch to run: one begun earlier, or the file's, begun now.

    Raises:
        UsageError: when neither or both are named, or the file cannot be read.
        ConfigError: naming every bad row, unless they are to be skipped.
    """
    if bool(file) == bool(resume_id):
        raise UsageError("name a file of questions, or a batch to resume")
    if resume_id:
        return resume(settings.home, resume_id)
    path = Path(file)
    found = read_batch_file(path, load_skill(settings.home).topics)
    if found.faults and not skip_bad:
        told = explain(path, found.faults)
        raise ConfigError(f"{len(found.faults)} bad rows; --skip-bad runs the others\n{told}")
    if not found.items:
        raise ConfigError(f"{path}: no good row is left\n{explain(path, found.faults)}")
    roster = load_roster(settings, Path(roster_file) if roster_file else None)
    planned = plan_batch(
        found.items,
        roster,
        source=path.name,
        reuse=reuse,
        started_at=now(),
        batch_id=batch_id,
        arena=arena,
    )
    return begin(settings.home, planned)


def begin(home: Path, batch: Batch) -> Batch:
    """Write the batch to the journal, or return the one that was begun under its id."""
    journal = Journal(home)
    if journal.put("batch", batch.batch_id, batch):
        return batch
    return resume(home, batch.batch_id)


def resume(home: Path, batch_id: str) -> Batch:
    """Return a batch that was begun earlier.

    Raises:
        NotFound: when none was begun under that id.
    """
    document = Journal(home).get("batch", batch_id)
    if document is None:
        raise NotFound(f"no batch {batch_id!r} was begun here; `council batch FILE` begins one")
    return document.record(Batch)


class Tally:
    """Counts what a batch has come to."""

    def __init__(self, batch: Batch) -> None:
        """Start with nothing decided."""
        self._batch = batch
        self._statuses: Counter[str] = Counter()
        self._splits: Counter[str] = Counter()
        self._figures: Counter[str] = Counter()
        self._cost = 0.0
        self.done_now = 0
        self.stopped: str | None = None

    def add(self, done: Settled, *, now: bool) -> None:
        """Count one question, settled in this run or in an earlier one."""
        self.done_now += now
        self._statuses[done.status] += 1
        self._splits[done.split] += 1
        self._figures["failed_seats"] += done.failed_seats
        self._figures["reused"] += done.reused_opinions
        self._figures["calls"] += done.calls
        self._cost += done.cost_usd

    def over(self, budget: Budget, seconds: float, in_flight: int) -> str | None:
        """Return which limit of the budget is reached, in words; None within it.

        A question in flight counts as what it may still cost: two rounds of every seat, and an
        arena where the batch holds one.
        """
        worst = 2 * len(self._batch.roster.jurors)
        if self._batch.arena != "off":
            worst += with_arena(Policy(), self._batch.arena).arena.max_calls
        ahead = (in_flight + 1) * worst
        calls = self._figures["calls"]
        if budget.max_cost_usd is not None and self._cost >= budget.max_cost_usd:
            return f"the budget of ${budget.max_cost_usd:g} is spent (${self._cost:.4f})"
        if budget.max_calls is not None and calls + ahead > budget.max_calls:
            return f"{calls} calls made; another question may pass the budget of {budget.max_calls}"
        if budget.max_minutes is not None and seconds >= 60 * budget.max_minutes:
            return f"the budget of {budget.max_minutes:g} minutes is spent"
        return None

    def report(self) -> BatchReport:
        """Return the figures as they stand."""
        settled = sum(self._statuses.values())
        hung, no_quorum = self._statuses["hung"], self._statuses["no_quorum"]
        return BatchReport(
            batch_id=self._batch.batch_id,
            total=len(self._batch.items),
            decided=settled - hung - no_quorum,
            hung=hung,
            no_quorum=no_quorum,
            left=len(self._batch.items) - settled,
            done_now=self.done_now,
            failed_seats=self._figures["failed_seats"],
            reused_opinions=self._figures["reused"],
            calls=self._figures["calls"],
            cost_usd=round(self._cost, 6),
            splits=dict(sorted(self._splits.items())),
            stopped=self.stopped,
        )


async def run_batch(
    home: Path,
    batch: Batch,
    run_one: RunOne,
    watchers: Sequence[OnDone],
    *,
    concurrency: int = 32,
    budget: Budget | None = None,
    limit: int | None = None,
) -> BatchReport:
    """Deliberate what is left of the batch, and return what it came to.

    A budget or a limit that is reached stops it cleanly: what was begun is finished, the rest is
    left for the same command again. The same question twice is asked one after the other, so that
    the second finds the opinions of the first.
    """
    tally, began = Tally(batch), time.monotonic()
    left = _left(home, batch, tally)
    places, limits, in_flight = asyncio.Semaphore(concurrency), budget or Budget(), set[str]()
    chains = _by_question(left if limit is None else left[:limit])
    starting = asyncio.Lock()

    async def work(chain: Sequence[BatchItem]) -> None:
        for item in chain:
            async with places:
                seconds = time.monotonic() - began
                tally.stopped = tally.stopped or tally.over(limits, seconds, len(in_flight))
                if tally.stopped:
                    return
                in_flight.add(item.key)
                async with starting:
                    await calm()
                done = await run_one(item)
                in_flight.discard(item.key)
            tally.add(done, now=True)
            await tell()

    async def tell() -> None:
        for watcher in watchers:
            await watcher(tally.report())

    await tell()
    try:
        with rare_collections():
            async with asyncio.TaskGroup() as group:
                for chain in chains:
                    group.create_task(work(chain))
    except ExceptionGroup as failed:
        # One error is what a person can act on; the questions that it stopped are carried on.
        raise failed.exceptions[0] from failed
    if limit is not None and len(left) > limit and not tally.stopped:
        tally.stopped = f"the limit of {limit} questions is reached"
    await tell()
    return tally.report()


async def deliberate_item(
    settings: Settings,
    batch: Batch,
    item: BatchItem,
    stages: Stages,
    *,
    flow_run_id: str | None = None,
) -> Settled:
    """Deliberate one item; its deliberation's id is the same however often the batch runs."""
    session = Session(
        deliberation_id=batch.deliberation_id(item),
        engine="prefect" if flow_run_id else "direct",
        flow_run_id=flow_run_id,
        batch_id=batch.batch_id,
        started_at=now(),
    )
    policy = with_arena(settings.policy, batch.arena)
    return Settled.of(await deliberate(item.question, batch.roster, policy, stages, session))


def plain_runner(settings: Settings, batch: Batch, *, flow_run_id: str | None = None) -> RunOne:
    """Return what deliberates one item by the plain stages, and asks nobody twice."""
    plain, heard = plain_stages(settings), Heard(settings.home)

    async def run_one(item: BatchItem) -> Settled:
        stages = remembering(plain, heard, batch.scope(item), batch.keep)
        return await deliberate_item(settings, batch, item, stages, flow_run_id=flow_run_id)

    return run_one


def _left(home: Path, batch: Batch, tally: Tally) -> list[BatchItem]:
    """Return the items without a deliberation, and count those that have one."""
    journal, left = Journal(home), []
    for item in batch.items:
        document = journal.get("deliberation", batch.deliberation_id(item))
        if document is None:
            left.append(item)
        else:
            tally.add(Settled.of(document.record(Deliberation)), now=False)
    return left


def _by_question(items: Iterable[BatchItem]) -> list[list[BatchItem]]:
    chains: dict[str, list[BatchItem]] = {}
    for item in items:
        chains.setdefault(item.question.question_id, []).append(item)
    return list(chains.values())
