"""One call of a bout: prompt, call, reading. Each raises ProviderError when nobody was heard."""

from typing import Any

from contracts.bout import Attack, Bout, Rebuttal, Score, Side
from contracts.opinion import Opinion
from tasks.arena.case import REOPENED, Case, Casting, Seat
from tasks.arena.requests import (
    Sides,
    attack_request,
    check_word,
    rebut_request,
    reopen_request,
    score_request,
    sides_of,
)
from tasks.jurors import RAW_CAP, opinion_from
from tasks.prompting import prompt_sha256
from tasks.providers.base import Request
from tasks.providers.registry import ask_once
from tasks.reading.pleas import read_attack, read_rebuttal, read_score


async def attack_verdict(case: Case, casting: Casting, earlier: tuple[str, ...] = ()) -> Attack:
    """Return a persona's attack. It has no claim where it found no weakness, or was not one.

    Raises:
        ProviderError: when the attacker could not be heard.
    """
    said = await _said(casting.attacker, attack_request(case, casting, earlier))
    read = read_attack(said["raw"], case.question)
    return Attack(
        claim=read.claim,
        assumption=read.assumption,
        severity=read.severity,
        option=read.option,
        fault=read.fault,
        **said,
    )


async def rebut_attack(case: Case, casting: Casting, attack: Attack) -> Rebuttal:
    """Return the answer to an attack.

    Raises:
        ProviderError: when the rebutter could not be heard.
    """
    said = await _said(casting.rebutter, rebut_request(case, casting, attack))
    return Rebuttal(answer=read_rebuttal(said["raw"]), **said)


async def score_bout(
    case: Case, scorer: Seat, attack: str, rebuttal: str, attack_side: Side
) -> Score:
    """Return one scorer's blind reading of two texts, of which the attack has `attack_side`.

    Raises:
        ProviderError: when the scorer could not be heard.
    """
    sides: Sides = sides_of(attack, rebuttal, attack_side)
    said = await _said(scorer, score_request(case, sides))
    read = read_score(said["raw"], check_word(sides))
    return Score(
        attack_side=attack_side,
        picked=read.picked,
        weight=read.weight,
        reason=read.reason,
        fault=read.fault,
        **said,
    )


async def reconsider_attacked(case: Case, seat: Seat, own: Opinion, bout: Bout) -> Opinion:
    """Return a juror's opinion after it has read an attack that overturned, and the reply.

    Raises:
        ProviderError: when the juror could not be heard.
    """
    request = reopen_request(case, own, bout)
    return await opinion_from(case.question, seat.spec, seat.endpoint, request, REOPENED)


async def _said(seat: Seat, request: Request) -> dict[str, Any]:
    """Return the fields that every plea has."""
    completion = await ask_once(seat.endpoint, request)
    return {
        "juror": seat.name,
        "raw": completion.text[:RAW_CAP],
        "via": completion.via,
        "model": completion.model or seat.endpoint.model,
        "simulated": completion.simulated,
        "prompt_sha256": prompt_sha256(request),
        "usage": completion.usage,
    }
