"""Forms, for a browser without JavaScript and for the door."""

from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from pydantic import ValidationError
from starlette.responses import HTMLResponse, RedirectResponse, Response

from flows.page.guard import COOKIE, entry_pass, same
from flows.page.jobs import Ask
from flows.page.page import Here
from flows.page.problems import Refusal
from flows.page.render import render

MOST_FIELDS = 40

forms = APIRouter(include_in_schema=False)


@forms.post("/ask")
async def ask(page: Here, request: Request) -> Response:
    """Take the ask form and lead to the run's own page."""
    fields = await _fields(request)
    given = {
        "question": fields.get("question", ""),
        "options": tuple(filter(None, map(str.strip, fields.get("options", "").splitlines()))),
        "topic": fields.get("topic") or None,
        "context": fields.get("context") or None,
        "arena": "always" if fields.get("arena") else "auto",
    }
    try:
        asked = Ask.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        raise Refusal("invalid", f"{name}: {first['msg']}", field=name) from None
    run = await page.ask(asked)
    return RedirectResponse(f"/verdicts/{run.run_id}", 303)


@forms.get("/login")
def door(page: Here, to: str = "/") -> Response:
    """Ask for the token."""
    if page.token is None:
        return RedirectResponse("/", 303)
    return HTMLResponse(render("login.html", to=_inside(to), wrong=False))


@forms.post("/login")
async def login(page: Here, request: Request) -> Response:
    """Take the token and give the browser its pass."""
    fields = await _fields(request)
    to = _inside(fields.get("to", "/"))
    if page.token is None or not same(fields.get("token", "").strip(), page.token):
        return HTMLResponse(render("login.html", to=to, wrong=True), 401)
    response = RedirectResponse(to, 303)
    response.set_cookie(
        COOKIE,
        entry_pass(page.token),
        max_age=30 * 24 * 3600,
        httponly=True,
        samesite="strict",
        secure=request.headers.get("origin", "").startswith("https:"),
    )
    return response


def _inside(to: str) -> str:
    """Return an address of this page, whatever was given."""
    inside = to.startswith("/") and not to.startswith(("//", "/\\")) and to.isprintable()
    return to[:300] if inside else "/"


async def _fields(request: Request) -> dict[str, str]:
    body = (await request.body()).decode("utf-8", "replace")
    try:
        parsed = parse_qs(body, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise Refusal("invalid", "The form does not read.") from None
    return {name: values[-1] for name, values in parsed.items()}
