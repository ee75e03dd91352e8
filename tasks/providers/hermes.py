"""A juror through `hermes`: any provider and model that Hermes knows, behind one command.

Each call is a process of its own in an empty directory, in the endpoint's own home, with one key in
its environment and no tool. The prompt is visible in the machine's process list while it runs,
as Hermes 0.19 takes it as an argument only.
"""

import asyncio
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from contracts.errors import (
    AuthFailed,
    ConfigError,
    ContextOverflow,
    Misconfigured,
    NetworkForbidden,
)
from contracts.juror import Endpoint
from contracts.opinion import Usage
from contracts.settings import secret, settings
from tasks.providers.base import Completion, Request
from tasks.providers.hermes_config import NO_TOOLS, provider_argument
from tasks.providers.hermes_files import write_home
from tasks.providers.hermes_home import juror_home, juror_plan
from tasks.providers.hermes_outcome import Report, answer_of, read_report
from tasks.providers.hermes_run import find_hermes, hermes_features, run_hermes
from tasks.providers.hermes_session import NO_PRICE, session_usage
from tasks.providers.http_client import check_network
from tasks.providers.openai_compatible import chat_url
from tasks.providers.process import Finished

LONGEST_ARGUMENT = 130_000
"""Bytes of a prompt that go as an argument; Linux takes 131,072 with its end."""

_FROM_FILE = ("chat", "-Q", "--source", "tool", "--query-file")
_REFERENCE = re.compile(r"@(?=(?:file|folder|git|url|diff|staged)\b)", re.IGNORECASE)
_SESSION = re.compile(r"session_id: ?(\S{1,80})")


class _Seat(NamedTuple):
    """Where a call is made from, and to whom."""

    council_home: Path
    binary: Path
    endpoint: Endpoint

    @property
    def home(self) -> Path:
        return juror_home(self.council_home, self.endpoint)

    @property
    def where(self) -> str:
        return f"{self.endpoint.model} through Hermes ({provider_argument(self.endpoint)})"


class _Run(NamedTuple):
    """What a call came to."""

    end: Finished
    report: Report | None


class Hermes:
    """A provider over `hermes -z`.

    Args:
        home: Council's home; None takes the settings'.
        binary: the program; None finds it.
        passed_on: names of further environment variables for the program.
    """

    def __init__(
        self, home: Path | None = None, binary: Path | None = None, passed_on: tuple[str, ...] = ()
    ) -> None:
        """Start with nothing asked; the program is looked for at the first call."""
        self._home = home
        self._binary = binary
        self._passed_on = passed_on

    async def complete(self, endpoint: Endpoint, request: Request) -> Completion:
        """Return the completion; `endpoint.timeout_seconds` bounds the process from start to end.

        Raises:
            ProviderError: one of its subclasses, with the true cause.
        """
        check_address(endpoint)
        check_key(endpoint)
        council_home = self._home or settings().home
        seat = _Seat(council_home, self._binary or find_hermes(council_home), endpoint)
        _prepare(seat)
        prompt = one_prompt(request)
        short = len(prompt.encode()) <= LONGEST_ARGUMENT
        run = await (self._as_argument if short else self._from_file)(seat, prompt)
        return await _completion(seat, run, answer_of(run.end, run.report, seat.where))

    async def _as_argument(self, seat: _Seat, prompt: str) -> _Run:
        with TemporaryDirectory(prefix="council-hermes-") as folder:
            file = Path(folder) / "usage.json"
            end = await self._run(seat, "-z", prompt, "--usage-file", str(file))
            return _Run(end, read_report(file))

    async def _from_file(self, seat: _Seat, prompt: str) -> _Run:
        features = await hermes_features(seat.council_home, seat.binary)
        if not features.query_file:
            raise ContextOverflow(
                f"{seat.where}: the prompt is {len(prompt.encode()):,} bytes and this Hermes takes "
                f"{LONGEST_ARGUMENT:,} on its command line. Shorten the context, or seat the juror "
                "with provider openai_compatible."
            )
        with TemporaryDirectory(prefix="council-hermes-") as folder:
            file = Path(folder) / "prompt.txt"
            file.write_text(without_references(prompt), encoding="utf-8")
            return _Run(await self._run(seat, *_FROM_FILE, str(file)), None)

    async def _run(self, seat: _Seat, *args: str) -> Finished:
        key = seat.endpoint.api_key_env
        named = ("--provider", provider_argument(seat.endpoint), "--model", seat.endpoint.model)
        return await run_hermes(
            seat.home,
            [*args, *named, "-t", NO_TOOLS],
            binary=seat.binary,
            timeout_seconds=seat.endpoint.timeout_seconds,
            keys=(*([key] if key else []), *self._passed_on),
        )


