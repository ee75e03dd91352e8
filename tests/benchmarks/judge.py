"""Is the judge right, and does it know when? Recorded juries, judged in order.

    python -m tests.benchmarks.judge [DIR] [--history DIR] [--json]

Question t is judged with the outcomes of the questions before it and nothing else. Questions of
`--history` come before all and are not scored; without it the first ones (`--warmup`) only teach.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from contracts.fit import Fit
from tasks.judging.confidence import confidence
from tasks.judging.fit import fit_stage
from tasks.judging.history import read_history
from tasks.judging.weights import weigh
from tests.benchmarks import yardsticks
from tests.benchmarks.recorded import Asked, read_sets

DATA = Path(__file__).parent / "data"
SEED = 7
PANELS = 6
"""Random panels of a kind."""
DRAWS = 2000
FIRST_FIT = 10
GROWTH = 1.1
LONGEST_WAIT = 250
"""Outcomes after which the judge learns again: a share of those scored, within these bounds."""
COVERAGES = (0.5, 0.7, 0.9)
REGULAR = 0.8
"""Random panels are drawn from jurors that voted on at least this share of the questions."""
WITH_RANDOM = 4
"""Regular jurors that a set must have for random panels to be drawn."""


@dataclass
class Run:
    """One panel, judged: for each scored question how right each judge was, and how sure ours."""

    right: dict[str, np.ndarray]
    sure: np.ndarray


@dataclass
class Panel:
    """All runs of one kind of panel."""

    runs: list[Run] = field(default_factory=list)

    def mean(self, judge: str) -> np.ndarray:
        """Return how right a judge was on each question, over the panels."""
        return np.mean([run.right[judge] for run in self.runs], axis=0)


def judge_in_order(
    questions: Sequence[Asked], first: int, teach: Sequence[Asked] | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return how right the council was on each question from `first`, and how sure.

    It learns from the votes of `teach` on the earlier questions (from `questions` when None).
    """
    history = read_history([row for question in teach or questions for row in question.rows()])
    place = {name: i for i, name in enumerate(history.questions)}
    right, sure, fit, wait = [], [], None, 0
    for t, question in enumerate(questions):
        if t >= FIRST_FIT and t >= first and wait <= 0:
            known = sorted(place[q.question_id] for q in questions[:t] if q.question_id in place)
            fit = Fit(alone=fit_stage(history.take(known)))
            wait = min(max(FIRST_FIT, int((t - first) * (GROWTH - 1))), LONGEST_WAIT)
        wait -= 1
        if t >= first:
            hit, belief = _verdict(question, fit)
            right.append(hit)
            sure.append(belief)
    return np.array(right), np.array(sure)


def _verdict(question: Asked, fit: Fit | None) -> tuple[float, float]:
    if not question.votes:
        return 0.0, 0.0
    weighed = weigh(question.votes, question.n_options, question.topic, fit)
    held = confidence(weighed, fit, seats=len(question.asked))
    return yardsticks.shared_right(weighed.options, question.right), held.value


def run_panel(questions: Sequence[Asked], first: int) -> Run:
    """Judge one panel's questions by every rule."""
    ours, sure = judge_in_order(questions, first)
    scored = questions[first:]
    right = {
        "majority": yardsticks.majority(scored),
        "dawid_skene": yardsticks.dawid_skene(questions)[first:],
        "leader_so_far": yardsticks.in_order(questions, yardsticks.leader)[first:],
        "best_single_hindsight": yardsticks.best_single(scored),
        "log_odds": yardsticks.in_order(questions, yardsticks.log_odds)[first:],
        "sharpened": yardsticks.in_order(questions, yardsticks.sharpened)[first:],
        "ours": ours,
    }
    return Run(right, sure)


