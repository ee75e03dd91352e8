"""What lies in a folder, and what changed in another one meanwhile."""

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from contracts.checks import MAX_DEPTH
from tasks.verifying.paths import NotTaken, open_folder, open_root

MAX_FILES = 50_000
"""More are not looked at."""


class Entry(NamedTuple):
    """Something in a folder that is no folder itself, or a folder that cannot be entered."""

    path: str
    """Relative, `/` between names, bytes that are no UTF-8 written as escapes."""
    status: os.stat_result


class TooMany(Exception):
    """There are more files than are looked at."""


def files_below(root: int, enters: Callable[[str], bool] = lambda _: True) -> Iterator[Entry]:
    """Yield what lies below the folder `root`, following no link.

    Args:
        root: Descriptor of the folder.
        enters: Whether to look at the path, and below it.

    Raises:
        TooMany: beyond `MAX_FILES`.
    """
    stack: list[tuple[tuple[str, ...], os.stat_result]] = [((), os.fstat(root))]
    count = 0
    while stack:
        above, own_status = stack.pop()
        try:
            found = _list(root, above)
        except NotTaken as error:
            if not error.absent:
                yield Entry(_joined(above), own_status)
            continue
        for name, status in found:
            parts = (*above, name)
            count += 1
            if count > MAX_FILES:
                raise TooMany(f"more than {MAX_FILES:,} files")
            if not enters(_joined(parts)):
                continue
            if stat.S_ISDIR(status.st_mode) and len(parts) < MAX_DEPTH:
                stack.append((parts, status))
            else:
                yield Entry(_joined(parts), status)


def footprint(folder: Path, enters: Callable[[str], bool]) -> dict[str, tuple[int, ...]]:
    """Return path → state of the files below `folder`, without reading them.

    The state has the time of the last change to the file's own entry (ctime), which a child cannot
    set back.

    Raises:
        TooMany: beyond `MAX_FILES`.
    """
    try:
        with open_root(folder) as root:
            return {entry.path: _state(entry.status) for entry in files_below(root, enters)}
    except NotTaken:
        return {}


def changes(
    before: Mapping[str, tuple[int, ...]], after: Mapping[str, tuple[int, ...]]
) -> tuple[str, ...]:
    """Return the paths that were created, changed or removed between two footprints, sorted."""
    either = before.keys() | after.keys()
    return tuple(sorted(path for path in either if before.get(path) != after.get(path)))


def printable(name: str) -> str:
    """Return a file's name as text that can be written as UTF-8."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _joined(parts: tuple[str, ...]) -> str:
    return "/".join(printable(part) for part in parts)


def _list(root: int, above: tuple[str, ...]) -> list[tuple[str, os.stat_result]]:
    found = []
    with open_folder(root, above) as descriptor, os.scandir(descriptor) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):
                found.append((entry.name, entry.stat(follow_symlinks=False)))
    return sorted(found, key=lambda item: item[0])


def _state(status: os.stat_result) -> tuple[int, ...]:
    return (
        status.st_ino,
        status.st_mode,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
    )
