"""Convene the council on one question: the main path."""

from pathlib import Path

from prefect import flow, runtime

from contracts.deliberation import Deliberation
from contracts.settings import settings
from tasks.arena.casting import with_arena
from tasks.asking import make_question
from tasks.deliberate import deliberate, new_session, watching
from tasks.engine import name_of_run, prefect_stages, tag_run
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
    await tag_run(asked, roster)
    session = new_session("prefect", flow_run_id=run)
    stages = prefect_stages(house, scope=session.deliberation_id)
    return await deliberate(asked, roster, policy, stages, session, watching.get())
