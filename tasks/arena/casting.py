"""Whether an arena is held, which personas come, and which seat does what: all by rule."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pydantic import ValidationError

from contracts.base import sha256_text
from contracts.errors import UsageError
from contracts.memory import ArenaMode, ArenaPolicy, Policy
from contracts.persona import Condition, Hyde, Persona
from contracts.question import Question
from contracts.skill import ANY_TOPIC
from contracts.verdict import Verdict
from tasks.arena.case import Case, Casting, Seat
from tasks.judging.rules import same_name

RISKY = "risky"
"""The tag of a question on which a wrong verdict is dear."""
FEWEST_CALLS = 4
"""Of one bout: attack, rebuttal, and one scorer asked twice."""

_MARGIN = re.compile(r"margin\s*<\s*(0?\.\d{1,9}|[01](?:\.0*)?)")
_PLAIN: tuple[ArenaMode, ...] = ("off", "auto", "contested-only", "always")


class Plan(NamedTuple):
    """How an arena fits into its budget."""

    rounds: int
    bouts: int
    """In each round."""
    scorers: int
    """Of each bout."""

    @property
    def calls(self) -> int:
        """Calls of all bouts, without a reopened round."""
        return self.rounds * self.bouts * (2 + 2 * self.scorers)


def arena_policy(
    text: str, *, personas: Sequence[str] = (), rounds: int = 1, reopen: bool = False
) -> ArenaPolicy:
    """Return the policy that `off`, `auto`, `contested-only`, `always` or `margin<0.2` asks for.

    Raises:
        UsageError: for anything else, or more personas or rounds than an arena takes.
    """
    wanted = text.strip().casefold()
    limit = _MARGIN.fullmatch(wanted)
    if limit is None and wanted not in _PLAIN:
        raise UsageError(f"--arena {text!r} is none of {', '.join(_PLAIN)}, or margin<0.2")
    fields: dict[str, object] = {"mode": wanted, "rounds": rounds, "reopen": reopen}
    if limit:
        fields |= {"mode": "margin", "margin": float(limit.group(1))}
    if named := tuple(dict.fromkeys(personas)):
        fields |= {"personas": named, "bouts": len(named)}
    try:
        return ArenaPolicy.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        raise UsageError(f"the arena's {first['loc'][0]}: {first['msg']}") from None


def with_arena(policy: Policy, text: str, *, reopen: bool = False) -> Policy:
    """Return the policy of judging with the arena that `text` asks for; see `arena_policy`."""
    return policy.model_copy(update={"arena": arena_policy(text, reopen=reopen)})


def called_for(question: Question, verdict: Verdict, policy: ArenaPolicy) -> bool:
    """Whether the policy wants an arena over this verdict. Without a decision there is none."""
    if not verdict.decided or policy.mode == "off":
        return False
    if policy.mode == "margin":
        return lead(verdict) < policy.margin
    contested = verdict.status != "unanimous"
    risky = any(same_name(tag, RISKY) for tag in question.tags)
    return policy.mode == "always" or contested or (policy.mode == "auto" and risky)


def plan(case: Case, personas: int) -> Plan:
    """Return how many bouts there are, within the policy's `max_calls`.

    An arena makes at most R × P × (2 + 2 S) calls, and N more when it reopens the debate:

        S = min(policy.scorers, seats that can argue - 2), but at least 1; each is asked twice
        P = min(policy.bouts, personas that apply), in each round
        R = policy.rounds
        N = seats that were heard

    and exactly so many when every call is answered at the first try and no attack is void. (A juror
    whose opinion in the reopened round cannot be read is asked once more, as in any round.) Where
    that is more than the budget, first the scorers become fewer, if there is no room for one bout,
    then the rounds, then the bouts of a round.

    Args:
        case: its seats, and the policy's limits.
        personas: how many apply.
    """
    policy = case.policy.arena
    room = policy.max_calls - reopening_calls(len(case.seats), policy)
    scorers = max(1, min(policy.scorers, len(case.speakers) - 2, (room - 2) // 2))
    possible = room // (2 + 2 * scorers)
    rounds = min(policy.rounds, possible)
    return Plan(rounds, min(policy.bouts, personas, possible // rounds), scorers)


def reopening_calls(heard: int, policy: ArenaPolicy) -> int:
    """Return the calls that are kept free for a reopened round; 0 where there will be none.

    There is none when the policy does not want it, or when the budget would not hold one bout
    beside it.
    """
    return heard if policy.reopen and policy.max_calls - heard >= FEWEST_CALLS else 0


def cast(case: Case, hyde: Hyde) -> tuple[tuple[Casting, ...], ...]:
    """Return who attacks, rebuts and scores, for each bout of each round. See `plan` for the calls.

    The personas are those that `applying` names first. A bout is rebutted by a seat that holds the
    verdict and attacked by another; neither scores it. With two seats or one the attacker scores,
    and the bout is marked so. Roles go round: who did least of a thing does it next, of equals the
    one that the question's hash puts first, so that nobody is chosen for what it would say.
    """
    personas = applying(hyde, case.question, case.verdict, case.policy.arena)
    if not personas or not case.speakers:
        return ()
    planned = plan(case, len(personas))
    turns, coming = _Turns(case), personas[: planned.bouts]
    names = tuple(persona.name for persona in coming)
    return tuple(
        tuple(
            turns.next(persona, number, planned.scorers).model_copy(
                update={"before": names[:place]}
            )
            for place, persona in enumerate(coming)
        )
        for number in range(1, planned.rounds + 1)
    )


def applying(
    hyde: Hyde, question: Question, verdict: Verdict, policy: ArenaPolicy
) -> tuple[Persona, ...]:
    """Return the personas that apply, in the order in which they are cast.

    First those that a casting rule always casts on the topic, then those of the topic, then those
    for which a condition holds, then those that always apply; of equals the one that the question's
    hash puts first, so that each gets its turn. A rule for the topic goes before one for all.

    Raises:
        UsageError: for a persona of the policy that the skill does not have.
    """
    if policy.personas:
        return tuple(_named(hyde, name) for name in policy.personas)
    holding = conditions(question, verdict)
    ranked = []
    for persona in hyde.personas:
        rank = _rank(persona, hyde, question, holding)
        if rank is not None:
            ranked.append((rank, _lot(question, persona.name), persona))
    return tuple(persona for _, _, persona in sorted(ranked, key=lambda row: row[:2]))


def check_personas(hyde: Hyde, policy: ArenaPolicy) -> None:
    """Check that the skill has the personas that the policy names, before anybody is asked.

    Raises:
        UsageError: naming those there are.
    """
    for name in policy.personas:
        _named(hyde, name)


def conditions(question: Question, verdict: Verdict) -> frozenset[Condition]:
    """Return the conditions of personas that hold for a verdict."""
    holding: set[Condition] = {"always"}
    holding.add("unanimous" if verdict.status == "unanimous" else "split")
    if lead(verdict) <= 1 / verdict.seats + 1e-9:
        holding.add("thin")
    if any(same_name(tag, RISKY) for tag in question.tags):
        holding.add("risky")
    if verdict.changed_minds:
        holding.add("moved")
    return frozenset(holding)


def lead(verdict: Verdict) -> float:
    """Return by what share of all weight the verdict's option leads the next one, in [-1, 1]."""
    shares = {ballot.option: ballot.share for ballot in verdict.ballots}
    own = shares.pop(verdict.option or "", 0.0)
    return own - max(shares.values(), default=0.0)


