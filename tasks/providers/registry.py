"""Providers by name, imported when first asked for; and how a question reaches one."""

from collections.abc import Mapping
from functools import cache, partial
from importlib import import_module
from typing import cast

from contracts.errors import Misconfigured
from contracts.juror import Endpoint
from contracts.settings import settings
from tasks.providers.base import Completion, Provider, Request
from tasks.providers.limits import turn
from tasks.providers.policy import RetryPolicy, with_retries

PROVIDERS: Mapping[str, str] = {
    "offline": "tasks.providers.offline:Offline",
    "openai_compatible": "tasks.providers.openai_compatible:OpenAICompatible",
    "local": "tasks.providers.local_model:LocalModel",
    "recorded": "tasks.providers.recorded:Recorded",
    "hermes": "tasks.providers.hermes:Hermes",
    "hermes_server": "tasks.providers.hermes_server:HermesServer",
}
"""Module and class of each provider."""
EXTRAS: Mapping[str, str] = {"local": "local"}
"""The extra of this package that a provider needs beyond the core."""


@cache
def provider(name: str) -> Provider:
    """Return the process's one provider of that name.

    Raises:
        Misconfigured: for an unknown name, or naming what has to be installed.
    """
    if name not in PROVIDERS:
        raise Misconfigured(f"no provider is named {name!r}; there are {', '.join(PROVIDERS)}.")
    module, _, kind = PROVIDERS[name].partition(":")
    try:
        return cast("Provider", getattr(import_module(module), kind)())
    except ModuleNotFoundError as error:
        extra = EXTRAS.get(name)
        package = f"council-jury[{extra}]" if extra else str(error.name)
        raise Misconfigured(
            f"The provider {name!r} needs {error.name}, which is not installed: "
            f"pip install '{package}'"
        ) from error


async def ask_once(
    endpoint: Endpoint, request: Request, *, max_wait_seconds: float | None = None
) -> Completion:
    """Return the completion of one call in its turn, without retries.

    Args:
        endpoint: whom to ask.
        request: what to ask.
        max_wait_seconds: the longest wait that a server may ask for; None takes the settings'.

    Raises:
        ProviderError: one of its subclasses, with the true cause.
    """
    wait = settings().max_retry_wait_seconds if max_wait_seconds is None else max_wait_seconds
    chosen = provider(endpoint.provider)
    async with turn(endpoint, wait):
        return await chosen.complete(endpoint, request)


async def ask(endpoint: Endpoint, request: Request, policy: RetryPolicy) -> Completion:
    """Return the completion, retried as the policy says.

    Raises:
        ProviderError: the last cause.
    """
    once = partial(ask_once, endpoint, request, max_wait_seconds=policy.max_wait_seconds)
    return await with_retries(once, policy)
