"""Give contracts away, verify what came back, and ask a person where a contract wants one."""

from pathlib import Path

from prefect import flow

from contracts.delegation import DelegationRecord
from contracts.settings import settings
from tasks.deliberate import Event, watching
from tasks.hands import hands_of
from tasks.seating import load_roster
from tasks.work import carry_out, load_work
from tasks.work_engine import WAIT_SECONDS, prefect_work


@flow(flow_run_name="delegate {contracts}", persist_result=False)
async def delegate(
    contracts: list[str],
    child: str = "hermes",
    allow: list[str] | None = None,
    roster_file: str | None = None,
    wait_seconds: int = WAIT_SECONDS,
) -> list[DelegationRecord]:
    """Delegate every contract, ten at once, and return what came of each.

    Args:
        contracts: paths of contract files.
        child: stand-in, command:PROGRAM ARGUMENTS, hermes, or hermes:SEAT.
        allow: programs that `command_succeeds` checks may run.
        roster_file: where Hermes' model is looked up; else the home's roster.
        wait_seconds: how long the run is paused for a person when a contract escalates.
    """
    house, watch = settings(), watching.get()
    roster = load_roster(house, Path(roster_file) if roster_file else None)
    hands = hands_of(child, roster, allow or ())
    stages = prefect_work(house, wait_seconds=wait_seconds)
    work = load_work(contracts, hands)
    return list(await carry_out(work, hands, stages, lambda *what: watch(Event(*what))))
