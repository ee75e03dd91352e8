"""`council report`: one static page with plots."""

from pathlib import Path
from typing import Annotated

import typer

from flows.console.terminal import err, out, plain, writing


def report(
    output: Annotated[Path, typer.Option("--output", "-o", help="Where.")] = Path("report.html"),
    since: Annotated[str | None, typer.Option(help="Only from this day on, or 30d.")] = None,
) -> None:
    """Write a self-contained HTML report: reliability, agreement, calibration, cost, drift."""
    from contracts.settings import settings
    from data.store import Store
    from tasks.report_page import report_html
    from tasks.stages import now

    with err.status("drawing"):
        page = report_html(Store(settings().home), since=since, made_at=now())
    with writing(output):
        output.write_text(page, encoding="utf-8")
    out.print(f"wrote {plain(str(output))}", soft_wrap=True)
