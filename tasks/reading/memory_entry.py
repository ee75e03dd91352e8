"""One verdict as one entry of Hermes' memory, and many older ones as one line a topic. Pure.

    Council verdict 3f2a91bc (2026-01-31, security): JWT or sessions? → Sessions (majority 2–1,
    67%); dissent: Ada for JWT; changed: Bob from JWT to Sessions; used 2×
    Council, earlier on security: 5 verdicts to 2026-01-20 → Sessions 3×, JWT 1×, no verdict 1×

Each is on one line. An entry that does not read back exactly as it was written is not Council's
(any more): somebody wrote or changed it, and it is left alone.
"""

import re
from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple

from contracts.deliberation import Deliberation
from contracts.verdict import Verdict
from tasks.reading.memory_words import memory_words, reads_like_an_order

DELIMITER = "\n§\n"
"""Between the entries of MEMORY.md, as Hermes writes it."""

ID_CHARS = 8
"""Of a deliberation's id: what `council show` takes."""

QUESTION_CHARS, OPTION_CHARS, NAME_CHARS, TOPIC_CHARS = 110, 60, 30, 40
NAMED = 3
"""Dissents, changed minds and options that are named; the rest is counted."""
USE_DAYS = 7
"""By how much younger each use makes an entry."""

NO_VERDICT = "no verdict"
_WITHHELD = "its question is in the store only"
_HIDDEN = "its option is in the store only"
_OTHERS = "others"
_SEVERAL = "several topics"

_ENTRY = re.compile(
    r"Council verdict (?P<id>[0-9A-Za-z_-]{1,8}) "
    r"\((?P<day>\d{4}-\d\d-\d\d), (?P<topic>[^()\n§]{1,40})\)"
    r": (?P<said>[^\n§]{1,900}?)(?:; used (?P<used>\d{1,6})×)?"
)
_FOLDED = re.compile(
    r"Council, earlier on (?P<topic>[^()\n§:→]{1,40}): (?P<count>\d{1,9}) verdicts? "
    r"to (?P<day>\d{4}-\d\d-\d\d) → (?P<options>[^\n§→]{1,900})"
)
_COUNTED = re.compile(r"(?P<option>.{1,80}) (?P<n>\d{1,9})×")
_DECIDED = re.compile(r"→ (?P<option>[^→]{1,80}) \([^();]{1,60}\)$")


class Entry(NamedTuple):
    """A verdict as the memory keeps it."""

    short_id: str
    day: str
    """ISO date."""
    topic: str
    said: str
    used: int = 0
    """How often it was recalled."""

    @property
    def text(self) -> str:
        """The entry as it is written."""
        used = f"; used {self.used}×" if self.used else ""
        return f"Council verdict {self.short_id} ({self.day}, {self.topic}): {self.said}{used}"

    @property
    def option(self) -> str:
        """What was decided."""
        found = _DECIDED.search(self.said.partition(";")[0])
        return found["option"] if found else NO_VERDICT

    @property
    def rank(self) -> date:
        """Its day, later by a week for each use: what has the highest rank is kept longest."""
        return date.fromisoformat(self.day) + timedelta(days=USE_DAYS * min(self.used, 10_000))


class Folded(NamedTuple):
    """Older verdicts on one topic."""

    topic: str
    verdicts: int
    day: str
    """Of the latest."""
    options: tuple[tuple[str, int], ...]

    @property
    def text(self) -> str:
        """The line as it is written."""
        counted = ", ".join(f"{option} {n}×" for option, n in self.options)
        number = f"{self.verdicts} verdict{'' if self.verdicts == 1 else 's'}"
        return f"Council, earlier on {self.topic}: {number} to {self.day} → {counted}"


def entry_of(deliberation: Deliberation, used: int = 0) -> Entry:
    """Return the entry of a deliberation; words that read like an order stay in the store."""
    verdict = deliberation.verdict
    entry = Entry(
        short_id=re.sub(r"[^0-9A-Za-z_-]", "-", deliberation.deliberation_id)[:ID_CHARS],
        day=f"{deliberation.finished_at:%Y-%m-%d}",
        topic=_topic(deliberation.question.topic),
        said=_said(deliberation.question.text, verdict),
        used=used,
    )
    return bare(entry, verdict) if reads_like_an_order(entry.text) else entry


def bare(entry: Entry, verdict: Verdict | None = None) -> Entry:
    """Return the entry without a word that anybody but Council wrote."""
    status = f" ({verdict.status.replace('_', ' ')} {verdict.split})" if verdict else ""
    option = _HIDDEN if verdict is None or verdict.decided else NO_VERDICT
    return entry._replace(topic="general", said=f"{_WITHHELD} → {option}{status}")


