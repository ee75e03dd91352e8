"""Does debate help? Recorded debates, before and after.

    python -m tests.benchmarks.debate [DIR] [--json]

DIR holds `turns.jsonl.gz` (run, question_id, topic, juror, round, answer, gold) and, where reasons
were kept, `reasons.jsonl.gz`. Calls are counted in turns: one juror asked once.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from contracts.opinion import Opinion
from tasks.judging.consensus import hollow_consensus
from tests.benchmarks.judge import calibration_error, interval, judge_in_order
from tests.benchmarks.recorded import SUFFIX, Asked, read_rows, read_sets
from tests.benchmarks.yardsticks import shared_right

DATA = Path(__file__).parent / "data"
WARMUP = 300


@dataclass(frozen=True, slots=True)
class Talk:
    """One question: who said what in which round."""

    right: str
    turns: dict[str, dict[int, str | None]]
    """Juror → round → answer."""

    def at(self, *, last: bool) -> dict[str, str | None]:
        """Return each juror's first or last answer."""
        return {j: rounds[max(rounds) if last else min(rounds)] for j, rounds in self.turns.items()}

    def camps(self, *, last: bool = False) -> Counter[str]:
        """Return the number of jurors of each answer."""
        return Counter(answer for answer in self.at(last=last).values() if answer is not None)

    def verdict(self, *, last: bool) -> float:
        """Return how right the majority is, ties shared."""
        return shared_right(self.camps(last=last), self.right)

    @property
    def debated(self) -> bool:
        """Whether anybody spoke twice."""
        return any(len(rounds) > 1 for rounds in self.turns.values())

    @property
    def further_calls(self) -> int:
        """Turns beyond the first of each juror."""
        return sum(len(rounds) - 1 for rounds in self.turns.values())


def _split(talk: Talk) -> bool:
    return len(talk.camps()) > 1


def _no_majority(talk: Talk) -> bool:
    return 2 * max(talk.camps().values(), default=0) <= len(talk.turns)


def _silence(talk: Talk) -> bool:
    return _split(talk) or len(talk.turns) > sum(talk.camps().values())


GATES: dict[str, Callable[[Talk], bool]] = {
    "never": lambda _: False,
    "no majority": _no_majority,
    "split": _split,
    "split or silent": _silence,
    "always": lambda _: True,
}
"""When to let the jurors read each other. Whatever a gate asks for, only what was recorded can be
replayed: where a run had stopped by itself, the first votes stand."""


def read_talks(path: Path) -> dict[str, dict[str, Talk]]:
    """Return run → question → talk."""
    runs: dict[str, dict[str, Talk]] = defaultdict(dict)
    for row in read_rows(path / f"turns{SUFFIX}"):
        run = runs["" if row.get("run") is None else f"run_{row['run']}"]
        talk = run.setdefault(row["question_id"], Talk(row["gold"], {}))
        talk.turns.setdefault(row["juror"], {})[int(row["round"])] = row["answer"]
    return {
        name: {q: talk for q, talk in run.items() if any(0 in r for r in talk.turns.values())}
        for name, run in sorted(runs.items())
    }


def gate_figures(talks: Sequence[Talk], gate: Callable[[Talk], bool]) -> dict[str, float]:
    """Return accuracy and calls a question under a gate."""
    right, calls = [], []
    for talk in talks:
        goes_on = talk.debated and gate(talk)
        right.append(talk.verdict(last=goes_on))
        calls.append(len(talk.turns) + (talk.further_calls if goes_on else 0))
    return {
        "accuracy": round(float(np.mean(right)), 4),
        "calls": round(float(np.mean(calls)), 3),
    }


def flips(talks: Sequence[Talk]) -> dict[str, int]:
    """Count where debated verdicts and jurors went: `right→wrong`, `wrong→right`, `silent→right` …

    A verdict counts as right when it alone leads.
    """
    tally: Counter[str] = Counter()
    for talk in talks:
        before, after = (talk.verdict(last=last) == 1 for last in (False, True))
        tally[f"verdict {_WORD[before]}→{_WORD[after]}"] += 1
        first, last = talk.at(last=False), talk.at(last=True)
        for juror, rounds in talk.turns.items():
            if len(rounds) > 1:
                states = (_state(said[juror], talk.right) for said in (first, last))
                tally["juror " + "→".join(states)] += 1
    return {key: n for key, n in sorted(tally.items()) if len(set(key.split()[1].split("→"))) == 2}


_WORD = {True: "right", False: "wrong"}


def _state(answer: str | None, right: str) -> str:
    return "silent" if answer is None else _WORD[answer == right]


