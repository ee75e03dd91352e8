"""Finds the `hermes` program, asks it what it can do, and runs it in one of the homes."""

import asyncio
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import ValidationError

from contracts.base import Record
from contracts.errors import MissingBinary
from contracts.settings import settings
from tasks.providers.hermes_files import write_private
from tasks.providers.hermes_home import hermes_root
from tasks.providers.process import Finished, child_environment, run_process

PROBE_SECONDS = 60.0
FEATURES_FILE = "features.json"

_VERSION = re.compile(r"\bv?(\d{1,4}\.\d{1,4}\.\d{1,4})\b")
# Asked for its version, Hermes looks for a newer one in the registry, unless that leads nowhere.
_NO_NETWORK = dict.fromkeys(("HTTPS_PROXY", "https_proxy"), "http://127.0.0.1:9")


class Features(Record):
    """What one installation of Hermes is and takes."""

    program: str
    """Path, size and time of the file, so that an upgrade is noticed."""
    version: str | None
    """None where the program does not say."""
    query_file: bool
    """Whether `chat` reads a prompt from a file, which takes prompts of any length."""
    skills: bool
    """Whether `chat` loads a skill that is named."""


def find_hermes(council_home: Path) -> Path:
    """Return the program: COUNCIL_HERMES_BIN, else Council's own installation, else the path's.

    Raises:
        MissingBinary: when there is none.
    """
    named = settings().hermes_bin
    if named is not None:
        return named.expanduser().absolute()
    own = own_hermes(council_home)
    found = str(own) if own.exists() else shutil.which("hermes")
    if found is None:
        raise MissingBinary(
            "Hermes is not installed: `council setup-hermes --install` does it, or set "
            "COUNCIL_HERMES_BIN to the program."
        )
    return Path(found).absolute()


def own_hermes(council_home: Path) -> Path:
    """Return where the program is after `council setup-hermes --install`."""
    return hermes_root(council_home) / "venv" / "bin" / "hermes"


def hermes_environment(
    home: Path, keys: Iterable[str] = (), own: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return the environment of a Hermes process: its home, and of the secrets those named.

    HOME is the same directory, so that Hermes finds no credentials of other programs in the
    person's own.
    """
    base = {
        "HERMES_HOME": str(home),
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "HERMES_STREAM_RETRIES": "0",
        # It reads the certificates once more only to say that they read; TLS checks them anyway.
        "HERMES_SKIP_SSL_GUARD": "1",
    }
    return child_environment({**base, **(own or {})}, *keys)


async def run_hermes(
    home: Path,
    args: Sequence[str],
    *,
    binary: Path,
    timeout_seconds: float,
    keys: Iterable[str] = (),
    own: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    stdin: bytes | None = None,
) -> Finished:
    """Run `hermes ARGS` in a home.

    Args:
        home: HERMES_HOME of the run.
        args: arguments after the program's name.
        binary: as `find_hermes` returns it.
        timeout_seconds: then the process and all its children are ended.
        keys: names of the environment variables whose values it is given.
        own: further variables.
        cwd: directory to run in; None makes a fresh one with nothing in it.
        stdin: bytes for its input; None gives it an empty one.

    Raises:
        MissingBinary: the program is not there or cannot be run.
        ContextOverflow: an argument is longer than the system takes.
    """
    env = hermes_environment(home, keys, own)
    argv = [str(binary), *args]
    if cwd is not None:
        return await run_process(
            argv, cwd=cwd, env=env, timeout_seconds=timeout_seconds, stdin=stdin
        )
    with TemporaryDirectory(prefix="council-") as fresh:
        wall_off(Path(fresh))
        return await run_process(
            argv, cwd=Path(fresh), env=env, timeout_seconds=timeout_seconds, stdin=stdin
        )


def wall_off(folder: Path) -> None:
    """Make a folder its own project: Hermes reads HERMES.md in every parent up to the next .git."""
    (folder / ".git").mkdir(parents=True, exist_ok=True)


async def hermes_features(council_home: Path, binary: Path) -> Features:
    """Return what a program can do; it is asked once, and again after an upgrade.

    Raises:
        MissingBinary: the program is not there or cannot be run.
    """
    program = _fingerprint(binary)
    file = hermes_root(council_home) / FEATURES_FILE
    known = _known(file, program)
    if known is not None:
        return known
    with TemporaryDirectory(prefix="council-hermes-") as home:
        version, options = await asyncio.gather(
            _say(Path(home), binary, "--version"), _say(Path(home), binary, "chat", "--help")
        )
    found = _VERSION.search(version)
    features = Features(
        program=program,
        version=found[1] if found else None,
        query_file="--query-file" in options,
        skills="--skills" in options,
    )
    write_private(file, features.model_dump_json(indent=2))
    return features


async def _say(home: Path, binary: Path, *args: str) -> str:
    end = await run_hermes(
        home, args, binary=binary, timeout_seconds=PROBE_SECONDS, own=_NO_NETWORK
    )
    return end.stdout if end.returncode == 0 else ""


def _fingerprint(binary: Path) -> str:
    try:
        status = binary.stat()
    except OSError as error:
        raise MissingBinary(f"{binary} is not there ({error.strerror}).") from error
    return f"{binary} {status.st_size} {status.st_mtime_ns}"


def _known(file: Path, program: str) -> Features | None:
    try:
        features = Features.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        return None
    return features if features.program == program else None
