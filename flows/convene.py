"""Convene the council on one question: the main path."""

from pathlib import Path

from prefect import flow, runtime

from contracts.deliberation import Deliberation
from contracts.settings import settings
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
) -> Deliberation:
    """Ask the council one question and return the whole deliberation.

    Args:
        question: what is asked.
        options: what may be chosen; read from the question where they are left out.
        topic: else matched against the topics of the council's skill.
        context: material to judge by.
        roster_file: path of a roster; else the home's, else the stand-ins.
    """
    house, run = settings(), str(runtime.flow_run.id)
    roster = load_roster(house, Path(roster_file) if roster_file else None)
    asked = make_question(
        question,
        options=options or (),
        topic=topic,
        context=context,
        topics=load_skill(house.home).topics,
    )
    await tag_run(asked, roster)
    session = new_session("prefect", flow_run_id=run)
    stages = prefect_stages(house, scope=session.deliberation_id)
    return await deliberate(asked, roster, house.policy, stages, session, watching.get())
