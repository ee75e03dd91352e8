"""A year of one council: outcomes come late, and half-way one juror goes bad.

    python -m tests.benchmarks.year [DIR] [--svg FILE] [--json]

Five recorded models sit; six questions a day; what was right is known one to thirty days later. On
day 183 the model behind one seat is another, weaker one, and nobody is told. Every week the council
learns again from the outcomes that have come in, and judges with that and nothing else. Beside it:
the majority, the same council without an alarm (it learns from everything), and one that is told
of the change on the day. Exits 1 where the alarm does not come, or comes for a juror that is what
it was, or where the council is not ahead of the majority before and after.
"""

import argparse
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table

from contracts.fit import Fit, PastVote
from contracts.learning import Drift, Learned
from contracts.memory import Memory, Policy
from contracts.opinion import Opinion
from contracts.question import Option, Question
from tasks.judging.decide import decide
from tasks.judging.fit import fit_memory
from tasks.judging.learn import learn
from tasks.judging.slices import slice_for
from tests.benchmarks.judge import calibration_error, interval
from tests.benchmarks.recorded import Asked, read_sets
from tests.benchmarks.yardsticks import shared_right

DATA = Path(__file__).parent / "data" / "mmlu_pro"
SEATS = {
    "Ada": "gemini-1.5-flash-002",
    "Bob": "Meta-Llama-3_1-70B-Instruct",
    "Cyd": "Qwen1.5-72B-Chat",
    "Dov": "Meta-Llama-3-70B",
    "Eve": "Phi-3-mini-4k-instruct",
}
BAD, WORSE = "Ada", "Llama-2-7b-hf"
DAYS, EACH_DAY, TURN = 365, 6, 183
LATEST = 30
EVERY = 7
WINDOW = 28
OPTIONS = tuple(Option(name=letter) for letter in "ABCDEFGHIJ")


class Sat(NamedTuple):
    """One question of the year."""

    day: int
    known: int
    """Day on which it is known what was right."""
    asked: Asked


@dataclass
class Council:
    """One way of learning, and how it went."""

    right: list[float] = field(default_factory=list)
    sure: list[float] = field(default_factory=list)
    weight: list[float] = field(default_factory=list)
    """Weight of the seat that goes bad."""
    fit: Fit | None = None


def the_year(questions: Sequence[Asked]) -> list[Sat]:
    """Return the year's questions in their order, as the seats answer them."""
    seated = []
    for i, question in enumerate(questions[: DAYS * EACH_DAY]):
        day = i // EACH_DAY
        models = SEATS | ({BAD: WORSE} if day >= TURN else {})
        votes = {
            seat: question.votes[model] for seat, model in models.items() if model in question.votes
        }
        late = int(hashlib.sha256(question.question_id.encode()).hexdigest(), 16) % LATEST + 1
        mine = Asked(
            question.question_id,
            question.topic,
            question.right,
            question.n_options,
            votes,
            frozenset(SEATS),
        )
        seated.append(Sat(day, day + late, mine))
    return seated


def run_year(year: Sequence[Sat]) -> tuple[dict[str, Council], dict[int, tuple[Drift, ...]]]:
    """Judge the year; return each council, and the alarms that stood after each learning."""
    councils = {name: Council() for name in ("ours", "without alarm", "told at once")}
    alarms: dict[int, tuple[Drift, ...]] = {}
    last = -1
    for sat in year:
        if sat.day // EVERY != last:
            last = sat.day // EVERY
            learned = _learn_all(councils, year, sat.day)
            alarms[sat.day] = learned.drifts
        for council in councils.values():
            _judge(council, sat.asked)
    return councils, alarms


def _learn_all(councils: dict[str, Council], year: Sequence[Sat], today: int) -> Learned:
    known = [sat for sat in year if sat.known <= today]
    rows = [row for sat in known for row in sat.asked.rows()]
    learned = learn(rows)
    councils["ours"].fit = learned.fit
    councils["without alarm"].fit = fit_memory(rows)
    changed = today > TURN
    kept = [row for sat in known for row in sat.asked.rows() if not changed or _is_now(row, sat)]
    councils["told at once"].fit = fit_memory(kept)
    return learned


def _is_now(row: PastVote, sat: Sat) -> bool:
    return row.juror != BAD or sat.day >= TURN


def _judge(council: Council, asked: Asked) -> None:
    question = Question(
        text=asked.question_id,
        topic=asked.topic,
        options=OPTIONS[: max(asked.n_options or len(OPTIONS), 2)],
        options_source="given",
    )
    opinions = [
        Opinion(juror=seat, stance=asked.votes[seat])
        if seat in asked.votes
        else Opinion(juror=seat, abstain_reason="no_stance")
        for seat in SEATS
    ]
    fit = council.fit and slice_for(council.fit, SEATS, asked.topic)
    verdict = decide(question, opinions, Memory(fit=fit), Policy(quorum=1, quorum_share=0))
    totals = {ballot.option: ballot.weight for ballot in verdict.ballots}
    council.right.append(shared_right(totals, asked.right))
    council.sure.append(verdict.confidence)
    votes = [vote for ballot in verdict.ballots for vote in ballot.votes if vote.juror == BAD]
    council.weight.append(votes[0].weight if votes else float("nan"))


