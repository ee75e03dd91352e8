"""Files that are whole or not there: temporary file, fsync, then link or rename."""

import os
from collections.abc import Iterable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def create(target: Path, content: bytes, scratch: Path) -> bool:
    """Write `content` to `target` if nothing is there; return whether it was written.

    `scratch` is a directory on the same file system. On return the content is on the disk.
    """
    with written(scratch, [content]) as temporary:
        try:
            os.link(temporary, target)
        except FileExistsError:
            return False
    sync_directory(target.parent)
    return True


def replace(
    target: Path, chunks: Iterable[bytes], scratch: Path, *, mode: int | None = None
) -> None:
    """Put `chunks` in the place of `target` at one stroke, with the permissions `mode` if given."""
    with written(scratch, chunks) as temporary:
        if mode is not None:
            temporary.chmod(mode)
        temporary.replace(target)
    sync_directory(target.parent)


@contextmanager
def written(scratch: Path, chunks: Iterable[bytes]) -> "Iterator[Path]":
    """Yield a temporary file that holds `chunks`, flushed to the disk; remove it afterwards."""
    temporary = scratch / f"{os.getpid()}-{os.urandom(8).hex()}"
    try:
        with temporary.open("xb") as file:
            file.writelines(chunks)
            flush(file)
        yield temporary
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()


def flush(file: IO[bytes]) -> None:
    """Bring what was written to the disk."""
    file.flush()
    os.fsync(file.fileno())


def sync_directory(directory: Path) -> None:
    """Bring the names in `directory` to the disk."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_directory(directory: Path) -> None:
    """Create `directory` and its parents where they are missing."""
    if directory.is_dir():
        return
    directory.mkdir(parents=True, exist_ok=True)
    sync_directory(directory.parent)
