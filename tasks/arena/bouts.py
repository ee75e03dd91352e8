"""One bout: attack, rebuttal, blind scores in both orders, ruling."""

import asyncio

from contracts.base import sha256_text
from contracts.bout import Attack, Bout, Rebuttal, Score, Side
from contracts.errors import ProviderError
from tasks.arena.case import Case, Casting, Seat
from tasks.arena.requests import NOTHING, attack_side, rebuttal_side
from tasks.arena.stages import ArenaStages
from tasks.judging.scoring import rule
from tasks.prompting import blot
from tasks.reading.guard import neutral, why_instructing
from tasks.reading.pleas import MAX_ANSWER

ORDERS: tuple[Side, Side] = ("A", "B")


async def hold_bout(
    case: Case, casting: Casting, stages: ArenaStages, earlier: tuple[str, ...] = ()
) -> Bout:
    """Return one bout, whatever became of it: a seat that fails makes it void and ends nothing.

    `earlier` are the claims of the rounds before.
    """
    try:
        attack = await stages.attack(case, casting, earlier)
    except ProviderError as error:
        return _bout(case, casting, void=f"no attack was made ({error.kind})")
    void = why_void(attack, case)
    if void is not None:
        return _bout(case, casting, attack=attack, void=void)
    try:
        rebuttal = await stages.rebut(case, casting, attack)
    except ProviderError as error:
        return _bout(case, casting, attack=attack, void=f"nobody rebutted it ({error.kind})")
    rebuttal = sound(rebuttal, case)
    scores = await _scores(case, casting, stages, attack, rebuttal)
    ruling = rule(
        scores,
        attack.severity,
        self_scored=casting.self_scored,
        overturning=case.policy.arena.overturning,
    )
    return _bout(
        case,
        casting,
        attack=attack,
        rebuttal=rebuttal,
        scores=scores,
        outcome=ruling.outcome,
        severity=ruling.severity,
        void=None if ruling.outcome else f"no scorer could be read ({_faults(scores)})",
    )


def why_void(attack: Attack, case: Case) -> str | None:
    """Return why an attack does not count; None for one that is to be answered."""
    if attack.fault is not None:
        return f"no attack was made ({attack.fault})"
    if attack.claim is None:
        return "it found no weakness"
    text = f"{attack.claim}\n{attack.assumption}"
    why = why_instructing(text, case.question.option_names, attack.raw)
    return f"it tried to instruct the scorers: {why}" if why else None


def sound(rebuttal: Rebuttal, case: Case) -> Rebuttal:
    """Return the rebuttal that is scored.

    One that tries to instruct the scorers, or says nothing, is struck out, and the reasons on
    record stand in its place: a foul must not make the attack void that it answers.
    """
    why = why_instructing(rebuttal.answer, case.question.option_names, rebuttal.raw)
    if rebuttal.answer and why is None:
        return rebuttal
    return rebuttal.model_copy(
        update={"answer": on_record(case), "struck": why or "it says nothing"}
    )


def on_record(case: Case) -> str:
    """Return the reasons given for the verdict, without those that instruct."""
    names = case.question.option_names
    supporters = case.supporters()
    reasons = [o.lead_reason for o in case.last_opinions() if o.juror in supporters]
    held = [reason for reason in dict.fromkeys(reasons) if not why_instructing(reason, names)]
    return neutral(blot(" ".join(held), case.roster), MAX_ANSWER) or NOTHING


async def _scores(
    case: Case, casting: Casting, stages: ArenaStages, attack: Attack, rebuttal: Rebuttal
) -> tuple[Score, ...]:
    shown = attack_side(attack, case.roster, casting), rebuttal_side(rebuttal, case.roster)

    async def one(scorer: Seat, side: Side) -> Score:
        try:
            return await stages.score(case, casting, scorer, *shown, side)
        except ProviderError as error:
            return Score(juror=scorer.name, attack_side=side, fault=error.kind)

    every = [one(scorer, side) for scorer in casting.scorers for side in ORDERS]
    return tuple(await asyncio.gather(*every))


def _faults(scores: tuple[Score, ...]) -> str:
    return ", ".join(sorted({score.fault for score in scores if score.fault}))


def _bout(case: Case, casting: Casting, **fields: object) -> Bout:
    identity = f"{case.arena_id}:{casting.persona.name}:{casting.round}"
    return Bout.model_validate(
        {
            "bout_id": sha256_text(identity)[:16],
            "persona": casting.persona.name,
            "round": casting.round,
            "topic": case.question.topic,
            "option": case.option,
            "self_scored": casting.self_scored,
            **fields,
        }
    )
