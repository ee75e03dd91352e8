"""`council audit`: every attempt at delegated work, and whether the trail is whole."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from contracts.delegation import StepName
from contracts.errors import StoreDamaged, UsageError
from flows.console.terminal import out, plain, print_json

if TYPE_CHECKING:
    from contracts.delegation import AuditRow

app = typer.Typer(help="The audit trail of delegated work.")
JsonOption = Annotated[bool, typer.Option("--json", help="JSON on stdout.")]
STATUSES: dict[str, StepName] = {name: name for name in get_args(StepName)}


@app.callback(invoke_without_command=True)
def audit(
    context: typer.Context,
    since: Annotated[str | None, typer.Option(help="Only from then on: 2026-01-31.")] = None,
    status: Annotated[str | None, typer.Option(help=f"Only {', '.join(STATUSES)}.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List every attempt at delegated work, oldest first."""
    if context.invoked_subcommand is not None:
        return
    from contracts.settings import settings
    from data.audit import read

    if status is not None and status not in STATUSES:
        raise UsageError(f"--status {status}: there are {', '.join(STATUSES)}")
    rows = list(
        read(settings().home, since=_time(since), status=STATUSES[status] if status else None)
    )
    if as_json:
        print_json([row.model_dump(mode="json") for row in rows])
        return
    for row in rows:
        _print(row)


@app.command("verify")
def verify(as_json: JsonOption = False) -> None:
    """Check the chain of hashes; exit 1 naming the first line that does not hold."""
    from contracts.settings import settings
    from data.audit import verify as check

    found = check(settings().home)
    if as_json:
        print_json(found._asdict())
    if found.broken is not None:
        raise StoreDamaged(f"the audit trail is broken after {found.rows} rows: {found.broken}")
    if not as_json:
        out.print(f"{found.rows} rows, each chained to the one before it")


def _print(row: "AuditRow") -> None:
    files = f"{len(row.artifacts)} of {len(row.deliverables)} files"
    spent = "" if row.tokens is None else f"  {row.tokens} tokens"
    spent += "" if row.cost_usd is None else f"  ${row.cost_usd:.4f}"
    head = f"{row.at:%Y-%m-%d %H:%M}  {row.delegation_id}  try {row.attempt}  {row.child}"
    _line(f"{head}  {row.status}  {files}{spent}", "bold")
    _line(f"  {row.purpose}: {row.goal[:200]}")
    for path, digest in row.artifacts.items():
        _line(f"  {path}  sha256 {digest}")
    for note in row.notes:
        _line(f"  ! {note}", "yellow")


def _line(text: str, style: str = "") -> None:
    out.print(plain(text), style=style, markup=False, soft_wrap=True)


def _time(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        given = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"--since {text}: give a day, 2026-01-31, or an ISO time") from None
    return given if given.tzinfo else given.replace(tzinfo=UTC)
