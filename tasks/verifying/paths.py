"""Open and read a file that somebody hostile may be renaming at this moment.

Every component is opened relative to the descriptor of its parent and never through a link
(`openat` with `O_NOFOLLOW`), so no name is resolved twice and no rename moves the reader out of the
work folder. The file is judged and read through one descriptor; its bytes are what is handed on.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from contracts.checks import relative_path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_CHUNK = 1024 * 1024

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class NotTaken(Exception):
    """A file that is not taken as an artifact. The message says why, as the end of a sentence."""

    def __init__(self, why: str, *, absent: bool = False) -> None:
        """Keep the reason; `absent` tells that there is nothing at that path."""
        super().__init__(why)
        self.absent = absent


class Mark(NamedTuple):
    """How a file stood at one moment: enough to tell later whether it is still the same."""

    inode: int
    size: int
    mtime_ns: int
    sha256: str | None = None
    """None where it was not hashed."""


class Taken(NamedTuple):
    """A file that was read, whole, through the descriptor that was judged."""

    data: bytes
    inode: int
    mtime_ns: int
    atime_ns: int


@contextmanager
def open_root(folder: Path) -> Iterator[int]:
    """Yield a descriptor of the work folder; links on the way to it are the caller's own.

    Raises:
        NotTaken: it is not there or no folder.
    """
    try:
        descriptor = os.open(folder.resolve(), _FOLDER)
    except OSError as error:
        raise NotTaken(f"the work folder cannot be opened: {error.strerror}") from None
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def open_folder(root: int, parts: tuple[str, ...]) -> Iterator[int]:
    """Yield a descriptor of the folder `parts` below `root`, reached through no link.

    Raises:
        NotTaken: a component is missing, a link, or no folder.
    """
    # Opened anew: a duplicate would share its place in the listing with every other reader.
    descriptor = _open(".", _FOLDER, root)
    try:
        for part in parts:
            deeper = _open(part, _FOLDER, descriptor)
            os.close(descriptor)
            descriptor = deeper
        yield descriptor
    finally:
        os.close(descriptor)


def take(root: int, path: str, max_bytes: int) -> Taken:
    """Return the content of the regular file at `path` below the folder `root`.

    Args:
        root: Descriptor of the work folder.
        path: As in a contract; checked again here.
        max_bytes: A larger file is not read.

    Raises:
        NotTaken: for whatever is not one ordinary file of this folder alone: a link, a second name
            elsewhere, a device, too many bytes, one that changes while it is read.
    """
    try:
        *above, name = relative_path(path).split("/")
    except ValueError as error:
        raise NotTaken(str(error)) from None
    with open_folder(root, tuple(above)) as folder:
        _refuse_special(_stat(name, folder))
        descriptor = _open(name, _FILE, folder)
    try:
        return _read(descriptor, max_bytes)
    finally:
        os.close(descriptor)


def names_in(root: int, parts: tuple[str, ...]) -> frozenset[str]:
    """Return the names in a folder as the disk spells them; none when it cannot be opened."""
    try:
        with open_folder(root, parts) as folder, os.scandir(folder) as entries:
            return frozenset(entry.name for entry in entries)
    except NotTaken:
        return frozenset()


def _read(descriptor: int, max_bytes: int) -> Taken:
    before = os.fstat(descriptor)
    _refuse_special(before)
    if before.st_nlink != 1:
        raise NotTaken(f"has {before.st_nlink} names (hard links); it must have this one only")
    if before.st_size > max_bytes:
        raise NotTaken(f"has {before.st_size:,} bytes; at most {max_bytes:,} are taken")
    data = _read_all(descriptor, before.st_size)
    after = os.fstat(descriptor)
    if len(data) != before.st_size or _moment(before) != _moment(after):
        raise NotTaken("changed while it was being read")
    return Taken(data, before.st_ino, before.st_mtime_ns, before.st_atime_ns)


def _read_all(descriptor: int, size: int) -> bytes:
    # One byte more than expected is asked for, so that growth shows; one call is the usual case.
    data = os.read(descriptor, min(size, 2**30) + 1)
    if len(data) >= size:
        return data
    parts = [data]
    left = size + 1 - len(data)
    while left > 0 and (part := os.read(descriptor, min(left, _CHUNK))):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def _moment(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _refuse_special(status: os.stat_result) -> None:
    kind = stat.S_IFMT(status.st_mode)
    if kind != stat.S_IFREG:
        raise NotTaken(f"is {_KINDS.get(kind, 'no ordinary file')}, not an ordinary file")


def _stat(name: str, folder: int) -> os.stat_result:
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        raise _refusal(name, error) from None


def _open(name: str, flags: int, folder: int) -> int:
    try:
        return os.open(name, flags, dir_fd=folder)
    except OSError as error:
        raise _refusal(name, error) from None


def _refusal(name: str, error: OSError) -> NotTaken:
    if error.errno == errno.ENOENT:
        return NotTaken("is not there", absent=True)
    if error.errno in {errno.ELOOP, errno.ENOTDIR}:
        return NotTaken(f"is reached through {name!r}, which is a link or no folder")
    if error.errno == errno.EACCES:
        return NotTaken(f"cannot be read: no permission for {name!r}")
    return NotTaken(f"cannot be opened: {error.strerror}")
