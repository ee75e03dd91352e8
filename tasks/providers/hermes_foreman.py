"""Asks through the home that has the memory and the skill: to recall, and to word a verdict."""

import re
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from contracts.errors import ContextOverflow, Misconfigured, NetworkForbidden
from contracts.juror import Endpoint
from contracts.settings import settings
from tasks.providers.hermes import (
    LONGEST_ARGUMENT,
    check_address,
    check_key,
    without_references,
)
from tasks.providers.hermes_config import NO_TOOLS, provider_argument, provider_name
from tasks.providers.hermes_home import foreman_home
from tasks.providers.hermes_outcome import answer_of, read_report
from tasks.providers.hermes_run import find_hermes, hermes_features, run_hermes
from tasks.providers.hermes_text import plain_text
from tasks.providers.http_client import check_network
from tasks.providers.openai_compatible import chat_url

TIMEOUT_SECONDS = 180.0
_CELL = re.compile(r"\s{0,8}[│┃|]?\s{0,8}([A-Za-z0-9][\w.-]{0,80})\s{0,200}[│┃|]")


class Said(NamedTuple):
    """What Hermes answered, and the model that it asked."""

    text: str
    model: str


async def ask_memory(council_home: Path, prompt: str) -> Said:
    """Return what Hermes' default model answers with its memory in the prompt: `hermes -z`.

    Raises:
        ProviderError: with the true cause.
    """
    home, binary = _ready(council_home), find_hermes(council_home)
    config = read_config(home)
    model = str(_section(config, "model").get("default") or "its default model")
    _check_offline(config)
    _check_length(prompt)
    with TemporaryDirectory(prefix="council-hermes-") as folder:
        file = Path(folder) / "usage.json"
        end = await run_hermes(
            home,
            ["-z", prompt, "-t", NO_TOOLS, "--usage-file", str(file)],
            binary=binary,
            timeout_seconds=TIMEOUT_SECONDS,
            keys=key_names(config),
        )
        return Said(answer_of(end, read_report(file), f"{model} through Hermes"), model)


async def ask_foreman(council_home: Path, endpoint: Endpoint, prompt: str, skill: str) -> Said:
    """Return what a model answers with the skill before it.

    Args:
        council_home: Council's home.
        endpoint: whom to ask.
        prompt: what to word.
        skill: name of the skill that Hermes loads; see `loads_skills`.

    Raises:
        ProviderError: with the true cause.
    """
    home, binary = _ready(council_home), find_hermes(council_home)
    check_address(endpoint)
    check_key(endpoint)
    _check_known(home, endpoint)
    _check_length(prompt)
    where = f"{endpoint.model} through Hermes ({provider_argument(endpoint)})"
    named = ("--provider", provider_argument(endpoint), "--model", endpoint.model)
    asked = ("chat", "-Q", "--source", "tool", "--skills", skill, "-t", NO_TOOLS)
    end = await run_hermes(
        home,
        [*asked, *named, "-q", without_references(prompt)],
        binary=binary,
        timeout_seconds=endpoint.timeout_seconds,
        keys=[endpoint.api_key_env] if endpoint.api_key_env else [],
    )
    return Said(answer_of(end, None, where), endpoint.model)


async def loads_skills(council_home: Path) -> bool:
    """Whether Hermes is here with a home that has the skill, and can load it for one question."""
    if not has_foreman(council_home):
        return False
    return (await hermes_features(council_home, find_hermes(council_home))).skills


async def listed_skills(council_home: Path, hermes_home: Path) -> frozenset[str]:
    """Return the names in what `hermes skills list` prints for a home.

    Raises:
        MissingBinary: the program is not there.
    """
    end = await run_hermes(
        hermes_home,
        ["skills", "list"],
        binary=find_hermes(council_home),
        timeout_seconds=TIMEOUT_SECONDS,
        own={"COLUMNS": "200"},
    )
    first_cells = (_CELL.match(line) for line in plain_text(end.stdout).splitlines())
    return frozenset(cell[1] for cell in first_cells if cell)


def read_config(home: Path) -> dict[str, Any]:
    """Return the configuration of a home of Hermes; an empty one where it does not read."""
    import yaml  # noqa: PLC0415 - only for those who have such a home

    try:
        config = yaml.safe_load((home / "config.yaml").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        return {}
    return config if isinstance(config, dict) else {}


def key_names(config: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the environment variables that the named providers take their keys from."""
    entries = _section(config, "providers").values()
    names = (entry.get("key_env") for entry in entries if isinstance(entry, dict))
    return tuple(dict.fromkeys(str(name) for name in names if name))


def context_length(home: Path, endpoint: Endpoint) -> int | None:
    """Return the tokens of context that a home states for an endpoint, as Hermes looks for them."""
    config = read_config(home)
    stated = _section(config, "model").get("context_length")
    entry = _section(config, "providers").get(provider_name(endpoint))
    models = _section(entry, "models") if isinstance(entry, dict) else {}
    own = _section(models, endpoint.model).get("context_length")
    tokens = own if stated is None else stated
    return tokens if isinstance(tokens, int) else None


def has_foreman(council_home: Path) -> bool:
    """Whether `council setup-hermes` has made the home with the memory and the skill."""
    return (foreman_home(council_home) / "config.yaml").is_file()


def _ready(council_home: Path) -> Path:
    if not has_foreman(council_home):
        raise Misconfigured("Hermes has no home here yet; `council setup-hermes` makes it.")
    return foreman_home(council_home)


def _check_known(home: Path, endpoint: Endpoint) -> None:
    """Refuse an address that the home does not know: Hermes would ask another one."""
    if not endpoint.base_url:
        return
    entry = _section(read_config(home), "providers").get(provider_name(endpoint))
    known = entry.get("api") if isinstance(entry, dict) else None
    if known != endpoint.base_url:
        raise Misconfigured(
            f"{endpoint.base_url} is not known to the foreman's home of Hermes; "
            "`council setup-hermes` writes it there from the roster."
        )


def _check_offline(config: Mapping[str, Any]) -> None:
    """Refuse a default provider beyond this machine where COUNCIL_OFFLINE is set."""
    if not settings().offline:
        return
    named = str(_section(config, "model").get("provider") or "").removeprefix("custom:")
    entry = _section(_section(config, "providers"), named)
    if not entry.get("api"):
        raise NetworkForbidden("Hermes may ask beyond this machine and COUNCIL_OFFLINE is set.")
    check_network(chat_url(str(entry["api"])))


def _check_length(prompt: str) -> None:
    if len(prompt.encode()) > LONGEST_ARGUMENT:
        raise ContextOverflow(
            f"the prompt is {len(prompt.encode()):,} bytes and Hermes takes {LONGEST_ARGUMENT:,} "
            "on its command line."
        )


def _section(config: Mapping[str, Any], name: str) -> dict[str, Any]:
    section = config.get(name)
    return section if isinstance(section, dict) else {}
