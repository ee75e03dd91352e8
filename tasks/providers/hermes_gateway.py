"""Starts, finds and stops the one Hermes process that serves all seats: `hermes gateway run`.

It listens on a loopback port for callers that hold a key made at each start. Where it is, stands in
a file under Council's home, so that every later command finds it again.
"""

import http.client
import json
import os
import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from filelock import FileLock
from pydantic import ValidationError

from contracts.base import Record
from contracts.errors import Misconfigured
from contracts.juror import Endpoint, Roster
from tasks.providers.hermes_config import route_name
from tasks.providers.hermes_files import changes, write_home, write_private
from tasks.providers.hermes_home import EMPTY, hermes_root, server_home, server_plan
from tasks.providers.hermes_run import find_hermes, hermes_environment
from tasks.providers.process import start_failure

READY_SECONDS = 120.0
"""It was seen to take 1.3 s on an idle machine and 20 s on a busy one."""

STOP_SECONDS = 5.0
KEY_VARIABLE = "API_SERVER_KEY"

_children: dict[int, "subprocess.Popen[bytes]"] = {}
"""Processes that this one started: they are its to reap."""


class GatewayInfo(Record):
    """A gateway that was started, as `<home>/hermes/gateway.json` keeps it."""

    pid: int
    port: int
    key_file: str
    """Holds the key; only the owner can read it."""
    log: str
    routes: tuple[str, ...]
    """Names of the endpoints that it serves, as `route_name` makes them."""
    version: str | None = None

    @property
    def base_url(self) -> str:
        """Address of its OpenAI-compatible API."""
        return f"http://127.0.0.1:{self.port}/v1"


def served(roster: Roster) -> tuple[Endpoint, ...]:
    """Return the endpoints of a roster, alternates included, that are asked through the gateway."""
    chains = ((juror.endpoint, *juror.alternates) for juror in roster.jurors)
    return tuple(e for chain in chains for e in chain if e.provider == "hermes_server")


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
        _warm_up(info)
        write_private(_state_file(council_home), info.model_dump_json(indent=2))
        return info


def stop_gateway(council_home: Path) -> bool:
    """Stop the gateway that was started here; return whether one ran."""
    known = known_gateway(council_home)
    if known is None:
        return False
    ran = _runs(known.pid)
    if ran:
        _end(known.pid)
    _state_file(council_home).unlink(missing_ok=True)
    Path(known.key_file).unlink(missing_ok=True)
    return ran


def known_gateway(council_home: Path) -> GatewayInfo | None:
    """Return the gateway that was started here, alive or not."""
    try:
        return GatewayInfo.model_validate_json(_state_file(council_home).read_bytes())
    except (OSError, ValidationError):
        return None


def healthy(info: GatewayInfo) -> bool:
    """Whether the gateway answers to its key within two seconds."""
    listed = _get(info.port, "/v1/models", gateway_key(info)).get("data")
    names = {str(entry.get("id")) for entry in listed or () if isinstance(entry, dict)}
    return isinstance(listed, list) and names >= set(info.routes)


def gateway_key(info: GatewayInfo) -> str:
    """Return the key that callers need; empty when it is gone."""
    try:
        return Path(info.key_file).read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def _spawn(council_home: Path, endpoints: list[Endpoint], binary: Path) -> GatewayInfo:
    home, port = server_home(council_home), _free_port()
    write_home(server_plan(council_home, endpoints, port))
    key_file, log = home / "gateway.key", home / "gateway.log"
    key = secrets.token_urlsafe(32)
    write_private(key_file, key)
    env = _environment(home, endpoints, key)
    try:
        with log.open("ab") as out:
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
        while time.monotonic() - began < READY_SECONDS and _runs(info.pid):
            if healthy(info):
                version = _get(info.port, "/health", "").get("version")
                return info.model_copy(update={"version": str(version) if version else None})
            tick(time.monotonic() - began)
            time.sleep(0.1)
    except BaseException:
        _end(info.pid)
        raise
    _end(info.pid)
    raise Misconfigured(f"the Hermes server did not come up; {info.log} says why.")


def _warm_up(info: GatewayInfo) -> None:
    """Have Hermes load its agent now, or the first juror waits two seconds for it.

    The question goes to a port where nobody listens, and its answer is not waited for.
    """
    body = json.dumps({"model": "nowhere", "messages": [{"role": "user", "content": "-"}]})
    headers = {"Authorization": f"Bearer {gateway_key(info)}", "Content-Type": "application/json"}
    connection = http.client.HTTPConnection("127.0.0.1", info.port, timeout=2)
    with suppress(OSError, http.client.HTTPException), closing(connection):
        connection.request("POST", "/v1/chat/completions", body, headers)


def _get(port: int, path: str, key: str) -> dict[str, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {key}"})
        value = json.loads(connection.getresponse().read(1_000_000))
    except (OSError, ValueError, http.client.HTTPException):
        return {}
    finally:
        connection.close()
    return value if isinstance(value, dict) else {}


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


def _state_file(council_home: Path) -> Path:
    return hermes_root(council_home) / "gateway.json"
