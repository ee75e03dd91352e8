"""`council show`, `history`, `sql` and `store`: what was decided, read back."""

import csv
import io
import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from contracts.errors import UsageError
from flows.console.terminal import err, out, plain, print_json, table, writing

if TYPE_CHECKING:
    from data.store import Store, Table

app = typer.Typer(help="The journal and the database made from it.", no_args_is_help=True)


class Format(StrEnum):
    """How rows are printed."""

    table = "table"
    csv = "csv"
    json = "json"
    parquet = "parquet"


JsonOption = Annotated[bool, typer.Option("--json", help="JSON on stdout.")]


def show(
    deliberation_id: Annotated[str, typer.Argument(help="Its id, or the first characters of it.")],
    as_json: JsonOption = False,
    opinions: Annotated[bool, typer.Option("--opinions", help="Every opinion as well.")] = False,
) -> None:
    """Show one deliberation again."""
    from flows.console.card import verdict_card

    found = _store().deliberation(deliberation_id)
    if as_json:
        print_json(found.model_dump(mode="json"))
        return
    out.print(verdict_card(found))
    if opinions:
        columns = ("round", "juror", "stance", "confidence", "reasons")
        rows = [
            (
                o.round,
                o.juror,
                o.stance or f"({o.abstain_reason})",
                o.confidence,
                "; ".join(o.reasons),
            )
            for o in found.opinions
        ]
        out.print(table(columns, rows))


def history(
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many.")] = 20,
    as_json: JsonOption = False,
) -> None:
    """List the latest verdicts, newest first."""
    found = _store().history(limit=limit)
    if as_json:
        _print(found, Format.json, None)
        return
    rows = [_listed(row) for row in found.records()]
    out.print(table(("id", "finished", "verdict", "split", "sure", "question"), rows))


def _listed(row: "dict[str, Any]") -> tuple[str, ...]:
    """Return one verdict as a line that fits a terminal."""
    verdict = row["option"] or row["status"].replace("_", " ")
    question = " ".join(row["question"].split())
    sure = f"{row['confidence']:.0%}"
    when = f"{row['finished_at']:%m-%d %H:%M}"
    return (row["deliberation_id"][:8], when, verdict[:20], row["split"], sure, question[:36])


def sql(
    name: Annotated[str | None, typer.Argument(help="A named query; none lists them.")] = None,
    query: Annotated[str | None, typer.Option("-q", help="Your own select, read-only.")] = None,
    shape: Annotated[Format, typer.Option("--format", help="How to print.")] = Format.table,
    since: Annotated[str | None, typer.Option(help="Only from this day on: 2026-01-31.")] = None,
    topic: Annotated[str | None, typer.Option(help="Only this topic.")] = None,
    batch: Annotated[str | None, typer.Option(help="Only this batch.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", help="Write to a file; parquet needs one.")
    ] = None,
) -> None:
    """Ask the store: a named query, or your own SQL on a read-only copy."""
    if name and query:
        raise UsageError("give a query's name or -q, not both")
    store = _store()
    if query:
        found = store.sql(query)
    elif name:
        found = store.query(name, since=since, topic=topic, batch=batch)
    else:
        found = store.named_queries()
    _print(found, shape, output)


@app.command("rebuild")
def rebuild() -> None:
    """Make the database again from the journal."""
    with err.status("rebuilding from the journal"):
        report = _store().rebuild()
    out.print(f"rebuilt from {report.documents} documents")


@app.command("drain")
def drain() -> None:
    """Take what the journal holds into the database now."""
    report = _store().drain()
    out.print(f"took in {report.documents} documents")


def _store() -> "Store":
    from contracts.settings import settings
    from data.store import Store

    return Store(settings().home)


def _print(found: "Table", shape: Format, output: Path | None) -> None:
    if shape is Format.parquet:
        if output is None:
            raise UsageError("parquet is not for a terminal: name a file with --output")
        found.write_parquet(output)
        return
    text = _rendered(found, shape)
    if output is not None:
        with writing(output):
            output.write_text(text, encoding="utf-8")
    elif shape is Format.table:
        out.print(table(found.columns, found.rows))
        out.print(f"{len(found.rows)} rows", style="dim")
    else:
        sys.stdout.write(text)


def _rendered(found: "Table", shape: Format) -> str:
    if shape is Format.json:
        rows = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
        return json.dumps(rows, default=str, ensure_ascii=False) + "\n"
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(found.columns)
    writer.writerows([[plain(c) if isinstance(c, str) else c for c in row] for row in found.rows])
    return text.getvalue()
