"""Learn again from everything that turned out: whom to trust, on what, and how far."""

from prefect import flow

from contracts.learning import Learned
from contracts.settings import settings
from tasks.learning_engine import refit_tasks


@flow(flow_run_name="refit", persist_result=False)
async def refit() -> Learned:
    """Learn from the store and make it the memory of the next deliberations.

    The same store gives the same learning, bit for bit; one that is known already is kept once.
    """
    steps = refit_tasks(settings())
    learned = await steps.learn()
    if learned.taught:
        await steps.keep(learned)
    await steps.report(learned)
    return learned
