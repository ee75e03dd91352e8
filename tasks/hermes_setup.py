"""What `council setup-hermes` writes: the homes of jurors and foreman, and the skills."""

from collections.abc import Iterable, Iterator
from itertools import chain as chained
from pathlib import Path

from contracts.errors import ConfigError, MissingBinary
from contracts.juror import Endpoint, Roster
from tasks.mirror import mirror_into
from tasks.providers.hermes_config import provider_name
from tasks.providers.hermes_files import FileChange, HomePlan, changes, write_home
from tasks.providers.hermes_foreman import listed_skills
from tasks.providers.hermes_home import foreman_home, foreman_plan, juror_plan, user_plan
from tasks.seating import preset, read_roster
from tasks.skill_writer import copy_for_hermes, plant_seeds

SKILL = "council"


def juror_endpoints(roster: Roster) -> tuple[Endpoint, ...]:
    """Return the endpoints of the seats, alternates included, that `hermes` is run for."""
    return tuple(e for e in _endpoints(roster) if e.provider == "hermes")


def known_endpoints(roster: Roster) -> tuple[Endpoint, ...]:
    """Return one endpoint for each address that the foreman's home is to know, its default first.

    The roster's foreman, its Hermes seats, its other seats with an address; then OpenRouter and
    the local Ollama, which every home knows.
    """
    seats = list(_endpoints(roster))
    house = _endpoints(read_roster(preset("hermes"), where="the shipped roster"))
    through = [e for e in seats if e.provider in ("hermes", "hermes_server")]
    others = [e for e in seats if e.provider == "openai_compatible" and e.base_url]
    named: dict[str, Endpoint] = {}
    for endpoint in chained([roster.foreman] if roster.foreman else [], through, others, house):
        if endpoint.base_url or endpoint.hermes_provider:
            named.setdefault(provider_name(endpoint), endpoint)
    return tuple(named.values())


def all_models(roster: Roster) -> tuple[Endpoint, ...]:
    """Return every endpoint at one of the known addresses, so that each model's floor is known."""
    first = {provider_name(e): e for e in known_endpoints(roster)}
    more = (e for e in _endpoints(roster) if e.base_url and provider_name(e) in first)
    same = (e for e in more if _address(e) == _address(first[provider_name(e)]))
    return (*first.values(), *same)


def plans(home: Path, roster: Roster) -> tuple[HomePlan, ...]:
    """Return the homes as they should be, the foreman's first.

    Raises:
        Misconfigured: a Hermes seat names neither an address nor a provider.
    """
    skills = home / "skills"
    jurors = {plan.home: plan for plan in (juror_plan(home, e) for e in juror_endpoints(roster))}
    return (foreman_plan(home, all_models(roster), skills), *jurors.values())


def users_plan(home: Path, roster: Roster) -> HomePlan:
    """Return the person's own home of Hermes with the addresses and skills added.

    Raises:
        ConfigError: their configuration does not read.
    """
    return user_plan(all_models(roster), home / "skills")


def foreign(planned: Iterable[HomePlan]) -> tuple[FileChange, ...]:
    """Return the changes to files that somebody else wrote or changed: they are shown first."""
    return tuple(change for plan in planned for change in changes(plan) if change.foreign)


def write(home: Path, planned: Iterable[HomePlan], user: HomePlan | None) -> list[FileChange]:
    """Write the skills and the homes; return what changed.

    Raises:
        ConfigError: a home cannot be written.
        SkillError: a skill cannot be written.
    """
    plant_seeds(home)
    made = [change for plan in planned for change in write_home(plan)]
    if user is not None:
        made += write_home(user, into_user_home=True)
        mirror_into(home, user.home)
    return made


async def show_skill(home: Path) -> str:
    """See to it that Hermes lists the skill; return how it does, in words.

    Hermes reads it where it lies; a version that does not gets a copy, which `council learn` keeps
    up.

    Raises:
        ConfigError: it lists it in neither way.
    """
    try:
        if SKILL in await listed_skills(home, foreman_home(home)):
            return "read where it lies"
        copy_for_hermes(home)
        if SKILL in await listed_skills(home, foreman_home(home)):
            return "copied into the foreman's home"
    except MissingBinary:
        return "not checked: Hermes is not installed"
    raise ConfigError("`hermes skills list` does not show the skill; `council doctor` says more.")


def _endpoints(roster: Roster) -> Iterator[Endpoint]:
    for juror in roster.jurors:
        yield from (juror.endpoint, *juror.alternates)


def _address(endpoint: Endpoint) -> tuple[str | None, str | None]:
    return endpoint.base_url, endpoint.api_key_env
