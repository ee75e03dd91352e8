"""`council learn` and `council skills`: the rules that a person approved, and what was learned."""

import difflib
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from flows.console.terminal import err, out, plain, print_json, table

app = typer.Typer(help="The learned skills of this home.", no_args_is_help=True)

JsonOption = Annotated[bool, typer.Option("--json", help="JSON on stdout.")]


class SkillName(StrEnum):
    """The skills that ship."""

    council = "council"
    hyde = "hyde"


NameArgument = Annotated[SkillName, typer.Argument(help="Which skill.")]


def learn(
    rule: Annotated[str, typer.Argument(help='"juror | topic | weight", and its evidence.')],
    by: Annotated[str | None, typer.Option(help="Who approves it; else your login.")] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the rule for that juror and topic.")
    ] = False,
    roster: Annotated[Path | None, typer.Option(help="Roster file; else the home's.")] = None,
) -> None:
    """Approve a rule by hand: it multiplies a juror's ballots on a topic from now on."""
    from datetime import UTC, datetime

    from contracts.settings import settings
    from contracts.skill import ANY_TOPIC
    from tasks.judging.rules import describe
    from tasks.seating import load_roster
    from tasks.skill_writer import learn as write
    from tasks.skills import load_skill, skill_path

    house = settings()
    seats = load_roster(house, roster)
    at = datetime.now(UTC)
    change = write(house.home, rule, seats, by=by or _login(), at=at, replace_old=replace)
    out.print(f"learned  {plain(describe(change.rule))}", markup=False)
    if change.replaced:
        out.print(f"in place of {plain(describe(change.replaced))}", markup=False)
    out.print(plain(str(skill_path(house.home))), style="dim", soft_wrap=True)
    known = {topic.name.casefold() for topic in load_skill(house.home).topics}
    if change.rule.topic.casefold() not in {*known, ANY_TOPIC, "general"}:
        topic = plain(change.rule.topic)
        err.print(f"no topic of the skill is called {topic}: it counts for `ask --topic` only")


@app.command("show")
def show(name: NameArgument = SkillName.council, as_json: JsonOption = False) -> None:
    """Show the approved rules, or the personas of the arena."""
    from contracts.settings import settings
    from tasks.skills import load_hyde, load_skill, skill_text

    home = settings().home
    text, where = skill_text(home, name)
    skill = load_hyde(home) if name is SkillName.hyde else load_skill(home)
    if as_json:
        print_json({"where": where, "text": text, "read": skill.model_dump(mode="json")})
        return
    out.print(plain(where), style="bold", soft_wrap=True)
    if name is SkillName.council:
        rules = load_skill(home).rules
        columns = ("juror", "topic", "weight", "evidence", "approved_by", "approved_at")
        rows = [[getattr(rule, column) for column in columns] for rule in rules]
        out.print(table(columns, rows) if rows else "no rules: every juror has the weight 1")
    else:
        for persona in load_hyde(home).personas:
            out.print(plain(f"{persona.name}: {persona.hunts}"), markup=False)


@app.command("diff")
def diff(name: NameArgument = SkillName.council) -> None:
    """Show what this home's skill has beyond the shipped one, line by line."""
    from contracts.settings import settings
    from tasks.skills import seed, skill_text

    text, where = skill_text(settings().home, name)
    before, after = seed(name).splitlines(), text.splitlines()
    lines = list(difflib.unified_diff(before, after, "shipped", where, lineterm=""))
    for line in lines:
        style = {"+": "green", "-": "red"}.get(line[:1], "")
        out.print(plain(line), style=style, markup=False, soft_wrap=True)
    if not lines:
        out.print("as shipped")


def _login() -> str:
    from getpass import getuser

    try:
        return getuser()
    except (KeyError, OSError, ImportError):
        return "nobody named"