def panels_of(questions: Sequence[Asked], limit: int) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the panels of a set: all, the regular jurors, and random ones of 3 and of 5.

    Random panels are drawn from the regular jurors, from the 8 best and from those ranked 4 to 13.
    """
    answered: dict[str, int] = {}
    hits: dict[str, int] = {}
    for question in questions:
        for juror, option in question.votes.items():
            answered[juror] = answered.get(juror, 0) + 1
            hits[juror] = hits.get(juror, 0) + (option == question.right)
    yield "all", frozenset(answered)
    regular = [j for j in sorted(answered) if answered[j] >= REGULAR * len(questions)]
    if len(regular) < WITH_RANDOM:
        return
    if len(regular) < len(answered):
        yield "regular", frozenset(regular)
    ranked = sorted(regular, key=lambda juror: (-hits[juror], juror))
    pools = {"": regular, "_top8": sorted(ranked[:8]), "_mid10": sorted(ranked[3:13])}
    for tag, pool in pools.items():
        if tag and len(regular) <= len(pool):
            continue
        for size in (3, 5):
            for chosen in _draw(pool, size, limit):
                yield f"random_{size}{tag}", frozenset(chosen)


def _draw(pool: Sequence[str], size: int, limit: int) -> list[tuple[str, ...]]:
    if comb(len(pool), size) <= limit:
        return list(combinations(pool, size))
    rng, seen = np.random.default_rng(SEED), set()
    while len(seen) < limit:
        seen.add(tuple(sorted(rng.choice(pool, size, replace=False).tolist())))
    return sorted(seen)


def measure(panel: Panel) -> dict[str, Any]:
    """Return the figures of one kind of panel."""
    judges = list(panel.runs[0].right)
    mean = {judge: panel.mean(judge) for judge in judges}
    ours = [_confidence_figures(run) for run in panel.runs]
    figures = {
        key: round(float(np.mean([one[key] for one in ours])), 4)
        for key in ("accuracy", "ece", "brier", "log_loss")
    }
    coverage = {
        str(share): round(float(np.mean([one["coverage"][share] for one in ours])), 4)
        for share in COVERAGES
    }
    return {
        "n": len(mean["ours"]),
        "panels": len(panel.runs),
        "accuracy": {judge: round(float(mean[judge].mean()), 4) for judge in judges},
        "ours": {**figures, "coverage": coverage, "accuracy_95ci": interval(mean["ours"])},
        "ours_minus_95ci": {
            judge: interval(mean["ours"] - mean[judge]) for judge in judges if judge != "ours"
        },
    }


def _confidence_figures(run: Run) -> dict[str, Any]:
    right, sure = run.right["ours"], np.clip(run.sure, 1e-4, 1 - 1e-4)
    loss = -(right * np.log(sure) + (1 - right) * np.log1p(-sure))
    order = np.argsort(-sure, kind="stable")
    return {
        "accuracy": right.mean(),
        "ece": calibration_error(sure, right),
        "brier": (right * (1 - sure) ** 2 + (1 - right) * sure**2).mean(),
        "log_loss": loss.mean(),
        "coverage": {c: right[order[: max(1, round(c * len(order)))]].mean() for c in COVERAGES},
    }


def calibration_error(sure: np.ndarray, right: np.ndarray, bins: int = 10) -> float:
    """Return the expected calibration error over bins of equal width."""
    place = np.minimum((sure * bins).astype(int), bins - 1)
    gaps = [
        abs(sure[place == k].mean() - right[place == k].mean()) * (place == k).mean()
        for k in range(bins)
        if (place == k).any()
    ]
    return float(sum(gaps))


def interval(values: np.ndarray) -> list[float]:
    """Return the 95 % bootstrap interval of a mean over questions."""
    rng = np.random.default_rng(SEED)
    means = [values[rng.integers(0, len(values), len(values))].mean() for _ in range(DRAWS)]
    return [round(float(q), 4) for q in np.quantile(means, [0.025, 0.975])]


def run_sets(path: Path, history: Path | None, warmup: int | None, limit: int) -> dict[str, Any]:
    """Judge every set and panel under `path`."""
    before = read_sets(history) if history else {}
    out = {}
    for name, scored in read_sets(path).items():
        past = before.get(name) or (next(iter(before.values())) if len(before) == 1 else [])
        ids = {question.question_id for question in scored}
        past = [question for question in past if question.question_id not in ids]
        first = len(past) if history else warmup if warmup is not None else _warmup(len(scored))
        panels: dict[str, Panel] = {}
        for kind, jurors in panels_of([*past, *scored], limit):
            mine = [question.only(jurors) for question in [*past, *scored]]
            panels.setdefault(kind, Panel()).runs.append(run_panel(mine, first))
        for kind, panel in panels.items():
            title = kind if not name else name if kind == "all" else f"{name}_{kind}"
            out[title] = measure(panel)
    return out


def _warmup(n: int) -> int:
    return min(300, n // 5)


def show(results: dict[str, Any]) -> None:
    """Print the table."""
    judges = list(next(iter(results.values()))["accuracy"])
    table = Table(title="accuracy, and our confidence (prequential)")
    for name in ("panel", "n", *judges, "ECE", "Brier", "at 50 %"):
        table.add_column(name, justify="left" if name == "panel" else "right")
    for panel, r in results.items():
        ours = r["ours"]
        cells = [f"{100 * r['accuracy'][judge]:.1f}" for judge in judges]
        tail = f"{ours['ece']:.3f}", f"{ours['brier']:.3f}", f"{100 * ours['coverage']['0.5']:.1f}"
        table.add_row(panel, str(r["n"]), *cells, *tail)
    Console(width=160).print(table)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; print a table and one JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path, nargs="?", default=DATA / "mmlu_pro")
    parser.add_argument("--history", type=Path)
    parser.add_argument("--warmup", type=int, help="questions that only teach (no --history)")
    parser.add_argument("--panels", type=int, default=PANELS, help="random panels of a kind")
    parser.add_argument("--json", action="store_true", help="print only the JSON line")
    given = parser.parse_args(argv)
    results = run_sets(given.path, given.history, given.warmup, given.panels)
    if not given.json:
        show(results)
    sys.stdout.write(json.dumps({"panels": results}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
