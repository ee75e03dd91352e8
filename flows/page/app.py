"""The web application: routes, guard, and the life of its runs."""

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles

from contracts.settings import Settings
from flows.page.api import api
from flows.page.api_learning import learning_api
from flows.page.api_store import store_api
from flows.page.forms import forms
from flows.page.guard import LOOPBACK_NAMES, Guard, Rules
from flows.page.page import Page, scratch_home
from flows.page.problems import answer_problems
from flows.page.rates import Rates
from flows.page.render import HERE
from flows.page.runs import Limits, Runs
from flows.page.views import views

_ABOUT = """Ask a jury of models, and see where it splits.

Errors are problem details (RFC 9457) with `next`, what to do. Where the server has a token, send
it as `Authorization: Bearer`.
"""


def create_app(
    house: Settings,
    *,
    stateless: bool = False,
    rules: Rules | None = None,
    limits: Limits | None = None,
    rates: Rates | None = None,
) -> FastAPI:
    """Return the application.

    Args:
        house: the person's settings.
        stateless: keep nothing beyond the server's life; approved rules stay with the browser.
        rules: what the guard goes by; its token is the settings' own where it names none.
        limits: of the queue.
        rates: of each client.
    """
    given = house.token.get_secret_value() if house.token else None
    guard = rules or Rules(names=LOOPBACK_NAMES, token=given)
    keep = scratch_home(house) if stateless else house
    runs = Runs(house, keep, limits or Limits())

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        await runs.resume()
        yield
        await runs.close()
        if stateless:
            shutil.rmtree(keep.home, ignore_errors=True)

    app = FastAPI(
        title="Council",
        version="1",
        description=_ABOUT,
        openapi_url="/api/openapi.json",
        docs_url=None,  # it would load its scripts from elsewhere
        redoc_url=None,
        lifespan=life,
    )
    app.state.page = Page(house, keep, runs, stateless, guard.token)
    for router in (api, store_api, learning_api, forms, views):
        app.include_router(router)
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")
    answer_problems(app)
    app.add_middleware(Guard, rules=guard, rates=rates or Rates())
    return app
