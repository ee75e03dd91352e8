"""Recalls earlier verdicts: from the memory of Hermes where it is, from the store where not."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from contracts.errors import ProviderError, StoreError
from contracts.recollection import Recollection
from data.journal import Journal
from data.store import Store
from tasks.mirror import mark_used, mirrored_homes, read_memory
from tasks.prompting import fence, prompt_template
from tasks.providers.hermes_foreman import ask_memory, has_foreman
from tasks.reading.memory_entry import ID_CHARS
from tasks.reading.search import rank

LOOKED_AT = 20_000
"""Latest verdicts that are searched in the store."""
MAX_WORDS_CHARS = 2_000

_LATEST = f"""
select deliberation_id, text as question, deliberations.topic as topic, status, option, split,
    confidence, strftime(finished_at, '%Y-%m-%d') as day,
    array_to_string(deliberations.options, ' ') as options
from deliberations join questions using (question_id) join verdicts using (deliberation_id)
order by finished_at desc, deliberation_id limit {LOOKED_AT}
"""  # noqa: S608 - a number of our own


class Found(NamedTuple):
    """An earlier verdict that is about what was asked for."""

    deliberation_id: str
    question: str
    topic: str
    status: str
    option: str | None
    split: str
    confidence: float
    day: str


class Recalled(NamedTuple):
    """What was recalled, and from where."""

    recollection: Recollection
    found: tuple[Found, ...]
    """From the store; the verdicts that Hermes named are in the recollection's ids."""
    note: str
    """Why Hermes did not answer; empty where it did."""


async def recall_verdicts(home: Path, words: str, *, limit: int = 5) -> Recalled:
    """Answer from the memory of Hermes, else from the store, and count what was used.

    Raises:
        StoreError: when the store cannot be read.
    """
    if not has_foreman(home):
        note = "Hermes has no memory here (`council setup-hermes` makes one)"
        return from_store(home, words, limit=limit, note=note)
    try:
        return await from_hermes(home, words)
    except ProviderError as error:
        return from_store(home, words, limit=limit, note=f"Hermes did not answer: {error}")


async def from_hermes(home: Path, words: str) -> Recalled:
    """Answer from the memory of Hermes.

    Raises:
        ProviderError: when it cannot be asked, with the true cause.
    """
    asked = fence({"ASKED FOR": words[:MAX_WORDS_CHARS]})
    said = await ask_memory(home, prompt_template("recall.md").substitute(fenced=asked))
    kept = {e.short_id for path in mirrored_homes(home) for e in read_memory(path).block.entries}
    named = [one for one in dict.fromkeys(re.findall(r"[\w-]{1,20}", said.text)) if one in kept]
    recollection = Recollection(
        words=words,
        by="hermes",
        model=said.model,
        answer=said.text,
        ids=tuple(named),
        recalled_at=datetime.now(UTC),
    )
    _keep(home, recollection)
    return Recalled(recollection, (), "")


def from_store(home: Path, words: str, *, limit: int = 5, note: str = "") -> Recalled:
    """Answer from the store: the verdicts whose question, options or topic hold the words.

    Raises:
        StoreError: when the store cannot be read.
    """
    rows = Store(home).sql(_LATEST).records()
    order = rank(words, [_searched(row.values()) for row in rows])[:limit]
    fields = Found._fields
    found = tuple(Found(**{name: rows[index][name] for name in fields}) for index in order)
    recollection = Recollection(
        words=words,
        by="store",
        ids=tuple(one.deliberation_id[:ID_CHARS] for one in found),
        recalled_at=datetime.now(UTC),
    )
    _keep(home, recollection)
    return Recalled(recollection, found, note)


def _searched(values: Iterable[object]) -> str:
    return " ".join(value for value in values if isinstance(value, str))


def _keep(home: Path, recollection: Recollection) -> None:
    if not recollection.ids:
        return
    Journal(home).put("recollection", recollection.sha256(), recollection)
    try:
        mark_used(home, recollection.ids)
    except StoreError:
        return  # the next rebuild counts it from the journal
