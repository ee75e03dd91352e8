"""Where each packed document is: sorted records of fixed length, looked up by bisection."""

import mmap
import os
import struct
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import IO, NamedTuple

from contracts.errors import StoreDamaged
from data.documents import Unreadable, decode
from data.files import replace

_ENTRY = struct.Struct(">32sIHQI")
_GZIP = 31
_CHUNK = 65_536


class Place(NamedTuple):
    """Where a packed document is."""

    digest: bytes
    """The 32 bytes of the hash in its name."""
    day: int
    """Of its pack, as a proleptic ordinal."""
    number: int
    """Of the pack within that day and kind."""
    offset: int
    length: int

    def pack(self, kind: str) -> str:
        """Name of the pack."""
        return f"{date.fromordinal(self.day).isoformat()}.{self.number:04}.{kind}.ndjson.gz"


class PackIndex:
    """The index of the packs of one kind."""

    def __init__(self, directory: Path, kind: str) -> None:
        """Name the index; a missing one is empty."""
        self.path = directory / f"{kind}.index"

    def find(self, name: str) -> Place | None:
        """Return where the document of that file name is, None when it is not packed."""
        try:
            file = self.path.open("rb")
        except FileNotFoundError:
            return None
        with file:
            self._check(os.fstat(file.fileno()).st_size)
            view = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        with view:
            digest = digest_of(name)
            at = bisect_left(_Digests(view), digest)
            if at == len(view) // _ENTRY.size:
                return None
            place = Place(*_ENTRY.unpack_from(view, at * _ENTRY.size))
        return place if place.digest == digest else None

    def places(self) -> list[Place]:
        """Return all places, sorted by digest."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return []
        self._check(len(data))
        return [Place(*entry) for entry in _ENTRY.iter_unpack(data)]

    def write(self, places: Iterable[Place], scratch: Path) -> None:
        """Put these places in the place of the old ones, one a document."""
        unique = {place.digest: place for place in places}
        entries = (_ENTRY.pack(*unique[digest]) for digest in sorted(unique))
        replace(self.path, entries, scratch)

    def _check(self, size: int) -> None:
        if size == 0 or size % _ENTRY.size:
            raise StoreDamaged(
                f"The index {self.path} is cut short. Remove it and run `council store rebuild`: "
                "it is made again from the packs beside it."
            )


class _Digests:
    """The digests of an index as a sequence, for `bisect`."""

    def __init__(self, view: mmap.mmap) -> None:
        self._view = view

    def __len__(self) -> int:
        return len(self._view) // _ENTRY.size

    def __getitem__(self, at: int) -> bytes:
        start = at * _ENTRY.size
        return self._view[start : start + 32]


def digest_of(name: str) -> bytes:
    """Return the 32 bytes of the hash in a document's file name."""
    return bytes.fromhex(name[-69:-5])


def scan(pack: Path) -> list[Place]:
    """Return the places of all documents in a pack, by reading it.

    Raises:
        StoreDamaged: naming the pack, when it cannot be read to its end.
    """
    day, number = date.fromisoformat(pack.name[:10]).toordinal(), int(pack.name.split(".")[1])
    places, offset = [], 0
    for line, length in members(pack):
        places.append(Place(digest_of(decode(line).name), day, number, offset, length))
        offset += length
    return places


def members(pack: Path) -> Iterator[tuple[bytes, int]]:
    """Yield each document of a pack, checked against its checksum, and its packed length.

    Raises:
        StoreDamaged: naming the pack, when it cannot be read to its end.
    """
    try:
        with pack.open("rb") as file:
            rest = file.read(_CHUNK)
            while rest:
                line, length, rest = _member(file, rest)
                decode(line)
                yield line, length
    except (OSError, EOFError, zlib.error, Unreadable) as error:
        raise damaged(pack, error) from None


def _member(file: IO[bytes], rest: bytes) -> tuple[bytes, int, bytes]:
    """Return one gzip member, its packed length, and what was read beyond it."""
    member, parts, taken = zlib.decompressobj(_GZIP), [], 0
    while True:
        parts.append(member.decompress(rest))
        taken += len(rest) - len(member.unused_data)
        if member.eof:
            return b"".join(parts), taken, member.unused_data or file.read(_CHUNK)
        rest = file.read(_CHUNK)
        if not rest:
            raise EOFError("it ends in the middle of a document")


def damaged(pack: Path, error: Exception) -> StoreDamaged:
    """Return the error for a pack that does not read."""
    return StoreDamaged(
        f"The pack {pack} cannot be read ({error}). Restore it from a backup, or move it out of "
        "the archive: the documents in it are then gone."
    )
