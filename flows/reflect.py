"""Look back: which rules does the evidence speak for, and what does a person make of them?"""

from prefect import flow

from contracts.settings import settings
from tasks.reflection_engine import Chosen, ask_person, pose, reflect_tasks


@flow(flow_run_name="reflect", persist_result=False)
async def reflect(
    ask: bool = True,  # noqa: FBT001, FBT002 - a flow's parameters are given by name
    wait_minutes: float = 1440.0,
    roster_file: str | None = None,
) -> list[Chosen]:
    """Propose rules from the evidence; nothing changes until a person approves.

    Args:
        ask: pause for each proposal, with a form in the dashboard: approve, dismiss, later.
        wait_minutes: how long to wait for an answer; then it is left for later.
        roster_file: path of a roster; else the home's, else the stand-ins.
    """
    steps = reflect_tasks(settings(), roster_file)
    found = await steps.reflect()
    posed = pose(await steps.word(found), found.personas)
    await steps.report(posed)
    chosen = []
    for one in posed if ask else ():
        choice, name = await ask_person(one, seconds=60 * wait_minutes), one.proposal_id
        done = "later" if choice.decision == "later" else await steps.settle(name, choice)
        chosen.append(Chosen(name, done))
    return chosen
