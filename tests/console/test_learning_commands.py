"""Outcomes, learning and reflection at the command line: real processes and their exit codes."""

import json
import os
import pty
import subprocess
import sys
from datetime import UTC, datetime

import pytest

from data.past_votes import known_outcomes
from data.store import Store
from tests.benchmarks.sample import write_sample
from tests.tasks.arena.making import keep_bouts


def run(home, *arguments, code=0):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COUNCIL_", "PREFECT_"))}
    main = "from flows.console.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", main, *arguments],
        capture_output=True,
        text=True,
        env={**env, "COUNCIL_HOME": str(home)},
        check=False,
        timeout=120,
    )
    assert done.returncode == code, done.stderr + done.stdout
    return done


@pytest.fixture
def sample(home):
    home.mkdir(parents=True)
    write_sample(home, until=datetime.now(UTC))
    return home


def test_a_verdict_an_outcome_a_refit_and_the_next_verdict_by_it(home):
    asked = json.loads(run(home, "ask", "Go or Rust?", "--direct", "--json").stdout)
    assert asked["n_outcomes"] == 0
    (row,) = json.loads(run(home, "history", "--json").stdout)
    done = run(home, "outcome", row["deliberation_id"][:8], "--right", "go", "--by", "Eve")
    assert "recorded: Go was right" in done.stdout
    assert known_outcomes(Store(home)) == {row["deliberation_id"]: "Go"}
    learned = json.loads(run(home, "refit", "--direct", "--json").stdout)
    assert learned["fit"]["alone"]["n_outcomes"] == 1
    again = json.loads(run(home, "ask", "Go or Rust?", "--direct", "--json").stdout)
    whys = [vote["why"] for ballot in again["ballots"] for vote in ballot["votes"]]
    assert any("of 1 on" in why for why in whys)
    verified = json.loads(run(home, "replay", "--verify", "--all", "--json").stdout)
    assert verified == {"checked": 2, "mismatches": []}


def test_a_wrong_option_and_an_unknown_id_are_one_line_each(sample):
    (row, *_) = Store(sample).history(limit=1).records()
    wrong = run(sample, "outcome", row["deliberation_id"], "--right", "maybe", code=2)
    assert "'maybe' is no option of" in wrong.stderr
    unknown = run(sample, "outcome", "zzzz", "--right", "yes", code=2)
    assert "There is no deliberation 'zzzz'" in unknown.stderr
    assert "Traceback" not in wrong.stderr + unknown.stderr


def test_a_file_of_outcomes_is_recorded_or_refused_whole(sample, tmp_path):
    rows = Store(sample).history(limit=2, topic="product").records()
    path = tmp_path / "right.csv"
    lines = [f"{row['deliberation_id']},other" for row in rows]
    path.write_text("\n".join(["deliberation_id,right", *lines, "zzzz,yes"]) + "\n")
    assert "row 4" in run(sample, "outcome", "import", str(path), code=2).stderr
    done = run(sample, "outcome", "import", str(path), "--skip-bad", "--json")
    assert json.loads(done.stdout) == {"recorded": 2, "corrected": 0, "unchanged": 0, "bad": 1}


def test_reflection_on_the_sample_history_shows_approves_and_dismisses(sample):
    shown = run(sample, "reflect").stdout
    for line in ("Local Juror | security | 3", "Fast Juror | hiring | 0.25", "9 / 1"):
        assert line in shown
    found = json.loads(run(sample, "reflect", "--json").stdout)
    assert (found["looked_at"], found["outcomes"], len(found["proposals"])) == (40, 32, 3)
    first, second, third = (one["proposal_id"] for one in found["proposals"])
    assert "written to SKILL.md" in run(sample, "reflect", "--approve", first, "--by", "E").stdout
    run(sample, "reflect", "--dismiss", second, "--note", "it is leaving")
    left = json.loads(run(sample, "reflect", "--json").stdout)["proposals"]
    assert [one["proposal_id"] for one in left] == [third]
    rows = Store(sample).sql("select decision, note from rule_decisions order by 1").rows
    assert rows == (("approved", ""), ("dismissed", "it is leaving"))
    assert "Local Juror" in run(sample, "skills", "show").stdout


def test_personas_are_proposed_approved_and_dismissed_by_the_same_command(home):
    keep_bouts(home, "upheld", "newcomer", 20)
    keep_bouts(home, "overturned", "historian", 8, "security")
    shown = run(home, "reflect").stdout
    for told in ("newcomer | * | never", "0 of its attacks landed", "0.00 (0.00–0.16)", "2 of 2"):
        assert told in shown
    assert "speaks for no rule" not in shown
    found = json.loads(run(home, "reflect", "--json").stdout)
    assert found["proposals"] == []
    first, second = found["personas"]
    assert (first["persona"], first["cast"], first["n"], first["landed"], first["high"]) == (
        ("historian", "always", 8, 8, 1.0)
    )
    done = run(home, "reflect", "--approve", first["proposal_id"], "--by", "Eve", "--json").stdout
    assert json.loads(done)["rule"]["approved_by"] == "Eve"
    told = run(home, "reflect", "--dismiss", second["proposal_id"]).stdout
    assert "dismissed: newcomer | * | never" in told
    assert json.loads(run(home, "reflect", "--json").stdout)["personas"] == []
    assert "historian | security | always" in (home / "skills/hyde/SKILL.md").read_text()
    (home / "skills/hyde/SKILL.md").write_text("no front matter")
    broken = run(home, "reflect", code=2)
    assert "SKILL.md:1" in broken.stderr


def test_approving_and_dismissing_at_once_is_a_mistake(sample):
    assert "exclude" in run(sample, "reflect", "--approve", "a", "--dismiss", "b", code=2).stderr


def test_after_a_refit_what_was_learned_needs_no_rule(sample):
    told = run(sample, "refit", "--direct").stdout
    assert "learned from 32 outcomes of votes before debate" in told
    assert "needs no rule" in run(sample, "reflect").stdout


def test_an_empty_home_learns_nothing_and_says_so(home):
    assert "nothing to learn from" in run(home, "refit", "--direct").stdout
    assert "the evidence speaks for no rule" in run(home, "reflect").stdout


def test_at_a_terminal_each_proposal_is_asked_about(sample):
    """A real pseudo-terminal: approve the first, dismiss the second, leave the third."""
    parent, child = pty.openpty()
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COUNCIL_", "PREFECT_"))}
    main = "from flows.console.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", main, "reflect", "--by", "Eve"],
        stdin=child,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**env, "COUNCIL_HOME": str(sample)},
    )
    os.write(parent, b"approve\nd\n\n")
    told, wrong = process.communicate(timeout=120)
    os.close(parent)
    os.close(child)
    assert process.returncode == 0, wrong
    assert told.count(b"approve, dismiss or later?") == 3
    rows = Store(sample).sql("select juror, decision from rule_decisions order by 1").rows
    assert rows == (("Fast Juror", "dismissed"), ("Local Juror", "approved"))
