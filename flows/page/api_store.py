"""The API of what is kept: verdicts."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from contracts.deliberation import Deliberation
from flows.page.answers import Json
from flows.page.api import Id, refusals
from flows.page.history import Filters, Found, find_verdicts
from flows.page.page import Here, public

store_api = APIRouter(prefix="/api", default_response_class=Json)

Text = Annotated[str, Query(max_length=300)]


@store_api.get("/verdicts", response_model=Found, responses=refusals())
def verdicts(
    page: Here,
    q: Text = "",
    topic: Text = "",
    status: Text = "",
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
    offset: Annotated[int, Query(ge=0, le=10_000)] = 0,
) -> Response:
    """List verdicts, newest first."""
    filters = Filters(q=q, topic=topic, status=status)
    found = find_verdicts(page.store, filters, limit=limit, offset=offset)
    return Json(found.model_dump(mode="json"))


@store_api.get("/verdicts/{deliberation_id}", response_model=Deliberation, responses=refusals(404))
def verdict(page: Here, deliberation_id: Id) -> Response:
    """Return one deliberation, whole but for where its models are reached."""
    return Json(public(page.store.deliberation(deliberation_id)))
