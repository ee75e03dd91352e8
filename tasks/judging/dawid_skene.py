"""Reliability from agreement alone, for when nothing has turned out yet.

One-coin Dawid–Skene: every juror is right with one probability and otherwise names any other label
alike; labels and probabilities are found together by expectation maximisation (Dawid & Skene 1979;
the one-coin form as in Zhang et al. 2016, and in crowd-kit, against which this is checked).
"""

from typing import NamedTuple

import numpy as np

from tasks.judging.history import Floats, Ints

ITERATIONS = 100
TOLERANCE = 1e-5
_EDGE = 1e-10


class Agreement(NamedTuple):
    """What the agreement of N votes says about T tasks and J jurors."""

    label: Ints
    """(T,): the most probable label; 0 for a task without votes."""
    probability: Floats
    """(T, L): of each label."""
    skill: Floats
    """(J,): probability of a juror being right; 0.5 for one without votes."""


def one_coin(
    task: Ints,
    juror: Ints,
    label: Ints,
    *,
    n_labels: Ints | int | None = None,
    iterations: int = ITERATIONS,
) -> Agreement:
    """Estimate labels and skills from votes, given as three arrays of N small integers.

    `n_labels` is the number of labels that a task could have, for each task or for all; the number
    of labels seen when None. Work is O(N) an iteration. A task's prior over labels is flat.

    Raises:
        ValueError: where the arrays differ in length or hold a negative number.
    """
    if not len(task) == len(juror) == len(label):
        raise ValueError("task, juror and label must have one entry for each vote")
    if len(task) == 0:
        return Agreement(np.zeros(0, np.int64), np.zeros((0, 1)), np.zeros(0))
    if min(task.min(), juror.min(), label.min()) < 0:
        raise ValueError("tasks, jurors and labels are numbered from 0")
    votes = _Votes(task, juror, label, n_labels)
    p = votes.shares()
    skill = votes.skills(p)
    for _ in range(iterations):
        p = votes.labels(skill)
        new = votes.skills(p)
        moved, skill = float(np.abs(new - skill).max()), new
        if moved < TOLERANCE:
            break
    return Agreement(p.argmax(1), p, skill)


class _Votes:
    """The votes, laid out so that each step of the iteration is one pass over them."""

    def __init__(self, task: Ints, juror: Ints, label: Ints, n_labels: Ints | int | None) -> None:
        tasks, labels = int(task.max()) + 1, int(label.max()) + 1
        if isinstance(n_labels, np.ndarray):
            tasks = max(tasks, len(n_labels))
        kinds = labels if n_labels is None else n_labels
        others = np.broadcast_to(np.asarray(kinds, dtype=np.float64), (tasks,)) - 1
        self.shape = (tasks, labels)
        self.cell = task * labels + label
        self.juror = juror
        self.others_log = np.log(np.maximum(others, 1.0))[task]
        self.answered = np.bincount(juror)

    def _gather(self, weights: Floats) -> Floats:
        size = self.shape[0] * self.shape[1]
        sums: Floats = np.bincount(self.cell, weights, minlength=size).astype(np.float64)
        return sums.reshape(self.shape)

    def shares(self) -> Floats:
        return self._normal(self._gather(np.ones(len(self.cell))))

    def skills(self, p: Floats) -> Floats:
        right = np.bincount(self.juror, p.ravel()[self.cell])
        found: Floats = np.full(len(right), 0.5)
        np.divide(right, self.answered, out=found, where=self.answered > 0)
        return found

    def labels(self, skill: Floats) -> Floats:
        sure = np.clip(skill, _EDGE, 1 - _EDGE)
        gain = (np.log(sure) - np.log1p(-sure))[self.juror] + self.others_log
        score = self._gather(gain)
        return self._normal(np.exp(score - score.max(1, keepdims=True)))

    @staticmethod
    def _normal(p: Floats) -> Floats:
        total = p.sum(1, keepdims=True)
        out: Floats = np.divide(p, total, out=np.full_like(p, 1 / p.shape[1]), where=total > 0)
        return out
