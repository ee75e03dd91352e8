"""The stand-ins in the arena: attacks on what can be checked, rebuttals and scores from the table.

An attack is one of a few weaknesses that really are in a verdict: the known drawback of its option,
a trait that the option lacks, a reason that nothing on record bears out, a lead of one vote, a mind
that changed with no argument, a reason of the losing side that was passed over, what was given up.
A score adds up what each side says that the table bears out and that the scorer's temperament cares
about.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

from tasks.providers.base import Request
from tasks.providers.stand_in import (
    BLAME,
    NO,
    PRAISE,
    YES,
    Temperament,
    Traits,
    look_up,
    named,
    traits_of,
)

NO_REASON = "nothing that I weigh speaks clearly for either side"
THIN = "one juror the other way and the answer is another"
MOVED = "without naming an argument"
UNSUPPORTED = "nothing on record bears it out"
FORMAL = {THIN: 1.0, MOVED: 2.0, UNSUPPORTED: 1.5}
"""What faults in the form of a verdict weigh for every temperament."""
EVEN = 0.25
"""Sides closer than this are equal."""

PREFERRED: Mapping[str, tuple[str, ...]] = {
    "contrarian": ("passed over", "thin"),
    "attacker": ("unsupported", "drawback"),
    "cost hawk": ("cheap", "drawback"),
    "operator at 3 a.m.": ("simple", "drawback"),
    "long-term maintainer": ("reversible", "flexible"),
    "regulator": ("mature", "unsupported"),
    "end user": ("quick", "scales"),
    "newcomer": ("unsupported", "simple"),
    "historian": ("moved", "unsupported"),
    "statistician": ("thin", "moved", "unsupported"),
}
"""What each shipped persona looks for first."""
ANY = ("drawback", "unsupported", "thin", "moved", "passed over", *PRAISE, "given up")

Say = Callable[[Temperament, Request], dict[str, Any]]


class Weakness(NamedTuple):
    """Something that is wrong with a verdict, and how to see it."""

    claim: str
    assumption: str
    severity: int


class Ground(NamedTuple):
    """What a stand-in argues on."""

    question: str
    options: Sequence[str]
    temperament: Temperament

    def subject(self, option: str) -> str:
        """Return how the option is called in a sentence."""
        return named(self.options, self.options.index(option)) if option in self.options else option

    def traits(self, option: str) -> Traits:
        """Return the option's traits."""
        return traits_of(option, self.question, self.temperament)

    def entry(self, option: str) -> dict[str, Any] | None:
        """Return what the table knows of it; the status quo has no entry."""
        name = option.casefold()
        if name == NO:
            return None
        return look_up(self.question if name == YES else option)


def attack(temperament: Temperament, request: Request) -> dict[str, Any]:
    """Return the first weakness, in the persona's order, that nobody names before it."""
    facts = request.facts
    ground = Ground(str(facts["question"]), request.options, temperament)
    taken = {" ".join(str(claim).split()) for claim in facts["earlier"]}
    for name in facts["before"]:
        other = _first(str(name), ground, facts, taken)
        taken |= {other.claim} if other else set()
    found = _first(str(facts["persona"]), ground, facts, taken)
    if found is None:
        return {"claim": None, "assumption": "", "severity": 1, "option": None}
    return {**found._asdict(), "option": _rival(ground, facts)}


def rebut(temperament: Temperament, request: Request) -> dict[str, Any]:
    """Return what speaks for the option most, as far as the table bears it out."""
    ground = Ground(str(request.facts["question"]), request.options, temperament)
    option = str(request.facts["verdict"])
    worth = {
        trait: temperament.cares.get(trait, 0) * value
        for trait, value in ground.traits(option).items()
    }
    best = sorted((t for t in worth if worth[t] > 0), key=lambda t: (-worth[t], t))[:2]
    said = [f"{ground.subject(option)} {PRAISE[trait]}" for trait in best]
    return {"answer": "; ".join(said) or "That is so, and nothing that I weigh outweighs it."}


def score(temperament: Temperament, request: Request) -> dict[str, Any]:
    """Return which side says more that holds and that this temperament cares about."""
    ground = Ground(str(request.facts["question"]), request.options, temperament)
    one, other = (_force(str(text), ground) for text in request.facts["sides"])
    most, gap = max(one, other), abs(one - other)
    stronger = "neither" if gap < EVEN else "A" if one > other else "B"
    scale = max(most, sum(temperament.cares.values()) / 3)
    return {
        "check": request.facts["check"],
        "stronger": stronger,
        "weight": min(1 + round(4 * gap / scale), 5),
        "reason": f"what A says that holds weighs {one:g}, what B says {other:g}",
    }


PLEAS: Mapping[str, Say] = {"attack": attack, "rebut": rebut, "score": score}
"""What a stand-in does at each stage of a bout."""


def _first(
    persona: str, ground: Ground, facts: Mapping[str, Any], taken: AbstractSet[str]
) -> Weakness | None:
    for kind in (*PREFERRED.get(persona.casefold(), ()), *ANY):
        for weakness in _weaknesses(kind, ground, facts):
            if weakness.claim not in taken:
                return weakness
    return None


