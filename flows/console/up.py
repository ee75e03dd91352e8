"""`council up`, `down`, `status`: the local Prefect server, and Hermes where seats need it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.console.terminal import err, out, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.progress import Progress

    from contracts.juror import Endpoint

RosterOption = Annotated[
    Path | None, typer.Option("--roster", help="Roster file; else the home's.")
]


def up(roster: RosterOption = None) -> None:
    """Start the local servers in the background, or find those that run.

    The dashboard's, and Hermes where the roster has seats with provider = "hermes_server".
    """
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from contracts.settings import settings
    from flows.console.server import start_server
    from tasks.providers.hermes_gateway import served
    from tasks.seating import load_roster

    seats = served(load_roster(settings(), roster))
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True) as progress:
        waiting = progress.add_task("starting the Prefect server (first start: up to a minute)")
        server, started = start_server(settings(), lambda _: progress.advance(waiting, 0))
    out.print(f"{'started' if started else 'already running'}: {server.dashboard_url}")
    out.print(f"log {plain(server.log)}; stop it with `council down`", style="dim", soft_wrap=True)
    if seats:
        with Progress(*columns, console=err, transient=True) as progress:
            said = _start_hermes(seats, progress)
        out.print(f"hermes {said}", soft_wrap=True)


def down() -> None:
    """Stop the local servers; runs and verdicts are kept."""
    from contracts.settings import settings
    from flows.console.server import stop_server
    from tasks.providers.hermes_launch import stop_gateway

    if stop_gateway(settings().home):
        out.print("stopped Hermes")
    out.print("stopped" if stop_server(settings()) else "no server runs here")


def status() -> None:
    """Say whether a server answers, and where everything is."""
    from contracts.settings import settings
    from flows.console.server import known_server, reachable_api

    house = settings()
    api_url, server = reachable_api(house), known_server(house)
    out.print(f"home    {plain(str(house.home))}", soft_wrap=True)
    if api_url:
        out.print(f"server  answers at {plain(api_url)}", soft_wrap=True)
    elif server:
        out.print(f"server  does not answer; see {plain(server.log)}", soft_wrap=True)
    else:
        out.print("server  none: asks run without a dashboard; `council up` starts one")
    if (gateway := _gateway(house.home)) is not None:
        out.print(f"hermes  {gateway}", soft_wrap=True)


def _start_hermes(seats: "Sequence[Endpoint]", progress: "Progress") -> str | None:
    """Start Hermes for the seats that are asked through its server; say where it is."""
    from contracts.settings import settings
    from tasks.providers.hermes_launch import start_gateway

    home = settings().home
    waiting = progress.add_task("starting Hermes for the seats")
    start_gateway(home, seats, tick=lambda _: progress.advance(waiting, 0))
    return _gateway(home)


def _gateway(home: Path) -> str | None:
    """Say where Hermes' server is, and whether it answers; None where none was started."""
    from tasks.providers.hermes_gateway import healthy, known_gateway

    info = known_gateway(home)
    if info is None:
        return None
    seats = f"{len(info.routes)} seat{'' if len(info.routes) == 1 else 's'}"
    if healthy(info):
        return f"answers at {info.base_url} for {seats} (version {info.version or 'not told'})"
    return f"does not answer; see {plain(info.log)}"
