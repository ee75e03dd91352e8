"""`council doctor`: what is wrong here, by name, and how to mend it."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.console.terminal import err, out, plain, print_json

if TYPE_CHECKING:
    from flows.console.checkup import Finding

_MARKS = {"ok": ("✓", "green"), "note": ("!", "yellow"), "fault": ("✗", "red")}


def doctor(
    roster: Annotated[Path | None, typer.Option(help="Roster file; else the home's.")] = None,
    ask: Annotated[
        bool, typer.Option("--ask/--no-ask", help="Ask each Hermes seat one tiny question.")
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on stdout.")] = False,
) -> None:
    """Check packages, roster, skill, servers and Hermes; exit 1 when something is broken."""
    from contracts.settings import settings
    from flows.console.checkup import check_house
    from flows.console.checkup_hermes import check_hermes

    house = settings()
    with err.status("looking at everything"):
        findings, loaded = check_house(house, roster)
        if loaded is not None:
            findings += asyncio.run(check_hermes(house, loaded, ask=ask))
    broken = [finding for finding in findings if finding.state == "fault"]
    if as_json:
        print_json({"ok": not broken, "checks": [finding._asdict() for finding in findings]})
    else:
        for finding in findings:
            _print(finding)
        out.print(f"{len(broken)} broken" if broken else "all well", style="bold")
    if broken:
        raise typer.Exit(1)


def _print(finding: "Finding") -> None:
    mark, style = _MARKS[finding.state]
    out.print(f"{mark} {finding.name:<18} ", style=style, end="", markup=False)
    out.print(plain(finding.said), markup=False, soft_wrap=True)
    if finding.mend:
        out.print(f"    mend: {plain(finding.mend)}", style="dim", markup=False, soft_wrap=True)
