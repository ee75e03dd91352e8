"""The graph of one deliberation, written once over whatever stages an engine gives."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from datetime import datetime
from typing import NamedTuple
from uuid import uuid4

from contracts.activation import Activation
from contracts.base import Record, sha256_text
from contracts.deliberation import Deliberation, Engine
from contracts.errors import ProviderError
from contracts.juror import Endpoint, JurorSpec, Roster
from contracts.memory import Memory, Policy
from contracts.opinion import Opinion
from contracts.persona import Hyde
from contracts.question import Question
from contracts.verdict import Verdict
from tasks.arena.arena import hold_arena
from tasks.arena.case import Case, heard_seats
from tasks.arena.casting import called_for, check_personas
from tasks.evidence import NO_WORK, Work, act_on, activations, gather_evidence
from tasks.judging.decide import camps, decide
from tasks.judging.rules import describe
from tasks.jurors import silent
from tasks.seating import chain
from tasks.stages import Stages, now


class Session(Record):
    """What is known of a run before it starts."""

    deliberation_id: str
    engine: Engine
    started_at: datetime
    flow_run_id: str | None = None
    batch_id: str | None = None
    replay_of: str | None = None


class Event(NamedTuple):
    """Something that just happened, for whoever watches."""

    kind: str
    """`asking`, `opinion`, `debate`, `verdict`, `arena`, `bout`, `delegated`, `warning`,
    `recorded`."""
    subject: str
    text: str


Watch = Callable[[Event], None]


class Heard(NamedTuple):
    """A seat's opinion, the endpoint that gave it, and what had to be done to hear it."""

    opinion: Opinion
    endpoint: Endpoint
    activations: tuple[Activation, ...]


def unwatched(event: Event) -> None:
    """Watch nothing."""


watching: ContextVar[Watch] = ContextVar("watching", default=unwatched)
"""Who watches a flow: a flow's parameters are data, and a callback is not."""


def new_session(
    engine: Engine, *, flow_run_id: str | None = None, replay_of: str | None = None
) -> Session:
    """Return the session of one deliberation, started now.

    Its id follows from the flow run, so that a run which is carried on after a crash records the
    same deliberation and not a second one.
    """
    return Session(
        deliberation_id=sha256_text(flow_run_id or uuid4().hex)[:16],
        engine=engine,
        flow_run_id=flow_run_id,
        replay_of=replay_of,
        started_at=now(),
    )


async def deliberate(
    question: Question,
    roster: Roster,
    policy: Policy,
    stages: Stages,
    session: Session,
    watch: Watch = unwatched,
    work: Work = NO_WORK,
) -> Deliberation:
    """Gather evidence, ask, debate where they split, judge, attack, record, report, act.

    Returns all that was said and decided.

    A juror that fails is an abstention. What does raise is a mistake in the set-up (SkillError,
    ConfigError), a disk that does not take the record (StoreError), or evidence that did not come
    as it must (EvidenceMissing).
    """
    memory = await stages.recall(question, roster)
    hyde = await _personas(policy, stages)
    tell, place = (lambda *what: watch(Event(*what))), session.deliberation_id
    question = await gather_evidence(question, work, policy, stages.work, place, tell)
    heard = await asyncio.gather(
        *(_ask(question, seat, roster, stages, watch) for seat in roster.jurors)
    )
    question, first = await stages.close(question, [one.opinion for one in heard])
    again: Sequence[Heard] = ()
    endpoints = {one.opinion.juror: one.endpoint for one in heard}
    if policy.debate and len(camps(first)) > 1:
        watch(Event("debate", "", f"{len(camps(first))} camps: a second round"))
        again = await _debate(question, first, endpoints, roster, stages, watch)
    opinions = (*first, *(one.opinion for one in again))
    verdict = await stages.judge(question, opinions, memory, policy)
    watch(Event("verdict", verdict.option or verdict.status, verdict.split))
    acted = [act for one in (*heard, *again) for act in one.activations]
    acted += _took_part(question, opinions, verdict, memory, policy)
    contest = None
    if hyde is not None and called_for(question, verdict, policy.arena):
        case = Case(
            arena_id=session.deliberation_id,
            question=question,
            roster=roster,
            verdict=verdict,
            opinions=opinions,
            policy=policy,
            memory=memory,
            seats=heard_seats(roster, opinions, endpoints),
        )
        held = await hold_arena(case, hyde, stages.arena(), tell)
        contest, verdict, opinions = held.contest, held.verdict, (*opinions, *held.opinions)
        acted += held.activations
    text, worded = await stages.word(question, verdict, opinions, roster)
    acted += [*worded, *activations(question, verdict, work)]
    deliberation = Deliberation(
        **session.model_dump(),
        question=question,
        roster=roster,
        policy=policy,
        memory=memory,
        opinions=opinions,
        verdict=verdict,
        contest=contest,
        foreman_text=text,
        activations=tuple(acted),
        finished_at=now(),
    )
    await stages.record(deliberation)
    for note in await stages.mirror(deliberation):
        watch(Event("warning", "memory", note))
    await stages.report(deliberation)
    watch(Event("recorded", session.deliberation_id, ""))
    await act_on(deliberation, work, stages.work, tell)
    return deliberation


