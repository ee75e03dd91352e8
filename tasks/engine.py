"""The stages as Prefect tasks: named, tagged, retried, cached. The engine that needs a server."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar
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
    """Return the stages as Prefect tasks.

    Args:
        settings: the home, and how often a call is tried.
        scope: a cached opinion is used again only within it: a deliberation's id, a batch's id, or
            one word for always.
        prefix: begins each run's name, for flows that carry many questions.
        keep: how long an opinion may be used again; None is for ever.
    """
    home, disk = settings.home, disk_options(settings)
    call = call_options(settings, keep)
    mirrored = _sealed(partial(mirror.mirror, home), prefix + "mirror", UNCACHED)

    async def mirror_stage(deliberation: Deliberation) -> tuple[str, ...]:
        # Without a home of Hermes there is nothing to do, and a task would cost all the same.
        return await mirrored(deliberation) if mirror.mirrored_homes(home) else ()

    return Stages(
        recall=_sealed(partial(stages.recall_stage, home), prefix + "recall", disk),
        ask=_asking(ask_juror, prefix + "ask-{}-r1", call, partial(ask_key, scope)),
        close=_sealed(stages.close_stage, prefix + "read-stances", UNCACHED),
        reconsider=_asking(
            reconsider_juror, prefix + "reconsider-{}-r2", call, partial(reconsider_key, scope)
        ),
        judge=_sealed(stages.judge_stage, prefix + "judge", UNCACHED),
        word=_sealed(partial(wording.word, home), prefix + "foreman", UNCACHED),
        record=_sealed(partial(stages.record_stage, home), prefix + "record", disk),
        mirror=mirror_stage,
        report=_sealed(reports.publish, prefix + "report", UNCACHED),
        arena=partial(prefect_arena, settings, scope=scope, prefix=prefix, keep=keep),
        work=partial(prefect_work, settings, prefix=prefix),
    )


class Given:
    """A stage's arguments as one object that Prefect does not look into.

    Prefect searches every parameter for futures, down to the last field of a record: a third of
    what a deliberation costs, and there are none.
    """

    def __init__(self, *arguments: Any) -> None:
        """Keep the arguments."""
        self.arguments = arguments


def _sealed(
    run: Callable[..., Awaitable[T]], name: str, options: Mapping[str, Any]
) -> Callable[..., Awaitable[T]]:
    """Return a stage as a task."""

    @task(task_run_name=name, **options)
    async def stage(given: Given) -> T:
        return await run(*given.arguments)

    async def call(*arguments: Any) -> T:
        return await stage(Given(*arguments))

    return call


def _asking(
    run: Callable[..., Awaitable[Opinion]],
    name: str,
    options: Mapping[str, Any],
    key: Callable[..., str],
) -> Callable[..., Awaitable[Opinion]]:
    """Return a stage that calls a model: retried, cached, named and tagged by its juror."""

    @task(cache_key_fn=lambda _, given: key(*given["given"].arguments), **options)
    async def stage(given: Given) -> Opinion:
        return await run(*given.arguments)

    async def call(question: Question, seat: JurorSpec, endpoint: Endpoint, *rest: Any) -> Opinion:
        # The name is a template to Prefect; a juror's braces are not.
        plain = seat.name.replace("{", "{{").replace("}", "}}")
        named: Any = stage.with_options(task_run_name=name.format(plain))
        with tags(f"juror:{seat.name}", f"provider:{endpoint.provider}"):
            state = await named(Given(question, seat, endpoint, *rest), return_state=True)
        opinion: Opinion = await state.aresult()
        return reused(opinion) if state.name == "Cached" else opinion

    return call


def name_of_run() -> str:
    """Return the flow run's name: its question, shortened to one line."""
    words = str(runtime.flow_run.parameters.get("question", "")).split()
    return " ".join(words)[:80] or "convene"


async def tag_run(question: Question, roster: Roster) -> None:
    """Tag the flow run by topic, jurors and providers, so that the dashboard can filter."""
    found = {f"topic:{question.topic}", *question.tags}
    for juror in roster.jurors:
        found |= {f"juror:{juror.name}", f"provider:{juror.provider}"}
    async with get_client() as client:
        await client.update_flow_run(UUID(runtime.flow_run.id), tags=sorted(found))
