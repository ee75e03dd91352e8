"""The pages. Each is whole without JavaScript; JavaScript makes it move."""

from threading import Lock
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query
from starlette.responses import HTMLResponse, RedirectResponse, Response

from contracts.deliberation import Deliberation
from contracts.errors import NotFound
from contracts.verdict import DECIDED
from flows.page.card import card_of
from flows.page.exports import FORMATS, exported
from flows.page.history import PER_PAGE, Filters, find_verdicts
from flows.page.live import live_of
from flows.page.page import Here, Page
from flows.page.problems import KINDS, Refusal
from flows.page.render import render
from tasks.plots import PLOTS
from tasks.skills import load_skill

views = APIRouter(include_in_schema=False)

RECENT = 8
_DRAWING = Lock()
"""Matplotlib's styles are those of the whole process."""
STATUSES = (*sorted(DECIDED), "hung", "no_quorum")
Text = Annotated[str, Query(max_length=300)]


class Shell(NamedTuple):
    """What every page has around it."""

    here: str
    stateless: bool
    locked: bool


@views.get("/")
def home(page: Here, question: Text = "") -> Response:
    """The question box, and what was decided lately."""
    skill = load_skill(page.keep.home)
    found = find_verdicts(page.store, Filters(), limit=RECENT)
    return _html(
        page,
        "home.html",
        here="ask",
        found=found,
        question=question,
        topics=[topic.name for topic in skill.topics],
        rules=skill.rules,
        seats=page.roster.jurors,
    )


@views.get("/verdicts")
def history(
    page: Here,
    q: Text = "",
    topic: Text = "",
    status: Text = "",
    offset: Annotated[int, Query(ge=0, le=10_000)] = 0,
) -> Response:
    """The past, with search and filters."""
    filters = Filters(q=q, topic=topic, status=status)
    found = find_verdicts(page.store, filters, offset=offset)
    values = {"found": found, "filters": filters, "statuses": STATUSES, "step": PER_PAGE}
    return _html(page, "history.html", here="history", **values)


@views.get("/verdicts/{deliberation_id}")
def verdict(page: Here, deliberation_id: str) -> Response:
    """A verdict's own page; while it is being found, what happens."""
    run = page.runs.get(deliberation_id)
    if run is not None and run.done is None:
        return _html(page, "run.html", here="", run=run, live=live_of(run))
    done = run.done if run and run.done else page.store.deliberation(deliberation_id)
    if done.deliberation_id != deliberation_id:
        return RedirectResponse(f"/verdicts/{done.deliberation_id}", 303)
    return _html(page, "verdict.html", here="", **_shown(page, done))


@views.get("/verdicts/{deliberation_id}/card")
def card(page: Here, deliberation_id: str) -> Response:
    """The card alone, for a page that watched the run."""
    run = page.runs.get(deliberation_id)
    done = run.done if run and run.done else page.store.deliberation(deliberation_id)
    return HTMLResponse(render("verdict_body.html", shell=_shell(page, ""), **_shown(page, done)))


@views.get("/verdicts/{deliberation_id}/export/{form}")
def export(page: Here, deliberation_id: str, form: str) -> Response:
    """The verdict as a file: JSON, Markdown or HTML."""
    if form not in FORMATS:
        raise Refusal("not-found", f"No export is called {form[:40]!r}.")
    done = page.store.deliberation(deliberation_id)
    name = f"council-{done.deliberation_id[:16]}.{form}"
    safe = "".join(char for char in name if char.isascii() and (char.isalnum() or char in "-."))
    headers = {"Content-Disposition": f'attachment; filename="{safe}"'}
    return Response(exported(done, form), 200, headers, FORMATS[form])


@views.get("/reliability")
def reliability(page: Here, topic: Text = "", since: Text = "") -> Response:
    """The plots, each with its numbers."""
    plots = []
    for name, (title, query, _) in PLOTS.items():
        table = page.store.query(query, since=since or None, topic=topic or None)
        plots.append((name, title, table))
    topics = find_verdicts(page.store, Filters(), limit=1).topics
    values: dict[str, Any] = {"plots": plots, "topic": topic, "since": since, "topics": topics}
    return _html(page, "reliability.html", here="reliability", **values)


@views.get("/plots/{name}.svg")
def plot(page: Here, name: str, topic: Text = "", since: Text = "") -> Response:
    """One plot, as a picture that runs nothing."""
    if name not in PLOTS:
        raise Refusal("not-found", f"No plot is called {name[:40]!r}.")
    _, query, draw = PLOTS[name]
    rows = page.store.query(query, since=since or None, topic=topic or None).records()
    with _DRAWING:
        drawn = draw(rows)
    if drawn is None:
        raise Refusal("not-found", "Nothing to draw yet.")
    # A picture's own styles; as an image it can load and run nothing.
    headers = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}
    return Response(drawn.encode("utf-8", "replace"), 200, headers, "image/svg+xml")


@views.get("/problems/{kind}")
def problem(kind: str) -> Response:
    """What a problem's `type` stands for."""
    if kind not in KINDS:
        raise NotFound(f"no problem is called {kind[:40]!r}")
    return HTMLResponse(render("problem_kind.html", kind=KINDS[kind]))


@views.get("/healthz")
def healthz() -> Response:
    """Say that the server answers."""
    return Response("ok\n", media_type="text/plain")


def _shown(page: Page, done: Deliberation) -> dict[str, Any]:
    return {"card": card_of(done, page.dashboard(done))}


def _shell(page: Page, here: str) -> Shell:
    return Shell(here, page.stateless, page.token is not None)


def _html(page: Page, template: str, *, here: str, **values: Any) -> Response:
    return HTMLResponse(render(template, shell=_shell(page, here), **values))