async def _personas(policy: Policy, stages: Stages) -> Hyde | None:
    """Return the arena's personas where one may be held: a mistake in them costs no call then."""
    if policy.arena.mode == "off":
        return None
    hyde = await stages.arena().personas()
    check_personas(hyde, policy.arena)
    return hyde


async def _ask(
    question: Question, seat: JurorSpec, roster: Roster, stages: Stages, watch: Watch
) -> Heard:
    """Ask a seat along its chain of endpoints; the last failure is its abstention."""
    watch(Event("asking", seat.name, ""))
    fallbacks: list[Activation] = []
    endpoints = chain(seat, roster)
    for position, endpoint in enumerate(endpoints, 1):
        try:
            opinion = await stages.ask(question, seat, endpoint)
        except ProviderError as error:
            failed, via = error, f"{endpoint.provider} {endpoint.model}"
            last = position == len(endpoints)
            then = "abstained" if last else f"asked {endpoints[position].provider} instead"
            effect = f"{via} failed ({error.kind}: {error}); {then}"
            fallbacks.append(Activation(kind="fallback", subject=seat.name, effect=effect[:1000]))
        else:
            watch(Event("opinion", seat.name, opinion.stance or opinion.abstain_reason or ""))
            return Heard(opinion, endpoint, tuple(fallbacks))
    watch(Event("opinion", seat.name, failed.kind))
    acts = tuple(fallbacks) if len(endpoints) > 1 else ()
    return Heard(silent(seat, 1, failed), seat.endpoint, acts)


async def _debate(
    question: Question,
    first: Sequence[Opinion],
    endpoints: Mapping[str, Endpoint],
    roster: Roster,
    stages: Stages,
    watch: Watch,
) -> Sequence[Heard]:
    """Ask again every seat that answered at all, each shown what the others said.

    The endpoint that answered in round 1 is asked again: another model would be another juror.
    """

    async def once(own: Opinion) -> Heard:
        seat, endpoint = seats[own.juror], endpoints[own.juror]
        try:
            opinion = await stages.reconsider(question, seat, endpoint, own, first, roster)
        except ProviderError as error:
            effect = f"could not be heard again ({error.kind}); its first opinion stands"
            act = Activation(kind="debate", subject=seat.name, effect=effect)
            return Heard(silent(seat, 2, error), endpoint, (act,))
        watch(Event("opinion", seat.name, opinion.stance or opinion.abstain_reason or ""))
        return Heard(opinion, endpoint, ())

    seats = {seat.name: seat for seat in roster.jurors}
    return await asyncio.gather(*(once(opinion) for opinion in first if opinion.raw))


def _took_part(
    question: Question,
    opinions: Sequence[Opinion],
    verdict: Verdict,
    memory: Memory,
    policy: Policy,
) -> list[Activation]:
    """Return the debate, what was learned and the rules, and whether they turned the verdict."""
    acts = []
    if memory.fit is not None:
        plain = decide(question, opinions, memory.model_copy(update={"fit": None}), policy)
        turned, subject = plain.option != verdict.option, memory.memory_id or "what was learned"
        effect = f"weighed the jurors; all alike: {plain.option or plain.status} {plain.split}"
        acts.append(Activation(kind="memory", subject=subject, effect=effect, turned=turned))
    if verdict.before_debate is not None:
        before, moved = verdict.before_debate, len(verdict.changed_minds)
        effect = f"{moved} changed; {before.option or before.status} {before.split} before, "
        effect += f"{verdict.option or verdict.status} {verdict.split} after"
        turned = before.option != verdict.option
        acts.append(Activation(kind="debate", subject="round 2", effect=effect, turned=turned))
    for rule in memory.rules:
        if describe(rule) not in verdict.rules_applied:
            continue
        rest = tuple(other for other in memory.rules if other != rule)
        without = decide(question, opinions, memory.model_copy(update={"rules": rest}), policy)
        turned = without.option != verdict.option
        effect = f"× {rule.weight:g}; without it: {without.option or without.status}"
        acts.append(Activation(kind="rule", subject=describe(rule), effect=effect, turned=turned))
    return acts
