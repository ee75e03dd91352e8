"""`council ask`: one question, the whole graph, the verdict card."""

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from contracts.errors import EngineError, QuestionError
from flows.console.delegate import CHILD_HELP, Ended
from flows.console.terminal import err, out, print_json

if TYPE_CHECKING:
    from contracts.deliberation import Deliberation

UNDECIDED = 3


def ask(
    question: Annotated[str, typer.Argument(help="What to judge, in quotes.")],
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="A choice; give two or more.")
    ] = None,
    topic: Annotated[str | None, typer.Option(help="Topic; else matched by the skill.")] = None,
    context: Annotated[
        str | None, typer.Option(help="File with material to judge by; - for stdin.")
    ] = None,
    roster: Annotated[Path | None, typer.Option(help="Roster file; else the home's.")] = None,
    tag: Annotated[
        list[str] | None,
        typer.Option("--tag", help="A word to find it by; `risky` calls the arena."),
    ] = None,
    arena: Annotated[
        str,
        typer.Option(help="When it is attacked: off, auto, contested-only, always, margin<0.2."),
    ] = "auto",
    reopen: Annotated[
        bool, typer.Option("--reopen", help="Jurors answer again where the arena overturns.")
    ] = False,
    evidence: Annotated[
        list[Path] | None,
        typer.Option(help="Contract whose work is shown to the jurors, once verified."),
    ] = None,
    then: Annotated[
        list[Path] | None, typer.Option(help="Contract to carry out when the verdict stands.")
    ] = None,
    force_then: Annotated[
        bool, typer.Option("--force-then", help="Carry it out whatever the verdict.")
    ] = False,
    child: Annotated[str, typer.Option(help=CHILD_HELP)] = "hermes",
    allow: Annotated[
        list[str] | None, typer.Option(help="Program that checks of the work may run.")
    ] = None,
    flow: Annotated[bool, typer.Option("--flow", help="Only as a Prefect flow run.")] = False,
    direct: Annotated[bool, typer.Option("--direct", help="Without Prefect.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The verdict record on stdout.")] = False,
) -> None:
    """Ask the council one question and see where it splits."""
    from contracts.settings import settings
    from flows.console.card import verdict_card
    from flows.console.progress import Progress
    from flows.console.server import reachable_api
    from tasks.arena.casting import arena_policy
    from tasks.deliberate import watching

    if flow and direct:
        raise typer.BadParameter("--flow and --direct exclude each other")
    given: dict[str, Any] = {
        "question": question,
        "options": option or [],
        "topic": topic,
        "context": _read_context(context),
        "roster_file": str(roster.absolute()) if roster else None,
        "tags": tag or [],
        "arena": arena,
        "reopen": reopen,
        "evidence": [str(file.absolute()) for file in evidence or []],
        "then": [str(file.absolute()) for file in then or []],
        "force_then": force_then,
        "child": child,
        "allow": allow or [],
    }
    arena_policy(arena)
    ended, api_url = Ended(), None if direct else reachable_api(settings())
    if flow and api_url is None:
        raise EngineError("no Prefect server answers; start one with `council up`")
    with Progress("convening the council") as show:
        watching.set(ended.watch(show))
        done = _as_flow(given, api_url) if api_url else _plainly(given)
    if as_json:
        print_json(done.verdict.model_dump(mode="json"))
    else:
        out.print(verdict_card(done, _link(done)))
        if not direct and api_url is None:
            err.print("no dashboard: `council up` starts one and later asks run in it", style="dim")
    if not done.verdict.decided:
        raise typer.Exit(UNDECIDED)
    if ended.code:
        raise typer.Exit(ended.code)


def _plainly(given: dict[str, Any]) -> "Deliberation":
    from contracts.settings import settings
    from tasks.arena.casting import with_arena
    from tasks.asking import make_question
    from tasks.deliberate import deliberate, new_session, watching
    from tasks.evidence import work_of
    from tasks.seating import load_roster
    from tasks.skills import load_skill
    from tasks.stages import plain_stages

    house = settings()
    seats = load_roster(house, Path(given["roster_file"]) if given["roster_file"] else None)
    asked = make_question(
        given["question"],
        options=given["options"],
        topic=given["topic"],
        context=given["context"],
        tags=given["tags"],
        topics=load_skill(house.home).topics,
    )
    policy = with_arena(house.policy, given["arena"], reopen=given["reopen"])
    session, stages = new_session("direct"), plain_stages(house)
    work = work_of(
        given["evidence"],
        given["then"],
        given["child"],
        seats,
        allow=given["allow"],
        forced=given["force_then"],
    )
    return asyncio.run(deliberate(asked, seats, policy, stages, session, watching.get(), work))


def _as_flow(given: dict[str, Any], api_url: str) -> "Deliberation":
    from contracts.settings import settings
    from flows.console.server import point_prefect_at

    point_prefect_at(settings(), api_url)
    # Prefect reads its settings as it is imported.
    from flows.convene import convene

    done: Deliberation = asyncio.run(convene(**given))
    return done


def _read_context(source: str | None) -> str | None:
    if source is None:
        return None
    try:
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise QuestionError(f"--context {source}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise QuestionError(f"--context {source}: not UTF-8 text ({error.reason})") from error


def _link(done: "Deliberation") -> str | None:
    from contracts.settings import settings
    from flows.console.server import known_server

    server = known_server(settings())
    if done.flow_run_id is None or server is None:
        return None
    return f"{server.dashboard_url}/runs/flow-run/{done.flow_run_id}"
