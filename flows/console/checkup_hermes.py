"""Checks of Hermes: program, homes, floors, addresses, skill, memory, sizes."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from contracts.errors import ConfigError, CouncilError, MissingBinary
from contracts.juror import Endpoint, Roster
from contracts.settings import Settings
from flows.console.checkup import Finding
from tasks import mirror_rebuild
from tasks.hermes_probe import probe
from tasks.hermes_setup import SKILL, plans
from tasks.mirror import memory_file, mirrored_homes
from tasks.providers.hermes_files import HomePlan, changes
from tasks.providers.hermes_foreman import context_length, has_foreman, listed_skills
from tasks.providers.hermes_gateway import healthy, known_gateway, served
from tasks.providers.hermes_home import foreman_home, hermes_root, juror_home
from tasks.providers.hermes_run import find_hermes, hermes_features, own_hermes

FLOOR = 64_000
"""Tokens of context that Hermes insists on."""
OLDEST = (0, 19)
"""Version that all this was measured on; older ones were not looked at."""
LARGEST = 1_000_000_000
"""Bytes of all homes."""
AT_ONCE = 2
SETUP = "`council setup-hermes`"


async def check_hermes(house: Settings, roster: Roster, *, ask: bool) -> list[Finding]:
    """Return what was found of Hermes; one line where nothing here uses it."""
    seats = list(_seats(roster))
    if not seats and not served(roster) and not has_foreman(house.home):
        return [Finding("hermes", "ok", "not used: no seat asks through it")]
    program = await _program(house)
    found = [*program, *_homes(house, roster), *_floors(house, seats)]
    if program[0].state == "fault":
        return [*found, _sizes(house)]
    if ask:
        turns = asyncio.Semaphore(AT_ONCE)
        found += await asyncio.gather(*(_probed(house, name, e, turns) for name, e in seats))
    found += [one async for one in _foreman(house)]
    return [*found, *_gateway(house, roster), _sizes(house)]


def _seats(roster: Roster) -> Iterator[tuple[str, Endpoint]]:
    for juror in roster.jurors:
        for endpoint in (juror.endpoint, *juror.alternates):
            if endpoint.provider == "hermes":
                yield juror.name, endpoint


async def _program(house: Settings) -> list[Finding]:
    mend = f"{SETUP[:-1]} --install` installs it, or set COUNCIL_HERMES_BIN to the program"
    try:
        binary = find_hermes(house.home)
        features = await hermes_features(house.home, binary)
    except MissingBinary as error:
        return [Finding("hermes program", "fault", str(error), mend)]
    found = [Finding("hermes program", "ok", str(binary))]
    number = tuple(int(part) for part in re.findall(r"\d+", features.version or "")[:2])
    if not number:
        found.append(Finding("hermes version", "fault", f"{binary} does not tell one", mend))
    elif number < OLDEST:
        said = f"{features.version} is older than {'.'.join(map(str, OLDEST))}"
        found.append(Finding("hermes version", "fault", said, mend))
    else:
        found.append(Finding("hermes version", "ok", str(features.version)))
    return found


def _homes(house: Settings, roster: Roster) -> Iterator[Finding]:
    try:
        planned = plans(house.home, roster)
    except CouncilError as error:
        yield Finding("hermes homes", "fault", str(error), "correct that seat of the roster")
        return
    for plan in planned:
        yield from _one_home(plan, needed=plan is planned[0])


def _one_home(plan: HomePlan, *, needed: bool) -> Iterator[Finding]:
    name = f"home {plan.home.name}"
    try:
        changed = changes(plan)
    except ConfigError as error:
        yield Finding(name, "fault", str(error), f"remove that file; {SETUP} writes it anew")
        return
    foreign = [change.file.name for change in changed if change.foreign]
    if foreign:
        said = f"{', '.join(foreign)} in {plan.home} is not as Council wrote it"
        yield Finding(name, "fault", said, f"{SETUP} shows the difference and keeps a copy")
    elif changed and (needed or plan.home.exists()):
        said = f"{plan.home} is not as the roster says"
        yield Finding(name, "fault" if needed else "note", said, SETUP)
    elif needed:
        yield Finding(name, "ok", str(plan.home))


def _floors(house: Settings, seats: list[tuple[str, Endpoint]]) -> Iterator[Finding]:
    for name, endpoint in seats:
        try:
            home = juror_home(house.home, endpoint)
        except CouncilError:
            continue  # named with the homes
        if not (home / "config.yaml").exists():
            continue  # written, with the floor in it, before the seat is asked
        tokens = context_length(home, endpoint)
        if tokens is not None and tokens >= FLOOR:
            yield Finding(f"floor of {name}", "ok", f"{endpoint.model}: {tokens:,} tokens")
            continue
        said = f"{endpoint.model}: {f'{tokens:,}' if tokens else 'unknown'} tokens"
        said += f" of context in {home}, and Hermes needs {FLOOR:,}"
        yield Finding(f"floor of {name}", "fault", said, f"{SETUP} writes it anew")


async def _probed(
    house: Settings, name: str, endpoint: Endpoint, turns: asyncio.Semaphore
) -> Finding:
    async with turns:
        try:
            answered = await probe(house.home, endpoint)
        except CouncilError as error:
            kind = getattr(error, "kind", "")
            if kind == "offline":
                return Finding(f"address of {name}", "note", f"not asked: {error}")
            mend = "`council roster check` asks the seat by every way that it has"
            return Finding(f"address of {name}", "fault", f"{kind}: {error}", mend)
    asked = (endpoint.base_url or answered or "").rstrip("/")
    if answered is not None and answered.rstrip("/") != asked:
        said = f"{endpoint.model}: {asked} was asked and {answered} answered"
        return Finding(f"address of {name}", "fault", said, f"{SETUP} writes its address anew")
    told = "" if answered else " (this Hermes does not tell which address answered)"
    return Finding(f"address of {name}", "ok", f"{endpoint.model} at {asked} answered{told}")


async def _foreman(house: Settings) -> AsyncIterator[Finding]:
    if not has_foreman(house.home):
        return
    listed = await listed_skills(house.home, foreman_home(house.home))
    if SKILL in listed:
        yield Finding("skill in hermes", "ok", "`hermes skills list` shows it")
    else:
        shown = ", ".join(sorted(listed)) or "none"
        yield Finding("skill in hermes", "fault", f"`hermes skills list` shows {shown}", SETUP)
    for home in mirrored_homes(house.home):
        faults = await mirror_rebuild.check(house.home, home)
        for fault in faults:
            said, _, mend = fault.partition("; ")
            yield Finding("memory", "fault", said, mend or "mend that file, or move it away")
        if not faults:
            yield Finding("memory", "ok", str(memory_file(home)))


def _gateway(house: Settings, roster: Roster) -> Iterator[Finding]:
    if not served(roster):
        return
    info = known_gateway(house.home)
    if info is not None and healthy(info):
        yield Finding("hermes server", "ok", f"answers at {info.base_url}")
    else:
        said = "it does not run, and the roster has seats that are asked through it"
        yield Finding("hermes server", "fault", said, "`council up` starts it")


def _sizes(house: Settings) -> Finding:
    root, own = hermes_root(house.home), own_hermes(house.home).parent.parent
    files = (path for path in root.rglob("*") if own not in path.parents)
    total = sum(_size(path) for path in files)
    if total > LARGEST:
        said = f"{root}: {total / 1e6:,.0f} MB of sessions and logs"
        mend = f"remove {root / 'jurors'}: the homes in it are written anew when they are needed"
        return Finding("hermes sizes", "fault", said, mend)
    return Finding("hermes sizes", "ok", f"{total / 1e6:,.1f} MB in {root}")


def _size(path: Path) -> int:
    try:
        status = path.lstat()
    except OSError:
        return 0
    return status.st_size if path.is_file() else 0
