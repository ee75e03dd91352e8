"""Reads the roster: a TOML file that names each seat."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from contracts.errors import ConfigError
from contracts.juror import Endpoint, JurorSpec, Roster
from contracts.settings import Settings

PRESETS = ("offline", "openrouter", "ollama", "local", "hermes")
ROSTER_FILE = "roster.toml"
MAX_BYTES = 1_000_000


def load_roster(settings: Settings, path: Path | None = None) -> Roster:
    """Return the roster: `path`, else COUNCIL_ROSTER, else the home's, else the stand-ins.

    Raises:
        ConfigError: naming the file, the seat and the field that does not fit.
    """
    chosen = path or settings.roster
    if chosen is None and (settings.home / ROSTER_FILE).is_file():
        chosen = settings.home / ROSTER_FILE
    if chosen is None:
        return read_roster(preset("offline"), where="the embedded roster")
    try:
        if chosen.stat().st_size > MAX_BYTES:
            raise ConfigError(f"{chosen}: larger than {MAX_BYTES} bytes; that is no roster")
        text = chosen.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"{chosen}: the roster cannot be read ({error}). "
            "`council roster init` writes a commented one."
        ) from error
    return read_roster(text, where=str(chosen))


@lru_cache(maxsize=8)  # a server reads the same text for every question
def read_roster(text: str, *, where: str) -> Roster:
    """Return the roster that a TOML text holds.

    Raises:
        ConfigError: naming `where`, the seat and the field that does not fit.
    """
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{where}: not TOML: {error}") from error
    seats = raw.pop("juror", [])
    if not isinstance(seats, list) or not all(isinstance(seat, dict) for seat in seats):
        raise ConfigError(f"{where}: seats are tables headed [[juror]]")
    try:
        return Roster.model_validate(raw | {"jurors": [_plural(seat) for seat in seats]})
    except ValidationError as error:
        raise ConfigError(f"{where}: {_explain(error, seats)}") from None


def preset(name: str) -> str:
    """Return the commented roster that ships as `name`.

    Raises:
        ConfigError: for a name that is none of `PRESETS`.
    """
    if name not in PRESETS:
        raise ConfigError(f"no preset is called {name!r}; there are {', '.join(PRESETS)}")
    return files("tasks").joinpath("rosters", f"{name}.toml").read_text(encoding="utf-8")


def chain(seat: JurorSpec, roster: Roster) -> tuple[Endpoint, ...]:
    """Return what is asked for a seat, in order: its endpoint, its alternates, the stand-in."""
    endpoints = (seat.endpoint, *seat.alternates)
    if not roster.allow_stand_in:
        return endpoints
    return (*endpoints, Endpoint(provider="offline", model="stand-in/prudent", locality="local"))


def _plural(seat: dict[str, Any]) -> dict[str, Any]:
    """In the file an alternate is headed [[juror.alternate]], one table each."""
    renamed = dict(seat)
    if "alternate" in renamed:
        renamed["alternates"] = renamed.pop("alternate")
    return renamed


def _explain(error: ValidationError, seats: list[dict[str, Any]]) -> str:
    first = error.errors()[0]
    location = [str(part) for part in first["loc"]]
    if location[:1] == ["jurors"] and len(location) > 1:
        seat = seats[int(location[1])].get("name", f"number {int(location[1]) + 1}")
        field = ".".join(location[2:]) or "seat"
        return f"seat {seat!r}: {field}: {first['msg']}"
    if location == ["jurors"]:
        return f"no [[juror]] seats: {first['msg']}"
    return f"{'.'.join(location) or 'roster'}: {first['msg']}"