def consensus_figures(
    talks: Mapping[str, Talk], words: Mapping[tuple[str, str], str]
) -> dict[str, Any]:
    """Return how often each kind of consensus is right.

    `at once`: one camp and nobody silent before debate; `reached`: one camp after it. Of those
    reached for which reasons were kept, `hollow` are flagged for near copies, `own words` are not.
    """
    kinds: dict[str, list[float]] = defaultdict(list)
    for name, talk in talks.items():
        if not talk.debated:
            if not _silence(talk):
                kinds["at once"].append(talk.verdict(last=False))
            continue
        if len(talk.camps(last=True)) != 1:
            kinds["none after debate"].append(talk.verdict(last=True))
            continue
        kinds["reached"].append(talk.verdict(last=True))
        spoken = {juror: words[name, juror] for juror in talk.turns if (name, juror) in words}
        if len(spoken) > 1:
            kinds[_echo(talk, spoken)].append(talk.verdict(last=True))
    return {
        kind: {"n": len(right), "right": round(float(np.mean(right)), 4)}
        for kind, right in sorted(kinds.items())
    }


def _echo(talk: Talk, spoken: Mapping[str, str]) -> str:
    last = talk.at(last=True)
    opinions = {
        juror: Opinion(juror=juror, round=2, stance=last[juror], reasons=(text,))
        for juror, text in spoken.items()
        if last[juror] is not None
    }
    return "hollow" if hollow_consensus(opinions, ()) else "own words"


def last_words(path: Path, run: str) -> dict[tuple[str, str], str]:
    """Return (question, juror) → reasons of its last recorded round, beyond the first."""
    file = path / f"reasons{SUFFIX}"
    rows = read_rows(file) if file.is_file() else []
    mine = [r for r in rows if run in ("", f"run_{r.get('run')}") and r["round"] > 0]
    return {
        (row["question_id"], row["juror"]): row["reasons"]
        for row in sorted(mine, key=lambda row: row["round"])
    }


def learned_figures(first: list[Asked], last: list[Asked]) -> dict[str, Any]:
    """Return the learned judge before and after, and its calibration after debate.

    `apart` learns from outcomes after debate, `together` applies what was learned before it.
    """
    known = {question.question_id for question in first}
    last = [question for question in last if question.question_id in known]
    runs = {
        "before": judge_in_order(first, WARMUP),
        "after, apart": judge_in_order(last, WARMUP),
        "after, together": judge_in_order(last, WARMUP, teach=first),
    }
    return {
        name: {
            "accuracy": round(float(right.mean()), 4),
            "ece": round(calibration_error(sure, right), 4),
            "brier": round(float((right * (1 - sure) ** 2 + (1 - right) * sure**2).mean()), 4),
        }
        for name, (right, sure) in runs.items()
    }


def run_folder(path: Path) -> dict[str, Any]:
    """Measure every run under `path`."""
    sets = read_sets(path)
    out = {}
    for name, talks in read_talks(path).items():
        every = list(talks.values())
        debated = [talk for talk in every if talk.debated]
        before, after = (
            np.array([talk.verdict(last=last) for talk in debated]) for last in (False, True)
        )
        prefix = f"{name}_" if name else ""
        out[name or path.name] = {
            "questions": len(every),
            "debated": len(debated),
            "debated_before": round(float(before.mean()), 4),
            "debated_after": round(float(after.mean()), 4),
            "gain_95ci": interval(after - before),
            "flips": flips(debated),
            "gates": {gate: gate_figures(every, when) for gate, when in GATES.items()},
            "consensus": consensus_figures(talks, last_words(path, name)),
            "learned": learned_figures(sets[f"{prefix}first_votes"], sets[f"{prefix}last_votes"]),
        }
    return out


def show(results: Mapping[str, Any]) -> None:
    """Print the tables."""
    console = Console(width=150)
    gates = Table(title="when to debate: accuracy of the majority / calls a question")
    for name in ("run", "questions", "debated", "before → after", "95 % CI of the gain", *GATES):
        gates.add_column(name)
    for run, r in results.items():
        cells = [f"{100 * g['accuracy']:.1f} / {g['calls']:.1f}" for g in r["gates"].values()]
        low, high = (f"{100 * end:+.1f}" for end in r["gain_95ci"])
        moved = f"{100 * r['debated_before']:.1f} → {100 * r['debated_after']:.1f}"
        row = (str(r["questions"]), str(r["debated"]), moved, f"{low} … {high}")
        gates.add_row(run, *row, *cells)
    console.print(gates)
    for run, r in results.items():
        console.print(f"{run}: flips {json.dumps(r['flips'], ensure_ascii=False)}")
        console.print(f"{run}: consensus {json.dumps(r['consensus'])}")
        console.print(f"{run}: learned {json.dumps(r['learned'])}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; print the tables and one JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path, nargs="?", default=DATA / "debate_mmlu")
    parser.add_argument("--json", action="store_true", help="print only the JSON line")
    given = parser.parse_args(argv)
    if not (given.path / f"turns{SUFFIX}").is_file():
        parser.error(f"{given.path} holds no turns{SUFFIX}; name a folder of recorded debates")
    results = run_folder(given.path)
    if not given.json:
        show(results)
    sys.stdout.write(json.dumps({"debates": results}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
