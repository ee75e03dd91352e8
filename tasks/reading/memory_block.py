"""Council's part of a MEMORY.md: found, and fitted into its share of the limit. Pure.

Whatever Council did not write stays as it is, in its order, byte for byte. Council's part stands
behind it: a line for each topic's older verdicts, then the newest and most used, newest last.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tasks.reading.memory_entry import DELIMITER, Entry, Folded, fold, fold_topics, parse

SHARE = 0.6
"""Of the limit that Council takes at most, so that Hermes has room for notes of its own."""
RESERVE = 0.1
"""Of the limit that stays free beside what others wrote."""


class Block(NamedTuple):
    """Council's part."""

    entries: tuple[Entry, ...] = ()
    folded: tuple[Folded, ...] = ()

    @property
    def texts(self) -> list[str]:
        """What is written, in order."""
        return [*(line.text for line in self.folded), *(entry.text for entry in self.entries)]

    @property
    def verdicts(self) -> int:
        """Verdicts that it stands for."""
        return len(self.entries) + sum(line.verdicts for line in self.folded)


class Split(NamedTuple):
    """A memory taken apart."""

    others: tuple[str, ...]
    """What is not Council's, as it stands."""
    block: Block


def split(raw: str) -> Split:
    """Take a memory apart. Blanks at its two ends belong to nobody: Hermes drops them too."""
    others: list[str] = []
    entries: list[Entry] = []
    folded: list[Folded] = []
    for text in raw.strip().split(DELIMITER) if raw.strip() else []:
        read = parse(text)
        if isinstance(read, Entry):
            entries.append(read)
        elif isinstance(read, Folded):
            folded.append(read)
        else:
            others.append(text)
    return Split(tuple(others), Block(tuple(entries), tuple(folded)))


def join(others: Sequence[str], block: Block) -> str:
    """Put a memory together."""
    return DELIMITER.join([*others, *block.texts])


def room(others: Sequence[str], limit: int) -> int:
    """Return the characters that Council's part may have beside what others wrote."""
    left = limit - int(limit * RESERVE) - _length(others) - (len(DELIMITER) if others else 0)
    return max(0, min(left, int(limit * SHARE)))


def fit(entries: Iterable[Entry], folded: Iterable[Folded], budget: int) -> Block:
    """Return what fits into `budget` characters: what does not stand by itself is counted.

    Of two entries of one verdict the later one counts, with the higher use.
    """
    own: dict[str, Entry] = {}
    for entry in entries:
        old = own.pop(entry.short_id, entry)
        own[entry.short_id] = entry._replace(used=max(entry.used, old.used))
    order = list(own.values())
    dropped = sorted(range(len(order)), key=lambda at: (order[at].rank, at))
    lines = tuple(folded)
    for n in range(len(order) + 1):
        gone = {*dropped[:n]}
        kept = tuple(entry for at, entry in enumerate(order) if at not in gone)
        block = Block(kept, fold((order[at] for at in sorted(gone)), lines))
        if _length(block.texts) <= budget:
            return block
    return _fewer_topics(block.folded, budget)


def _fewer_topics(lines: tuple[Folded, ...], budget: int) -> Block:
    """Return as many topics, latest first, as there is room for beside one line for the rest."""
    for n in range(len(lines) - 1, -1, -1):
        block = Block((), (*lines[:n], fold_topics(lines[n:])))
        if _length(block.texts) <= budget:
            return block
    return Block()


def _length(texts: Sequence[str]) -> int:
    return len(DELIMITER.join(texts))
