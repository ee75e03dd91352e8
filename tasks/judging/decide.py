"""The judge: from opinions and memory to one verdict. Pure, total, order-free."""

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from contracts.memory import Memory, Policy
from contracts.opinion import OTHER, Opinion
from contracts.question import Question
from contracts.verdict import (
    Ballot,
    ChangedMind,
    Dissent,
    FailedSeat,
    Verdict,
    VerdictBefore,
    VerdictStatus,
)
from tasks.judging.ballots import cast_ballots
from tasks.judging.consensus import hollow_consensus
from tasks.judging.partial import partial_evidence

DECLINED = "declined"
"""The one abstention by which a juror takes back what it said before."""


class Standing(NamedTuple):
    """How the ballots stand."""

    status: VerdictStatus
    option: str | None
    warnings: tuple[str, ...] = ()


def decide(
    question: Question, opinions: Iterable[Opinion], memory: Memory, policy: Policy
) -> Verdict:
    """Return the verdict on `question`.

    Each juror counts once, with its last opinion: a later round replaces an earlier one, unless the
    juror could not be heard in it. Every seat needs at least one opinion, an abstention if need be:
    the seats are counted from them. Weights closer than `policy.tie_margin` are a tie, and a tie is
    `hung`. `other` cannot win: jurors outside the options need not agree with each other.

    Ballots weigh what `memory.fit` says, times the rules; the confidence is the probability, in
    (0, 1), that the leading option is right. While nothing was learned all weigh the same and it is
    the smoothed share of the votes. After a debate both go by what was learned after debates.
    """
    heard = _by_juror(opinions)
    final = {juror: _last(rounds) for juror, rounds in heard.items()}
    debated = any(opinion.round > 1 for rounds in heard.values() for opinion in rounds)
    cast = cast_ballots(question, final, memory, "debated" if debated else "alone")
    standing = _stand(cast.ballots, len(final), policy)
    changed = _changed_minds(heard, final)
    leaned_on = partial_evidence(question, final)
    return Verdict(
        status=standing.status,
        option=standing.option,
        split=split_of(cast.ballots),
        confidence=cast.confidence,
        calibrated=cast.calibrated,
        basis=cast.basis,
        n_outcomes=cast.n_outcomes,
        seats=len(heard),
        ballots=cast.ballots,
        dissents=_dissents(standing.option, cast.ballots, final),
        changed_minds=changed,
        failed_seats=_failed(final),
        before_debate=_before_debate(question, heard, memory, policy) if debated else None,
        rules_applied=cast.rules,
        partial_evidence=tuple(leaned_on),
        precedents=tuple(precedent.deliberation_id for precedent in memory.precedents),
        effective_jurors=cast.effective_jurors,
        warnings=(
            *standing.warnings,
            *cast.warnings,
            *hollow_consensus(final, changed),
            *leaned_on.values(),
            *_reused(final),
            *memory.notes,
        ),
        simulated=any(opinion.simulated and opinion.stance for opinion in final.values()),
        memory_sha256=memory.sha256(),
        policy_sha256=policy.sha256(),
    )


def split_of(ballots: Sequence[Ballot]) -> str:
    """Return the jurors per camp, largest first: `2–1`; `0` when nobody chose."""
    sizes = sorted((len(ballot.votes) for ballot in ballots), reverse=True)
    return "–".join(map(str, sizes)) or "0"


def camps(opinions: Iterable[Opinion]) -> frozenset[str]:
    """Return the distinct stances that were taken."""
    return frozenset(opinion.stance for opinion in opinions if opinion.stance is not None)


def _by_juror(opinions: Iterable[Opinion]) -> dict[str, list[Opinion]]:
    """Group by juror, rounds ascending, one opinion a round whatever the input repeats."""
    said: dict[tuple[str, int], list[Opinion]] = {}
    for opinion in opinions:
        said.setdefault((opinion.juror, opinion.round), []).append(opinion)
    heard: dict[str, list[Opinion]] = {}
    for (juror, _), same in sorted(said.items(), key=itemgetter(0)):
        one = same[0] if len(same) == 1 else min(same, key=Opinion.model_dump_json)
        heard.setdefault(juror, []).append(one)
    return heard


