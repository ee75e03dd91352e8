"""`council gates`: what the data gates found, and judging the whole store now."""

from pathlib import Path
from typing import Annotated

import typer

from flows.console.terminal import err, out, plain, print_json, table

JsonOption = Annotated[bool, typer.Option("--json", help="JSON on stdout.")]


def gates(
    batch: Annotated[str | None, typer.Option(help="Only of this batch.")] = None,
    now: Annotated[
        bool, typer.Option("--now", help="Judge the store, or the batch named, first.")
    ] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many.")] = 20,
    docs: Annotated[
        Path | None,
        typer.Option(
            "--data-docs",
            metavar="FILE",
            help="As --now, and write Great Expectations' own page of it. Opened, that page loads"
            " its looks from the network.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show the last results of the data gates; exit 4 when the newest one shown did not pass."""
    from contracts.errors import GateFailed
    from contracts.settings import settings
    from data.store import Store
    from tasks.gates import gate_out
    from tasks.stages import now as clock

    home = settings().home
    if docs is not None or now:
        with err.status("judging"):
            gate_out(home, batch, ran_at=clock(), docs=docs)
    if docs is not None:
        err.print(f"wrote {plain(str(docs))}", soft_wrap=True)
    found = Store(home).query("gate_history", batch=batch)
    rows = found.rows[:limit]
    if as_json:
        print_json([dict(zip(found.columns, map(str, row), strict=True)) for row in rows])
    else:
        shown = [
            (f"{at:%Y-%m-%d %H:%M}", gate, name, "passed" if passed else "FAILED", n, broken)
            for at, gate, name, passed, n, broken in rows
        ]
        out.print(table(("ran", "gate", "batch", "result", "rows", "broken"), shown))
    if rows and not rows[0][3]:
        raise GateFailed(f"the newest gate, {rows[0][1]}, did not pass")
