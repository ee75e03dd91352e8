"""`council refit`: learn whom to trust from what turned out."""

import asyncio
from typing import TYPE_CHECKING, Annotated

import typer

from flows.console.terminal import err, out, plain, print_json, table

if TYPE_CHECKING:
    from contracts.learning import Learned


def refit(
    every: Annotated[
        bool, typer.Option("--all", help="Every topic, not only all of them.")
    ] = False,
    direct: Annotated[bool, typer.Option("--direct", help="Without Prefect.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="What was learned, on stdout.")] = False,
) -> None:
    """Learn whom to trust, on what, from all outcomes recorded so far."""
    from contracts.settings import settings
    from flows.console.server import reachable_api
    from tasks.learning import posteriors, told

    api_url = None if direct else reachable_api(settings())
    with err.status("learning from what turned out"):
        learned = _as_flow(api_url) if api_url else _plainly()
    if as_json:
        print_json({"memory_id": learned.memory_id, **learned.model_dump(mode="json")})
        return
    out.print(plain(told(learned)), markup=False, soft_wrap=True)
    rows = [row for row in posteriors(learned) if every or row["topic"] == "*"]
    if rows:
        out.print(table(tuple(rows[0]), [tuple(row.values()) for row in rows]))
    for drift in learned.drifts:
        out.print(f"! {plain(drift.told())}", markup=False, style="yellow", soft_wrap=True)
    if learned.taught:
        out.print(f"memory {learned.memory_id}", style="dim")


def _plainly() -> "Learned":
    from contracts.settings import settings
    from tasks.learning import refit_home
    from tasks.stages import now

    return refit_home(settings().home, at=now())


def _as_flow(api_url: str) -> "Learned":
    from contracts.settings import settings
    from flows.console.server import point_prefect_at

    point_prefect_at(settings(), api_url)
    # Prefect reads its settings as it is imported.
    from flows.refit import refit as refit_flow

    learned: Learned = asyncio.run(refit_flow())
    return learned
