"""Makes Council's part of every memory again from the store, and checks what stands there."""

import os
from collections.abc import Sequence
from pathlib import Path

from contracts.errors import MissingBinary, StoreError
from data.store import Store
from tasks.mirror import (
    Mirrored,
    memory_file,
    memory_limit,
    mirrored_homes,
    read_memory,
    scanned,
    update,
)
from tasks.providers.hermes_run import find_hermes
from tasks.providers.hermes_scan import scan
from tasks.reading.memory_block import Split, join
from tasks.reading.memory_entry import ID_CHARS, Entry, Folded, folded_of

WHOLE = 40
"""Latest and most used verdicts that are read whole; the rest is counted."""

_USES = f"""
with named as (
    select unnest(cast(body->'$.ids' as varchar[])) as id from documents where kind = 'recollection'
    union all
    select left(unnest(precedents), {ID_CHARS}) from verdicts
)
select id, count(*) as used from named group by id
"""  # noqa: S608 - a number of our own
_ALL = f"""
with used as ({_USES})
select deliberation_id, deliberations.topic as topic, option, coalesce(used, 0) as used,
    strftime(finished_at, '%Y-%m-%d') as day
from deliberations join verdicts using (deliberation_id)
left join used on id = left(deliberation_id, {ID_CHARS})
order by finished_at + to_days(cast(7 * coalesce(used, 0) as integer)) desc, deliberation_id
"""  # noqa: S608 - a number of our own


async def rebuild(home: Path) -> tuple[Mirrored, ...]:
    """Write Council's part of every memory anew from the store; others' entries stay.

    Raises:
        StoreError: when the store cannot be read, or a memory cannot be written.
    """
    store = Store(home)
    rows = store.sql(_ALL).records()
    newest = [(store.deliberation(row["deliberation_id"]), row["used"]) for row in rows[:WHOLE]]
    newest.sort(key=lambda pair: pair[0].finished_at)
    entries = await scanned(home, *newest)
    folded = [folded_of(row["topic"], row["option"], 1, row["day"]) for row in rows[WHOLE:]]

    def anew(_: Split) -> tuple[Sequence[Entry], Sequence[Folded]]:
        return entries, folded

    return tuple(update(hermes_home, anew) for hermes_home in mirrored_homes(home))


async def check(home: Path, hermes_home: Path) -> tuple[str, ...]:
    """Return what is wrong with a memory, each fault with its mend; empty when all is well."""
    file, limit = memory_file(hermes_home), memory_limit(hermes_home)
    try:
        now = read_memory(hermes_home)
        missing = _missing(home, now)
    except StoreError as error:
        return (str(error),)
    length = len(join(now.others, now.block))
    faults = []
    if length > limit:
        faults.append(
            f"{file}: {length:,} of {limit:,} characters, and Hermes refuses to add to it; "
            "`council memory rebuild` shortens Council's part, the rest is yours to shorten"
        )
    if not _writable(file):
        faults.append(f"{file}: cannot be written; give its folder back to your user")
    blocked = await _blocked(home, now)
    if blocked:
        faults.append(f"{file}: Hermes hides {blocked} entries; `council memory rebuild` mends it")
    if missing > 0:
        faults.append(
            f"{file}: {missing} verdicts of the store are not in it; `council memory rebuild` "
            "puts them there"
        )
    return tuple(faults)


def _missing(home: Path, now: Split) -> int:
    (kept,) = Store(home).sql("select count(*) from deliberations").rows[0]
    return int(kept) - now.block.verdicts


async def _blocked(home: Path, now: Split) -> int:
    try:
        found = await scan(find_hermes(home), now.block.texts)
    except MissingBinary:
        return 0
    return sum(map(bool, found or ()))


def _writable(file: Path) -> bool:
    folder = next(path for path in file.parents if path.exists())
    return os.access(folder, os.W_OK) and (not file.exists() or os.access(file, os.W_OK))
