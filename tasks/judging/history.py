"""Past votes as arrays. The same votes in any order give the same arrays."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from contracts.fit import PastVote

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

OPEN_OPTIONS = 20
"""Options that a question counts for where anything could be said."""
NOBODY = -1


@dataclass(frozen=True, slots=True)
class History:
    """Votes on Q questions by J jurors. Camps of a question are numbered from 0 by option name."""

    questions: tuple[str, ...]
    jurors: tuple[str, ...]
    topics: tuple[str, ...]
    camp: Ints
    """(Q, J): the juror's camp, -1 for no vote."""
    right: Ints
    """(Q,): the camp that was right, -1 where nobody was."""
    n_camps: Ints
    """(Q,)."""
    n_options: Ints
    """(Q,): at least the number of camps."""
    topic: Ints
    """(Q,): index into `topics`."""
    seats: Ints
    """(Q,): jurors that were asked, abstentions included."""

    @property
    def voted(self) -> Bools:
        """(Q, J): whether the juror voted."""
        return self.camp >= 0

    @property
    def was_right(self) -> Bools:
        """(Q, J): whether the juror voted for the right option."""
        right: Bools = self.voted & (self.camp == self.right[:, None])
        return right

    def take(self, rows: Any) -> "History":
        """Return the history of some questions: an index array, a mask or a slice."""
        chosen = np.arange(len(self.questions))[rows]
        return History(
            tuple(self.questions[i] for i in chosen),
            self.jurors,
            self.topics,
            self.camp[chosen],
            self.right[chosen],
            self.n_camps[chosen],
            self.n_options[chosen],
            self.topic[chosen],
            self.seats[chosen],
        )

    def one_hot(self) -> Floats:
        """(Q, C, J): 1 where the juror is in the camp, C the largest number of camps."""
        camps = np.arange(max(1, int(self.n_camps.max(initial=1))))
        member: Floats = (self.camp[:, None, :] == camps[None, :, None]).astype(np.float64)
        return member

    def folds(self, k: int, seed: int) -> Ints:
        """(Q,): the question's fold, by rank of a hash of its id; sizes differ by at most one."""
        keys = [hashlib.sha256(f"{seed}|{name}".encode()).digest() for name in self.questions]
        rank = np.empty(len(keys), dtype=np.int64)
        rank[sorted(range(len(keys)), key=keys.__getitem__)] = np.arange(len(keys))
        return rank % k


def read_history(rows: Iterable[PastVote], *, known_only: bool = True) -> History:
    """Return the votes on questions whose right option is known; on all, with `known_only` False.

    A juror counts once on a question: repeated rows are one vote, rows that contradict each other
    are none. A question whose rows name different right options is left out.
    """
    by_question: dict[str, list[PastVote]] = defaultdict(list)
    for row in rows:
        if row.right is not None or not known_only:
            by_question[row.question_id].append(row)
    kept = {
        name: mine
        for name, mine in sorted(by_question.items())
        if len({row.right for row in mine}) == 1
    }
    return _arrays(kept)


def _arrays(by_question: dict[str, list[PastVote]]) -> History:
    every = [row for mine in by_question.values() for row in mine]
    jurors = tuple(sorted({row.juror for row in every}))
    topics = tuple(sorted({row.topic for row in every}))
    seat = {juror: j for j, juror in enumerate(jurors)}
    camp = np.full((len(by_question), len(jurors)), NOBODY, dtype=np.int64)
    facts = np.zeros((len(by_question), 5), dtype=np.int64)
    for q, mine in enumerate(by_question.values()):
        votes = _votes(mine)
        names = sorted(set(votes.values()))
        for juror, option in votes.items():
            camp[q, seat[juror]] = names.index(option)
        right = mine[0].right
        topic = topics.index(min(row.topic for row in mine))
        facts[q] = (
            names.index(right) if right in names else NOBODY,
            len(names),
            _n_options(mine, len(names)),
            topic,
            len({row.juror for row in mine}),
        )
    return History(tuple(by_question), jurors, topics, camp, *facts.T)


def _votes(rows: Sequence[PastVote]) -> dict[str, str]:
    said: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.option is not None:
            said[row.juror].add(row.option)
    return {juror: next(iter(options)) for juror, options in said.items() if len(options) == 1}


def _n_options(rows: Sequence[PastVote], n_camps: int) -> int:
    known = [row.n_options for row in rows if row.n_options is not None]
    return option_count(max(known) if known else None, n_camps)


def option_count(n_options: int | None, n_camps: int) -> int:
    """Return the number of options to reckon with: never fewer than were named, or than two."""
    if n_options is None:
        return n_camps + OPEN_OPTIONS
    return max(n_options, n_camps, 2)
