"""Reflection as Prefect tasks, and the run that waits for a person's choice in the dashboard."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple
from uuid import UUID

from prefect import get_run_logger, runtime, task
from prefect.artifacts import acreate_markdown_artifact
from prefect.flow_runs import apause_flow_run, aresume_flow_run
from prefect.input import RunInput

from contracts.errors import CouncilError
from contracts.persona import PersonaProposal
from contracts.settings import Settings
from tasks.markdown import escape
from tasks.reading.proposal_words import Worded
from tasks.reflection import Reflection, approve, dismiss, reflect_home, word_proposals
from tasks.seating import load_roster
from tasks.stages import now
from tasks.task_options import UNCACHED, disk_options

GRACE_SECONDS = 600
"""What the server waits beyond us, so that an unanswered run ends well and not as failed."""

SHOWN_ROWS = 10


class RuleChoice(RunInput):
    """What a person makes of one proposal: the form in the dashboard."""

    decision: Literal["approve", "dismiss", "later"] = "later"
    by: str = ""
    """Who decides; it stands beside the rule."""
    note: str = ""


class Chosen(NamedTuple):
    """A proposal, and what was chosen."""

    proposal_id: str
    decision: str


class Posed(NamedTuple):
    """A proposal as a person is asked about it."""

    proposal_id: str
    markdown: str


class ReflectTasks(NamedTuple):
    """What a reflection is made of."""

    reflect: Callable[[], Awaitable[Reflection]]
    word: Callable[[Reflection], Awaitable[tuple[Worded, ...]]]
    report: Callable[[Sequence[Posed]], Awaitable[None]]
    settle: Callable[[str, RuleChoice], Awaitable[str]]


def reflect_tasks(settings: Settings, roster_file: str | None = None) -> ReflectTasks:
    """Return the stages as Prefect tasks."""
    home = settings.home
    roster = load_roster(settings, Path(roster_file) if roster_file else None)

    @task(task_run_name="reflect", **disk_options(settings))
    async def reflect() -> Reflection:
        return await asyncio.to_thread(reflect_home, home, roster, now=now())

    @task(task_run_name="word", **UNCACHED)
    async def word(found: Reflection) -> tuple[Worded, ...]:
        return await word_proposals(home, roster, found.proposals)

    @task(task_run_name="report", **UNCACHED)
    async def report(posed: Sequence[Posed]) -> None:
        await acreate_markdown_artifact(key="proposals", markdown=table_markdown(posed))

    @task(task_run_name="settle-{proposal_id}", **UNCACHED)
    async def settle(proposal_id: str, choice: RuleChoice) -> str:
        by = choice.by.strip() or "the dashboard"
        take = approve if choice.decision == "approve" else dismiss
        try:
            take(home, roster, proposal_id, by=by, note=choice.note, now=now())
        except CouncilError as error:
            get_run_logger().warning("%s", error)
            return "could not be settled"
        return choice.decision

    return ReflectTasks(reflect, word, report, settle)


def pose(rules: Sequence[Worded], personas: Sequence[PersonaProposal]) -> tuple[Posed, ...]:
    """Return everything that a person is asked about, rules first."""
    posed = [Posed(one.proposal.proposal_id, proposal_markdown(one)) for one in rules]
    return (*posed, *(Posed(one.proposal_id, persona_markdown(one)) for one in personas))


async def ask_person(one: Posed, *, seconds: float, poll_seconds: int = 5) -> RuleChoice:
    """Pause the run until a person chooses; who does not answer in time is taken for `later`."""
    run, key = UUID(str(runtime.flow_run.id)), f"rule-{one.proposal_id}"
    form = RuleChoice.with_initial_data(description=one.markdown, decision="later")
    waiting = asyncio.create_task(_leave_for_later(run, seconds))
    try:
        choice = await apause_flow_run(
            wait_for_input=form,
            timeout=int(seconds) + GRACE_SECONDS,
            poll_interval=poll_seconds,
            key=key,
        )
    finally:
        waiting.cancel()
    return RuleChoice.model_validate(choice.model_dump())


def proposal_markdown(one: Worded) -> str:
    """Return one proposal as Markdown: the rule, the case, the evidence, until when."""
    made, replay = one.proposal, one.proposal.counterfactual
    old = f", now {made.replaces:g}" if made.replaces is not None else ""
    figures = f"judged again: {replay.replayed}, another verdict: {len(replay.turned)} "
    figures += f"(better {replay.better}, worse {replay.worse}); dissents: {made.n_dissents}; "
    rows = ["| question | it held | verdict | right |", "|---|---|---|---|"]
    for row in made.evidence[:SHOWN_ROWS]:
        cells = (row.question, row.stance, row.verdict, row.right or "not known")
        rows.append(f"| {' | '.join(map(escape, cells))} |")
    lines = [
        f"## {escape(made.juror)} on {escape(made.topic)}: weight {made.weight:g}{old}",
        escape(one.words),
        f"{figures}stands until {made.expires_at:%Y-%m-%d}",
        "\n".join(rows),
        f"`council reflect --approve {made.proposal_id}`",
    ]
    return "\n\n".join(lines)


def persona_markdown(one: PersonaProposal) -> str:
    """Return a proposed casting rule as Markdown: the rule and the bouts that speak for it."""
    old = f", now {one.replaces}" if one.replaces else ""
    lines = [
        f"## {escape(one.persona)} on {escape(one.topic)}: {one.cast} cast{old}",
        escape(one.words),
        f"`council reflect --approve {one.proposal_id}`",
    ]
    return "\n\n".join(lines)


def table_markdown(posed: Sequence[Posed]) -> str:
    """Return all proposals as Markdown."""
    if not posed:
        return "# Proposed rules\n\nThe evidence speaks for none."
    return "\n\n".join(["# Proposed rules", *(one.markdown for one in posed)])


async def _leave_for_later(run: UUID, seconds: float) -> None:
    await asyncio.sleep(seconds)
    await aresume_flow_run(run, run_input={"decision": "later"})
