"""Run a child process so that nothing of it is left behind: not a byte unread, not a grandchild.

The argument list goes to the program as it is, never through a shell. The child gets a session of
its own; when its time is up, or the caller is cancelled, the whole process group gets SIGTERM, then
SIGKILL. Whoever left the group (a daemon that called `setsid`) is found by a mark in its
environment, where the system has /proc.
"""

import asyncio
import errno
import os
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from contracts.errors import ContextOverflow, MissingBinary, ProviderError
from contracts.settings import environment, settings

MARK = "COUNCIL_PROCESS"
"""Environment variable that marks every process of one run."""

TERM_GRACE_SECONDS = 0.3
"""Between SIGTERM and SIGKILL."""

PIPE_GRACE_SECONDS = 1.0
"""For the last bytes after the child has ended, when a grandchild keeps the pipe open."""

_STDOUT, _STDERR = 1, 2
_SWEEPS = 5
_PASSED_ON = (
    "PATH",
    "LANG",
    "LC_ALL",
    "TZ",
    "TMPDIR",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "REQUESTS_CA_BUNDLE",
)
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")
_LOOPBACK = "127.0.0.1,localhost,::1"


@dataclass(frozen=True, slots=True)
class Finished:
    """How a child process ended, and what it printed."""

    returncode: int
    """Negative: the number of the signal that ended it."""
    stdout: str
    """From the first byte, up to the cap."""
    stderr: str
    """The last bytes, up to the cap: the cause of a failure is printed last."""
    timed_out: bool
    truncated: bool
    """More went to stdout than was kept."""
    seconds: float
    """Wall time."""


def child_environment(own: Mapping[str, str], *names: str) -> dict[str, str]:
    """Return a child's whole environment: search path, locale, certificates, and `own`.

    The environment's proxies are not passed on; COUNCIL_PROXY is, for all but loopback.

    Args:
        own: Variables set for this child. They win.
        names: Further variables that are passed on where they are set.
    """
    proxy = settings().proxy
    proxied = dict.fromkeys(_PROXIES, proxy) if proxy else {}
    bypass = {"NO_PROXY": _LOOPBACK, "no_proxy": _LOOPBACK}
    return {**bypass, **proxied, **environment(*_PASSED_ON, *names), **own}


async def run_process(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    timeout_seconds: float,
    stdin: bytes | None = None,
    stdout_cap: int = 2_000_000,
    stderr_cap: int = 100_000,
) -> Finished:
    """Run a program to its end or to the end of its time.

    Args:
        argv: Program and arguments.
        cwd: Existing directory to run in.
        env: The child's whole environment.
        timeout_seconds: From start to exit; then the process group is ended.
        stdin: Bytes for the child's input; None gives it an empty one.
        stdout_cap: Bytes of stdout that are kept; the rest is read and dropped.
        stderr_cap: Bytes of stderr that are kept, from its end.

    Raises:
        MissingBinary: the program is not there or cannot be executed.
        ContextOverflow: an argument is longer than the system takes.
    """
    started = time.perf_counter()
    mark = uuid4().hex
    watch = _Watch(_Head(stdout_cap), _Tail(stderr_cap))
    transport = await _start(argv, watch, cwd, {**env, MARK: mark}, stdin)
    timed_out = False
    try:
        timed_out = not await _settled(watch.exited, timeout_seconds)
        if not timed_out:
            await _settled(watch.closed, PIPE_GRACE_SECONDS)
    finally:
        await asyncio.shield(_end(transport, watch, mark))
    return Finished(
        returncode=transport.get_returncode() or 0,
        stdout=watch.stdout.kept.decode("utf-8", "replace"),
        stderr=watch.stderr.kept.decode("utf-8", "replace"),
        timed_out=timed_out,
        truncated=watch.stdout.dropped,
        seconds=time.perf_counter() - started,
    )


@dataclass(slots=True)
class _Head:
    """The first `cap` bytes of a stream."""

    cap: int
    kept: bytearray = field(default_factory=bytearray)
    dropped: bool = False

    def add(self, data: bytes) -> None:
        room = self.cap - len(self.kept)
        self.kept += data[:room]
        self.dropped = self.dropped or len(data) > room


@dataclass(slots=True)
class _Tail:
    """The last `cap` bytes of a stream."""

    cap: int
    kept: bytearray = field(default_factory=bytearray)

    def add(self, data: bytes) -> None:
        self.kept += data
        del self.kept[: max(0, len(self.kept) - self.cap)]


class _Watch(asyncio.SubprocessProtocol):
    """Takes what the child prints and notes when it ends.

    The low-level protocol, because `Process.wait()` of some Python versions comes back only when
    the pipes are closed too, which a grandchild can put off for ever.
    """

    def __init__(self, stdout: _Head, stderr: _Tail) -> None:
        loop = asyncio.get_running_loop()
        self.stdout, self.stderr = stdout, stderr
        self.exited: asyncio.Future[None] = loop.create_future()
        self.closed: asyncio.Future[None] = loop.create_future()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == _STDOUT:
            self.stdout.add(data)
        elif fd == _STDERR:
            self.stderr.add(data)

    def process_exited(self) -> None:
        self.exited.set_result(None)

    def connection_lost(self, _: Exception | None) -> None:
        self.closed.set_result(None)


async def _start(
    argv: Sequence[str], watch: _Watch, cwd: Path, env: Mapping[str, str], stdin: bytes | None
) -> asyncio.SubprocessTransport:
    source = asyncio.subprocess.DEVNULL if stdin is None else asyncio.subprocess.PIPE
    try:
        transport, _ = await asyncio.get_running_loop().subprocess_exec(
            lambda: watch, *argv, stdin=source, cwd=cwd, env=env, start_new_session=True
        )
    except OSError as error:
        raise start_failure(argv[0], error) from None
    pipe = transport.get_pipe_transport(0)
    if isinstance(pipe, asyncio.WriteTransport):
        pipe.write(stdin or b"")
        pipe.close()
    return transport


def start_failure(program: str, error: OSError) -> ProviderError:
    """Return why a program did not start, from what the system said."""
    if error.errno == errno.E2BIG:
        return ContextOverflow(f"{program}: an argument is longer than this system allows.")
    if error.errno == errno.ENOENT:
        return MissingBinary(f"{program} is not there. Install it or correct the path to it.")
    return MissingBinary(
        f"{program} cannot be run ({error.strerror}). Is it a program, and executable?"
    )


async def _settled(future: asyncio.Future[None], seconds: float) -> bool:
    done, _ = await asyncio.wait({future}, timeout=seconds)
    return bool(done)


async def _end(transport: asyncio.SubprocessTransport, watch: _Watch, mark: str) -> None:
    group = transport.get_pid()
    if not watch.exited.done():
        _signal_group(group, signal.SIGTERM)
        await _settled(watch.exited, TERM_GRACE_SECONDS)
    _signal_group(group, signal.SIGKILL)
    _kill_marked(mark)
    await watch.exited
    transport.close()


def _signal_group(group: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _kill_marked(mark: str) -> None:
    # A process may fork while it is looked for, so the search is repeated until it finds none.
    for _ in range(_SWEEPS):
        marked = _find_marked(f"{MARK}={mark}".encode())
        for pid in marked:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        if not marked:
            return


def _find_marked(entry: bytes) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if entry in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found