def measure(
    year: Sequence[Sat], councils: dict[str, Council], alarms: dict[int, tuple[Drift, ...]]
) -> dict[str, Any]:
    """Return accuracy before and after the turn, and when the alarm came."""
    turn = next(i for i, sat in enumerate(year) if sat.day >= TURN)
    settled = next(i for i, sat in enumerate(year) if sat.day >= TURN + 2 * LATEST)
    right = {name: np.array(council.right) for name, council in councils.items()}
    right["majority"] = np.array(
        [shared_right(Counter(s.asked.votes.values()), s.asked.right) for s in year]
    )
    heard = [day for day, drifts in alarms.items() if any(d.juror == BAD for d in drifts)]
    false = sorted({d.juror for drifts in alarms.values() for d in drifts if d.juror != BAD})
    early = [day for day in heard if day < TURN]
    spans = {"before": slice(0, turn), "after": slice(turn, None), "settled": slice(settled, None)}
    sure = np.array(councils["ours"].sure)
    return {
        "questions": len(year),
        "accuracy": {
            span: {name: round(float(hits[part].mean()), 4) for name, hits in right.items()}
            for span, part in spans.items()
        },
        "ours_minus_without_alarm_after_95ci": interval(
            (right["ours"] - right["without alarm"])[turn:]
        ),
        "ece": round(calibration_error(sure, right["ours"]), 4),
        "turn": TURN,
        "alarm_day": min(heard, default=None),
        "false_alarms": [*false, *([BAD] if early else [])],
    }


def draw(
    path: Path, year: Sequence[Sat], councils: dict[str, Council], figures: dict[str, Any]
) -> None:
    """Draw accuracy over the last four weeks, and the weight of the seat that goes bad."""
    import matplotlib as mpl  # noqa: PLC0415 - slow to import

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "council"
    from matplotlib import pyplot as plt  # noqa: PLC0415

    days = np.array([sat.day for sat in year])
    figure, (top, low) = plt.subplots(2, 1, figsize=(9, 6), sharex=True, layout="constrained")
    lines = {name: np.array(council.right) for name, council in councils.items()}
    lines["majority"] = np.array(
        [shared_right(Counter(s.asked.votes.values()), s.asked.right) for s in year]
    )
    for name, style in _STYLES.items():
        top.plot(*_rolling(days, lines[name]), label=name, **style)
        if name in councils:
            low.plot(*_rolling(days, np.array(councils[name].weight)), label=name, **style)
    top.set_ylabel(f"share right, last {WINDOW} days")
    low.set_ylabel(f"weight of {BAD}'s vote (1: average)")
    low.set_xlabel("day of the year")
    marks = [(TURN, f"{BAD} goes bad", "0.4", "right")]
    if figures["alarm_day"] is not None:
        marks.append(
            (figures["alarm_day"], f"alarm, day {figures['alarm_day']}", "tab:red", "left")
        )
    for axes in (top, low):
        for day, told, colour, side in marks:
            axes.axvline(day, color=colour, linestyle="--")
            at = {"transform": axes.get_xaxis_transform(), "ha": side, "va": "bottom"}
            axes.text(day, 0.04, f" {told} ", rotation=90, color=colour, **at)
        axes.grid(visible=True, alpha=0.3)
    top.legend(loc="lower left", frameon=False, ncols=2)
    figure.savefig(path, format="svg", metadata={"Date": None})
    plt.close(figure)


_STYLES: dict[str, dict[str, Any]] = {
    "majority": {"color": "0.6", "linewidth": 1.2},
    "without alarm": {"color": "tab:orange", "linewidth": 1.2, "linestyle": "-."},
    "told at once": {"color": "tab:green", "linewidth": 1.2, "linestyle": "--"},
    "ours": {"color": "tab:blue", "linewidth": 2},
}


def _rolling(days: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    ends = np.arange(WINDOW, DAYS + 1)
    means = [np.nanmean(values[(days >= end - WINDOW) & (days < end)]) for end in ends]
    return ends, np.array(means)


def show(figures: dict[str, Any]) -> None:
    """Print the table."""
    table = Table(title=f"accuracy of a year; one juror goes bad on day {TURN}")
    names = list(figures["accuracy"]["before"])
    for name in ("", *names):
        table.add_column(name, justify="right" if name else "left")
    spans = {"before": "before", "after": "after", "settled": f"from day {TURN + 2 * LATEST} on"}
    for span, told in spans.items():
        row = figures["accuracy"][span]
        table.add_row(told, *(f"{100 * row[name]:.1f}" for name in names))
    console = Console(width=100)
    console.print(table)
    false = ", ".join(figures["false_alarms"]) or "none"
    console.print(f"alarm on day {figures['alarm_day']}; false alarms: {false}")


def is_good(figures: dict[str, Any]) -> bool:
    """Whether the alarm came, for the right juror, and the council is ahead of the majority."""
    ahead = all(
        figures["accuracy"][span]["ours"] > figures["accuracy"][span]["majority"]
        for span in ("before", "after")
    )
    return figures["alarm_day"] is not None and not figures["false_alarms"] and ahead


def main(argv: Sequence[str] | None = None) -> int:
    """Run the year; print a table and one JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path, nargs="?", default=DATA)
    parser.add_argument("--svg", type=Path, help="draw the year into this file")
    parser.add_argument("--json", action="store_true", help="print only the JSON line")
    given = parser.parse_args(argv)
    year = the_year(read_sets(given.path)[""])
    councils, alarms = run_year(year)
    figures = measure(year, councils, alarms)
    if given.svg:
        draw(given.svg, year, councils, figures)
    if not given.json:
        show(figures)
    sys.stdout.write(json.dumps({"year": figures}) + "\n")
    return 0 if is_good(figures) else 1


if __name__ == "__main__":
    sys.exit(main())
