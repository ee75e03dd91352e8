"""`council roster`: who sits, writing a roster file, and asking every seat one tiny question."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from contracts.errors import ConfigError
from flows.console.terminal import err, out, plain, print_json, table, writing

app = typer.Typer(help="The seats of the council.", no_args_is_help=True)

RosterOption = Annotated[Path | None, typer.Option("--roster", help="Roster file.")]
JsonOption = Annotated[bool, typer.Option("--json", help="JSON on stdout.")]


@app.command("show")
def show(roster: RosterOption = None, as_json: JsonOption = False) -> None:
    """List the seats, their models and how each is reached."""
    from contracts.settings import settings
    from tasks.seating import load_roster

    loaded = load_roster(settings(), roster)
    if as_json:
        print_json(loaded.model_dump(mode="json"))
        return
    rows = [
        (j.name, j.family, j.provider, j.model, j.base_url, j.locality, len(j.alternates))
        for j in loaded.jurors
    ]
    columns = ("juror", "family", "provider", "model", "address", "locality", "alternates")
    out.print(table(columns, rows))


@app.command("init")
def init(
    name: Annotated[
        str, typer.Option("--preset", help="offline | openrouter | ollama | local | hermes")
    ] = "openrouter",
    path: Annotated[Path | None, typer.Option(help="Where; else the home's roster.toml.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Write a commented roster file to edit."""
    from contracts.settings import settings
    from tasks.seating import ROSTER_FILE, preset

    target = path or settings().home / ROSTER_FILE
    text = preset(name)
    if target.exists() and not force:
        raise ConfigError(f"{target} exists already; edit it, or replace it with --force")
    with writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    out.print(f"wrote {plain(str(target))}", soft_wrap=True)
    out.print("next: edit it, then `council roster check`", style="dim")


@app.command("check")
def check(roster: RosterOption = None, as_json: JsonOption = False) -> None:
    """Ask every seat and alternate one tiny question; exit 1 when a seat cannot answer."""
    from contracts.settings import settings
    from flows.console.roster_check import check_all
    from tasks.seating import load_roster

    loaded = load_roster(settings(), roster)
    with err.status("asking every seat one tiny question"):
        checked = asyncio.run(check_all(loaded.jurors))
    if as_json:
        print_json([one._asdict() for one in checked])
    else:
        marks = [(*one[:3], "yes" if one.reachable else "no", *one[4:]) for one in checked]
        columns = ("juror", "provider", "model", "reachable", "answer", "ms", "tokens", "wrong")
        out.print(table(columns, marks))
    if any(one.wrong for one in checked):
        raise typer.Exit(1)
