"""One juror, one round: prompt, call, reading, stance."""

from collections.abc import Awaitable, Callable, Sequence

from contracts.errors import ProviderError
from contracts.evidence import PARTIAL
from contracts.juror import Endpoint, JurorSpec, Roster
from contracts.opinion import Opinion, Usage
from contracts.question import Question
from tasks.prompting import (
    ask_request,
    prompt_sha256,
    reconsider_request,
    repair_request,
    shown_to,
)
from tasks.providers.base import Completion, Request
from tasks.providers.registry import ask_once
from tasks.reading.reply import Reply, read_reply
from tasks.reading.stance import Answer, Reading, read_stance

RAW_CAP = 20_000
"""Characters of a reply that are kept."""

Call = Callable[[Endpoint, Request], Awaitable[Completion]]


async def ask_juror(
    question: Question, seat: JurorSpec, endpoint: Endpoint, *, call: Call = ask_once
) -> Opinion:
    """Return the juror's opinion in round 1, alone with the question.

    Raises:
        ProviderError: when the endpoint could not be heard. A reply that cannot be read is no
            error: it is an opinion that abstains.
    """
    return await opinion_from(question, seat, endpoint, ask_request(question, seat.name), 1, call)


async def reconsider_juror(
    question: Question,
    seat: JurorSpec,
    endpoint: Endpoint,
    own: Opinion,
    opinions: Sequence[Opinion],
    roster: Roster,
    *,
    call: Call = ask_once,
) -> Opinion:
    """Return the juror's opinion in round 2, after reading the others without their names.

    Raises:
        ProviderError: as `ask_juror`.
    """
    shown = shown_to(question, seat.name, opinions, roster)
    request = reconsider_request(question, seat.name, own, shown)
    return await opinion_from(question, seat, endpoint, request, 2, call)


def silent(seat: JurorSpec, round_number: int, error: ProviderError) -> Opinion:
    """Return the abstention of a seat that could not be heard."""
    return Opinion.model_validate(
        {
            "juror": seat.name,
            "round": round_number,
            "abstain_reason": error.kind,
            "abstain_detail": str(error)[:1000],
            "via": seat.provider,
            "model": seat.model,
            "family": seat.family,
        }
    )


async def opinion_from(
    question: Question,
    seat: JurorSpec,
    endpoint: Endpoint,
    request: Request,
    round_number: int,
    call: Call = ask_once,
) -> Opinion:
    """Return what an endpoint answers to a request for an opinion, read, with one repair at most.

    Raises:
        ProviderError: when the endpoint could not be heard.
    """
    completion = await call(endpoint, request)
    reply = _read(completion, question, request)
    usage, flags = completion.usage, completion.flags
    if _worth_a_repair(reply, question):
        try:
            again = await call(
                endpoint, repair_request(request, reply.detail or "it names no option")
            )
        except ProviderError:
            flags = (*flags, "repair_failed")
        else:
            completion, reply = again, _read(again, question, request)
            usage, flags = _sum(usage, again.usage), (*flags, *again.flags, "repaired")
    fields = _said(reply, question)
    if any(evidence.partial for evidence in question.evidence):
        flags = (*flags, PARTIAL)
    if "likelihood" in flags and fields.get("stance"):
        fields["stance_reading"] = "likelihood"
    return Opinion.model_validate(
        {
            **fields,
            "juror": seat.name,
            "round": round_number,
            "raw": completion.text[:RAW_CAP],
            "flags": tuple(dict.fromkeys((*flags, *reply.flags))),
            "via": completion.via,
            "model": completion.model or endpoint.model,
            "family": seat.family,
            "provider_version": completion.provider_version,
            "session_id": completion.session_id,
            "simulated": completion.simulated,
            "prompt_sha256": prompt_sha256(request),
            "usage": usage,
        }
    )


def _read(completion: Completion, question: Question, request: Request) -> Reply:
    return read_reply(
        completion.text,
        question,
        finish_reason=completion.finish_reason,
        prompt=request.user,
    )


def _worth_a_repair(reply: Reply, question: Question) -> bool:
    """Also where prose, in place of the object asked for, names none of the options."""
    if reply.status != "ok" or "prose" not in reply.flags or not question.options:
        return reply.worth_a_repair
    return _stance(reply, question).stance is None


def _stance(reply: Reply, question: Question) -> Reading:
    return read_stance(Answer(reply.choice, reply.position, reply.reasons), question)


def _said(reply: Reply, question: Question) -> dict[str, object]:
    """Return the fields of an opinion that the reply itself fills."""
    if reply.status != "ok":
        return {"abstain_reason": reply.kind, "abstain_detail": reply.detail}
    fields: dict[str, object] = {
        "position": reply.position,
        "reasons": reply.reasons,
        "confidence": reply.confidence,
        "changed_by": reply.changed_by,
    }
    if not question.options:
        # An open question: the position stands for itself until the slate is made.
        return fields | {"stance": reply.position, "stance_reading": "position"}
    reading = _stance(reply, question)
    if reading.stance is None:
        return fields | {"abstain_reason": "no_stance", "abstain_detail": reading.note}
    return fields | {"stance": reading.stance, "stance_reading": reading.how}


def _sum(one: Usage, other: Usage) -> Usage:
    def add(a: float | None, b: float | None) -> float | None:
        return None if a is None and b is None else (a or 0) + (b or 0)

    return Usage.model_validate(
        {name: add(getattr(one, name), getattr(other, name)) for name in Usage.model_fields}
    )
