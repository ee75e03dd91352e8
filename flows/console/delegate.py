"""`council delegate`: contracts given away, verified on the disk, never believed."""

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from contracts.errors import EngineError
from flows.console.terminal import out, plain, print_json

if TYPE_CHECKING:
    from contracts.delegation import DelegationRecord
    from tasks.deliberate import Event

CODES = {"failed": 1, "escalated": 4, "partial": 3, "accepted": 0}
"""Exit codes, worst first. Partial work may be used, and a script must not take it for whole."""

CHILD_HELP = "Who does it: stand-in, command:PROGRAM ARGUMENTS, hermes, hermes:SEAT."


class Ended:
    """Notes how the actions that follow a verdict ended."""

    def __init__(self) -> None:
        """Note nothing yet."""
        self.statuses: list[str] = []

    @property
    def code(self) -> int:
        """The exit code of the worst."""
        return worst(self.statuses)

    def watch(self, show: Callable[["Event"], None]) -> Callable[["Event"], None]:
        """Return a watcher that notes, and passes on."""

        def both(event: "Event") -> None:
            if event.kind == "acted":
                self.statuses.append(event.text)
            show(event)

        return both


def delegate(
    contracts: Annotated[
        list[str], typer.Argument(help="Contract files; `schema` prints what one may hold.")
    ],
    child: Annotated[str, typer.Option(help=CHILD_HELP)] = "hermes",
    allow: Annotated[
        list[str] | None, typer.Option(help="Program that checks may run; none by default.")
    ] = None,
    roster: Annotated[
        Path | None, typer.Option(help="Where Hermes' model is looked up; else the home's.")
    ] = None,
    flow: Annotated[bool, typer.Option("--flow", help="Only as a Prefect flow run.")] = False,
    direct: Annotated[bool, typer.Option("--direct", help="Without Prefect.")] = False,
    wait: Annotated[
        int, typer.Option(min=1, help="Seconds that a flow run waits for a person.")
    ] = 3600,
    as_json: Annotated[bool, typer.Option("--json", help="The records on stdout.")] = False,
) -> None:
    """Give work away, verify it. Exit 0 accepted, 3 partial, 4 escalated, 1 failed: the worst."""
    from contracts.settings import settings
    from flows.console.progress import Progress
    from flows.console.server import reachable_api
    from tasks.deliberate import watching

    if contracts == ["schema"]:
        from tasks.verifying.contract_file import contract_schema

        print_json(contract_schema())
        return
    if flow and direct:
        raise typer.BadParameter("--flow and --direct exclude each other")
    api_url = None if direct else reachable_api(settings())
    if flow and api_url is None:
        raise EngineError("no Prefect server answers; start one with `council up`")
    given: dict[str, Any] = {
        "contracts": [str(Path(file).absolute()) for file in contracts],
        "child": child,
        "allow": allow or [],
        "roster_file": str(roster.absolute()) if roster else None,
    }
    with Progress("work is done, and verified on the disk") as show:
        watching.set(show)
        records = _as_flow(given, wait, api_url) if api_url else _plainly(given)
    if as_json:
        print_json([record.model_dump(mode="json") for record in records])
    else:
        _print(contracts, records)
    if code := worst(record.status for record in records):
        raise typer.Exit(code)


def worst(statuses: Iterable[str]) -> int:
    """Return the exit code of the worst of these statuses."""
    found = set(statuses)
    return next((code for status, code in CODES.items() if status in found), 0)


def _plainly(given: dict[str, Any]) -> "list[DelegationRecord]":
    from contracts.settings import settings
    from tasks.deliberate import Event, watching
    from tasks.hands import hands_of
    from tasks.seating import load_roster
    from tasks.work import carry_out, load_work, plain_work

    house, watch = settings(), watching.get()
    roster = load_roster(house, Path(given["roster_file"]) if given["roster_file"] else None)
    hands = hands_of(given["child"], roster, given["allow"])
    work = load_work(given["contracts"], hands)
    done = carry_out(work, hands, plain_work(house.home), lambda *what: watch(Event(*what)))
    return list(asyncio.run(done))


def _as_flow(given: dict[str, Any], wait: int, api_url: str) -> "list[DelegationRecord]":
    from contracts.settings import settings
    from flows.console.server import point_prefect_at

    point_prefect_at(settings(), api_url)
    # Prefect reads its settings as it is imported.
    from flows.delegate import delegate as delegate_flow

    done: list[DelegationRecord] = asyncio.run(delegate_flow(**given, wait_seconds=wait))
    return done


def _print(contracts: list[str], records: "list[DelegationRecord]") -> None:
    from tasks.work import outcome

    def line(text: str, style: str = "") -> None:
        out.print(plain(text), style=style, markup=False, soft_wrap=True)

    for name, one in zip(contracts, records, strict=True):
        child = one.attempts[-1].child + (", no model" if one.simulated else "")
        tries = "1 try" if len(one.attempts) == 1 else f"{len(one.attempts)} tries"
        line(f"{name}: {outcome(one)}, {tries} ({child}), delegation {one.delegation_id}", "bold")
        for artifact in one.artifacts:
            line(f"  {artifact.path}  sha256 {artifact.content_sha256}")
        for note in one.notes:
            line(f"  ! {note}", "yellow")
