"""The local Prefect server under the council's home: started once, found again, stopped."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from filelock import FileLock
from pydantic import ValidationError

from contracts.base import Record
from contracts.errors import EngineError
from contracts.settings import Settings, environment, export, secret

READY_SECONDS = 180.0
"""A busy two-core machine was seen to need 27 s."""
PORTS_TRIED = 20

_TOGETHER = {
    f"PREFECT_SERVER_SERVICES_{service}_{name}": value
    for service in ("TASK_RUN_RECORDER", "EVENT_PERSISTER")
    for name, value in (("BATCH_SIZE", "500"), ("FLUSH_INTERVAL", "1"))
}
"""One insert for each state is Prefect's default, and keeps a core busy that a batch needs. The
interval is in whole seconds: of less than one Prefect makes a loop that never rests."""
LATER = 5
"""Added to the server's niceness: what it records can wait, jurors' answers cannot."""


class Server(Record):
    """A server that was started, as `<home>/prefect/server.json` keeps it."""

    pid: int
    port: int
    log: str

    @property
    def api_url(self) -> str:
        """Address of the API."""
        return f"http://127.0.0.1:{self.port}/api"

    @property
    def dashboard_url(self) -> str:
        """Address of the flow dashboard."""
        return f"http://127.0.0.1:{self.port}"


def reachable_api(settings: Settings) -> str | None:
    """Return the address of a server that answers: PREFECT_API_URL, else the home's, else None."""
    given = secret("PREFECT_API_URL")
    if given:
        return given if healthy(given) else None
    server = known_server(settings)
    return server.api_url if server and healthy(server.api_url) else None


def known_server(settings: Settings) -> Server | None:
    """Return the server that was started here, alive or not."""
    try:
        return Server.model_validate_json(_state_file(settings).read_text(encoding="utf-8"))
    except (OSError, ValidationError):
        return None


def healthy(api_url: str) -> bool:
    """Whether a Prefect API answers there within two seconds."""
    import httpx

    try:
        return httpx.get(f"{api_url}/health", timeout=2, trust_env=False).text == "true"
    except httpx.HTTPError:
        return False


def start_server(settings: Settings, tick: Callable[[float], None]) -> tuple[Server, bool]:
    """Return the running server, and whether it had to be started.

    `tick` is called with the seconds waited, a few times a second.

    Raises:
        EngineError: when it does not come up in time; the message names its log.
    """
    folder = _folder(settings)
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / "server.lock"):
        known = known_server(settings)
        if known and healthy(known.api_url):
            return known, False
        server, process = _spawn(settings, folder)
        began = time.monotonic()
        while time.monotonic() - began < READY_SECONDS:
            if process.poll() is not None:
                raise EngineError(f"the server ended at once; see {server.log}")
            if healthy(server.api_url):
                _state_file(settings).write_text(server.model_dump_json(), encoding="utf-8")
                return server, True
            tick(time.monotonic() - began)
            time.sleep(0.25)
        os.killpg(process.pid, signal.SIGKILL)
        raise EngineError(f"the server did not answer in {READY_SECONDS:.0f} s; see {server.log}")


def stop_server(settings: Settings) -> bool:
    """Stop the server that was started here; return whether one ran."""
    server = known_server(settings)
    if server is None:
        return False
    ran = _is_ours(server)
    if ran:
        os.killpg(server.pid, signal.SIGTERM)
        for _ in range(100):
            if not _is_ours(server):
                break
            time.sleep(0.1)
        else:
            os.killpg(server.pid, signal.SIGKILL)
    _state_file(settings).unlink(missing_ok=True)
    return ran


def point_prefect_at(settings: Settings, api_url: str | None) -> None:
    """Set the environment that Prefect reads when it is imported; call before importing it."""
    for name, value in _prefect_environment(settings).items():
        export(name, value)
    # The command says what went wrong; the run's log in the dashboard has the traceback.
    export("PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL", "CRITICAL")
    if api_url:
        export("PREFECT_API_URL", api_url)


def _prefect_environment(settings: Settings) -> dict[str, str]:
    return {
        "PREFECT_HOME": str(_folder(settings)),
        "PREFECT_LOGGING_LEVEL": "WARNING",
        "PREFECT_SERVER_ALLOW_EPHEMERAL_MODE": "false",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
    }


def _spawn(settings: Settings, folder: Path) -> tuple[Server, "subprocess.Popen[bytes]"]:
    port = _free_port(settings.server_port)
    log = folder / "server.log"
    child = environment("PATH", "HOME", "LANG", "TMPDIR", "SSL_CERT_FILE") | {
        **_prefect_environment(settings),
        "PREFECT_API_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{folder / 'prefect.db'}",
        "PREFECT_UI_API_URL": f"http://127.0.0.1:{port}/api",
        **_TOGETHER,
    }
    argv = [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1"]
    with log.open("ab") as out:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter, no shell
            [*argv, "--port", str(port)],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            env=child,
            cwd=folder,
            start_new_session=True,
        )
    os.setpriority(os.PRIO_PROCESS, process.pid, LATER)
    return Server(pid=process.pid, port=port, log=str(log)), process


def _free_port(first: int) -> int:
    for port in range(first, first + PORTS_TRIED):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise EngineError(
        f"no free port from {first} to {first + PORTS_TRIED - 1}; set COUNCIL_SERVER_PORT"
    )


def _is_ours(server: Server) -> bool:
    """Whether the process still runs and is a Prefect server: a pid may have been given anew."""
    try:
        command = Path(f"/proc/{server.pid}/cmdline").read_bytes()
    except OSError:
        return False
    return b"prefect" in command


def _folder(settings: Settings) -> Path:
    return settings.home / "prefect"


def _state_file(settings: Settings) -> Path:
    return _folder(settings) / "server.json"
