"""What was put to the council on the page, checked: a job, and the plan to carry it out."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from pydantic import Field

from contracts.base import Record
from contracts.juror import Roster
from contracts.memory import Memory, Policy
from contracts.question import Question
from contracts.settings import Settings
from contracts.skill import WeightRule
from data.store import Store
from flows.page.problems import Refusal
from flows.page.sent_rules import SentRule, check_sent
from tasks.arena.casting import with_arena
from tasks.asking import make_question
from tasks.memory import recall
from tasks.replays import as_asked, failed_seats, reusing
from tasks.seating import load_roster
from tasks.skills import load_skill
from tasks.stages import Stages, plain_stages

MAX_TEXT = 200_000


class Ask(Record):
    """A question for the council."""

    question: str = Field(min_length=1, max_length=MAX_TEXT)
    options: tuple[str, ...] = Field(default=(), max_length=26)
    """Two or more choices; without any they are read from the question, or it is an open one."""
    topic: str | None = Field(default=None, max_length=80)
    """Else matched against the topics of the council's skill."""
    context: str | None = Field(default=None, max_length=MAX_TEXT)
    """Material to judge by."""
    tags: tuple[str, ...] = Field(default=(), max_length=20)
    arena: str = Field(default="auto", max_length=30)
    """When the verdict is attacked: off, auto, contested-only, always, margin<0.2."""
    reopen: bool = False
    rules: tuple[SentRule, ...] = ()
    """Approved in the browser; they apply to this question only."""


class Again(Record):
    """A kept deliberation that is deliberated again."""

    deliberation_id: str = Field(min_length=1, max_length=200)
    jurors: tuple[str, ...] = Field(default=(), max_length=64)
    """Seats to ask again; else those that failed."""


class Job(Record):
    """One run, as it is written down until its verdict is."""

    job_id: str
    """The id of its deliberation."""
    asked_at: datetime
    starts: int = 0
    """How often it was begun: a run that ends the server must not do so for ever."""
    ask: Ask | None = None
    again: Again | None = None


class Plan(NamedTuple):
    """A job that can be carried out."""

    question: Question
    roster: Roster
    policy: Policy
    stages: Stages
    replay_of: str | None = None
    sent: int = 0
    """Rules that came with the question."""


def plan_job(job: Job, house: Settings, keep: Settings) -> Plan:
    """Return what is to be done, or raise what is wrong with it.

    Args:
        job: what was asked.
        house: where the roster is, and what was learned.
        keep: where what is decided goes.

    Raises:
        UsageError: naming what does not fit.
        NotFound: for a deliberation that is not kept.
        Refusal: when there is nothing to ask again.
    """
    if job.again is not None:
        return _plan_again(job.again, house, keep)
    ask = job.ask or Ask(question="?")
    roster = load_roster(house)
    skill = load_skill(house.home)
    question = make_question(
        ask.question,
        options=ask.options,
        topic=ask.topic,
        context=ask.context,
        tags=ask.tags,
        topics=skill.topics,
    )
    rules = check_sent(ask.rules, roster, skill)
    stages = stages_of(house, keep, rules)
    policy = with_arena(house.policy, ask.arena, reopen=ask.reopen)
    return Plan(question, roster, policy, stages, sent=len(rules))


def stages_of(house: Settings, keep: Settings, rules: Sequence[WeightRule] = ()) -> Stages:
    """Return the plain stages: what was learned comes from `house`, what is new goes to `keep`.

    `rules` came with the question, and hold for it alone.
    """

    async def recalled(question: Question, roster: Roster) -> Memory:
        return recall(house.home, question, roster, sent=rules)

    return plain_stages(keep)._replace(recall=recalled, word=plain_stages(house).word)


def _plan_again(again: Again, house: Settings, keep: Settings) -> Plan:
    old = Store(keep.home).deliberation(again.deliberation_id)
    seats = {seat.name for seat in old.roster.jurors}
    unknown = [name for name in again.jurors if name not in seats]
    if unknown:
        raise Refusal("invalid", f"no seat is named {unknown[0]!r}", field="jurors")
    chosen = frozenset(again.jurors) or failed_seats(old)
    if not chosen:
        raise Refusal("conflict", "Every seat was heard; name the jurors to ask again.")
    stages = reusing(stages_of(house, keep), old, chosen)
    return Plan(as_asked(old), old.roster, old.policy, stages, replay_of=old.deliberation_id)
