"""The stand-in: a deterministic juror that needs no model, no key and no network.

It is no model and says so in every record (`simulated`). It weighs the options by a small table of
traits (`known_options.toml`) and, for what is not in the table, by traits derived from a hash.
Three temperaments weigh the traits differently, so that real splits and debates happen at $0.
"""

import json
import math
from collections.abc import Sequence
from typing import Any

from contracts.errors import Misconfigured
from contracts.juror import Endpoint
from contracts.opinion import Usage
from contracts.question import letter
from tasks.providers.base import Completion, Request
from tasks.providers.stand_in import (
    BLAME,
    PRAISE,
    TEMPERAMENTS,
    Temperament,
    Traits,
    known_drawback,
    margin,
    named,
    traits_of,
    worth,
)
from tasks.providers.stand_in_pleas import NO_REASON, PLEAS

__all__ = ["TEMPERAMENTS", "Offline", "known_drawback"]

OPEN_POSITIONS = (
    "Start with the smallest step that can be undone",
    "Commit now and go all the way",
    "Gather evidence first and decide by a fixed date",
)


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
        say = PLEAS.get(str(request.facts.get("stage")), _answer)
        answer = say(TEMPERAMENTS[name], request)
        text = json.dumps(answer, ensure_ascii=False)
        return Completion(
            text=text,
            finish_reason="stop",
            usage=Usage(cost_usd=0.0, calls=1),
            model=endpoint.model,
            via="offline",
            simulated=True,
        )


def _answer(temperament: Temperament, request: Request) -> dict[str, Any]:
    question = str(request.facts.get("question", request.user))
    options = request.options or OPEN_POSITIONS
    traits = [traits_of(option, question, temperament) for option in options]
    scores = [worth(temperament, own) for own in traits]
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
    sure = margin(temperament, scores[chosen] - scores[rival])
    return {
        "choice": letter(chosen) if closed else None,
        "position": options[chosen],
        "reasons": reasons or [NO_REASON],
        "confidence": round(1 / (1 + math.exp(-4 * sure)), 2),
    }


def _reason(
    trait: str, options: Sequence[str], traits: Sequence[Traits], chosen: int, rival: int
) -> str:
    subject, other = named(options, chosen), named(options, rival)
    if traits[chosen].get(trait, 0) > 0:
        return f"{subject} {PRAISE[trait]}"
    return f"{other} {BLAME[trait]}"


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
        if _touches(temperament, reason) and margin(temperament, lead) < temperament.yields:
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
