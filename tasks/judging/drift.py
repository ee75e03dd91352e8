"""Jurors that change: one that goes bad must not live on the record of one that was good.

A cumulative sum of log-likelihood ratios for each juror and direction (Page 1954): the odds of
being right have fallen to a third, or risen threefold, against what its own record on the topic
lets expect. An alarm at `ALARM` nats; while nothing changes the mean time between false ones is at
least e^ALARM outcomes (Lorden 1971), about twenty thousand.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log, sqrt

from contracts.fit import PastVote
from contracts.learning import Drift

ALARM = 10.0
"""Nats."""
FALL = 3.0
"""Factor by which the odds of being right change."""
ENOUGH_BEFORE = 50
"""Outcomes before a juror's record says what to expect of it."""
TOPIC_STRENGTH = 20.0
"""Outcomes that a juror's overall rate counts for in its rate on a topic."""


def find_drifts(rows: Sequence[PastVote]) -> tuple[Drift, ...]:
    """Return each juror's last change, by name. `rows` are in the order in which they were cast.

    Only isolated votes of which it is known what was right count.
    """
    watched: dict[str, _Record] = defaultdict(_Record)
    for row in rows:
        if row.stage == "alone" and row.right is not None and row.option is not None:
            watched[row.juror].add(row)
    found = ((juror, record.last) for juror, record in sorted(watched.items()))
    return tuple(last.drift(juror) for juror, last in found if last is not None)


def since_changes(rows: Sequence[PastVote], drifts: Sequence[Drift]) -> list[PastVote]:
    """Return the rows without what a juror said before it changed. `rows` are in order."""
    place: dict[str, int] = {}
    for row in rows:
        place.setdefault(row.question_id, len(place))
    first = {drift.juror: place[drift.since] for drift in drifts}
    return [row for row in rows if place[row.question_id] >= first.get(row.juror, 0)]


@dataclass
class _Change:
    """One alarm, and what came after it."""

    since: str
    noticed: str
    right_before: int
    n_before: int
    after: list[bool]

    def drift(self, juror: str) -> Drift:
        return Drift(
            juror=juror,
            since=self.since,
            noticed=self.noticed,
            before=round(self.right_before / self.n_before, 6),
            n_before=self.n_before,
            right=sum(self.after),
            answered=len(self.after),
        )


@dataclass
class _Sum:
    """One cumulative sum: how much speaks for a change, and from where on."""

    falling: bool
    value: float = 0.0
    start: int = 0
    """Place of the first outcome that counts in it."""

    def add(self, rate: float, spread: float, place: int, *, hit: bool) -> bool:
        """Take one outcome in; return whether it raises the alarm."""
        way = -1.0 if self.falling else 1.0
        now = min(max(rate + way * spread, 0.02), 0.98)
        odds = now / (1 - now) * FALL**way
        then = odds / (1 + odds)
        gain = log(then / now) if hit else log((1 - then) / (1 - now))
        self.value += gain
        if self.value <= 0.0:
            self.value, self.start = 0.0, place + 1
        return self.value > ALARM


def _sums(start: int) -> tuple[_Sum, _Sum]:
    return _Sum(falling=True, start=start), _Sum(falling=False, start=start)


@dataclass
class _Record:
    """What one juror did since it last changed."""

    rows: list[PastVote] = field(default_factory=list)
    hits: list[bool] = field(default_factory=list)
    right: int = 0
    tally: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    sums: tuple[_Sum, _Sum] = field(default_factory=lambda: _sums(0))
    last: _Change | None = None

    def add(self, row: PastVote) -> None:
        """Take one outcome in."""
        hit, place = row.option == row.right, len(self.rows)
        rate, spread = self._expected(row.topic)
        self._count(row, hit=hit)
        if self.last:
            self.last.after.append(hit)
        if place < ENOUGH_BEFORE:
            self.sums = _sums(place + 1)
            return
        for one in self.sums:
            if one.add(rate, spread, place, hit=hit):
                self._begin_anew(one.start, row.question_id)
                return

    def _expected(self, topic: str) -> tuple[float, float]:
        """Return the rate on the topic and its standard deviation."""
        n = len(self.hits)
        overall = (self.right + 1) / (n + 2)
        right, answered = self.tally[topic]
        rate = (right + TOPIC_STRENGTH * overall) / (answered + TOPIC_STRENGTH)
        return rate, sqrt(rate * (1 - rate) / (min(n, answered + TOPIC_STRENGTH) + 1))

    def _count(self, row: PastVote, *, hit: bool) -> None:
        self.rows.append(row)
        self.hits.append(hit)
        self.right += hit
        self.tally[row.topic][0] += hit
        self.tally[row.topic][1] += 1

    def _begin_anew(self, start: int, noticed: str) -> None:
        """Forget what was before `start` and take the rest in again."""
        before, rows, after = self.hits[:start], self.rows[start:], self.hits[start:]
        since = rows[0].question_id
        self.last = _Change(since, noticed, sum(before), len(before), list(after))
        self.rows, self.hits, self.right = [], [], 0
        self.tally = defaultdict(lambda: [0, 0])
        self.sums = _sums(len(rows))
        for row, hit in zip(rows, after, strict=True):
            self._count(row, hit=hit)
