"""The stages of a deliberation as a record of callables, and the plain ones that need no engine."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from anyio import to_thread

from contracts.deliberation import Deliberation
from contracts.juror import Endpoint, JurorSpec, Roster
from contracts.memory import Memory, Policy
from contracts.opinion import Opinion
from contracts.question import Question
from contracts.settings import Settings
from contracts.verdict import Verdict
from data.journal import Journal
from tasks.arena.stages import ArenaStages, plain_arena
from tasks.judging.decide import decide
from tasks.jurors import ask_juror, reconsider_juror
from tasks.memory import recall
from tasks.mirror import mirror
from tasks.providers.policy import RetryPolicy, with_retries
from tasks.stances import Closed, close_question
from tasks.wording import Worded, word
from tasks.work import WorkStages, plain_work

Reconsider = Callable[
    [Question, JurorSpec, Endpoint, Opinion, Sequence[Opinion], Roster], Awaitable[Opinion]
]
"""Question, seat, endpoint, the juror's own opinion, everybody's opinions, roster."""


class Stages(NamedTuple):
    """What `deliberate` is made of. An engine gives each its retries, its cache and its name."""

    recall: Callable[[Question, Roster], Awaitable[Memory]]
    ask: Callable[[Question, JurorSpec, Endpoint], Awaitable[Opinion]]
    close: Callable[[Question, Sequence[Opinion]], Awaitable[Closed]]
    reconsider: Reconsider
    judge: Callable[[Question, Sequence[Opinion], Memory, Policy], Awaitable[Verdict]]
    word: Callable[[Question, Verdict, Sequence[Opinion], Roster], Awaitable[Worded]]
    record: Callable[[Deliberation], Awaitable[None]]
    mirror: Callable[[Deliberation], Awaitable[tuple[str, ...]]]
    """Puts the verdict into the memory of Hermes; returns in words what could not be done."""
    report: Callable[[Deliberation], Awaitable[None]]
    arena: Callable[[], ArenaStages]
    """The arena's own stages; they are made only where one may be held."""
    work: Callable[[], WorkStages]
    """Stages of delegated work."""


class Policies(NamedTuple):
    """How each kind of stage is tried: calls to models, and writes to the disk."""

    call: RetryPolicy
    disk: RetryPolicy


def policies(settings: Settings) -> Policies:
    """Return the policies that the settings ask for; one record serves both engines."""
    wait = settings.max_retry_wait_seconds
    return Policies(
        call=RetryPolicy(attempts=settings.attempts, max_wait_seconds=wait),
        disk=RetryPolicy(attempts=3, max_wait_seconds=wait),
    )


def plain_stages(settings: Settings) -> Stages:
    """Return the stages as plain functions: retries by stamina, no server, no cache."""
    tried = policies(settings)

    async def ask(question: Question, seat: JurorSpec, endpoint: Endpoint) -> Opinion:
        return await with_retries(lambda: ask_juror(question, seat, endpoint), tried.call)

    async def reconsider(
        question: Question,
        seat: JurorSpec,
        endpoint: Endpoint,
        own: Opinion,
        opinions: Sequence[Opinion],
        roster: Roster,
    ) -> Opinion:
        return await with_retries(
            lambda: reconsider_juror(question, seat, endpoint, own, opinions, roster), tried.call
        )

    return Stages(
        recall=partial(recall_stage, settings.home),
        ask=ask,
        close=close_stage,
        reconsider=reconsider,
        judge=judge_stage,
        word=partial(word, settings.home),
        record=partial(record_stage, settings.home),
        mirror=partial(mirror, settings.home),
        report=unreported,
        arena=partial(plain_arena, settings.home, tried.call),
        work=partial(plain_work, settings.home),
    )


async def recall_stage(home: Path, question: Question, roster: Roster) -> Memory:
    """Read what the home remembers."""
    return recall(home, question, roster)


async def close_stage(question: Question, opinions: Sequence[Opinion]) -> Closed:
    """Turn an open question into a closed one."""
    return close_question(question, opinions)


async def judge_stage(
    question: Question, opinions: Sequence[Opinion], memory: Memory, policy: Policy
) -> Verdict:
    """Decide."""
    return decide(question, opinions, memory, policy)


async def record_stage(home: Path, deliberation: Deliberation) -> None:
    """Write the deliberation to the journal; a second writing of the same id changes nothing."""
    # It waits for the disk, which other deliberations need not; many waits go on together.
    await to_thread.run_sync(
        Journal(home).put, "deliberation", deliberation.deliberation_id, deliberation
    )


async def unreported(deliberation: Deliberation) -> None:
    """Report nothing: there is no dashboard, or the batch reports for all."""


def now() -> datetime:
    """Return the time in UTC."""
    return datetime.now(UTC)