def parse(text: str) -> Entry | Folded | None:
    """Return what an entry of the memory is; None when it is not Council's."""
    if found := _ENTRY.fullmatch(text):
        used = int(found["used"] or 0)
        read: Entry | Folded = Entry(found["id"], found["day"], found["topic"], found["said"], used)
    elif found := _FOLDED.fullmatch(text):
        counted = [_COUNTED.fullmatch(part) for part in found["options"].split(", ")]
        options = tuple((one["option"], int(one["n"])) for one in counted if one)
        read = Folded(found["topic"], int(found["count"]), found["day"], options)
    else:
        return None
    return read if read.text == text and _is_day(read.day) else None


def folded_of(topic: str, option: str | None, count: int, day: str) -> Folded:
    """Return the line for `count` verdicts of one topic and option, from words as they came."""
    shown = _plain_option(_option(option)) if option else NO_VERDICT
    return Folded(_topic(topic), count, day, ((shown, count),))


def fold(entries: Iterable[Entry], folded: Iterable[Folded] = ()) -> tuple[Folded, ...]:
    """Return one line a topic for verdicts and lines, the topic with the latest verdict first."""
    counts: dict[str, Counter[str]] = {}
    totals: Counter[str] = Counter()
    days: dict[str, str] = {}
    for line in (*folded, *(_alone(entry) for entry in entries)):
        counts.setdefault(line.topic, Counter()).update(dict(line.options))
        totals[line.topic] += line.verdicts
        days[line.topic] = max(days.get(line.topic, line.day), line.day)
    lines = [Folded(t, totals[t], days[t], _most(counts[t], totals[t])) for t in counts]
    return tuple(sorted(lines, key=lambda line: (line.day, line.topic), reverse=True))


def fold_topics(lines: Iterable[Folded]) -> Folded:
    """Return one line for several topics."""
    given = list(lines)
    counts: Counter[str] = Counter()
    for line in given:
        counts.update(dict(line.options))
    total = sum(line.verdicts for line in given)
    return Folded(_SEVERAL, total, max(line.day for line in given), _most(counts, total))


def _alone(entry: Entry) -> Folded:
    return Folded(entry.topic, 1, entry.day, ((_plain_option(entry.option), 1),))


def _plain_option(option: str) -> str:
    return " ".join(option.replace(",", " ").replace(":", " ").split())


def _most(counts: Counter[str], total: int) -> tuple[tuple[str, int], ...]:
    known = Counter({option: n for option, n in counts.items() if option != _OTHERS})
    top = sorted(known.items(), key=lambda pair: (-pair[1], pair[0]))[:NAMED]
    rest = total - sum(n for _, n in top)
    return (*top, (_OTHERS, rest)) if rest > 0 else tuple(top)


def _topic(topic: str) -> str:
    words = re.sub(r"[^\w &/+-]", " ", memory_words(topic, 200))
    return " ".join(words.split())[:TOPIC_CHARS].strip() or "general"


def _said(question: str, verdict: Verdict) -> str:
    asked = memory_words(question, QUESTION_CHARS) or _WITHHELD
    status = f"{verdict.status.replace('_', ' ')} {verdict.split}"
    if verdict.option is not None and verdict.decided:
        decided = f"{_option(verdict.option)} ({status}, {verdict.confidence:.0%})"
    else:
        decided = f"{NO_VERDICT} ({status})"
    parts = [f"{asked} → {decided}"]
    parts += _listed(
        "dissent", [f"{_name(d.juror)} for {_option(d.option)}" for d in verdict.dissents]
    )
    moved = [
        f"{_name(m.juror)} from {_option(m.before)} to {_option(m.after)}"
        for m in verdict.changed_minds
    ]
    parts += _listed("changed", moved)
    if verdict.simulated:
        parts.append("stand-ins, a rehearsal")
    return "; ".join(parts)


def _listed(what: str, items: list[str]) -> list[str]:
    more = len(items) - NAMED
    shown = ", ".join(items[:NAMED]) + (f" and {more} more" if more > 0 else "")
    return [f"{what}: {shown}"] if items else []


def _option(option: str) -> str:
    return memory_words(option, OPTION_CHARS).replace("(", " ").replace(")", " ").strip() or _HIDDEN


def _name(juror: str) -> str:
    return memory_words(juror, NAME_CHARS).replace(",", " ").strip() or "a juror"


def _is_day(day: str) -> bool:
    try:
        date.fromisoformat(day)
    except ValueError:
        return False
    return True
