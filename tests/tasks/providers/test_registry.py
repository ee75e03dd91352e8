"""Providers come by name, are made once, and say what is missing."""

import subprocess
import sys
from typing import get_args

import pytest

from contracts.errors import Misconfigured, RateLimited, ServerFault
from contracts.juror import Endpoint, ProviderName
from tasks.providers import registry
from tasks.providers.base import Request
from tasks.providers.limits import open_gates
from tasks.providers.policy import RetryPolicy
from tasks.providers.registry import PROVIDERS, ask, ask_once, provider
from tasks.providers.scripted_server import ScriptedServer

REQUEST = Request(system="", user="Which database?")


@pytest.fixture(autouse=True)
def _start_over():
    provider.cache_clear()
    open_gates()
    yield
    provider.cache_clear()
    open_gates()


def seat(server, **fields):
    return Endpoint(provider="openai_compatible", model="ada", base_url=server.base_url, **fields)


def test_every_provider_of_a_roster_has_a_place():
    assert set(PROVIDERS) == set(get_args(ProviderName))


def test_a_provider_is_made_once():
    assert provider("openai_compatible") is provider("openai_compatible")


def test_an_unknown_name_lists_those_there_are():
    with pytest.raises(Misconfigured, match=r"'psychic'.*offline"):
        provider("psychic")


@pytest.mark.parametrize(
    ("name", "advice"),
    [("local", r"pip install 'council-jury\[local\]'"), ("offline", "pip install 'not_here'")],
)
def test_a_missing_package_says_what_to_install(monkeypatch, name, advice):
    monkeypatch.setattr(registry, "PROVIDERS", {name: "not_here.module:Thing"})
    with pytest.raises(Misconfigured, match=advice):
        provider(name)


def test_importing_the_registry_imports_no_provider_and_no_client():
    code = (
        "import sys, tasks.providers.registry\n"
        "print([m for m in ('httpx', 'numpy', 'prefect', 'tasks.providers.offline')"
        " if m in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"


async def test_one_call_is_one_request():
    async with ScriptedServer({"ada": {"fault": "server_error"}}) as server:
        with pytest.raises(ServerFault):
            await ask_once(seat(server), REQUEST)
    assert len(server.requests) == 1


async def test_asking_tries_again_as_the_policy_says():
    steps = [{"fault": "server_error"}, {"fault": "reset"}, "Use Postgres."]
    async with ScriptedServer({"ada": steps}) as server:
        policy = RetryPolicy(attempts=3, backoff_seconds=0.001)
        completion = await ask(seat(server), REQUEST, policy)
    assert completion.text == "Use Postgres."
    assert len(server.requests) == 3


async def test_a_server_that_asks_for_too_long_a_wait_is_asked_once_for_all_seats():
    async with ScriptedServer({"ada": {"fault": "rate_limited", "retry_after": 900}}) as server:
        for _ in range(3):
            with pytest.raises(RateLimited):
                await ask(seat(server), REQUEST, RetryPolicy(max_wait_seconds=5))
    assert len(server.requests) == 1