class _Turns:
    """Hands out roles, so that each seat gets its share of each."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._supporters = case.supporters()
        self._done: Counter[tuple[str, str]] = Counter()

    def next(self, persona: Persona, number: int, scorers: int) -> Casting:
        seats = self._case.speakers
        holding = [seat for seat in seats if seat.name in self._supporters] or list(seats)
        rebutter = next(self._in_turn("rebut", holding))
        others = [seat for seat in seats if seat != rebutter]
        attacker = next(self._in_turn("attack", others), rebutter)
        free = [seat for seat in others if seat != attacker]
        scoring = tuple(self._in_turn("score", free))[:scorers]
        for role, who in (("rebut", [rebutter]), ("attack", [attacker]), ("score", scoring)):
            self._done.update((role, seat.name) for seat in who)
        return Casting(
            persona=persona,
            round=number,
            attacker=attacker,
            rebutter=rebutter,
            scorers=scoring or (attacker,),
            self_scored=not scoring,
        )

    def _in_turn(self, role: str, seats: Sequence[Seat]) -> Iterator[Seat]:
        def key(seat: Seat) -> tuple[int, str]:
            return self._done[role, seat.name], _lot(self._case.question, role + seat.name)

        yield from sorted(seats, key=key)


def _rank(
    persona: Persona, hyde: Hyde, question: Question, holding: frozenset[Condition]
) -> int | None:
    """Return 0 for those cast first; None for a persona that does not apply."""
    for topic in (question.topic, ANY_TOPIC):
        for rule in hyde.casting:
            if same_name(rule.persona, persona.name) and same_name(rule.topic, topic):
                return 0 if rule.cast == "always" else None
    if any(same_name(topic, question.topic) for topic in persona.topics):
        return 1
    met = holding.intersection(persona.when)
    return None if not met else 3 if met == {"always"} else 2


def _named(hyde: Hyde, name: str) -> Persona:
    for persona in hyde.personas:
        if same_name(persona.name, name):
            return persona
    known = ", ".join(persona.name for persona in hyde.personas)
    raise UsageError(f"no persona is named {name!r}; there are {known}")


def _lot(question: Question, name: str) -> str:
    return sha256_text(f"{question.question_id}:{name}")
