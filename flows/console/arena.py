"""`council arena`: a kept verdict meets its dark side."""

import asyncio
from typing import TYPE_CHECKING, Annotated, Any
from uuid import uuid4

import typer

from contracts.errors import EngineError
from flows.console.terminal import out, print_json, table

if TYPE_CHECKING:
    from contracts.bout import Arena, Contest
    from contracts.deliberation import Deliberation


def arena(
    deliberation_id: Annotated[str, typer.Argument(help="Its id, or the first characters of it.")],
    persona: Annotated[
        list[str] | None, typer.Option("--persona", "-p", help="Who attacks; else who applies.")
    ] = None,
    rounds: Annotated[
        int, typer.Option(min=1, max=10, help="Attacks by each, a new one every time.")
    ] = 1,
    reopen: Annotated[
        bool, typer.Option("--reopen", help="Jurors answer again where it is overturned.")
    ] = False,
    flow: Annotated[bool, typer.Option("--flow", help="Only as a Prefect flow run.")] = False,
    direct: Annotated[bool, typer.Option("--direct", help="Without Prefect.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The arena record on stdout.")] = False,
) -> None:
    """Attack a kept verdict from every side and see whether it holds. The old record stays."""
    from contracts.settings import settings
    from data.store import Store
    from flows.console.card import verdict_card
    from flows.console.progress import Progress
    from flows.console.server import reachable_api
    from tasks.arena.stored import as_attacked
    from tasks.deliberate import watching

    if flow and direct:
        raise typer.BadParameter("--flow and --direct exclude each other")
    api_url = None if direct else reachable_api(settings())
    if flow and api_url is None:
        raise EngineError("no Prefect server answers; start one with `council up`")
    old = Store(settings().home).deliberation(deliberation_id)
    given: dict[str, Any] = {"personas": persona or [], "rounds": rounds, "reopen": reopen}
    with Progress("the verdict is attacked") as show:
        watching.set(show)
        held = _as_flow(old, given, api_url) if api_url else _plainly(old, given)
    if as_json:
        print_json(held.model_dump(mode="json"))
        return
    out.print(verdict_card(as_attacked(old, held)))
    out.print(_bouts(held.contest))


def _plainly(old: "Deliberation", given: dict[str, Any]) -> "Arena":
    from contracts.settings import settings
    from tasks.arena.casting import arena_policy
    from tasks.arena.stored import attack_again
    from tasks.deliberate import Event, watching
    from tasks.stages import plain_stages

    watch, stages = watching.get(), plain_stages(settings()).arena()
    policy = arena_policy("always", **given)
    return asyncio.run(
        attack_again(
            old,
            policy,
            stages,
            lambda *what: watch(Event(*what)),
            engine="direct",
            run_id=uuid4().hex,
        )
    )


def _as_flow(old: "Deliberation", given: dict[str, Any], api_url: str) -> "Arena":
    from contracts.settings import settings
    from flows.console.server import point_prefect_at

    point_prefect_at(settings(), api_url)
    # Prefect reads its settings as it is imported.
    from flows.arena import arena as arena_flow

    held: Arena = asyncio.run(arena_flow(old.deliberation_id, **given))
    return held


def _bouts(contest: "Contest") -> object:
    rows = []
    for bout in contest.bouts:
        made = bout.attack
        seats = (made.juror if made else "", bout.rebuttal.juror if bout.rebuttal else "")
        scorers = sorted({score.juror for score in bout.scores})
        rows.append(
            (
                bout.persona,
                bout.outcome or f"void: {bout.void}",
                bout.severity,
                (made.claim if made else None) or "",
                *seats,
                ", ".join(scorers) + (" (self-scored)" if bout.self_scored and scorers else ""),
            )
        )
    columns = ("persona", "outcome", "severity", "attack", "by", "rebutted by", "scored by")
    return table(columns, rows)
