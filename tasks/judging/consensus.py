"""Hollow consensus: agreement that carries less than it seems to."""

from collections.abc import Mapping, Sequence
from itertools import combinations

from contracts.opinion import Opinion
from contracts.verdict import ChangedMind

NEAR_COPY = 0.8
"""Share of common words (Jaccard) from which two reasons count as one."""


def hollow_consensus(
    final: Mapping[str, Opinion], changed: Sequence[ChangedMind]
) -> tuple[str, ...]:
    """Return a warning for each sign that the jurors only echo each other.

    A juror that moved without naming an argument, and unanimity after a debate in which two jurors
    give nearly the same reasons word for word.
    """
    silent = [change.juror for change in changed if not change.moved_by]
    warnings = [f"hollow: {juror} changed its mind and named no argument" for juror in silent]
    stances = {opinion.stance for opinion in final.values() if opinion.stance}
    debated = any(opinion.round > 1 for opinion in final.values())
    if len(stances) == 1 and debated:
        warnings += [
            f"hollow: {one} and {other} agree in nearly the same words"
            for one, other in _near_copies(final)
        ]
    return tuple(warnings)


def _near_copies(final: Mapping[str, Opinion]) -> list[tuple[str, str]]:
    words = {
        juror: frozenset(" ".join(opinion.reasons).casefold().split())
        for juror, opinion in sorted(final.items())
        if opinion.reasons
    }
    return [
        (one, other)
        for one, other in combinations(words, 2)
        if len(words[one] & words[other]) >= NEAR_COPY * len(words[one] | words[other])
    ]
