"""What past deliberations say of each juror on each topic: the evidence for rules."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from contracts.deliberation import Deliberation
from contracts.fit import PastVote
from contracts.proposal import DissentRow
from tasks.judging.options import options_known

QUESTION_CHARS = 160
MAX_EVIDENCE = 200
"""Newest dissents that a proposal shows."""


class Sitting(NamedTuple):
    """A past deliberation and what turned out to be right, where that is known."""

    deliberation: Deliberation
    right: str | None = None

    @property
    def stances(self) -> dict[str, str]:
        """Final stance of each juror that its own endpoint answered for."""
        one = self.deliberation
        elsewhere = {act.subject for act in one.activations if act.kind == "fallback"}
        return {
            vote.juror: ballot.option
            for ballot in one.verdict.ballots
            for vote in ballot.votes
            if vote.juror not in elsewhere
        }

    def votes(self) -> list[PastVote]:
        """Return the final stances as votes of the past."""
        one = self.deliberation
        return [
            PastVote(
                question_id=one.deliberation_id,
                topic=one.question.topic,
                juror=juror,
                option=stance,
                right=self.right,
                n_options=options_known(one.question),
            )
            for juror, stance in self.stances.items()
        ]


class Heard(NamedTuple):
    """One final stance of one juror."""

    sitting: Sitting
    stance: str
    others: tuple[str, ...]
    """Final stances of the others."""

    @property
    def verdict(self) -> str | None:
        """The option decided for, None where there was no decision."""
        return self.sitting.deliberation.verdict.option

    @property
    def is_dissent(self) -> bool:
        """Whether the council decided, and not for what the juror held."""
        return self.verdict is not None and self.verdict != self.stance


class Cell(NamedTuple):
    """All that one juror said on one topic, oldest first."""

    juror: str
    topic: str
    heard: tuple[Heard, ...]

    @property
    def known(self) -> list[Heard]:
        """Of which it is known what was right, and on which others can be compared with it."""
        return [one for one in self.heard if one.sitting.right is not None and one.others]

    @property
    def right(self) -> int:
        """Right answers among the known ones."""
        return sum(one.stance == one.sitting.right for one in self.known)

    @property
    def others_right(self) -> float:
        """The others' mean share of right answers on the same questions, summed.

        They count as one juror: on the same questions they are right and wrong together.
        """
        shares = (
            sum(stance == one.sitting.right for stance in one.others) / len(one.others)
            for one in self.known
        )
        return sum(shares)

    @property
    def dissents(self) -> tuple[Heard, ...]:
        """The last dissent on each different question, newest first."""
        last = {h.sitting.deliberation.question.question_id: h for h in self.heard if h.is_dissent}
        return tuple(sorted(last.values(), key=_age, reverse=True))

    @property
    def newest(self) -> datetime:
        """When the newest of its dissents was decided on; there must be one."""
        return self.dissents[0].sitting.deliberation.finished_at

    def rows(self) -> tuple[DissentRow, ...]:
        """Return the dissents as evidence."""
        return tuple(_row(one) for one in self.dissents[:MAX_EVIDENCE])


def cells_of(sittings: Iterable[Sitting], jurors: Sequence[str]) -> tuple[Cell, ...]:
    """Gather by juror and topic what these jurors said, replays in the place of what they replay.

    A topic that no rule can name (`*`, or with a bar or a line break in it) is left out.
    """
    ordered = sorted(sittings, key=lambda s: (s.deliberation.finished_at, _id(s)))
    replayed = {one.deliberation.replay_of for one in ordered}
    gathered: dict[tuple[str, str], list[Heard]] = defaultdict(list)
    for sitting in ordered:
        topic, stances = sitting.deliberation.question.topic, sitting.stances
        if _id(sitting) in replayed or not _nameable(topic):
            continue
        for juror in jurors:
            if juror in stances:
                others = tuple(said for name, said in stances.items() if name != juror)
                gathered[juror, topic].append(Heard(sitting, stances[juror], others))
    return tuple(Cell(*key, tuple(heard)) for key, heard in sorted(gathered.items()))


def _nameable(topic: str) -> bool:
    marks = any(mark in topic for mark in ("|", "```"))
    return topic.strip() not in {"", "*"} and topic.isprintable() and not marks


def _id(sitting: Sitting) -> str:
    return sitting.deliberation.deliberation_id


def _age(heard: Heard) -> tuple[datetime, str]:
    return heard.sitting.deliberation.finished_at, _id(heard.sitting)


def _row(heard: Heard) -> DissentRow:
    one = heard.sitting.deliberation
    return DissentRow(
        deliberation_id=one.deliberation_id,
        question=" ".join(one.question.text.split())[:QUESTION_CHARS],
        stance=heard.stance,
        verdict=heard.verdict or "",
        right=heard.sitting.right,
    )
