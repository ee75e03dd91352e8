"""Asks Hermes' own scan about a text, in Hermes' own interpreter."""

import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from contracts.errors import ProviderError
from tasks.providers.hermes_run import hermes_environment
from tasks.providers.process import run_process

SCAN_SECONDS = 30.0
_SHEBANG_BYTES = 500
_SCAN = """\
import json, sys
from tools.threat_patterns import scan_for_threats
texts = json.loads(sys.stdin.buffer.read())
print(json.dumps([scan_for_threats(text, scope="strict") for text in texts]))
"""


async def scan(binary: Path, texts: Sequence[str]) -> list[list[str]] | None:
    """Return what Hermes' strict scan finds in each text, as it does when it writes its memory.

    None where this Hermes cannot be asked: its interpreter is not found, or it scans otherwise.
    """
    python = interpreter(binary)
    if python is None or not texts:
        return None if texts else []
    with TemporaryDirectory(prefix="council-hermes-") as folder:
        try:
            end = await run_process(
                [str(python), "-I", "-c", _SCAN],
                cwd=Path(folder),
                env=hermes_environment(Path(folder)),
                timeout_seconds=SCAN_SECONDS,
                stdin=json.dumps(list(texts)).encode(),
            )
        except ProviderError:
            return None
    return _findings(end.stdout, len(texts)) if end.returncode == 0 else None


def interpreter(binary: Path) -> Path | None:
    """Return the Python that runs a program of a package, None where it cannot be told."""
    try:
        with binary.open("rb") as file:
            first = file.readline(_SHEBANG_BYTES).decode("utf-8", "replace").strip()
    except OSError:
        return None
    named = Path(first.removeprefix("#!").strip())
    candidates = (named, binary.parent / "python", binary.parent / "python3")
    return next((c for c in candidates if "python" in c.name and c.is_file()), None)


def _findings(printed: str, wanted: int) -> list[list[str]] | None:
    try:
        found = json.loads(printed)
    except ValueError:
        return None
    if not isinstance(found, list) or len(found) != wanted:
        return None
    return [[str(name) for name in one] if isinstance(one, list) else [] for one in found]
