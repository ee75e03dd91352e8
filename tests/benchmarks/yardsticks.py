"""What the judge is measured against. Each returns, per question, how right it was in [0, 1]."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import log

import numpy as np

from tasks.judging.dawid_skene import one_coin
from tests.benchmarks.recorded import Asked

PRIOR = 20.0
"""Outcomes that a juror's overall rate counts for in its rate on a topic."""
SHARPENING = 0.7
DEFAULT_OPTIONS = 20


def shared_right(scores: Mapping[str, float], right: str) -> float:
    """Return 1 where the right option leads, 1/k where it ties with k - 1 others, else 0."""
    if not scores:
        return 0.0
    top = max(scores.values())
    leaders = [option for option, score in scores.items() if score >= top - 1e-9]
    return (right in leaders) / len(leaders)


def majority(questions: Sequence[Asked]) -> np.ndarray:
    """One juror, one vote; ties shared."""
    return np.array([shared_right(Counter(q.votes.values()), q.right) for q in questions])


def dawid_skene(questions: Sequence[Asked]) -> np.ndarray:
    """One-coin Dawid–Skene over all votes at once, without any outcome."""
    seats = {name: j for j, name in enumerate(sorted({j for q in questions for j in q.votes}))}
    task, juror, label, names = [], [], [], []
    for i, question in enumerate(questions):
        options = sorted(set(question.votes.values()))
        names.append(options)
        for name, option in question.votes.items():
            task.append(i)
            juror.append(seats[name])
            label.append(options.index(option))
    kinds = [q.n_options or DEFAULT_OPTIONS for q in questions]
    found = one_coin(np.array(task), np.array(juror), np.array(label), n_labels=np.array(kinds))
    return np.array(
        [
            float(bool(options) and options[min(pick, len(options) - 1)] == q.right)
            for q, options, pick in zip(questions, names, found.label, strict=True)
        ]
    )


class Record:
    """Running counts of right and answered, by juror and by juror and topic."""

    def __init__(self) -> None:
        self.seen: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0])

    def add(self, question: Asked) -> None:
        for juror, option in question.votes.items():
            for topic in ("", question.topic):
                self.seen[juror, topic][0] += option == question.right
                self.seen[juror, topic][1] += 1

    def rate(self, juror: str, topic: str) -> float:
        right, answered = self.seen[juror, ""]
        overall = (right + 1) / (answered + 2)
        right, answered = self.seen[juror, topic]
        return (right + PRIOR * overall) / (answered + PRIOR)


Scorer = Callable[[Asked, Record], dict[str, float]]


def in_order(questions: Sequence[Asked], score: Scorer) -> np.ndarray:
    """Judge each question by the outcomes of those before it."""
    record, out = Record(), []
    for question in questions:
        out.append(shared_right(score(question, record), question.right))
        record.add(question)
    return np.array(out)


def leader(question: Asked, record: Record) -> dict[str, float]:
    """The answer of the juror with the best record in the topic so far."""
    scores: dict[str, float] = {}
    for juror, option in sorted(question.votes.items()):
        rate = record.rate(juror, question.topic)
        scores[option] = max(scores.get(option, -1.0), rate)
    if not scores:
        return {}
    best = max(scores, key=scores.__getitem__)
    return {best: 1.0}


def _odds(question: Asked, record: Record) -> dict[str, float]:
    kinds = max(question.n_options or DEFAULT_OPTIONS, 2)
    odds = {}
    for juror in question.votes:
        rate = min(max(record.rate(juror, question.topic), 0.02), 0.98)
        odds[juror] = log(rate * (kinds - 1) / (1 - rate))
    return odds


def log_odds(question: Asked, record: Record) -> dict[str, float]:
    """Log-odds by topic, added up as if jurors were independent."""
    return _total(question, _odds(question, record))


def sharpened(question: Asked, record: Record) -> dict[str, float]:
    """Log-odds less a share of the strongest."""
    odds = _odds(question, record)
    top = max(odds.values(), default=0.0)
    cut = {juror: max(0.02, value - SHARPENING * top) for juror, value in odds.items()}
    return _total(question, cut)


def _total(question: Asked, weights: Mapping[str, float]) -> dict[str, float]:
    scores: dict[str, float] = {}
    for juror, option in sorted(question.votes.items()):
        scores[option] = scores.get(option, 0.0) + weights[juror]
    return scores


def best_single(questions: Sequence[Asked]) -> np.ndarray:
    """The juror that was right most often on these very questions; no vote is wrong."""
    tally: Counter[str] = Counter()
    for question in questions:
        tally.update(j for j, option in question.votes.items() if option == question.right)
    if not tally:
        return np.zeros(len(questions))
    best = min(tally, key=lambda juror: (-tally[juror], juror))
    return np.array([float(q.votes.get(best) == q.right) for q in questions])