async def _completion(seat: _Seat, run: _Run, text: str) -> Completion:
    session, usage, version = _session(run), _reported(run), None
    if session is not None:
        # Only a program that tells its session is Hermes, and worth a question of its own.
        version = (await hermes_features(seat.council_home, seat.binary)).version
        usage = await asyncio.to_thread(session_usage, seat.home, session, usage)
    spent = {"latency_ms": run.end.seconds * 1000, "calls": max(usage.calls, 1)}
    return Completion(
        text=text,
        finish_reason="stop",
        usage=usage.model_copy(update=spent),
        model=seat.endpoint.model,
        via=seat.endpoint.provider,
        provider_version=version,
        session_id=session,
    )


def _prepare(seat: _Seat) -> None:
    try:
        write_home(juror_plan(seat.council_home, seat.endpoint))
    except ConfigError as error:
        raise Misconfigured(str(error)) from error


def one_prompt(request: Request) -> str:
    """Return both parts as the one text that a command line can carry."""
    text = f"{request.system}\n\n{request.user}".strip().replace("\0", "\ufffd")
    text = text.encode("utf-8", "replace").decode()
    return f"\n{text}" if text.startswith(("-", "/", "!")) else text


def without_references(prompt: str) -> str:
    """Return a prompt for `hermes chat`, which would fetch what `@url:` or `@file:` names.

    A juror's words may hold such a reference, so a space is put into it.
    """
    return _REFERENCE.sub("@ ", prompt)


def check_address(endpoint: Endpoint) -> None:
    """Refuse what cannot be asked, before anything is started.

    Raises:
        Misconfigured: there is neither an address nor a provider, or the address is none.
        NetworkForbidden: COUNCIL_OFFLINE is set and the address is beyond this machine.
    """
    provider = provider_argument(endpoint)
    if endpoint.base_url:
        check_network(chat_url(endpoint.base_url))
    elif settings().offline:
        raise NetworkForbidden(
            f"Hermes' provider {provider} may be beyond this machine and COUNCIL_OFFLINE is set."
        )


def check_key(endpoint: Endpoint) -> None:
    """Refuse an endpoint whose key is not set.

    Raises:
        AuthFailed: naming the variable.
    """
    if endpoint.api_key_env and secret(endpoint.api_key_env) is None:
        raise AuthFailed(
            f"{endpoint.model} needs a key, and the variable {endpoint.api_key_env} is not set. "
            "Set it, or name another one as api_key_env in the roster."
        )


def _session(run: _Run) -> str | None:
    if run.report is not None:
        return run.report.session_id
    found = _SESSION.search(run.end.stderr[-2000:]) or _SESSION.search(run.end.stdout[-2000:])
    return found[1] if found else None


def _reported(run: _Run) -> Usage:
    report = run.report
    if report is None:
        return Usage()
    return Usage(
        prompt_tokens=report.input_tokens,
        completion_tokens=report.output_tokens,
        cost_usd=None if report.cost_status in NO_PRICE else report.estimated_cost_usd,
        calls=report.api_calls or 0,
    )
