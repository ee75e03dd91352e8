"""`council replay`: deliberate again only what failed, or judge again without asking anybody."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from contracts.errors import ConfigError, CouncilError, UsageError
from flows.console.terminal import err, out, print_json, styled, table

if TYPE_CHECKING:
    from contracts.deliberation import Deliberation
    from contracts.skill import WeightRule
    from contracts.verdict import Verdict


def replay(
    deliberation_id: Annotated[
        str | None, typer.Argument(help="Its id, or the start of it.")
    ] = None,
    failed: Annotated[bool, typer.Option("--failed", help="Every one with silent seats.")] = False,
    since: Annotated[str | None, typer.Option(help="With --failed: 7d, or a day.")] = None,
    batch: Annotated[str | None, typer.Option(help="With --failed: of this batch.")] = None,
    juror: Annotated[
        list[str] | None, typer.Option("--juror", help="Ask this seat again, failed or not.")
    ] = None,
    roster: Annotated[Path | None, typer.Option(help="Put it to another council.")] = None,
    judge_only: Annotated[
        bool, typer.Option("--judge-only", help="Ask nobody: judge the stored opinions again.")
    ] = False,
    rules: Annotated[
        Path | None, typer.Option(help="With --judge-only: under the rules of this SKILL.md.")
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Check that opinions and memory give the verdict.")
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="With --verify: every one.")] = False,
    direct: Annotated[bool, typer.Option("--direct", help="Without Prefect.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on stdout.")] = False,
) -> None:
    """Deliberate again: only silent seats are asked, the rest is used again."""
    if sum((bool(deliberation_id), failed, every)) != 1:
        raise UsageError("name one deliberation, or give --failed, or --verify --all")
    if every and not verify:
        raise UsageError("--all goes with --verify")
    if verify:
        _verify(deliberation_id, as_json=as_json)
    elif judge_only:
        _judge_only(_one(deliberation_id), rules, as_json=as_json)
    else:
        given = {"jurors": juror, "roster_file": str(roster.absolute()) if roster else None}
        ids = [deliberation_id] if deliberation_id else _failed(since, batch)
        results = [_again(_one(known), given, direct=direct) for known in ids]
        _print(results, as_json=as_json)


def _one(deliberation_id: str | None) -> "Deliberation":
    from contracts.settings import settings
    from data.store import Store

    return Store(settings().home).deliberation(deliberation_id or "")


def _failed(since: str | None, batch: str | None) -> list[str]:
    from contracts.settings import settings
    from data.store import Store

    found = Store(settings().home).query("failed_deliberations", since=since, batch=batch)
    at = found.columns.index("deliberation_id")
    return [str(row[at]) for row in found.rows]


def _again(
    old: "Deliberation", given: dict[str, Any], *, direct: bool
) -> tuple["Deliberation", "Deliberation"]:
    """Return the old deliberation and the new."""
    from contracts.settings import settings
    from flows.console.server import point_prefect_at, reachable_api

    _check_seats(old, given["jurors"])
    api_url = None if direct else reachable_api(settings())
    if api_url is None:
        return old, _plainly(old, given)
    point_prefect_at(settings(), api_url)
    from flows.replay import replay as replay_flow

    new: Deliberation = asyncio.run(replay_flow(old.deliberation_id, **given))
    return old, new


def _plainly(old: "Deliberation", given: dict[str, Any]) -> "Deliberation":
    from contracts.settings import settings
    from tasks.deliberate import deliberate, new_session
    from tasks.replays import as_asked, failed_seats, reusing
    from tasks.seating import load_roster
    from tasks.stages import plain_stages

    house, roster = settings(), old.roster
    stages = plain_stages(house)
    if given["roster_file"]:
        roster = load_roster(house, Path(given["roster_file"]))
    else:
        stages = reusing(stages, old, frozenset(given["jurors"] or failed_seats(old)))
    session = new_session("direct", replay_of=old.deliberation_id)
    return asyncio.run(deliberate(as_asked(old), roster, old.policy, stages, session))


def _check_seats(old: "Deliberation", jurors: list[str] | None) -> None:
    seats = [seat.name for seat in old.roster.jurors]
    for name in jurors or ():
        if name not in seats:
            raise UsageError(f"no seat {name!r} in {old.deliberation_id}: {', '.join(seats)}")


def _judge_only(old: "Deliberation", rules: Path | None, *, as_json: bool) -> None:
    from tasks.replays import judge_again

    new = judge_again(old, _rules(rules) if rules else None)
    if as_json:
        print_json(new.model_dump(mode="json"))
    else:
        _print_changes(old.question.text, old.verdict, new)


def _rules(path: Path) -> "tuple[WeightRule, ...]":
    from tasks.reading.skill import read_skill

    try:
        return read_skill(path.read_text(encoding="utf-8"), where=str(path)).rules
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from error


def _verify(deliberation_id: str | None, *, as_json: bool) -> None:
    from contracts.settings import settings
    from tasks.replays import all_deliberations, judged_as_stored

    home = settings().home
    chosen = [_one(deliberation_id)] if deliberation_id else all_deliberations(home)
    held = {old.deliberation_id: judged_as_stored(old) for old in chosen}
    bad = [known for known, same in held.items() if not same]
    if as_json:
        print_json({"checked": len(held), "mismatches": bad})
    else:
        out.print(f"{len(held)} checked, {len(bad)} do not give their verdict again")
    if bad:
        raise CouncilError(f"the stored verdict is not what the judge gives: {', '.join(bad)}")


def _print(results: "list[tuple[Deliberation, Deliberation]]", *, as_json: bool) -> None:
    if as_json:
        print_json([new.model_dump(mode="json") for _, new in results])
        return
    for old, new in results:
        _print_changes(old.question.text, old.verdict, new.verdict)
        out.print(
            f"council show {new.deliberation_id}  (replay of {old.deliberation_id})", style="dim"
        )
    if not results:
        err.print("nothing failed that was not replayed yet")


def _print_changes(question: str, old: "Verdict", new: "Verdict") -> None:
    from tasks.replays import changes

    out.print(styled(" ".join(question.split())[:120], "bold"))
    rows = changes(old, new)
    out.print(table(("what", "before", "after"), rows) if rows else "nothing changed")
