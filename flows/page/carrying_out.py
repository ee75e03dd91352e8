"""Carries a plan out with the plain engine, and tells of each opinion as it is heard."""

from collections.abc import Callable, Sequence

from contracts.deliberation import Deliberation
from contracts.juror import Endpoint, JurorSpec, Roster
from contracts.opinion import Opinion
from contracts.question import Question
from flows.page.jobs import Job, Plan
from flows.page.run_file import RunFile
from tasks.deliberate import Session, Watch, deliberate
from tasks.stages import Stages

Hear = Callable[[Opinion], None]


async def carry_out(plan: Plan, job: Job, file: RunFile, watch: Watch, hear: Hear) -> Deliberation:
    """Deliberate. What was heard before the process was killed is not asked again."""
    stages = listening(file.before(listening(plan.stages, file.keep)), hear)
    session = Session(
        deliberation_id=job.job_id,
        engine="direct",
        started_at=job.asked_at,
        replay_of=plan.replay_of,
    )
    return await deliberate(plan.question, plan.roster, plan.policy, stages, session, watch)


def listening(stages: Stages, hear: Hear) -> Stages:
    """Return stages that tell of each opinion as it is heard."""

    async def ask(question: Question, seat: JurorSpec, endpoint: Endpoint) -> Opinion:
        opinion = await stages.ask(question, seat, endpoint)
        hear(opinion)
        return opinion

    async def reconsider(
        question: Question,
        seat: JurorSpec,
        endpoint: Endpoint,
        own: Opinion,
        opinions: Sequence[Opinion],
        roster: Roster,
    ) -> Opinion:
        opinion = await stages.reconsider(question, seat, endpoint, own, opinions, roster)
        hear(opinion)
        return opinion

    return stages._replace(ask=ask, reconsider=reconsider)
