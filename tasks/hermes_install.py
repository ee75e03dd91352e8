"""Installs Hermes Agent in an environment of its own under the home: its pins need not fit ours."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from filelock import FileLock

from contracts.errors import EngineError, NetworkForbidden
from contracts.settings import settings
from tasks.providers.hermes_home import hermes_root
from tasks.providers.hermes_run import own_hermes
from tasks.providers.process import child_environment, run_process

REQUIREMENTS = ("hermes-agent==0.19.0", "aiohttp==3.14.1")
"""The second is what `hermes gateway run` needs for its API server."""
MINUTES = 20.0
_SHOWN = 1500
_PIP = (
    "HOME",
    "PIP_INDEX_URL",
    "PIP_EXTRA_INDEX_URL",
    "PIP_CONFIG_FILE",
    "PIP_CERT",
    "PIP_PROXY",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
)


def installed(home: Path) -> bool:
    """Whether the program is there, whole and of the pinned version."""
    try:
        done = _marker(home).read_text(encoding="utf-8") == _wanted()
    except OSError:
        return False
    return done and own_hermes(home).exists()


async def install(home: Path) -> bool:
    """Install the program; return False, changing nothing, where it is there already.

    Raises:
        NetworkForbidden: COUNCIL_OFFLINE is set.
        EngineError: with pip's own words, when it cannot be installed.
    """
    if installed(home):
        return False
    if settings().offline:
        raise NetworkForbidden("COUNCIL_OFFLINE is set, and Hermes is installed from the network.")
    venv = own_hermes(home).parent.parent
    hermes_root(home).mkdir(mode=0o700, parents=True, exist_ok=True)
    with FileLock(hermes_root(home) / "install.lock"):
        if installed(home):
            return False
        await _run(sys.executable, "-m", "venv", "--clear", str(venv))
        quiet = ("--quiet", "--disable-pip-version-check")
        python = str(venv / "bin" / "python")
        await _run(python, "-m", "pip", "install", *quiet, *REQUIREMENTS)
        _marker(home).write_text(_wanted(), encoding="utf-8")
    return True


async def _run(*argv: str) -> None:
    with TemporaryDirectory(prefix="council-install-") as folder:
        env = child_environment({}, *_PIP)
        end = await run_process(argv, cwd=Path(folder), env=env, timeout_seconds=MINUTES * 60)
    if end.timed_out:
        raise EngineError(f"Hermes could not be installed within {MINUTES:.0f} minutes.")
    if end.returncode:
        said = (end.stderr.strip() or end.stdout.strip())[-_SHOWN:]
        raise EngineError(f"Hermes could not be installed: {said}")


def _marker(home: Path) -> Path:
    return own_hermes(home).parent.parent / "council-ready"


def _wanted() -> str:
    return " ".join(REQUIREMENTS)
