"""The pieces of a Hermes configuration: addresses, limits, what is switched off. Pure."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from contracts.base import canonical_json, sha256_text
from contracts.errors import ConfigError, Misconfigured
from contracts.juror import Endpoint

Config = dict[str, Any]

CONTEXT_TOKENS = 65_536
"""Hermes refuses a model whose window is under 64,000 tokens."""

NO_TOOLS = "context_engine"
"""The toolset that holds no tool: the request has no `tools`."""

MAX_RUNS = 64
"""Runs that the server takes on at once."""

SESSION_DAYS = 30
"""After which Hermes prunes a session from its database."""

NOWHERE = {"api": "http://127.0.0.1:9/v1", "default_model": "nowhere"}
"""The server's default: a port where nobody listens. Without it Hermes answers an unknown name
with its default model, which is not the one that was asked."""

_IDENTITY = {
    "hermes_provider",
    "base_url",
    "api_key_env",
    "model",
    "max_tokens",
    "temperature",
    "locality",
}
_HINT = {"replace": "Answer in the form that the message asks for."}


def provider_name(endpoint: Endpoint) -> str:
    """Return the name under which Hermes knows an address, e.g. `council-openrouter-ai`.

    Raises:
        Misconfigured: the endpoint names neither an address nor a provider of Hermes.
    """
    if endpoint.hermes_provider:
        return endpoint.hermes_provider.strip().lower().replace(" ", "-")
    if not endpoint.base_url:
        raise Misconfigured(
            f"{endpoint.model}: a Hermes seat needs base_url, or hermes_provider with the name of "
            "a provider that Hermes brings along."
        )
    return "council-" + _slug(urlsplit(endpoint.base_url).netloc.rpartition("@")[2])


def provider_argument(endpoint: Endpoint) -> str:
    """Return the value of `--provider`; `custom:` keeps a built-in of that name from winning."""
    name = provider_name(endpoint)
    return f"custom:{name}" if endpoint.base_url else name


def route_name(endpoint: Endpoint) -> str:
    """Return a name for an endpoint with all its settings: a directory, and an alias of a model."""
    identity = canonical_json(endpoint.model_dump(include=_IDENTITY, mode="json"))
    return f"{_slug(endpoint.model)[:40]}-{sha256_text(identity)[:10]}"


def default_model(endpoint: Endpoint) -> Config:
    """Return the `model` section of a home that knows one endpoint."""
    model: Config = {
        "provider": provider_argument(endpoint),
        "default": endpoint.model,
        "context_length": CONTEXT_TOKENS,
        "max_tokens": endpoint.max_tokens,
    }
    if endpoint.locality == "local":
        model["ollama_num_ctx"] = CONTEXT_TOKENS
    return model


def address(endpoint: Endpoint, *, limits: bool = True) -> Config:
    """Return the named provider of an endpoint.

    Args:
        endpoint: one with a base_url.
        limits: whether each request carries the seat's max_tokens and temperature.
    """
    entry: Config = {"api": endpoint.base_url, "default_model": endpoint.model}
    if endpoint.api_key_env:
        entry["key_env"] = endpoint.api_key_env
    entry["models"] = {endpoint.model: {"context_length": CONTEXT_TOKENS}}
    body = _body(endpoint, limits=limits)
    return {**entry, "extra_body": body} if body else entry


def shared_providers(endpoints: Iterable[Endpoint]) -> dict[str, Config]:
    """Return one named provider for each address, with the models that are asked there.

    Raises:
        ConfigError: one name stands for two addresses or two keys.
    """
    named: dict[str, Config] = {}
    for endpoint in endpoints:
        if not endpoint.base_url:
            continue
        name, own = provider_name(endpoint), address(endpoint, limits=False)
        entry = named.setdefault(name, own)
        if (entry["api"], entry.get("key_env")) != (own["api"], own.get("key_env")):
            raise ConfigError(
                f"two seats mean different addresses or keys by Hermes' provider {name!r}. "
                "Give them different hermes_provider names."
            )
        entry["models"] |= own["models"]
    return named


def routes(endpoints: Mapping[str, Endpoint]) -> Config:
    """Return the server's routes by alias.

    Raises:
        ConfigError: two seats ask one model at one address with different limits, of which Hermes
            can hold only one.
    """
    _check_apart(endpoints.values())
    return {name: _route(name, endpoint) for name, endpoint in endpoints.items()}


def lean() -> Config:
    """Return the settings of every home: nothing is installed, probed, retried or called home."""
    return {
        "agent": {"api_max_retries": 1, "environment_probe": False},
        "security": {"allow_lazy_installs": False, "tirith_enabled": False},
        "model_catalog": {"enabled": False},
        "curator": {"enabled": False},
        "sessions": {"auto_prune": True, "retention_days": SESSION_DAYS},
    }


def isolated() -> Config:
    """Return the settings of a juror: no memory, no skills, no tools."""
    return {
        **lean(),
        "memory": {"memory_enabled": False, "user_profile_enabled": False},
        "skills": {"external_dirs": []},
        "platform_toolsets": {"cli": [NO_TOOLS], "api_server": [NO_TOOLS]},
        "platform_hints": {"cli": _HINT, "api_server": _HINT},
    }


def serving(routed: Config, port: int, folder: Path) -> Config:
    """Return the settings of the API server on a loopback port, which works in an empty folder."""
    extra = {"host": "127.0.0.1", "port": port, "model_routes": routed}
    return {
        "kanban": {"dispatch_in_gateway": False},
        "terminal": {"cwd": str(folder)},
        "gateway": {
            # A model that writes MEDIA:/path must not have a file of this machine put in its text.
            "strict": True,
            "trust_recent_files": False,
            "api_server": {"max_concurrent_runs": MAX_RUNS},
        },
        "platforms": {"api_server": {"enabled": True, "extra": extra}},
    }


def _body(endpoint: Endpoint, *, limits: bool) -> Config:
    """Return what is added to each request: Hermes has no other place for a seat's limits."""
    body: Config = {}
    if limits:
        body[_limit_name(endpoint)] = endpoint.max_tokens
    if limits and endpoint.temperature is not None:
        body["temperature"] = endpoint.temperature
    if endpoint.locality == "local":
        body["options"] = {"num_ctx": CONTEXT_TOKENS}
    return body


def _limit_name(endpoint: Endpoint) -> str:
    host = urlsplit(endpoint.base_url or "").hostname or ""
    openai = host == "openai.com" or host.endswith((".openai.com", ".openai.azure.com"))
    return "max_completion_tokens" if openai else "max_tokens"


def _route(name: str, endpoint: Endpoint) -> Config:
    if not endpoint.base_url:
        return {"model": endpoint.model, "provider": provider_argument(endpoint)}
    # The address once more: were the provider not found, Hermes would ask the default one's.
    provider = f"custom:{name}"
    return {"model": endpoint.model, "provider": provider, "base_url": endpoint.base_url}


def _check_apart(endpoints: Iterable[Endpoint]) -> None:
    seen: dict[tuple[str, str], Endpoint] = {}
    for endpoint in endpoints:
        key = ((endpoint.base_url or "").rstrip("/"), endpoint.model.lower())
        other = seen.setdefault(key, endpoint)
        if key[0] and _body(other, limits=True) != _body(endpoint, limits=True):
            raise ConfigError(
                f"two seats ask {endpoint.model} at {endpoint.base_url} through the Hermes server "
                "with different max_tokens or temperature, and it can hold only one. Make them "
                'equal, or set provider = "hermes" for one of them.'
            )


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text[:200].lower()).strip("-") or "model"
