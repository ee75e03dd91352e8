"""Convene the council on one question: the main path."""

from pathlib import Path

from prefect import flow, runtime

from contracts.deliberation import Deliberation
from contracts.settings import settings
from tasks.arena.casting import with_arena
from tasks.asking import make_question
from tasks.deliberate import deliberate, new_session, watching
from tasks.engine import name_of_run, prefect_stages, tag_run
from tasks.evidence import work_of
from tasks.seating import load_roster
from tasks.skills import load_skill


@flow(flow_run_name=name_of_run, persist_result=False)
async def convene(
    question: str,
    options: list[str] | None = None,
    topic: str | None = None,
    context: str | None = None,
    roster_file: str | None = None,
    tags: list[str] | None = None,
    arena: str = "auto",
    reopen: bool = False,  # noqa: FBT001, FBT002 - a flow's parameters are given by name
    evidence: list[str] | None = None,
    then: list[str] | None = None,
    force_then: bool = False,  # noqa: FBT001, FBT002 - as above
    child: str = "hermes",
    allow: list[str] | None = None,
) -> Deliberation:
    """Ask the council one question and return the whole deliberation.

    Args:
        question: what is asked.
        options: what may be chosen; read from the question where they are left out.
        topic: else matched against the topics of the council's skill.
        context: material to judge by.
        roster_file: path of a roster; else the home's, else the stand-ins.
        tags: words to find it by; `risky` calls the arena.
        arena: when the verdict is attacked: off, auto, contested-only, always, or margin<0.2.
        reopen: let the jurors answer again when the arena overturns the verdict.
        evidence: contract files whose work is done before the jurors are asked.
        then: contract files whose work is done after a verdict that stands.
        force_then: do it also after one that is contested, hung or without quorum.
        child: who does it: stand-in, command:PROGRAM ARGUMENTS, hermes, or hermes:SEAT.
        allow: programs that checks of the work may run.
    """
    house, run = settings(), str(runtime.flow_run.id)
    roster = load_roster(house, Path(roster_file) if roster_file else None)
    asked = make_question(
        question,
        options=options or (),
        topic=topic,
        context=context,
        tags=tags or (),
        topics=load_skill(house.home).topics,
    )
    policy = with_arena(house.policy, arena, reopen=reopen)
    work = work_of(evidence or (), then or (), child, roster, allow=allow or (), forced=force_then)
    await tag_run(roster, f"topic:{asked.topic}", *asked.tags)
    session = new_session("prefect", flow_run_id=run)
    stages = prefect_stages(house, scope=session.deliberation_id)
    return await deliberate(asked, roster, policy, stages, session, watching.get(), work)
