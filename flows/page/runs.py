"""The runs of a server: a queue with a limit, what happens in each, and who watches.

A run belongs to the server and not to the tab that began it. Until its verdict is kept, a run is
also a file, so that a server which is killed carries it on when it is started again.
"""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from contracts.deliberation import Deliberation
from contracts.errors import CouncilError
from contracts.opinion import OTHER, Opinion
from contracts.question import Question, letter
from contracts.settings import Settings
from data.journal import Journal
from flows.page.carrying_out import carry_out
from flows.page.jobs import Job, Plan, plan_job
from flows.page.problems import Refusal, refusal_of
from flows.page.run_file import SUFFIX, RunFile
from tasks.deliberate import Event

_LOG = logging.getLogger("council.page")

BOOT = uuid4().hex[:8]
MOST_STARTS = 3


class Limits(NamedTuple):
    """How much is done at once, and remembered."""

    running: int = 64
    waiting: int = 200
    remembered: int = 200
    """Finished runs whose events can still be watched; their verdicts are in the store."""


class Happening(NamedTuple):
    """Something that happened in a run; numbered from 1."""

    number: int
    kind: str
    data: Mapping[str, Any]


class Run:
    """One run: its plan, what happened so far, and a bell for those who watch."""

    def __init__(self, job: Job, plan: Plan) -> None:
        """Begin as one that waits."""
        self.job, self.plan = job, plan
        self.boot = BOOT
        """Tells numbers of this server from those of one before it."""
        self.happenings: list[Happening] = []
        self.done: Deliberation | None = None
        self.failed: Refusal | None = None
        self.round = 1
        self.over = asyncio.Event()
        self._bell = asyncio.Event()
        self._heard: dict[str, Opinion] = {}

    @property
    def run_id(self) -> str:
        """The id of its deliberation."""
        return self.job.job_id

    def tell(self, kind: str, **data: Any) -> None:
        """Add a happening and wake those who watch."""
        self.happenings.append(Happening(len(self.happenings) + 1, kind, data))
        bell, self._bell = self._bell, asyncio.Event()
        bell.set()

    def hear(self, opinion: Opinion) -> None:
        """Keep an opinion until the graph says that it counts."""
        self._heard[opinion.juror] = opinion

    def watch(self, event: Event) -> None:
        """Take what the graph tells."""
        if event.kind == "opinion":
            self._tell_opinion(event)
        elif event.kind == "debate":
            self.round += 1
            self.tell("debate", text=event.text, round=self.round)
        elif event.kind == "asking":
            self.tell("asking", juror=event.subject, round=self.round)
        elif event.kind != "recorded":
            self.tell(event.kind, subject=event.subject, text=event.text)

    def end(self, done: Deliberation | None, failed: Refusal | None = None) -> None:
        """Say how it ended."""
        self.done, self.failed = done, failed
        if failed is not None:
            self.tell("failed", problem=failed.problem.model_dump(exclude_none=True))
        else:
            self.tell("done", deliberation_id=self.run_id)
        self.over.set()

    async def follow(self, after: int = 0) -> AsyncIterator[Happening]:
        """Yield what happened after number `after`, and what happens, until it is over."""
        while True:
            bell, ended = self._bell, self.over.is_set()
            for happening in self.happenings[after:]:
                yield happening
                after = happening.number
            if ended:
                return
            await bell.wait()

    def _tell_opinion(self, event: Event) -> None:
        opinion = self._heard.pop(event.subject, None)
        said: dict[str, Any] = {"juror": event.subject, "round": self.round}
        if opinion is None or opinion.stance is None:
            reason = opinion.abstain_reason if opinion else event.text
            said |= {"stance": None, "silent": (reason or "no answer").replace("_", " ")}
        else:
            said |= {
                "stance": opinion.stance[:200],
                "letter": letter_of(opinion.stance, self.plan.question),
                "reason": opinion.lead_reason[:300],
            }
        self.tell("opinion", **said)


