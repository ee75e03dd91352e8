"""Attack the verdict of a kept deliberation, and record what came of it beside it."""

from prefect import flow, runtime

from contracts.bout import Arena
from contracts.settings import settings
from data.store import Store
from tasks.arena.casting import arena_policy
from tasks.arena.engine import prefect_arena
from tasks.arena.stored import attack_again
from tasks.deliberate import Event, watching


@flow(flow_run_name="arena {deliberation_id}", persist_result=False)
async def arena(
    deliberation_id: str,
    personas: list[str] | None = None,
    rounds: int = 1,
    reopen: bool = False,  # noqa: FBT001, FBT002 - a flow's parameters are given by name
) -> Arena:
    """Hold the Hyde arena over a kept verdict and return the bouts and the verdict after them.

    Args:
        deliberation_id: whose verdict is attacked; the first characters of the id are enough.
        personas: who attacks; else the personas that apply.
        rounds: how often each attacks, another weakness each time.
        reopen: let the jurors answer again when a bout overturns the verdict.
    """
    house, run = settings(), str(runtime.flow_run.id)
    old = Store(house.home).deliberation(deliberation_id)
    policy = arena_policy("always", personas=personas or (), rounds=rounds, reopen=reopen)
    watch = watching.get()
    return await attack_again(
        old,
        policy,
        prefect_arena(house, scope=run),
        lambda *what: watch(Event(*what)),
        engine="prefect",
        run_id=run,
    )
