"""The API of runs: ask, deliberate again, watch. Errors are problem details."""

from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Depends, Header, Path, Request
from pydantic import Field
from starlette.responses import Response, StreamingResponse

from contracts.base import Record
from contracts.question import Question
from contracts.verdict import Verdict
from flows.page.answers import Json, dumps
from flows.page.jobs import Again, Ask
from flows.page.page import Here
from flows.page.problems import MEDIA_TYPE, Problem, Refusal
from flows.page.runs import Happening, Run

STREAM = "text/event-stream"
Responses = dict[int | str, dict[str, Any]]


def refusals(*statuses: int) -> Responses:
    """Return the problems that a route may answer with, for the OpenAPI document."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"model": Problem, "description": "Problem details", "content": content}
        for status in (*statuses, 401, 403, 413, 421, 422, 429, 500, 503)
    }


def must_be_json(request: Request) -> None:
    """Take a body as JSON only where it says so: another site's form cannot."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refusal("not-json", f"The body is {kind[:60] or 'of no known kind'}.")


api = APIRouter(prefix="/api", default_response_class=Json)

Id = Annotated[str, Path(min_length=1, max_length=200)]
Accept = Annotated[str, Header(max_length=1000)]
Prefer = Annotated[str, Header(max_length=1000)]
ONLY_JSON = Depends(must_be_json)


class Answer(Record):
    """What the council decided."""

    deliberation_id: str
    address: str
    """Of the verdict's own page, on this server."""
    question: Question
    """With the options that it came to."""
    verdict: Verdict
    foreman_text: str
    """The verdict in words."""


class Accepted(Record):
    """A run that was queued."""

    deliberation_id: str
    address: str
    events: str
    """Address of the stream of what happens."""


class RunState(Record):
    """Where a run stands."""

    deliberation_id: str
    state: Literal["unfinished", "done", "failed"]
    problem: dict[str, Any] | None = None


class Seats(Record):
    """Who is asked again."""

    jurors: tuple[str, ...] = Field(default=(), max_length=64)
    """None: the seats that failed."""


_STREAMED: Responses = {200: {"content": {STREAM: {"schema": {"type": "string"}}}}}
_ANSWERS: Responses = {
    **_STREAMED,
    202: {"model": Accepted, "description": "Queued (Prefer: respond-async)"},
}


@api.post(
    "/convene",
    response_model=Answer,
    responses=_ANSWERS | refusals(404, 415),
    dependencies=[ONLY_JSON],
)
async def convene(
    page: Here, ask: Ask, accept: Accept = "*/*", prefer: Prefer = "wait"
) -> Response:
    """Ask the council one question.

    Answers with the verdict; with `Accept: text/event-stream` with what happens, as it happens;
    with `Prefer: respond-async` at once, with the addresses of both.
    """
    return await _answer(await page.ask(ask), accept, prefer)


@api.post(
    "/verdicts/{deliberation_id}/replay",
    response_model=Answer,
    responses=_ANSWERS | refusals(404, 409, 415),
    dependencies=[ONLY_JSON],
)
async def replay(
    page: Here,
    deliberation_id: Id,
    seats: Annotated[Seats, Body()],
    accept: Accept = "*/*",
    prefer: Prefer = "wait",
) -> Response:
    """Deliberate again: the seats that are named, else those that failed. The old one stays."""
    again = Again(deliberation_id=deliberation_id, jurors=seats.jurors)
    return await _answer(await page.again(again), accept, prefer)


@api.get("/runs/{run_id}", response_model=RunState, responses=refusals(404))
async def run_state(page: Here, run_id: Id) -> Response:
    """Tell where a run stands. Runs of an earlier server are not known; verdicts are kept."""
    run = page.run(run_id)
    state = "failed" if run.failed else "done" if run.done else "unfinished"
    problem = run.failed.problem.model_dump(exclude_none=True) if run.failed else None
    return Json({"deliberation_id": run.run_id, "state": state, "problem": problem})


@api.get(
    "/runs/{run_id}/events",
    response_class=StreamingResponse,
    responses=_STREAMED | refusals(404),
)
async def run_events(
    page: Here, run_id: Id, last_event_id: Annotated[str, Header(max_length=100)] = ""
) -> Response:
    """Stream what happens in a run, from its beginning or from after `Last-Event-ID`."""
    run = page.run(run_id)
    boot, _, number = last_event_id.rpartition("-")
    known = boot == run.boot and number.isdecimal() and number.isascii()
    return _stream(run, int(number[:9]) if known else 0)


async def _answer(run: Run, accept: str, prefer: str) -> Response:
    address = f"/verdicts/{run.run_id}"
    events = f"/api/runs/{run.run_id}/events"
    if "respond-async" in prefer:
        body = {"deliberation_id": run.run_id, "address": address, "events": events}
        return Json(body, 202, {"Location": address, "Preference-Applied": "respond-async"})
    if STREAM in accept:
        return _stream(run, 0)
    await run.over.wait()
    if run.failed or run.done is None:
        raise run.failed or Refusal("failed", "The run was stopped.")
    return Json(
        {
            "deliberation_id": run.run_id,
            "address": address,
            "question": run.done.question.model_dump(mode="json"),
            "verdict": run.done.verdict.model_dump(mode="json"),
            "foreman_text": run.done.foreman_text,
        }
    )


def _stream(run: Run, after: int) -> Response:
    headers = {"X-Accel-Buffering": "no", "Content-Location": f"/api/runs/{run.run_id}/events"}
    return StreamingResponse(_lines(run, after), media_type=STREAM, headers=headers)


async def _lines(run: Run, after: int) -> AsyncIterator[str]:
    yield "retry: 1000\n\n"
    async for happening in run.follow(after):
        yield _line(run.boot, happening)


def _line(boot: str, happening: Happening) -> str:
    data = dumps(dict(happening.data))
    return f"id: {boot}-{happening.number}\nevent: {happening.kind}\ndata: {data}\n\n"