def _rival(ground: Ground, facts: Mapping[str, Any]) -> str | None:
    """Return the option with the most votes beside the verdict's, else another one."""
    others = [*(option for option, _ in facts["ballots"]), *ground.options]
    return next((name for name in others if name != facts["verdict"]), None)


def _weaknesses(kind: str, ground: Ground, facts: Mapping[str, Any]) -> Iterator[Weakness]:
    verdict = str(facts["verdict"])
    if kind in PRAISE:
        yield from _lacking(kind, ground, verdict)
    elif kind == "drawback":
        yield from _drawback(ground, verdict)
    elif kind == "thin":
        yield from _thin(facts)
    elif kind == "given up":
        yield from _given_up(ground, facts)
    else:
        for stance, reasons, moved_by in facts["said"]:
            if kind == "unsupported" and stance == verdict:
                yield from (_unsupported(r) for r in reasons if not _borne_out(r, ground))
            elif kind == "moved" and stance == verdict and moved_by == "":
                claim = f"a juror went over to {verdict} {MOVED}"
                yield Weakness(claim, "that it was convinced and not outnumbered", 3)
            elif kind == "passed over" and stance not in (verdict, None) and reasons:
                claim = f"the answer passes over this: {reasons[0]}"
                yield Weakness(claim, "that the side which lost had no point", 4)


def _lacking(trait: str, ground: Ground, verdict: str) -> Iterator[Weakness]:
    value = ground.traits(verdict).get(trait, 0)
    if value < 0:
        claim = f"{ground.subject(verdict)} {BLAME[trait]}"
        yield Weakness(claim, "that this can be put up with", 3 if value > -2 else 4)  # noqa: PLR2004


def _drawback(ground: Ground, verdict: str) -> Iterator[Weakness]:
    entry = ground.entry(verdict)
    if entry is not None:
        burden = -sum(value for value in entry["traits"].values() if value < 0)
        claim = f"{ground.subject(verdict)}: {entry['drawback']}"
        severity = min(2 + int((burden + 1) // 2), 5)
        yield Weakness(claim, "that this drawback does not weigh here", severity)


def _thin(facts: Mapping[str, Any]) -> Iterator[Weakness]:
    votes = dict(facts["ballots"])
    own = votes.pop(facts["verdict"], 0)
    most = max(votes.values(), default=0)
    if most and own - most <= 1:
        claim = f"{own} against {most}: {THIN}"
        yield Weakness(claim, "that so thin a lead says more than chance does", 3)


def _given_up(ground: Ground, facts: Mapping[str, Any]) -> Iterator[Weakness]:
    """Yield what the other option has and the verdict's has not, most first."""
    rival = _rival(ground, facts)
    if rival is None:
        return
    own, other = ground.traits(str(facts["verdict"])), ground.traits(rival)
    gaps = {trait: other.get(trait, 0) - own.get(trait, 0) for trait in PRAISE}
    for trait in sorted(gaps, key=lambda t: (-gaps[t], t)):
        if other.get(trait, 0) > 0 and gaps[trait] > 0:
            claim = f"{ground.subject(rival)} {PRAISE[trait]}, and the answer gives that up"
            yield Weakness(claim, "that nobody will miss it", 2 if gaps[trait] == 1 else 3)


def _unsupported(reason: str) -> Weakness:
    claim = f"“{reason}” carries the answer, and {UNSUPPORTED}"
    return Weakness(claim, "that it is true because it was said", 3)


def _borne_out(reason: str, ground: Ground) -> bool:
    """Whether the table supports a stand-in's reason; what a model says cannot be checked here."""
    if NO_REASON in reason:
        return False
    for option in ground.options:
        entry = ground.entry(option)
        for trait in PRAISE:
            if f"{ground.subject(option)} {PRAISE[trait]}" in reason:
                return option.casefold() == NO or _sign(entry, trait) > 0
            if f"{ground.subject(option)} {BLAME[trait]}" in reason:
                return _sign(entry, trait) < 0
    return True


def _sign(entry: Mapping[str, Any] | None, trait: str) -> float:
    return float(entry["traits"].get(trait, 0)) if entry else 0.0


def _force(text: str, ground: Ground) -> float:
    cares = ground.temperament.cares
    total = sum(weight for words, weight in FORMAL.items() if words in text)
    for option in ground.options:
        subject, traits, entry = ground.subject(option), ground.traits(option), ground.entry(option)
        for trait in PRAISE:
            value = cares.get(trait, 0) * traits.get(trait, 0)
            if f"{subject} {PRAISE[trait]}" in text:
                total += max(value, 0)
            if f"{subject} {BLAME[trait]}" in text:
                total += max(-value, 0)
        if entry and entry["drawback"] in text:
            total += sum(max(-cares.get(t, 0) * value, 0) for t, value in entry["traits"].items())
    return total
