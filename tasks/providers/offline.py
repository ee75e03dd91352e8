"""The stand-in: a deterministic juror that needs no model, no key and no network.

It is no model and says so in every record (`simulated`). It weighs the options by a small table of
traits (`known_options.toml`) and, for what is not in the table, by traits derived from a hash.
Three temperaments weigh the traits differently, so that real splits and debates happen at $0.
"""

import hashlib
import json
import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from contracts.errors import Misconfigured
from contracts.juror import Endpoint
from contracts.opinion import Usage
from contracts.question import letter
from tasks.providers.base import Completion, Request

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
OPEN_POSITIONS = (
    "Start with the smallest step that can be undone",
    "Commit now and go all the way",
    "Gather evidence first and decide by a fixed date",
)
YES, NO = "yes", "no"


class Offline:
    """Provider `offline`; the endpoint's model is `stand-in/<temperament>`."""

    async def complete(self, endpoint: Endpoint, request: Request) -> Completion:
        """Answer from the table, in the form that the prompt asks for.

        Raises:
            Misconfigured: for a temperament that does not exist.
        """
        name = endpoint.model.removeprefix("stand-in/")
        if name not in TEMPERAMENTS:
            known = ", ".join(f"stand-in/{known}" for known in TEMPERAMENTS)
            raise Misconfigured(f"{endpoint.model!r} is no stand-in; there are {known}")
        answer = _answer(TEMPERAMENTS[name], request)
        text = json.dumps(answer, ensure_ascii=False)
        return Completion(
            text=text,
            finish_reason="stop",
            usage=Usage(cost_usd=0.0, calls=1),
            model=endpoint.model,
            via="offline",
            simulated=True,
        )


def known_drawback(option: str) -> str | None:
    """Return the drawback of a well-worn option, None for one that the table does not know."""
    entry = _lookup(option)
    return entry["drawback"] if entry else None


def _answer(temperament: Temperament, request: Request) -> dict[str, Any]:
    question = str(request.facts.get("question", request.user))
    options = request.options or OPEN_POSITIONS
    traits = [_traits(option, question, temperament) for option in options]
    scores = [_score(temperament, own) for own in traits]
    best = max(range(len(options)), key=lambda index: (scores[index], -index))
    answer = _speak(temperament, options, traits, scores, best, closed=bool(request.options))
    shown = request.facts.get("shown")
    if shown is not None:
        _reconsider(temperament, request, options, scores, answer)
    return answer


def _speak(
    temperament: Temperament,
    options: Sequence[str],
    traits: Sequence[Traits],
    scores: Sequence[float],
    chosen: int,
    *,
    closed: bool,
) -> dict[str, Any]:
    rival = max((i for i in range(len(options)) if i != chosen), key=lambda i: scores[i])
    gain = {
        trait: weight * (traits[chosen].get(trait, 0) - traits[rival].get(trait, 0))
        for trait, weight in temperament.cares.items()
    }
    lead = sorted((t for t in gain if gain[t] > 0), key=lambda t: (-gain[t], t))[:2]
    reasons = [_reason(trait, options, traits, chosen, rival) for trait in lead]
    margin = _margin(temperament, scores[chosen] - scores[rival])
    return {
        "choice": letter(chosen) if closed else None,
        "position": options[chosen],
        "reasons": reasons or ["nothing that I weigh speaks clearly for either side"],
        "confidence": round(1 / (1 + math.exp(-4 * margin)), 2),
    }


def _reason(
    trait: str, options: Sequence[str], traits: Sequence[Traits], chosen: int, rival: int
) -> str:
    subject, other = _named(options, chosen), _named(options, rival)
    if traits[chosen].get(trait, 0) > 0:
        return f"{subject} {PRAISE[trait]}"
    return f"{other} {BLAME[trait]}"


def _named(options: Sequence[str], index: int) -> str:
    name = options[index]
    if name.casefold() == YES:
        return "doing it"
    return "not doing it" if name.casefold() == NO else name


def _reconsider(
    temperament: Temperament,
    request: Request,
    options: Sequence[str],
    scores: Sequence[float],
    answer: dict[str, Any],
) -> None:
    """Hold, or give way to an argument about something that this temperament cares about."""
    own = options.index(request.facts["own"]) if request.facts.get("own") in options else None
    argument = None
    for _, stance, reason in request.facts["shown"]:
        if stance not in options or options.index(stance) == own:
            continue
        lead = scores[own] - scores[options.index(stance)] if own is not None else 0.0
        if _touches(temperament, reason) and _margin(temperament, lead) < temperament.yields:
            argument, target = reason, options.index(stance)
            break
    if argument is None:
        answer.update(changed=False, moved_by=None)
        return
    answer.update(
        choice=letter(target),
        position=options[target],
        reasons=[argument],
        changed=own is not None,
        moved_by=argument,
    )


def _touches(temperament: Temperament, reason: str) -> bool:
    for said in (PRAISE, BLAME):
        for trait, words in said.items():
            if words in reason:
                return temperament.cares.get(trait, 0) >= 1
    return False


def _traits(option: str, question: str, temperament: Temperament) -> Traits:
    name = option.casefold()
    if name in {YES, NO}:
        entry = _lookup(question)
        subject = entry["traits"] if entry else _invented(question)
        if name == YES:
            return subject
        return {"reversible": temperament.keeps, "mature": temperament.keeps}
    entry = _lookup(option)
    return entry["traits"] if entry else _invented(option)


def _invented(text: str) -> Traits:
    """Traits in -2 … 2 for what the table does not know: from a hash, so always the same."""
    digest = hashlib.sha256(text.casefold().encode("utf-8", "replace")).digest()
    return {trait: digest[i] % 5 - 2 for i, trait in enumerate(PRAISE)}


def _score(temperament: Temperament, traits: Traits) -> float:
    return sum(weight * traits.get(trait, 0) for trait, weight in temperament.cares.items())


def _margin(temperament: Temperament, lead: float) -> float:
    return lead / (2 * sum(temperament.cares.values()))


def _lookup(text: str) -> dict[str, Any] | None:
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
