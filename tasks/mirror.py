"""Keeps each verdict as an entry in the memory of Hermes, beside whatever else stands there.

The file is written as Hermes writes it: an exclusive flock on `MEMORY.md.lock`, read again under
it, temporary file, fsync, rename. It is written by this program and not by Hermes' own tool,
because that one drops doubles of other people's entries and refuses a file that somebody edited by
hand; Hermes' own scan, where it is installed, has its say before. The store is the record: the
mirror is made again from it at any time.
"""

import asyncio
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from contracts.deliberation import Deliberation
from contracts.errors import MissingBinary, StoreError
from data.files import make_directory, replace
from tasks.providers.hermes_files import write_private
from tasks.providers.hermes_home import foreman_home, hermes_root
from tasks.providers.hermes_run import find_hermes
from tasks.providers.hermes_scan import scan
from tasks.reading.memory_block import Block, Split, fit, join, room, split
from tasks.reading.memory_entry import Entry, Folded, bare, entry_of

LIMIT = 2200
"""Characters of a MEMORY.md, unless the home's configuration says otherwise."""
LOCK_SECONDS = 30.0
MAX_BYTES = 4_000_000

Change = Callable[[Split], tuple[Sequence[Entry], Sequence[Folded]]]
"""From a memory to the entries and lines that Council's part is to hold."""


class Mirrored(NamedTuple):
    """A memory after it was written."""

    file: Path
    block: Block
    length: int
    limit: int


def mirrored_homes(home: Path) -> tuple[Path, ...]:
    """Return the homes of Hermes whose memory is kept: the foreman's, and those that were asked."""
    own = foreman_home(home)
    more = [Path(path) for path in _listed(home)]
    return tuple(path for path in (own, *more) if (path / "config.yaml").is_file())


def mirror_into(home: Path, hermes_home: Path) -> None:
    """Keep the memory of a further home of Hermes from now on."""
    paths = list(dict.fromkeys([*_listed(home), str(hermes_home)]))
    write_private(_list_file(home), json.dumps({"homes": paths}, indent=2))


async def mirror(home: Path, deliberation: Deliberation) -> tuple[str, ...]:
    """Put a verdict into every memory; return in words what could not be done. Never raises."""
    homes = mirrored_homes(home)
    if not homes:
        return ()
    (entry,) = await scanned(home, (deliberation, 0))
    notes = []
    for hermes_home in homes:
        try:
            done = await asyncio.to_thread(update, hermes_home, _with(entry))
        except (StoreError, OSError) as error:
            notes.append(f"the memory of Hermes was not written: {error}")
        else:
            if not done.block.verdicts:
                notes.append(f"{done.file}: no room beside what others wrote; nothing was kept")
    return tuple(notes)


def _with(entry: Entry) -> Change:
    return lambda now: ((*now.block.entries, entry), now.block.folded)


async def scanned(home: Path, *kept: tuple[Deliberation, int]) -> list[Entry]:
    """Return the entries of deliberations and their uses, bare where Hermes' scan objects."""
    entries = [entry_of(deliberation, used) for deliberation, used in kept]
    try:
        found = await scan(find_hermes(home), [entry.text for entry in entries])
    except (MissingBinary, OSError):
        found = None
    return [
        bare(entry, deliberation.verdict) if hits else entry
        for entry, hits, (deliberation, _) in zip(
            entries, found or [[]] * len(kept), kept, strict=True
        )
    ]


def mark_used(home: Path, ids: Sequence[str]) -> None:
    """Count a use of the verdicts with these ids in every memory that holds them.

    Raises:
        StoreError: when a memory cannot be read or written.
    """
    wanted = {one[:8] for one in ids}

    def more(now: Split) -> tuple[Sequence[Entry], Sequence[Folded]]:
        entries = (e._replace(used=e.used + (e.short_id in wanted)) for e in now.block.entries)
        return tuple(entries), now.block.folded

    for hermes_home in mirrored_homes(home):
        held = {entry.short_id for entry in read_memory(hermes_home).block.entries}
        if wanted & held:
            update(hermes_home, more)


def update(hermes_home: Path, change: Change) -> Mirrored:
    """Change Council's part of a memory under Hermes' own lock.

    Raises:
        StoreError: when it cannot be locked, read or written; it is then as it was.
    """
    file, limit = memory_file(hermes_home), memory_limit(hermes_home)
    try:
        make_directory(file.parent)
        with _locked(file):
            now = read_memory(hermes_home)
            entries, folded = change(now)
            block = fit(entries, folded, room(now.others, limit))
            text = join(now.others, block)
            if block != now.block:
                _write(file, text)
    except OSError as error:
        raise StoreError(f"{file}: the memory cannot be written ({error})") from error
    return Mirrored(file, block, len(text), limit)


def read_memory(hermes_home: Path) -> Split:
    """Return a memory taken apart; an empty one where there is none.

    Raises:
        StoreError: when it cannot be read as text.
    """
    file = memory_file(hermes_home)
    try:
        if not file.exists():
            return split("")
        if file.stat().st_size > MAX_BYTES:
            raise StoreError(f"{file}: larger than {MAX_BYTES:,} bytes; that is no memory")
        return split(file.read_bytes().decode("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{file}: the memory cannot be read ({error})") from error


def memory_file(hermes_home: Path) -> Path:
    """Return where a home of Hermes keeps its notes."""
    return hermes_home / "memories" / "MEMORY.md"


def memory_limit(hermes_home: Path) -> int:
    """Return how many characters Hermes lets that memory have."""
    try:
        text = (hermes_home / "config.yaml").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return LIMIT
    if "memory_char_limit" not in text:
        return LIMIT
    import yaml  # noqa: PLC0415 - only where somebody changed the limit

    try:
        section = (yaml.safe_load(text) or {}).get("memory") or {}
        return int(section.get("memory_char_limit", LIMIT))
    except (yaml.YAMLError, AttributeError, TypeError, ValueError):
        return LIMIT


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    """Hold Hermes' own lock on a memory: flock, on a file of its own beside it."""
    import fcntl  # noqa: PLC0415 - not there on Windows, where the rest of Council may well run

    until = time.monotonic() + LOCK_SECONDS
    with file.with_name(f"{file.name}.lock").open("a+") as lock:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.01)
            else:
                break
        yield


def _write(file: Path, text: str) -> None:
    real = file.resolve()
    mode = real.stat().st_mode & 0o777 if real.exists() else 0o600
    replace(real, [text.encode()], real.parent, mode=mode)


def _list_file(home: Path) -> Path:
    return hermes_root(home) / "mirrored.json"


def _listed(home: Path) -> list[str]:
    try:
        value = json.loads(_list_file(home).read_text(encoding="utf-8"))
        return [str(path) for path in value["homes"]]
    except (OSError, ValueError, TypeError, KeyError):
        return []
