"""Checks of the house itself: where its packages come from, home, roster, skill, server."""

import importlib.metadata
import importlib.util
import os
from pathlib import Path
from typing import Literal, NamedTuple

from contracts.errors import CouncilError
from contracts.juror import Roster
from contracts.settings import Settings, secret
from flows.console.server import known_server, reachable_api
from tasks.seating import load_roster
from tasks.skills import load_hyde, load_skill

ROOMS = ("contracts", "data", "flows", "skills", "tasks")
DISTRIBUTION = "council-jury"


class Finding(NamedTuple):
    """One thing that was looked at."""

    name: str
    state: Literal["ok", "note", "fault"]
    said: str
    mend: str = ""
    """What to do, where something is to be done."""


def check_house(house: Settings, roster_file: Path | None) -> tuple[list[Finding], Roster | None]:
    """Return what was found, and the roster where it reads."""
    found = [_packages(), _home(house)]
    roster: Roster | None = None
    try:
        roster = load_roster(house, roster_file)
    except CouncilError as error:
        mend = "correct that line, or `council roster init` writes a commented file"
        found.append(Finding("roster", "fault", str(error), mend))
    else:
        found += _roster(roster)
    found += [_skill(house, roster), _hyde(house), _server(house)]
    return found, roster


def _packages() -> Finding:
    """Tell where the five packages come from: their names are free, and others may take them."""
    root = str(Path(__file__).resolve().parents[2])
    owners = importlib.metadata.packages_distributions()
    faults = []
    for room in ROOMS:
        others = sorted({name for name in owners.get(room, []) if name != DISTRIBUTION})
        spec = importlib.util.find_spec(room)
        origin = str(Path(spec.origin).resolve().parent) if spec and spec.origin else "nowhere"
        if others:
            faults.append(f"{room} is also shipped by {', '.join(others)}")
        elif origin != f"{root}/{room}":
            faults.append(f"{room} comes from {origin}")
    if faults:
        mend = "install Council in an environment of its own (`pipx install`, or a fresh venv)"
        return Finding("packages", "fault", "; ".join(faults), mend)
    return Finding("packages", "ok", f"all five from {root}")


def _home(house: Settings) -> Finding:
    nearest = next(path for path in (house.home, *house.home.parents) if path.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        mend = "make it writable, or set COUNCIL_HOME to a directory that is"
        return Finding("home", "fault", f"{house.home} cannot be written", mend)
    return Finding("home", "ok", str(house.home))


def _roster(roster: Roster) -> list[Finding]:
    seats = ", ".join(juror.name for juror in roster.jurors)
    found = [Finding("roster", "ok", f"{roster.name}: {seats}")]
    named = [
        (juror.name, e) for juror in roster.jurors for e in (juror.endpoint, *juror.alternates)
    ]
    named += [("foreman", roster.foreman)] if roster.foreman else []
    missing = {
        (name, endpoint.api_key_env)
        for name, endpoint in named
        if endpoint.api_key_env and secret(endpoint.api_key_env) is None
    }
    for name, variable in sorted(missing):
        mend = f"export {variable}=…, or name another variable as api_key_env in the roster"
        found.append(Finding(f"key of {name}", "fault", f"{variable} is not set", mend))
    return found


def _skill(house: Settings, roster: Roster | None) -> Finding:
    try:
        rules = load_skill(house.home).rules
    except CouncilError as error:
        return Finding("skill council", "fault", str(error), "correct that line of the file")
    seats = {juror.name.casefold() for juror in roster.jurors} if roster else set()
    idle = sorted({rule.juror for rule in rules if rule.juror.casefold() not in seats})
    if roster and idle:
        said = f"rules for jurors that have no seat: {', '.join(idle)}"
        return Finding("skill council", "note", said, "remove them, or seat those jurors")
    return Finding("skill council", "ok", f"reads; {len(rules)} rules")


def _hyde(house: Settings) -> Finding:
    try:
        personas = load_hyde(house.home).personas
    except CouncilError as error:
        return Finding("skill hyde", "fault", str(error), "correct that line of the file")
    return Finding("skill hyde", "ok", f"reads; {len(personas)} personas")


def _server(house: Settings) -> Finding:
    api_url = reachable_api(house)
    if api_url:
        return Finding("server", "ok", f"answers at {api_url}")
    given, known = secret("PREFECT_API_URL"), known_server(house)
    if given:
        mend = "start that server, or unset PREFECT_API_URL to use the local one"
        return Finding("server", "fault", f"{given} does not answer", mend)
    if known:
        mend = f"`council down`, then `council up`; {known.log} says why it ended"
        return Finding("server", "fault", f"{known.api_url} does not answer", mend)
    return Finding("server", "ok", "none: asks run without a dashboard; `council up` starts one")
