"""What the page's routes work with: one record, made once, given to each."""

from collections.abc import Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, Any, NamedTuple
from uuid import uuid4

from fastapi import Depends, Request

from contracts.base import sha256_text
from contracts.deliberation import Deliberation
from contracts.juror import Roster
from contracts.settings import Settings
from data.files import make_directory
from data.store import Store
from flows.console.server import known_server
from flows.page.jobs import Again, Ask, Job
from flows.page.problems import Refusal
from flows.page.runs import Run, Runs
from tasks.seating import load_roster
from tasks.skills import skill_path, skill_text
from tasks.stages import now

HIDDEN = ("base_url", "api_key_env", "recording")
"""Of a seat: where its model is reached is no business of a reader."""


class Page(NamedTuple):
    """A council and the runs of this server."""

    house: Settings
    """As the person set it: the roster is read from here."""
    keep: Settings
    """Where verdicts go and the skill is: the same, or a scratch home that goes with the server."""
    runs: Runs
    stateless: bool
    token: str | None

    @property
    def store(self) -> Store:
        """The store."""
        return Store(self.keep.home)

    @property
    def roster(self) -> Roster:
        """The seats, as they are now."""
        return load_roster(self.house)

    async def ask(self, ask: Ask) -> Run:
        """Put a question to the council; see `Runs.submit` for what is raised."""
        return await self.runs.submit(new_job(ask=ask))

    async def again(self, again: Again) -> Run:
        """Deliberate again; see `Runs.submit` for what is raised."""
        return await self.runs.submit(new_job(again=again))

    def run(self, run_id: str) -> Run:
        """Return a run of this server.

        Raises:
            Refusal: when there is none.
        """
        found = self.runs.get(run_id)
        if found is None:
            raise Refusal("not-found", f"This server knows no run {run_id[:40]!r}.")
        return found

    def dashboard(self, done: Deliberation) -> str | None:
        """Return the address of the flow run behind a deliberation, where there is one."""
        server = known_server(self.house)
        if done.flow_run_id is None or server is None:
            return None
        return f"{server.dashboard_url}/runs/flow-run/{done.flow_run_id}"


def page_of(request: Request) -> Page:
    """Return the page that a request is for."""
    page: Page = request.app.state.page
    return page


Here = Annotated[Page, Depends(page_of)]


def new_job(*, ask: Ask | None = None, again: Again | None = None) -> Job:
    """Return a job with an id of its own."""
    return Job(job_id=sha256_text(uuid4().hex)[:16], asked_at=now(), ask=ask, again=again)


def scratch_home(house: Settings) -> Settings:
    """Return settings whose home is new and empty but for the skills of `house`."""
    home = Path(mkdtemp(prefix="council-"))
    for name in ("council", "hyde"):
        file = skill_path(home, name)
        make_directory(file.parent)
        file.write_text(skill_text(house.home, name).text, encoding="utf-8")
    return house.model_copy(update={"home": home})


def public(done: Deliberation) -> dict[str, Any]:
    """Return a deliberation as JSON without what only the server's owner should know."""
    whole = done.model_dump(mode="json")
    for seat in whole["roster"]["jurors"]:
        _hide([seat, *seat["alternates"]])
    _hide([whole["roster"]["foreman"] or {}])
    return whole


def _hide(endpoints: Sequence[dict[str, Any]]) -> None:
    for endpoint in endpoints:
        for name in HIDDEN:
            if name in endpoint:
                endpoint[name] = None
