"""Who is given work, as one word that a command line, a flow's parameter and a record can hold."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

from contracts.base import Record
from contracts.errors import ConfigError
from contracts.juror import Endpoint, Roster
from tasks.children import Child, CommandChild
from tasks.stand_in_child import Act, StandInChild

FORMS = (
    "stand-in, stand-in:lies,works (one act an attempt), "
    "command:./collect.sh --fast, hermes, or hermes:SEAT (a seat of the roster)"
)


class Hands(Record):
    """A child, and the programs that checks of its work may run."""

    child: Literal["command", "stand-in", "hermes"] = "hermes"
    argv: tuple[str, ...] = ()
    """Of the command."""
    script: tuple[Act, ...] = ()
    """Of the stand-in."""
    endpoint: Endpoint | None = None
    """The model behind Hermes."""
    allow: tuple[str, ...] = ()
    """Programs that `command_succeeds` checks may run; by default none."""


def hands_of(text: str, roster: Roster, allow: Sequence[str] = ()) -> Hands:
    """Return the hands that `text` names: one of `FORMS`.

    Raises:
        ConfigError: it names none, or the roster has no seat that Hermes could drive.
    """
    kind, _, rest = text.strip().partition(":")
    allowed = tuple(allow)
    if kind == "stand-in":
        return Hands(child="stand-in", script=_acts(rest), allow=allowed)
    if kind == "command" and (argv := _argv(rest)):
        return Hands(child="command", argv=argv, allow=allowed)
    if kind == "hermes":
        return Hands(child="hermes", endpoint=_seat(rest.strip(), roster), allow=allowed)
    raise ConfigError(f"{text!r} names no child; there are {FORMS}")


def child_of(hands: Hands, home: Path) -> Child:
    """Return the child itself.

    Raises:
        ConfigError: it is Hermes without a model.
    """
    if hands.child == "stand-in":
        return StandInChild(hands.script)
    if hands.child == "command":
        return CommandChild(hands.argv)
    if hands.endpoint is None:
        raise ConfigError(f"Hermes as a child needs a model; there are {FORMS}")
    from tasks.hermes_child import HermesChild  # noqa: PLC0415 - only where Hermes is driven

    return HermesChild(hands.endpoint, home)


def _acts(text: str) -> tuple[Act, ...]:
    known: dict[str, Act] = {act: act for act in get_args(Act)}
    acts = [word.strip() for word in text.split(",") if word.strip()]
    for act in acts:
        if act not in known:
            raise ConfigError(f"the stand-in has no act {act!r}; there are {', '.join(known)}")
    return tuple(known[act] for act in acts)


def _argv(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise ConfigError(f"command:{text} does not read: {error}") from None


def _seat(name: str, roster: Roster) -> Endpoint:
    """Return the model of the named seat, else of the first that Hermes drives or could drive."""
    fit = [s for s in roster.jurors if s.provider in {"hermes", "hermes_server"}]
    fit += [s for s in roster.jurors if s.provider == "openai_compatible" and s.base_url]
    for seat in fit:
        if name in {"", seat.name}:
            return seat.endpoint
    wanted = f"no seat {name!r} that" if name else "no seat that"
    raise ConfigError(f"the roster has {wanted} Hermes can drive; name a child: {FORMS}")
