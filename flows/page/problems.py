"""What went wrong, for machines and people alike: problem details (RFC 9457)."""

import logging
from collections.abc import Mapping
from typing import Any, NamedTuple

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from contracts.errors import (
    ConfigError,
    CouncilError,
    NotFound,
    StoreError,
    UsageError,
)
from flows.page.answers import Json
from flows.page.render import render

MEDIA_TYPE = "application/problem+json"
_LOG = logging.getLogger("council.page")


class Kind(NamedTuple):
    """A sort of problem; its page stands at `/problems/<name>`."""

    status: int
    title: str
    next: str
    """What to do."""


KINDS: Mapping[str, Kind] = {
    "invalid": Kind(422, "The request does not fit", "Correct the field that is named, ask again."),
    "too-large": Kind(413, "The request is too large", "Shorten the question or the context."),
    "not-json": Kind(415, "The body is not JSON", "Send Content-Type: application/json."),
    "not-found": Kind(404, "Nothing is kept here", "GET /api/verdicts lists what there is."),
    "not-allowed": Kind(405, "Not done this way", "See /api/openapi.json for what can be done."),
    "conflict": Kind(409, "It cannot be done as things stand", "The detail names the reason."),
    "no-token": Kind(401, "A token is needed", "Send Authorization: Bearer <COUNCIL_TOKEN>."),
    "wrong-host": Kind(
        421,
        "This council does not answer to that name",
        "Use the address that `council serve` printed, or start it with --allow-host NAME.",
    ),
    "cross-site": Kind(
        403, "Another site may not post here", "Post from the council's own page, or no browser."
    ),
    "too-many": Kind(429, "Too many requests", "Wait as long as Retry-After says."),
    "queue-full": Kind(503, "The council is busy", "Wait as long as Retry-After says, ask again."),
    "store": Kind(503, "The store does not answer", "`council store rebuild` makes it again."),
    "set-up": Kind(500, "The council is not set up right", "The detail names the file or setting."),
    "failed": Kind(500, "The council failed", "The server's log says why. Ask again."),
}


_KIND_OF: tuple[tuple[type[CouncilError], str], ...] = (
    (NotFound, "not-found"),
    (StoreError, "store"),
    (ConfigError, "set-up"),
    (UsageError, "invalid"),
    (CouncilError, "failed"),
)
"""The first that fits."""


class Problem(BaseModel):
    """Problem details, with what to do next."""

    type: str
    """Address of the problem's page."""
    title: str
    status: int
    detail: str
    next: str
    field: str | None = None
    """Of the request, where one does not fit."""


class Refusal(Exception):
    """A request that the page does not answer."""

    def __init__(
        self, kind: str, detail: str, *, field: str | None = None, retry_after: int | None = None
    ) -> None:
        """Keep what a response is made of; `retry_after` in seconds."""
        super().__init__(detail)
        self.kind, self.field, self.retry_after = kind, field, retry_after

    @property
    def problem(self) -> Problem:
        """The problem details."""
        kind = KINDS[self.kind]
        return Problem(
            type=f"/problems/{self.kind}",
            title=kind.title,
            status=kind.status,
            detail=str(self),
            next=kind.next,
            field=self.field,
        )

    def response(self) -> Response:
        """The response that says it."""
        headers = {} if self.retry_after is None else {"Retry-After": str(self.retry_after)}
        if self.kind == "no-token":
            headers["WWW-Authenticate"] = "Bearer"
        body = self.problem.model_dump(exclude_none=True)
        return Json(body, KINDS[self.kind].status, headers, MEDIA_TYPE)


def refusal_of(error: Exception) -> Refusal:
    """Return what is told about an error. What nobody foresaw is told to the log alone."""
    if isinstance(error, Refusal):
        return error
    for sort, kind in _KIND_OF:
        if isinstance(error, sort):
            return Refusal(kind, str(error))
    _LOG.error("unforeseen", exc_info=error)
    return Refusal("failed", "Something happened that nobody foresaw.")


def answer_problems(app: FastAPI) -> None:
    """Make every error of `app` answer with problem details."""

    async def known(request: Request, error: Exception) -> Response:
        return _for_reader(request, refusal_of(error))

    for kind in (Refusal, CouncilError, Exception):
        app.add_exception_handler(kind, known)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)


def _for_reader(request: Request, refusal: Refusal) -> Response:
    """A person who follows a link gets a page, a program gets JSON."""
    wants_page = "text/html" in request.headers.get("accept", "")
    if not wants_page or request.url.path.startswith("/api/"):
        return refusal.response()
    page = render("problem.html", problem=refusal.problem)
    return HTMLResponse(page, KINDS[refusal.kind].status)


async def _invalid(request: Request, error: Exception) -> Response:
    # The input itself is not repeated: it may be large, secret, or no text at all.
    first: dict[str, Any] = error.errors()[0] if isinstance(error, RequestValidationError) else {}
    place = [str(part) for part in first.get("loc", ()) if part != "body"]
    field = ".".join(place)[:200] or None
    detail = f"{field or 'the body'}: {first.get('msg', 'does not read')}"[:500]
    return _for_reader(request, Refusal("invalid", detail, field=field))


async def _http(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    names = {kind.status: name for name, kind in KINDS.items() if name != "set-up"}
    name = names.get(status, "invalid" if status < 500 else "failed")  # noqa: PLR2004
    response = _for_reader(request, Refusal(name, str(getattr(error, "detail", ""))))
    response.headers.update(getattr(error, "headers", None) or {})
    return response