def _last(rounds: Sequence[Opinion]) -> Opinion:
    """Return the opinion that counts: the last that was heard, else the last failure."""
    for opinion in reversed(rounds):
        if opinion.stance is not None or opinion.abstain_reason == DECLINED:
            return opinion
    return rounds[-1]


def _stand(ballots: Sequence[Ballot], seats: int, policy: Policy) -> Standing:
    counted = sum(len(ballot.votes) for ballot in ballots)
    eligible = [ballot for ballot in ballots if ballot.option != OTHER]
    others = sum(ballot.weight for ballot in ballots if ballot.option == OTHER)
    lead = eligible[0].weight if eligible else 0.0
    if counted < max(policy.quorum, policy.quorum_share * seats):
        told = f"no quorum: {counted} of {seats} seats gave an opinion with a stance"
        return Standing("no_quorum", None, (told,))
    if others > lead - policy.tie_margin:
        told = "the options were rejected: as many or more chose something outside them"
        return Standing("hung", None, (told,))
    rivals = [b.option for b in eligible if abs(b.weight - lead) <= policy.tie_margin]
    if len(rivals) > 1:
        return Standing("hung", None, (f"tied: {' = '.join(rivals)}",))
    return _win(eligible, seats)


def _win(eligible: Sequence[Ballot], seats: int) -> Standing:
    winner, size = eligible[0], len(eligible[0].votes)
    warnings = tuple(
        f"{winner.option} won by weight: {len(rival.votes)} jurors chose {rival.option}, {size} it"
        for rival in eligible[1:]
        if len(rival.votes) > size
    )
    status: VerdictStatus = "plurality"
    if size == seats:
        status = "unanimous"
    elif 2 * size > seats:
        status = "majority"
    return Standing(status, winner.option, warnings)


def _dissents(
    option: str | None, ballots: Sequence[Ballot], final: Mapping[str, Opinion]
) -> tuple[Dissent, ...]:
    if option is None:
        return ()
    against = [b for b in ballots if b.option != option]
    return tuple(
        Dissent(
            juror=vote.juror,
            option=ballot.option,
            reason=_one_line(final[vote.juror]),
            reading=final[vote.juror].stance_reading or "explicit",
        )
        for ballot in against
        for vote in ballot.votes
    )


def _one_line(opinion: Opinion) -> str:
    said = opinion.lead_reason or opinion.position or ""
    if opinion.stance == OTHER and opinion.position:
        said = f"{opinion.position} ({opinion.lead_reason})" if opinion.reasons else said
    return " ".join(said.split())[:300] or "gave no reason"


def _changed_minds(
    heard: Mapping[str, Sequence[Opinion]], final: Mapping[str, Opinion]
) -> tuple[ChangedMind, ...]:
    changed = []
    for juror, last in sorted(final.items()):
        first = heard[juror][0]
        if first.stance and last.stance and last.stance != first.stance:
            moved_by = " ".join((last.changed_by or "").split())[:300]
            changed.append(
                ChangedMind(juror=juror, before=first.stance, after=last.stance, moved_by=moved_by)
            )
    return tuple(changed)


def _failed(final: Mapping[str, Opinion]) -> tuple[FailedSeat, ...]:
    return tuple(
        FailedSeat(juror=juror, reason=opinion.abstain_reason, detail=opinion.abstain_detail or "")
        for juror, opinion in sorted(final.items())
        if opinion.abstain_reason is not None
    )


def _reused(final: Mapping[str, Opinion]) -> tuple[str, ...]:
    jurors = [juror for juror, opinion in sorted(final.items()) if "reused" in opinion.flags]
    return (f"reused: an earlier opinion of {', '.join(jurors)}",) if jurors else ()


def _before_debate(
    question: Question, heard: Mapping[str, Sequence[Opinion]], memory: Memory, policy: Policy
) -> VerdictBefore:
    """Judge round 1 alone."""
    first = {juror: rounds[0] for juror, rounds in heard.items()}
    cast = cast_ballots(question, first, memory, "alone")
    standing = _stand(cast.ballots, len(first), policy)
    return VerdictBefore(
        status=standing.status,
        option=standing.option,
        split=split_of(cast.ballots),
        confidence=cast.confidence,
    )
