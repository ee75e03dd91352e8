"""Deliberate again what failed: only the silent seats are asked, the rest is used again."""

from pathlib import Path

from prefect import flow, runtime

from contracts.deliberation import Deliberation
from contracts.settings import settings
from data.store import Store
from tasks.deliberate import deliberate, new_session, watching
from tasks.engine import prefect_stages
from tasks.replays import as_asked, failed_seats, reusing
from tasks.seating import load_roster


@flow(flow_run_name="replay {deliberation_id}", persist_result=False)
async def replay(
    deliberation_id: str, jurors: list[str] | None = None, roster_file: str | None = None
) -> Deliberation:
    """Deliberate again and return the new deliberation, which points to the old one.

    Args:
        deliberation_id: the old one, or the first characters of its id.
        jurors: seats to ask again; else those that failed.
        roster_file: another council: then every seat is asked.
    """
    house, run = settings(), str(runtime.flow_run.id)
    old = Store(house.home).deliberation(deliberation_id)
    session = new_session("prefect", flow_run_id=run, replay_of=old.deliberation_id)
    stages = prefect_stages(house, scope=session.deliberation_id)
    roster = old.roster
    if roster_file:
        roster = load_roster(house, Path(roster_file))
    else:
        stages = reusing(stages, old, frozenset(jurors or failed_seats(old)))
    return await deliberate(as_asked(old), roster, old.policy, stages, session, watching.get())
