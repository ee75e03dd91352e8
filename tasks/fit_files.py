"""What was learned, as files of the home: quick to read, and made again by a refit at any time.

memory/fit-0123456789abcdef.json   a learning, named by its hash
memory/current                     the name of the one that is in use
"""

import re
from functools import lru_cache
from pathlib import Path

from pydantic import ValidationError

from contracts.errors import StoreDamaged, StoreError
from contracts.learning import Learned
from data.files import make_directory, replace

KEPT = 10
"""Newest learnings that stay; the journal has all."""
_ID = re.compile(r"[0-9a-f]{16}")


def write_learned(home: Path, learned: Learned) -> Path:
    """Write a learning and make it the current one; a reader sees the old one or the new.

    Raises:
        StoreError: when the disk does not take it.
    """
    folder = _folder(home)
    file = folder / f"fit-{learned.memory_id}.json"
    try:
        make_directory(folder)
        replace(file, [learned.canonical_json().encode()], folder)
        replace(folder / "current", [learned.memory_id.encode()], folder)
        _prune(folder, keep=file)
    except OSError as error:
        raise StoreError(f"{file}: cannot be written ({error.strerror or error})") from error
    return file


def current_learned(home: Path) -> Learned | None:
    """Return the learning in use; None where nothing was learned yet.

    Raises:
        StoreDamaged: when it cannot be read or is not what its name says.
    """
    pointer = _folder(home) / "current"
    try:
        name = pointer.read_text(encoding="utf-8", errors="replace").strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreDamaged(_told(pointer, str(error.strerror or error))) from error
    if not _ID.fullmatch(name):
        raise StoreDamaged(_told(pointer, "it names no learning"))
    return _read(_folder(home) / f"fit-{name}.json", name)


@lru_cache(maxsize=4)
def _read(file: Path, name: str) -> Learned:
    """Read one learning; its name is its hash, so it is read once."""
    try:
        learned = Learned.model_validate_json(file.read_bytes())
    except (OSError, ValidationError) as error:
        raise StoreDamaged(_told(file, str(error).splitlines()[0])) from error
    if learned.memory_id != name:
        raise StoreDamaged(_told(file, "its content is not what its name says"))
    return learned


def _prune(folder: Path, keep: Path) -> None:
    files = sorted(folder.glob("fit-*.json"), key=lambda file: (file.stat().st_mtime, file.name))
    for old in files[:-KEPT]:
        if old != keep:
            old.unlink(missing_ok=True)


def _told(file: Path, what: str) -> str:
    return f"{file}: what was learned cannot be read: {what}. `council refit` makes it again."


def _folder(home: Path) -> Path:
    return home / "memory"
