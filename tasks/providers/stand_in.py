"""What the stand-ins know and care about: a small table, three temperaments, words for both."""

import hashlib
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

Traits = Mapping[str, float]


class Temperament(NamedTuple):
    """What a stand-in cares about, and how easily it yields to an argument."""

    cares: Traits
    yields: float
    """It gives way where its own lead is smaller than this share of all it cares about."""
    keeps: float
    """What the status quo is worth to it."""


TEMPERAMENTS = {
    "prudent": Temperament(
        {"mature": 2, "reversible": 2, "simple": 1, "cheap": 1, "quick": 0, "flexible": 0.5}, 0.1, 1
    ),
    "builder": Temperament(
        {"quick": 2, "simple": 2, "cheap": 1, "flexible": 1, "reversible": 0.5}, 0.35, 0
    ),
    "strategist": Temperament(
        {"scales": 2, "flexible": 2, "mature": 1, "reversible": 0.5, "cheap": 0.5}, 0.2, -1
    ),
}

PRAISE = {
    "simple": "has fewer moving parts to understand and to break",
    "cheap": "costs less to run and to staff",
    "mature": "has failure modes that are known and documented",
    "flexible": "leaves room to change course",
    "quick": "gives the first useful result soonest",
    "scales": "holds when load and people grow",
    "reversible": "can be undone when it proves wrong",
}
BLAME = {
    "simple": "adds moving parts that somebody has to understand",
    "cheap": "costs more to run and to staff than it looks",
    "mature": "fails in ways that nobody has written down yet",
    "flexible": "ties the hands of whoever comes next",
    "quick": "delays the first useful result",
    "scales": "does not hold when load and people grow",
    "reversible": "is the expensive kind of choice to leave later",
}
YES, NO = "yes", "no"


def known_drawback(option: str) -> str | None:
    """Return the drawback of a well-worn option, None for one that the table does not know."""
    entry = look_up(option)
    return entry["drawback"] if entry else None


def named(options: Sequence[str], index: int) -> str:
    """Return how an option is called in a sentence."""
    name = options[index]
    if name.casefold() == YES:
        return "doing it"
    return "not doing it" if name.casefold() == NO else name


def traits_of(option: str, question: str, temperament: Temperament) -> Traits:
    """Return the traits of an option; yes has those of what is asked, no those of leaving it."""
    name = option.casefold()
    if name in {YES, NO}:
        entry = look_up(question)
        subject = entry["traits"] if entry else invented(question)
        if name == YES:
            return subject
        return {"reversible": temperament.keeps, "mature": temperament.keeps}
    entry = look_up(option)
    return entry["traits"] if entry else invented(option)


def invented(text: str) -> Traits:
    """Return traits in -2 … 2 for what the table does not know: from a hash, so always the same."""
    digest = hashlib.sha256(text.casefold().encode("utf-8", "replace")).digest()
    return {trait: digest[i] % 5 - 2 for i, trait in enumerate(PRAISE)}


def worth(temperament: Temperament, traits: Traits) -> float:
    """Return what the traits are worth to a temperament."""
    return sum(weight * traits.get(trait, 0) for trait, weight in temperament.cares.items())


def margin(temperament: Temperament, lead: float) -> float:
    """Return a lead as a share of all that the temperament cares about, in [-1, 1]."""
    return lead / (2 * sum(temperament.cares.values()))


def look_up(text: str) -> dict[str, Any] | None:
    """Return what the table knows of the first option that `text` names."""
    for pattern, entry in _table():
        if pattern.search(text):
            return entry
    return None


@cache
def _table() -> tuple[tuple[re.Pattern[str], dict[str, Any]], ...]:
    text = files("tasks.providers").joinpath("known_options.toml").read_text(encoding="utf-8")
    return tuple((_whole(entry["names"]), entry) for entry in tomllib.loads(text)["option"])


def _whole(names: Sequence[str]) -> re.Pattern[str]:
    """Match any of the names as a whole token."""
    either = "|".join(map(re.escape, names))
    return re.compile(rf"(?<![\w-])(?:{either})(?![\w-])", re.IGNORECASE)
