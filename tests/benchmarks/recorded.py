"""Recorded juries, read from folders of the shape that `tests/benchmarks/data/README.md` tells."""

import gzip
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from contracts.fit import PastVote

OPEN_FROM = 40
"""A set with more distinct answers than this is one of free answers."""
SUFFIX = ".jsonl.gz"


@dataclass(frozen=True, slots=True)
class Asked:
    """One question as it was voted on."""

    question_id: str
    topic: str
    right: str
    n_options: int | None
    votes: dict[str, str]
    asked: frozenset[str]
    """Jurors that were asked, abstentions included."""

    def rows(self) -> list[PastVote]:
        """Return the votes and abstentions as outcomes."""
        return [
            PastVote(
                question_id=self.question_id,
                topic=self.topic,
                juror=juror,
                option=self.votes.get(juror),
                right=self.right,
                n_options=self.n_options,
            )
            for juror in sorted(self.asked)
        ]

    def only(self, jurors: frozenset[str]) -> "Asked":
        """Return the question as a smaller panel voted on it."""
        votes = {juror: option for juror, option in self.votes.items() if juror in jurors}
        return replace(self, votes=votes, asked=self.asked & jurors)


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a gzip JSON lines file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def read_sets(path: Path) -> dict[str, list[Asked]]:
    """Return the sets of votes that `path` holds, each in the fixed order of its questions.

    A folder with `votes.jsonl.gz` is one set, named ``. A folder with `turns.jsonl.gz` gives two a
    run: first votes and last votes. Any other file or folder of files is one set a file.
    """
    if path.is_file():
        return {"": _asked(read_rows(path), {})}
    counts = _option_counts(path / f"questions{SUFFIX}")
    if (path / f"votes{SUFFIX}").is_file():
        return {"": _asked(read_rows(path / f"votes{SUFFIX}"), counts)}
    if (path / f"turns{SUFFIX}").is_file():
        return dict(_debate_sets(read_rows(path / f"turns{SUFFIX}"), counts))
    files = sorted(path.glob(f"*{SUFFIX}"))
    if not files:
        raise SystemExit(
            f"{path}: no votes, turns or other {SUFFIX} file here; name another folder"
        )
    return {file.name.removesuffix(SUFFIX): _asked(read_rows(file), {}) for file in files}


def _option_counts(path: Path) -> dict[str, int]:
    if not path.is_file():
        return {}
    found = {}
    for row in read_rows(path):
        options = row.get("options")
        count = row.get("n_options") or (len(options) if isinstance(options, list) else None)
        if count:
            found[row["question_id"]] = int(count)
    return found


def _debate_sets(
    rows: list[dict[str, Any]], counts: dict[str, int]
) -> Iterator[tuple[str, list[Asked]]]:
    runs: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        runs[row.get("run")].append(row)
    for run, mine in sorted(runs.items(), key=lambda item: str(item[0])):
        name = "" if run is None else f"run_{run}_"
        mine.sort(key=lambda row: row["round"])
        first = {(r["question_id"], r["juror"]): r for r in mine if r["round"] == 0}
        last = {(r["question_id"], r["juror"]): r for r in mine}
        yield f"{name}first_votes", _asked(list(first.values()), counts)
        yield f"{name}last_votes", _asked(list(last.values()), counts)


def _asked(rows: list[dict[str, Any]], counts: dict[str, int]) -> list[Asked]:
    missing = {"question_id", "topic", "juror", "answer", "gold"} - set(rows[0] if rows else ())
    if missing:
        raise SystemExit(f"no votes here: the rows have no {', '.join(sorted(missing))}")
    answers = {row["answer"] for row in rows} | {row["gold"] for row in rows}
    plain = len(answers - {None})
    usual = plain if plain <= OPEN_FROM else None
    by_question: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_question[row["question_id"]].append(row)
    made = [
        Asked(
            question_id=name,
            topic=mine[0]["topic"],
            right=mine[0]["gold"],
            n_options=counts.get(name, usual),
            votes={row["juror"]: row["answer"] for row in mine if row["answer"] is not None},
            asked=frozenset(row["juror"] for row in mine),
        )
        for name, mine in by_question.items()
    ]
    return sorted(made, key=lambda asked: order_key(asked.question_id))


def order_key(question_id: str) -> str:
    """Return the key of the one order in which recorded questions are put."""
    return hashlib.sha256(f"order|{question_id}".encode()).hexdigest()
