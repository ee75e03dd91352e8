"""The report: one self-contained HTML page over the store, with everything foreign escaped."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from html import escape

from data.store import Store
from tasks.plots import PLOTS

CSS = """
:root { color-scheme: light dark; --ink: #1c2024; --paper: #fff; --line: #d9dde3; --dim: #60646c; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #edeef0; --paper: #111316; --line: #33373d; --dim: #a0a4ab; }
  svg { background: #f4f5f7; border-radius: 6px; }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 62rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; overflow-wrap: anywhere; }
svg { max-width: 100%; height: auto; } .dim { color: var(--dim); }
.scroll { overflow-x: auto; }
"""
LATEST = 50


def report_html(store: Store, *, since: str | None, made_at: datetime) -> str:
    """Return the page: figures, plots, gates, and the latest verdicts, of `since` and later."""
    plots = "".join(_plot(store, name, since) for name in PLOTS)
    verdicts = store.history(LATEST, since=since)
    gates = store.query("gate_history", since=since)
    scope = f"from {escape(since)} on" if since else "everything"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>Council report</title><style>{CSS}</style></head><body><main>"
        f"<h1>Council report</h1><p class=dim>{scope}, made {made_at:%Y-%m-%d %H:%M} UTC</p>"
        f"{plots}<h2>Gates</h2>{_table(gates.columns, gates.rows)}"
        f"<h2>Latest verdicts</h2>{_table(verdicts.columns, verdicts.rows)}</main></body></html>"
    )


def _plot(store: Store, name: str, since: str | None) -> str:
    title, query, draw = PLOTS[name]
    drawn = draw(store.query(query, since=since).records())
    empty = "<p class=dim>Nothing to draw yet; most plots need recorded outcomes.</p>"
    figure = f'<figure role="img" aria-label="{escape(title)}">{drawn}</figure>' if drawn else empty
    return f"<section><h2>{escape(title)}</h2>{figure}</section>"


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    head = "".join(f"<th>{escape(column.replace('_', ' '))}</th>" for column in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_shown(cell))}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    if not body:
        return "<p class=dim>none yet</p>"
    return f'<div class="scroll"><table><tr>{head}</tr>{body}</table></div>'


def _shown(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, datetime):
        return f"{cell:%Y-%m-%d %H:%M}"
    return f"{cell:.3f}" if isinstance(cell, float) else str(cell)
