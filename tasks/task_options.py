"""How a stage becomes a Prefect task: when it is tried again, and what of it is kept."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from prefect.cache_policies import NO_CACHE

from contracts.errors import StoreError
from contracts.settings import Settings
from tasks.providers.policy import RetryPolicy, delays, should_retry
from tasks.stages import policies

UNCACHED: dict[str, Any] = {"cache_policy": NO_CACHE, "persist_result": False}


def call_options(settings: Settings, keep: timedelta | None) -> dict[str, Any]:
    """Return the options of a task that calls a model: retried, its result kept for `keep`."""
    tried = policies(settings).call
    return _retried(tried, lambda error, number: should_retry(error, tried, number)) | {
        "persist_result": True,
        "cache_expiration": keep,
        "result_storage": settings.home / "prefect" / "results",
    }


def disk_options(settings: Settings) -> dict[str, Any]:
    """Return the options of a task that reads or writes the home."""
    return _retried(policies(settings).disk, _disk_may_pass) | UNCACHED


def _retried(policy: RetryPolicy, may_pass: Callable[[object, int], bool]) -> dict[str, Any]:
    async def condition(_task: Any, run: Any, state: Any) -> bool:
        return may_pass(await state.aresult(raise_on_failure=False), run.run_count)

    return {
        "retries": policy.attempts - 1,
        "retry_delay_seconds": delays(policy),
        "retry_jitter_factor": policy.jitter,
        "retry_condition_fn": condition,
    }


def _disk_may_pass(error: object, _attempt: int) -> bool:
    """A full or busy disk may; a mistake in a file of the user's does not."""
    return isinstance(error, OSError | StoreError)
