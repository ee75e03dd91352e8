"""`council setup-hermes`: Hermes installed and its homes written, as often as you like."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.console.terminal import err, out, plain

if TYPE_CHECKING:
    from tasks.providers.hermes_files import FileChange


def setup_hermes(
    install: Annotated[
        bool, typer.Option("--install", help="Install Hermes under the home first.")
    ] = False,
    into_user_home: Annotated[
        bool,
        typer.Option("--into-user-home", help="Add addresses, skill and memory to ~/.hermes too."),
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Replace changed files without asking.")
    ] = False,
    roster: Annotated[Path | None, typer.Option(help="Roster file; else the home's.")] = None,
) -> None:
    """Set Hermes up for the council: homes, addresses, skill, memory. Run again, it mends."""
    from contracts.settings import settings
    from tasks import hermes_install, hermes_setup
    from tasks.mirror_rebuild import rebuild
    from tasks.seating import load_roster

    house = settings()
    loaded = load_roster(house, roster)
    if install:
        with err.status("installing Hermes (a minute or two)"):
            fresh = asyncio.run(hermes_install.install(house.home))
        out.print("installed Hermes" if fresh else "Hermes is installed already")
    planned = hermes_setup.plans(house.home, loaded)
    user = hermes_setup.users_plan(house.home, loaded) if into_user_home else None
    _agree(hermes_setup.foreign([*planned, *([user] if user else [])]), yes=yes)
    made = hermes_setup.write(house.home, planned, user)
    _tell(made)
    with err.status("asking Hermes for its skills"):
        shown = asyncio.run(hermes_setup.show_skill(house.home))
    out.print(f"skill    {shown}")
    for memory in asyncio.run(rebuild(house.home)):
        where = plain(str(memory.file))
        out.print(f"memory   {memory.block.verdicts} verdicts in {where}", soft_wrap=True)
    out.print("next: `council doctor`", style="dim")


def _agree(changed: "Sequence[FileChange]", *, yes: bool) -> None:
    """Show what would be changed of somebody else's, and ask."""
    for change in changed:
        out.print(plain_lines(change.diff), markup=False, soft_wrap=True)
        out.print(f"the file as it is goes to {plain(str(change.backup))}", soft_wrap=True)
    if changed and not yes:
        typer.confirm("Change these files?", abort=True, err=True)


def _tell(made: "Sequence[FileChange]") -> None:
    for change in made:
        kept = f" (kept as {change.backup.name})" if change.backup else ""
        out.print(f"wrote    {plain(str(change.file))}{plain(kept)}", soft_wrap=True)
    if not made:
        out.print("homes    as they should be")


def plain_lines(text: str) -> str:
    """Return foreign text of several lines, safe for a terminal."""
    return "\n".join(plain(line) for line in text.splitlines())
