"""What an arena is held over, and who sits in it."""

from collections.abc import Mapping, Sequence
from typing import Self

from contracts.base import Record
from contracts.deliberation import Deliberation
from contracts.juror import Endpoint, JurorSpec, Roster
from contracts.memory import Memory, Policy
from contracts.opinion import Opinion
from contracts.persona import Persona
from contracts.question import Question
from contracts.verdict import Verdict
from tasks.seating import chain

REOPENED = 3
"""Round of the opinions that follow an overturned bout."""
ONLY_CHOOSE = frozenset({"local"})
"""Providers that pick an option and write no argument."""


class Seat(Record):
    """A seat with the endpoint that answers for it."""

    spec: JurorSpec
    endpoint: Endpoint

    @property
    def name(self) -> str:
        """Name of the juror."""
        return self.spec.name


class Case(Record):
    """A decided question: what was said, what was decided, and who can be asked about it."""

    arena_id: str
    """The deliberation's id, or that of an arena over a kept one: bouts are named after it."""
    question: Question
    roster: Roster
    verdict: Verdict
    """As the judge gave it."""
    opinions: tuple[Opinion, ...]
    """Of all rounds."""
    policy: Policy
    memory: Memory
    seats: tuple[Seat, ...]
    """Those that were heard, in the order of the roster."""

    @classmethod
    def stored(cls, old: Deliberation, policy: Policy, arena_id: str) -> Self:
        """Return the case of a kept deliberation: the last verdict that the judge itself gave.

        A seat is asked again through the endpoint that answered then. A debate that was reopened
        once is not reopened again.
        """
        judged = old.verdict
        if old.contest is not None and old.verdict == old.contest.settled:
            judged = old.contest.judged
        if any(opinion.round == REOPENED for opinion in old.opinions):
            closed = policy.arena.model_copy(update={"reopen": False})
            policy = policy.model_copy(update={"arena": closed})
        return cls(
            arena_id=arena_id,
            question=old.question,
            roster=old.roster,
            verdict=judged,
            opinions=old.opinions,
            policy=policy,
            memory=old.memory,
            seats=heard_seats(old.roster, old.opinions, {}),
        )

    @property
    def option(self) -> str:
        """The option that was decided for."""
        return self.verdict.option or ""

    @property
    def speakers(self) -> tuple[Seat, ...]:
        """Seats that can attack, rebut and score."""
        return tuple(seat for seat in self.seats if seat.endpoint.provider not in ONLY_CHOOSE)

    def last_opinions(self) -> tuple[Opinion, ...]:
        """Return each juror's last opinion with a stance, in the order of the jurors' names."""
        last: dict[str, Opinion] = {}
        for opinion in sorted(self.opinions, key=lambda o: (o.juror, o.round)):
            if opinion.stance is not None:
                last[opinion.juror] = opinion
        return tuple(last.values())

    def supporters(self) -> frozenset[str]:
        """Return the jurors whose last stance is the option that was decided for."""
        return frozenset(o.juror for o in self.last_opinions() if o.stance == self.option)


class Casting(Record):
    """Who does what in one bout."""

    persona: Persona
    round: int
    attacker: Seat
    rebutter: Seat
    scorers: tuple[Seat, ...]
    self_scored: bool
    """For want of seats the attacker scores."""
    before: tuple[str, ...] = ()
    """Personas that are cast before this one in the round, each with its own attack."""


def heard_seats(
    roster: Roster, opinions: Sequence[Opinion], endpoints: Mapping[str, Endpoint]
) -> tuple[Seat, ...]:
    """Return the seats that gave an answer at all, each with the endpoint that gave it.

    `endpoints` says which by name of the juror; else it is found by provider and model.
    """
    answered = {o.juror: o for o in sorted(opinions, key=lambda o: -o.round) if o.raw or o.stance}
    return tuple(
        Seat(
            spec=juror,
            endpoint=endpoints.get(juror.name) or _endpoint_of(juror, answered[juror.name], roster),
        )
        for juror in roster.jurors
        if juror.name in answered
    )


def _endpoint_of(juror: JurorSpec, opinion: Opinion, roster: Roster) -> Endpoint:
    for endpoint in chain(juror, roster):
        if (endpoint.provider, endpoint.model) == (opinion.via, opinion.model):
            return endpoint
    return juror.endpoint
