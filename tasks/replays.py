"""Deliberate again: only what failed, under other rules, or before another council."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from contracts.deliberation import Deliberation
from contracts.errors import NotFound
from contracts.juror import Endpoint, JurorSpec, Roster
from contracts.opinion import Opinion
from contracts.question import Question
from contracts.skill import WeightRule
from contracts.verdict import Verdict
from data.journal import Journal
from tasks.judging.decide import DECLINED
from tasks.judging.settle import rejudge
from tasks.reuse import reused
from tasks.stages import Stages


def failed_seats(old: Deliberation) -> frozenset[str]:
    """Return the jurors that could not be heard in some round; one that declined was heard."""
    return frozenset(
        opinion.juror for opinion in old.opinions if opinion.abstain_reason not in (None, DECLINED)
    )


def reusing(stages: Stages, old: Deliberation, again: frozenset[str]) -> Stages:
    """Return stages that ask only the jurors in `again`, and give the others' opinions of `old`.

    Where the debate is new, because a seat that is heard now splits the council, all are asked in
    round 2: there is nothing of them to use again.
    """
    kept = {
        (opinion.juror, opinion.round): opinion
        for opinion in old.opinions
        if opinion.juror not in again and opinion.abstain_reason in (None, DECLINED)
    }

    async def ask(question: Question, seat: JurorSpec, endpoint: Endpoint) -> Opinion:
        found = kept.get((seat.name, 1))
        return reused(found) if found else await stages.ask(question, seat, endpoint)

    async def reconsider(
        question: Question,
        seat: JurorSpec,
        endpoint: Endpoint,
        own: Opinion,
        opinions: Sequence[Opinion],
        roster: Roster,
    ) -> Opinion:
        if found := kept.get((seat.name, 2)):
            return reused(found)
        return await stages.reconsider(question, seat, endpoint, own, opinions, roster)

    return stages._replace(ask=ask, reconsider=reconsider)


def as_asked(old: Deliberation) -> Question:
    """Return the question as it was put: a slate from its round 1 is not part of it."""
    if old.question.options_source != "slate":
        return old.question
    return old.question.model_copy(update={"options": (), "options_source": "open"})


def judge_again(old: Deliberation, rules: Sequence[WeightRule] | None = None) -> Verdict:
    """Return the verdict on the stored opinions and bouts, under other rules where given."""
    memory = old.memory
    if rules is not None:
        memory = memory.model_copy(update={"rules": tuple(rules)})
    return rejudge(old.model_copy(update={"memory": memory}))


def judged_as_stored(old: Deliberation) -> bool:
    """Whether the stored verdict is, byte for byte, what the judge gives on what is stored."""
    return old.verdict.canonical_json() == judge_again(old).canonical_json()


def all_deliberations(home: Path) -> Iterator[Deliberation]:
    """Yield every deliberation of the journal."""
    for document in Journal(home).iter("deliberation"):
        yield document.record(Deliberation)


def whole(home: Path, deliberation_id: str) -> Deliberation:
    """Return one deliberation by its whole id.

    Raises:
        NotFound: when the journal has none.
    """
    document = Journal(home).get("deliberation", deliberation_id)
    if document is None:
        raise NotFound(f"no deliberation {deliberation_id!r}; `council history` lists them")
    return document.record(Deliberation)


def changes(old: Verdict, new: Verdict) -> tuple[tuple[str, str, str], ...]:
    """Return what differs between two verdicts: what, before, after."""
    before, after = _figures(old), _figures(new)
    return tuple(
        (name, before[name], after[name]) for name in before if before[name] != after[name]
    )


def _figures(verdict: Verdict) -> dict[str, str]:
    return {
        "verdict": verdict.option or verdict.status.replace("_", " "),
        "status": verdict.status.replace("_", " "),
        "split": verdict.split,
        "confidence": f"{verdict.confidence:.0%}",
        "silent seats": ", ".join(seat.juror for seat in verdict.failed_seats) or "none",
        "dissent": ", ".join(f"{d.juror}: {d.option}" for d in verdict.dissents) or "none",
    }
