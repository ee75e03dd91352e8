"""The stages as Prefect tasks: named, tagged, retried, cached. The engine that needs a server."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar, cast
from uuid import UUID

from prefect import get_client, runtime, tags, task

from contracts.deliberation import Deliberation
from contracts.juror import Endpoint, JurorSpec, Roster
from contracts.opinion import Opinion
from contracts.question import Question
from contracts.settings import Settings
from tasks import mirror, reports, stages, wording
from tasks.arena.engine import prefect_arena
from tasks.jurors import ask_juror, reconsider_juror
from tasks.reuse import ask_key, reconsider_key, reused
from tasks.stages import Stages
from tasks.task_options import UNCACHED, call_options, disk_options
from tasks.work_engine import prefect_work

T = TypeVar("T")


def prefect_stages(
    settings: Settings, *, scope: str, prefix: str = "", keep: timedelta | None = None
) -> Stages:
    """Return the stages of one deliberation as Prefect tasks.

    Args:
        settings: the home, and how often a call is tried.
        scope: a cached opinion is used again only within it: a deliberation's id, a batch's id, or
            one word for always.
        prefix: begins each run's name, for flows that carry many questions. Of these only the flow
            run is tagged by its jurors; without a prefix, each task that asks one is.
        keep: how long an opinion may be used again; None is for ever.
    """
    return stage_maker(settings, keep)(scope, prefix)


def stage_maker(settings: Settings, keep: timedelta | None) -> Callable[[str, str], Stages]:
    """Return what gives the stages for a scope and a prefix, as `prefect_stages` names them.

    The tasks are made once and serve every deliberation: making one costs as much as running it.
    """
    home, disk = settings.home, disk_options(settings)
    call = call_options(settings, keep)
    recall = sealed(partial(stages.recall_stage, home), disk)
    ask, reconsider = (
        _asking(ask_juror, ask_key, call),
        _asking(reconsider_juror, reconsider_key, call),
    )
    close, judge = sealed(stages.close_stage, UNCACHED), sealed(stages.judge_stage, UNCACHED)
    word = sealed(partial(wording.word, home), UNCACHED)
    record = sealed(partial(stages.record_stage, home), disk)
    mirrored = sealed(partial(mirror.mirror, home), UNCACHED)
    report = sealed(reports.publish, UNCACHED)

    async def mirror_stage(prefix: str, deliberation: Deliberation) -> tuple[str, ...]:
        # Without a home of Hermes there is nothing to do, and a task would cost all the same.
        named = prefix + "mirror"
        return await mirrored(named, deliberation) if mirror.mirrored_homes(home) else ()

    def make(scope: str, prefix: str) -> Stages:
        return Stages(
            recall=partial(recall, prefix + "recall"),
            ask=partial(ask, prefix + "ask-{}-r1", not prefix, scope),
            close=partial(close, prefix + "read-stances"),
            reconsider=partial(reconsider, prefix + "reconsider-{}-r2", not prefix, scope),
            judge=partial(judge, prefix + "judge"),
            word=partial(word, prefix + "foreman"),
            record=partial(record, prefix + "record"),
            mirror=partial(mirror_stage, prefix),
            report=partial(report, prefix + "report"),
            arena=partial(prefect_arena, settings, scope=scope, prefix=prefix, keep=keep),
            work=partial(prefect_work, settings, prefix=prefix),
        )

    return make


class Given:
    """A stage's arguments as one object that Prefect does not look into, and its run's name.

    Prefect searches every parameter for futures, down to the last field of a record: a third of
    what a deliberation costs, and there are none.
    """

    def __init__(self, name: str, *arguments: Any) -> None:
        """Keep the name and the arguments."""
        self.name, self.arguments = name, arguments


def sealed(
    run: Callable[..., Awaitable[T]], options: Mapping[str, Any]
) -> Callable[..., Awaitable[T]]:
    """Return `run` as a task that is given its run's name before its arguments."""

    @task(task_run_name="{given.name}", **options)
    async def stage(given: Given) -> T:
        return await run(*given.arguments)

    async def call(name: str, *arguments: Any) -> T:
        return await stage(Given(name, *arguments))

    return call


def _asking(
    run: Callable[..., Awaitable[Opinion]], key: Callable[..., str], options: Mapping[str, Any]
) -> Callable[..., Awaitable[Opinion]]:
    """Return a stage that calls a model: retried, cached within its scope, named by its juror."""

    @task(
        task_run_name="{given.name}",
        cache_key_fn=lambda _, given: key(*given["given"].arguments),
        **options,
    )
    async def stage(given: Given) -> Opinion:
        _, *arguments = given.arguments
        return await run(*arguments)

    async def call(
        name: str,
        tagged: bool,  # noqa: FBT001 - bound by `make`
        scope: str,
        question: Question,
        seat: JurorSpec,
        endpoint: Endpoint,
        *rest: Any,
    ) -> Opinion:
        given = Given(name.format(seat.name), scope, question, seat, endpoint, *rest)
        # Before a task with tags Prefect asks the server for a place, and these calls go one after
        # the other: a batch would wait for them longer than for its jurors.
        found = (f"juror:{seat.name}", f"provider:{endpoint.provider}") if tagged else ()
        with tags(*found):
            state: Any = await cast(Any, stage)(given, return_state=True)
        opinion: Opinion = await state.aresult()
        return reused(opinion) if state.name == "Cached" else opinion

    return call


def name_of_run() -> str:
    """Return the flow run's name: its question, shortened to one line."""
    words = str(runtime.flow_run.parameters.get("question", "")).split()
    return " ".join(words)[:80] or "convene"


async def tag_run(roster: Roster, *words: str) -> None:
    """Add jurors, providers and these words to the flow run's tags, to filter runs by."""
    found = {*runtime.flow_run.tags, *words}
    for juror in roster.jurors:
        found |= {f"juror:{juror.name}", f"provider:{juror.provider}"}
    async with get_client() as client:
        await client.update_flow_run(UUID(runtime.flow_run.id), tags=sorted(found))