class Runs:
    """All runs of one server."""

    def __init__(self, house: Settings, keep: Settings, limits: Limits) -> None:
        """Name where the roster is, where things are kept, and the limits."""
        self._house, self._keep, self._limits = house, keep, limits
        self._runs: dict[str, Run] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._over: deque[str] = deque()
        self._room = asyncio.Semaphore(limits.running)
        self._folder = keep.home / "page"
        self._journal = Journal(keep.home)

    @property
    def unfinished(self) -> int:
        """Runs that wait or run."""
        return len(self._tasks)

    def get(self, run_id: str) -> Run | None:
        """Return a run that this server still remembers."""
        return self._runs.get(run_id)

    async def submit(self, job: Job) -> Run:
        """Queue a job.

        Raises:
            Refusal: when the queue is full.
            CouncilError: when the job cannot be carried out as it stands.
        """
        if len(self._tasks) >= self._limits.running + self._limits.waiting:
            raise Refusal("queue-full", f"{len(self._tasks)} questions wait.", retry_after=5)
        return self._begin(job, await self._planned(job), RunFile(self._path(job)))

    async def resume(self) -> None:
        """Carry on what a server that is gone had begun."""
        for path in sorted(self._folder.glob(f"*{SUFFIX}")):
            file = RunFile(path)
            try:
                if (job := self._again(file)) is not None:
                    self._begin(job, await self._planned(job), file)
                    continue
            except (CouncilError, Refusal) as error:
                _LOG.warning("%s is not carried on: %s", path, error)
            file.remove()

    async def close(self) -> None:
        """Stop everything; what is unfinished stays a file."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _path(self, job: Job) -> Path:
        return self._folder / f"{job.job_id}{SUFFIX}"

    def _again(self, file: RunFile) -> Job | None:
        """Return the job of a file, one start further; None for one that is over or hopeless."""
        job = file.job
        if job is None or job.starts >= MOST_STARTS or self._path(job) != file.path:
            return None
        if self._journal.has("deliberation", job.job_id):
            return None
        return job.model_copy(update={"starts": job.starts + 1})

    async def _planned(self, job: Job) -> Plan:
        # A question is read in about a millisecond; an old deliberation may have to be looked for.
        if job.ask is not None:
            return plan_job(job, self._house, self._keep)
        return await asyncio.to_thread(plan_job, job, self._house, self._keep)

    def _begin(self, job: Job, plan: Plan, file: RunFile) -> Run:
        file.begin(job)
        run = Run(job, plan)
        self._runs[job.job_id] = run
        run.tell("waiting", ahead=max(0, len(self._tasks) - self._limits.running + 1))
        task = asyncio.create_task(self._carry_out(run, file))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return run

    async def _carry_out(self, run: Run, file: RunFile) -> None:
        done, failed = None, None
        try:
            async with self._room:
                run.tell("started", **_opening(run.plan))
                done = await carry_out(run.plan, run.job, file, run.watch, run.hear)
        except asyncio.CancelledError:
            file.close()
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, those who watch must be told
            failed = refusal_of(error)
        file.remove()
        run.end(done, failed)
        self._over.append(run.run_id)
        if len(self._over) > self._limits.remembered:
            self._runs.pop(self._over.popleft(), None)


def letter_of(stance: str | None, question: Question) -> str | None:
    """Return the letter of a stance, None for one outside the options."""
    if stance is None or stance == OTHER or stance not in question.option_names:
        return None
    return letter(question.option_names.index(stance))


def _opening(plan: Plan) -> dict[str, Any]:
    seats = [
        {"juror": seat.name, "model": seat.model, "via": seat.provider}
        for seat in plan.roster.jurors
    ]
    options = list(plan.question.option_names)
    topic, rules = plan.question.topic, plan.sent
    return {"seats": seats, "options": options, "topic": topic, "rules": rules}
