"""The stages as Prefect tasks: named, tagged, retried, cached. The engine that needs a server."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

from prefect import Task, get_client, runtime, tags, task

from contracts.deliberation import Deliberation
from contracts.juror import Endpoint, JurorSpec, Roster
from contracts.memory import Memory, Policy
from contracts.opinion import Opinion
from contracts.question import Question
from contracts.settings import Settings
from contracts.verdict import Verdict
from tasks import mirror, reports, stages, wording
from tasks.arena.engine import prefect_arena
from tasks.jurors import ask_juror, reconsider_juror
from tasks.reuse import ask_key, reconsider_key, reused
from tasks.stages import Stages
from tasks.stances import Closed
from tasks.task_options import UNCACHED, call_options, disk_options
from tasks.wording import Worded
from tasks.work_engine import prefect_work


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
    ask, reconsider = _asking(settings, scope, prefix, keep)
    disk = disk_options(settings)

    @task(task_run_name=prefix + "recall", **disk)
    async def recall(question: Question, roster: Roster) -> Memory:
        return await stages.recall_stage(settings.home, question, roster)

    @task(task_run_name=prefix + "read-stances", **UNCACHED)
    async def close(question: Question, opinions: Sequence[Opinion]) -> Closed:
        return await stages.close_stage(question, opinions)

    @task(task_run_name=prefix + "judge", **UNCACHED)
    async def judge(
        question: Question, opinions: Sequence[Opinion], memory: Memory, policy: Policy
    ) -> Verdict:
        return await stages.judge_stage(question, opinions, memory, policy)

    @task(task_run_name=prefix + "foreman", **UNCACHED)
    async def word(
        question: Question, verdict: Verdict, opinions: Sequence[Opinion], roster: Roster
    ) -> Worded:
        return await wording.word(settings.home, question, verdict, opinions, roster)

    @task(task_run_name=prefix + "record", **disk)
    async def record(deliberation: Deliberation) -> None:
        await stages.record_stage(settings.home, deliberation)

    @task(task_run_name=prefix + "mirror", **UNCACHED)
    async def mirrored(deliberation: Deliberation) -> tuple[str, ...]:
        return await mirror.mirror(settings.home, deliberation)

    async def mirror_stage(deliberation: Deliberation) -> tuple[str, ...]:
        # Without a home of Hermes there is nothing to do, and a task would cost all the same.
        return await mirrored(deliberation) if mirror.mirrored_homes(settings.home) else ()

    @task(task_run_name=prefix + "report", **UNCACHED)
    async def report(deliberation: Deliberation) -> None:
        await reports.publish(deliberation)

    return Stages(
        recall=recall,
        ask=ask,
        close=close,
        reconsider=reconsider,
        judge=judge,
        word=word,
        record=record,
        mirror=mirror_stage,
        report=report,
        arena=partial(prefect_arena, settings, scope=scope, prefix=prefix, keep=keep),
        work=partial(prefect_work, settings, prefix=prefix),
    )


def _asking(
    settings: Settings, scope: str, prefix: str, keep: timedelta | None
) -> tuple[Callable[..., Awaitable[Opinion]], Callable[..., Awaitable[Opinion]]]:
    """Return the two stages that call models: retried, cached, tagged by juror and provider."""
    call = call_options(settings, keep)

    @task(
        task_run_name=prefix + "ask-{seat.name}-r1",
        cache_key_fn=lambda _, given: ask_key(scope, **given),
        **call,
    )
    async def ask(question: Question, seat: JurorSpec, endpoint: Endpoint) -> Opinion:
        return await ask_juror(question, seat, endpoint)

    @task(
        task_run_name=prefix + "reconsider-{seat.name}-r2",
        cache_key_fn=lambda _, given: reconsider_key(scope, **given),
        **call,
    )
    async def reconsider(
        question: Question,
        seat: JurorSpec,
        endpoint: Endpoint,
        own: Opinion,
        opinions: Sequence[Opinion],
        roster: Roster,
    ) -> Opinion:
        return await reconsider_juror(question, seat, endpoint, own, opinions, roster)

    async def asked(
        stage: Task[..., Any], question: Question, seat: JurorSpec, endpoint: Endpoint, *rest: Any
    ) -> Opinion:
        with tags(f"juror:{seat.name}", f"provider:{endpoint.provider}"):
            state = await stage(question, seat, endpoint, *rest, return_state=True)
        opinion: Opinion = await state.aresult()
        return reused(opinion) if state.name == "Cached" else opinion

    return partial(asked, ask), partial(asked, reconsider)


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
