"""Starts and stops the one Hermes process that serves all seats: `hermes gateway run`.

It listens on a loopback port, for callers that hold a key made at each start.
"""

import os
import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from filelock import FileLock

from contracts.errors import Misconfigured
from contracts.juror import Endpoint
from tasks.providers.hermes_config import route_name
from tasks.providers.hermes_files import changes, write_home, write_private
from tasks.providers.hermes_gateway import (
    GatewayInfo,
    healthy,
    hermes_version,
    known_gateway,
    state_file,
    warm_up,
)
from tasks.providers.hermes_home import EMPTY, hermes_root, server_home, server_plan
from tasks.providers.hermes_run import find_hermes, hermes_environment
from tasks.providers.process import start_failure

READY_SECONDS = 120.0
"""It was seen to take 1.3 to 3 s; a busy machine gets more."""

STOP_SECONDS = 5.0
KEY_VARIABLE = "API_SERVER_KEY"
LOG_BYTES = 20_000
_NO_AIOHTTP = b"aiohttp not installed"

_children: dict[int, "subprocess.Popen[bytes]"] = {}
"""Processes that this one started: they are its to reap."""


def start_gateway(
    council_home: Path,
    endpoints: Iterable[Endpoint],
    *,
    binary: Path | None = None,
    tick: Callable[[float], None] = lambda _: None,
) -> GatewayInfo:
    """Return the gateway that serves the endpoints: the one that runs, else a new one.

    One that runs for other endpoints is replaced. Keys are read from the environment at the start:
    after a key has changed, stop it first.

    Args:
        council_home: Council's home.
        endpoints: all that shall be served.
        binary: the program; None finds it.
        tick: called with the seconds waited, a few times a second.

    Raises:
        MissingBinary: Hermes is not there.
        ConfigError: two endpoints cannot be served by one process.
        Misconfigured: it does not come up; the message names its log.
    """
    asked = list(endpoints)
    hermes_root(council_home).mkdir(mode=0o700, parents=True, exist_ok=True)
    with FileLock(hermes_root(council_home) / "gateway.lock"):
        known = known_gateway(council_home)
        if known and healthy(known) and not changes(server_plan(council_home, asked, known.port)):
            return known
        stop_gateway(council_home)
        program = binary or find_hermes(council_home)
        info = _spawn(council_home, asked, program)
        info = _await_health(info, tick)
        warm_up(info)
        write_private(state_file(council_home), info.model_dump_json(indent=2))
        return info


def stop_gateway(council_home: Path) -> bool:
    """Stop the gateway that was started here; return whether one ran."""
    known = known_gateway(council_home)
    if known is None:
        return False
    ran = _runs(known.pid)
    if ran:
        _end(known.pid)
    state_file(council_home).unlink(missing_ok=True)
    Path(known.key_file).unlink(missing_ok=True)
    return ran


def _spawn(council_home: Path, endpoints: list[Endpoint], binary: Path) -> GatewayInfo:
    home, port = server_home(council_home), _free_port()
    write_home(server_plan(council_home, endpoints, port))
    key_file, log = home / "gateway.key", home / "gateway.log"
    key = secrets.token_urlsafe(32)
    write_private(key_file, key)
    env = _environment(home, endpoints, key)
    try:
        with log.open("wb") as out:
            process = subprocess.Popen(  # noqa: S603 - an argument list, no shell
                [str(binary), "gateway", "run"],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                env=env,
                cwd=home / EMPTY,
                start_new_session=True,
            )
    except OSError as error:
        raise start_failure(str(binary), error) from error
    _children[process.pid] = process
    routes = tuple(sorted({route_name(endpoint) for endpoint in endpoints}))
    return GatewayInfo(
        pid=process.pid, port=port, key_file=str(key_file), log=str(log), routes=routes
    )


def _environment(home: Path, endpoints: list[Endpoint], key: str) -> dict[str, str]:
    # A run that its caller has given up must end too: its thread is one of a few.
    longest = str(max((e.timeout_seconds for e in endpoints), default=120.0))
    bounds = dict.fromkeys(("HERMES_API_TIMEOUT", "HERMES_STREAM_READ_TIMEOUT"), longest)
    keys = {e.api_key_env for e in endpoints if e.api_key_env}
    return hermes_environment(home, keys, {**bounds, KEY_VARIABLE: key})


def _await_health(info: GatewayInfo, tick: Callable[[float], None]) -> GatewayInfo:
    began = time.monotonic()
    try:
        while time.monotonic() - began < READY_SECONDS and _may_come_up(info):
            if healthy(info):
                return info.model_copy(update={"version": hermes_version(info)})
            tick(time.monotonic() - began)
            time.sleep(0.1)
    except BaseException:
        _end(info.pid)
        raise
    _end(info.pid)
    if _NO_AIOHTTP in _log(info):
        raise Misconfigured(
            "the Hermes server needs aiohttp in Hermes' own environment: its Python's "
            "`-m pip install aiohttp` puts it there."
        )
    raise Misconfigured(f"the Hermes server did not come up; {info.log} says why.")


def _may_come_up(info: GatewayInfo) -> bool:
    # Without aiohttp it goes on, as a gateway of messages, and never listens.
    return _runs(info.pid) and _NO_AIOHTTP not in _log(info)


def _log(info: GatewayInfo) -> bytes:
    try:
        return Path(info.log).read_bytes()[-LOG_BYTES:]
    except OSError:
        return b""


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def _runs(pid: int) -> bool:
    """Whether the process still runs and is a gateway: a pid may have been given anew."""
    child = _children.get(pid)
    if child is not None:
        return child.poll() is None
    try:
        os.kill(pid, 0)
        command = Path(f"/proc/{pid}/cmdline")
        return not Path("/proc/self").exists() or b"gateway" in command.read_bytes()
    except OSError:
        return False


def _end(pid: int) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, number)
        until = time.monotonic() + STOP_SECONDS
        while _runs(pid) and time.monotonic() < until:
            time.sleep(0.05)
        if not _runs(pid):
            break
    child = _children.pop(pid, None)
    if child is not None:
        child.wait(STOP_SECONDS)
