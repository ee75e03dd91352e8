"""Documents that the database knows: loose files, and packs of older days.

A pack, `2026-01-31.0001.deliberation.ndjson.gz`, is written once and is plain gzip over lines of
JSON (`zcat` reads it); each document is a gzip member of its own, so one can be read without the
others. `deliberation.index` says where each is: sorted records (SHA-256, day, number, offset,
length). The index can be made again from the packs.
"""

import gzip
import zlib
from datetime import UTC, date, datetime
from pathlib import Path

from data.documents import kind_of
from data.files import replace, sync_directory
from data.packindex import PackIndex, Place, damaged, digest_of, scan

PACK_DOCUMENTS = 2_000


class Archive:
    """The archive in `directory`. Reading takes no lock; packing needs the drain's."""

    def __init__(self, directory: Path, scratch: Path) -> None:
        """Name the directory; nothing is touched yet. `scratch` is on the same file system."""
        self.directory = directory
        self._scratch = scratch

    def has(self, name: str) -> bool:
        """Whether the document of that file name is here."""
        return (self.directory / name).exists() or self._index(name).find(name) is not None

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a document, None when it is not here.

        Raises:
            StoreDamaged: when a pack does not hold what the index says.
        """
        try:
            return (self.directory / name).read_bytes()
        except FileNotFoundError:
            place = self._index(name).find(name)
        return None if place is None else self._unpack(name, place)

    def loose(self) -> list[str]:
        """Return the names of the documents that are not packed, sorted."""
        if not self.directory.is_dir():
            return []
        return sorted(path.name for path in self.directory.iterdir() if kind_of(path.name))

    def packs(self, kind: str = "*") -> list[Path]:
        """Return the packs, of one kind if it is given, oldest day first."""
        return sorted(self.directory.glob(f"*.{kind}.ndjson.gz"))

    def pack(self, before: date) -> int:
        """Pack loose documents whose day (UTC, of the file) is before `before`, one pack's worth.

        Returns their number; 0 when nothing is left. Whatever moment it is killed at, every
        document stays readable and none is there twice once it has run again.
        """
        self._adopt()
        day, kind, paths = self._oldest(before)
        if not paths:
            return 0
        index = PackIndex(self.directory, kind)
        number = 1 + max((p.number for p in index.places() if p.day == day), default=0)
        members = [gzip.compress(path.read_bytes(), mtime=0) for path in paths]
        target = self.directory / Place(b"", day, number, 0, 0).pack(kind)
        replace(target, members, self._scratch)
        self._adopt()
        return len(paths)

    def _oldest(self, before: date) -> tuple[int, str, list[Path]]:
        """Return the first day and kind with documents to pack, and up to a pack of them."""
        groups: dict[tuple[int, str], list[Path]] = {}
        for path in map(self.directory.joinpath, self.loose()):
            day = datetime.fromtimestamp(path.stat().st_mtime, UTC).date()
            if day < before:
                groups.setdefault((day.toordinal(), kind_of(path.name) or ""), []).append(path)
        if not groups:
            return 0, "", []
        (day_number, kind), paths = min(groups.items())
        return day_number, kind, paths[:PACK_DOCUMENTS]

    def reindex(self) -> None:
        """Make every index again from its packs."""
        for kind in self._packed_kinds():
            places = [place for pack in self.packs(kind) for place in scan(pack)]
            PackIndex(self.directory, kind).write(places, self._scratch)

    def _adopt(self) -> None:
        """Index the packs that no index names, then remove the loose files that are packed."""
        for kind in self._packed_kinds():
            digests = {place.digest for place in self._indexed(kind)}
            for name in self.loose():
                if kind_of(name) == kind and digest_of(name) in digests:
                    (self.directory / name).unlink()
        if self.directory.is_dir():
            sync_directory(self.directory)

    def _packed_kinds(self) -> list[str]:
        return sorted({pack.name.split(".")[2] for pack in self.packs()})

    def _indexed(self, kind: str) -> list[Place]:
        index = PackIndex(self.directory, kind)
        places = index.places()
        known = {place.pack(kind) for place in places}
        fresh = [pack for pack in self.packs(kind) if pack.name not in known]
        if fresh:
            places += [place for pack in fresh for place in scan(pack)]
            index.write(places, self._scratch)
        return places

    def _index(self, name: str) -> PackIndex:
        return PackIndex(self.directory, kind_of(name) or "")

    def _unpack(self, name: str, place: Place) -> bytes:
        pack = self.directory / place.pack(kind_of(name) or "")
        try:
            with pack.open("rb") as file:
                file.seek(place.offset)
                return gzip.decompress(file.read(place.length))
        except (OSError, EOFError, zlib.error) as error:
            raise damaged(pack, error) from None
