"""The benchmarks on recorded juries: no future leaks, and every shape of folder is read."""

import gzip
import json

import numpy as np
import pytest

from tests.benchmarks import debate, judge
from tests.benchmarks.recorded import Asked, read_sets

JURORS = {"Ada": 0.85, "Bob": 0.6, "Cyd": 0.55, "Dov": 0.5, "Eve": 0.45}


def rows(n, seed=0):
    rng = np.random.default_rng(seed)
    return [
        {
            "question_id": f"q{i}",
            "topic": "ab"[i % 2],
            "juror": juror,
            "answer": None if rng.random() < 0.05 else "C" if rng.random() < skill else "D",
            "gold": "C",
        }
        for i in range(n)
        for juror, skill in JURORS.items()
    ]


def write(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)


def asked(n):
    made = {}
    for row in rows(n):
        one = made.setdefault(row["question_id"], {})
        if row["answer"]:
            one[row["juror"]] = row["answer"]
    return [Asked(q, "a", "C", 4, votes, frozenset(JURORS)) for q, votes in made.items()]


def test_no_question_is_judged_by_its_own_outcome_or_a_later_one():
    questions = asked(90)
    turned = [
        question
        if i < 60
        else Asked(question.question_id, "a", "D", 4, question.votes, question.asked)
        for i, question in enumerate(questions)
    ]
    right, sure = judge.judge_in_order(questions, 40)
    other, other_sure = judge.judge_in_order(turned, 40)
    assert (right[:20] == other[:20]).all()
    assert sure[:21] == pytest.approx(other_sure[:21])
    assert sure[-1] != pytest.approx(other_sure[-1])


def test_the_json_line_has_what_was_asked_for(tmp_path, capsys):
    write(tmp_path / "votes.jsonl.gz", rows(60))
    assert judge.main([str(tmp_path), "--panels", "2", "--json"]) == 0
    panels = json.loads(capsys.readouterr().out.splitlines()[-1])["panels"]
    assert set(panels) == {"all", "random_3", "random_5"}
    judges = {"majority", "dawid_skene", "leader_so_far", "best_single_hindsight", "ours"}
    assert judges <= set(panels["all"]["accuracy"])
    assert {"accuracy", "ece", "brier", "log_loss", "coverage"} <= set(panels["all"]["ours"])
    assert set(panels["all"]["ours"]["coverage"]) == {"0.5", "0.7", "0.9"}
    assert panels["all"]["n"] == 48


def test_a_history_comes_before_and_is_not_scored(tmp_path, capsys):
    write(tmp_path / "past" / "votes.jsonl.gz", rows(60))
    fresh = [row | {"question_id": f"new-{row['question_id']}"} for row in rows(20, seed=5)]
    write(tmp_path / "now" / "votes.jsonl.gz", fresh)
    past, now = str(tmp_path / "past"), str(tmp_path / "now")
    judge.main([now, "--history", past, "--panels", "1", "--json"])
    panels = json.loads(capsys.readouterr().out)["panels"]
    assert panels["all"]["n"] == 20


def test_single_files_folders_of_files_and_debates_are_read(tmp_path):
    write(tmp_path / "crowd" / "birds.jsonl.gz", rows(10))
    turns = [row | {"round": k, "run": 7} for row in rows(10) for k in (0, 1)]
    write(tmp_path / "debate" / "turns.jsonl.gz", turns)
    assert set(read_sets(tmp_path / "crowd")) == {"birds"}
    assert set(read_sets(tmp_path / "crowd" / "birds.jsonl.gz")) == {""}
    assert set(read_sets(tmp_path / "debate")) == {"run_7_first_votes", "run_7_last_votes"}
    with pytest.raises(SystemExit, match="no votes"):
        read_sets(tmp_path)


def test_a_debate_that_turns_one_verdict_is_counted():
    said = {"Ada": {0: "C", 1: "C"}, "Bob": {0: "D", 1: "C"}, "Cyd": {0: None, 1: "C"}}
    talk = debate.Talk("C", said)
    assert talk.verdict(last=False) == 0.5
    assert talk.verdict(last=True) == 1
    assert debate.flips([talk]) == {
        "juror silent→right": 1,
        "juror wrong→right": 1,
        "verdict wrong→right": 1,
    }
    gates = {name: debate.gate_figures([talk], gate) for name, gate in debate.GATES.items()}
    assert gates["never"] == {"accuracy": 0.5, "calls": 3.0}
    assert gates["split"] == {"accuracy": 1.0, "calls": 6.0}


def test_what_ships_is_what_the_readme_says():
    sets = read_sets(judge.DATA / "mmlu_pro")
    assert len(sets[""]) == 7421
    assert sum(len(question.asked) for question in sets[""]) == 177_478
