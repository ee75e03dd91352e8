"""The judge with something learned: whose word counts, how sure, and why, in words."""

import subprocess
import sys

import pytest

from contracts.fit import Fit, PastVote
from contracts.memory import Memory, Policy
from contracts.opinion import OTHER, Opinion
from contracts.question import Option, Question
from contracts.skill import WeightRule
from tasks.judging.decide import decide
from tasks.judging.fit import fit_agreement, fit_memory
from tasks.judging.slices import slice_for

CLOSED = Question(
    text="A, B or C?",
    options=(Option(name="A"), Option(name="B"), Option(name="C")),
    options_source="given",
    topic="databases",
)
OPEN = CLOSED.model_copy(update={"options_source": "slate"})


def said(juror, stance, number=1, **more):
    if stance is None:
        more.setdefault("abstain_reason", "timeout")
    return Opinion(juror=juror, round=number, stance=stance, **more)


def judged(fit, *opinions, question=CLOSED, rules=()):
    return decide(question, opinions, Memory(fit=fit, rules=tuple(rules)), Policy())


def past(rates, n=60, stage="alone", *, known=True, kinds=3):
    """Votes of jurors that are right in so many of ten, spread evenly."""
    return [
        PastVote(
            question_id=f"q{i}",
            topic="databases" if i % 2 else "security",
            juror=juror,
            option="A" if (i * 7 + at * 3) % 10 < rate else "BC"[(i + at) % 2],
            right="A" if known else None,
            n_options=kinds,
            stage=stage,
        )
        for i in range(n)
        for at, (juror, rate) in enumerate(rates.items())
    ]


RATES = {"Ada": 9, "Bob": 4, "Cyd": 4}
FIT = fit_memory(past(RATES))
SPLIT = (said("Ada", "A"), said("Bob", "B"), said("Cyd", "B"))


def test_one_that_was_right_outweighs_two_that_were_not_and_says_why():
    verdict = judged(FIT, *SPLIT)
    assert (verdict.option, verdict.status, verdict.split) == ("A", "plurality", "2–1")
    (vote,) = verdict.ballots[0].votes
    assert vote.why.startswith("right in 24 of 30 on databases, 0.")
    assert "A won by weight: 2 jurors chose B, 1 it" in verdict.warnings


def test_while_nothing_was_learned_the_same_votes_go_the_other_way():
    assert judged(None, *SPLIT).option == "B"
    assert judged(Fit(), *SPLIT).option == "B"


def test_the_confidence_is_learned_and_says_from_what():
    verdict = judged(FIT, *SPLIT)
    assert verdict.calibrated
    assert verdict.n_outcomes == 60
    assert "60 outcomes before debate" in verdict.basis
    assert 1 <= verdict.effective_jurors <= 3


def test_few_outcomes_weigh_and_do_not_calibrate():
    verdict = judged(fit_memory(past(RATES, n=10)), *SPLIT)
    assert not verdict.calibrated
    assert verdict.n_outcomes == 10
    assert "not calibrated before there are 30" in verdict.basis


def test_after_a_debate_the_confidence_goes_by_what_was_learned_after_debates():
    """All agree after the debate whether they are right or not: agreement there says little."""
    herd = [
        PastVote(
            question_id=f"d{i}",
            topic="databases",
            juror=juror,
            option="A",
            right="A" if i % 5 < 2 else "B",
            n_options=3,
            stage="debated",
        )
        for i in range(60)
        for juror in RATES
    ]
    fit = fit_memory([*past({"Ada": 9, "Bob": 8, "Cyd": 8}), *herd])
    first = (said("Ada", "A"), said("Bob", "A"), said("Cyd", "B"))
    alone = judged(fit, said("Ada", "A"), said("Bob", "A"), said("Cyd", "A"))
    debated = judged(fit, *first, *(said(name, "A", 2, changed_by="x") for name in RATES))
    assert alone.confidence > 0.8
    assert debated.confidence < 0.6
    assert "after debate" in debated.basis
    assert debated.before_debate.confidence == judged(fit, *first).confidence


def test_with_outcomes_of_one_stage_only_the_other_is_weighed_by_them_and_not_calibrated():
    debated = judged(FIT, *SPLIT, said("Bob", "B", 2), said("Cyd", "B", 2))
    assert (debated.option, debated.calibrated, debated.n_outcomes) == ("A", False, 0)
    assert debated.basis.endswith("not calibrated: no outcomes after a debate yet")


def test_an_approved_rule_multiplies_what_was_learned():
    rule = WeightRule(juror="Bob", topic="databases", weight=5)
    plain, ruled = (judged(FIT, *SPLIT, rules=rules) for rules in ((), (rule,)))
    weight = {v.juror: v for b in ruled.ballots for v in b.votes}["Bob"]
    before = {v.juror: v for b in plain.ballots for v in b.votes}["Bob"]
    assert weight.weight == pytest.approx(5 * before.weight, abs=1e-5)
    assert "× 5 by an approved rule" in weight.why
    assert ruled.rules_applied == ("Bob | databases | 5",)


def test_jurors_outside_the_options_do_not_win_however_good_they_were():
    verdict = judged(FIT, said("Ada", OTHER), said("Bob", "A"), said("Cyd", "B"))
    assert (verdict.status, verdict.option) == ("hung", None)


def test_agreement_alone_breaks_a_tie_and_says_that_it_is_no_more_than_that():
    fit = fit_agreement(past({"Ada": 9, "Bob": 9, "Cyd": 2}, known=False))
    verdict = judged(fit, said("Ada", "A"), said("Cyd", "B"))
    assert verdict.option == "A"
    assert "tied: A = B; only past agreement among the jurors speaks for A" in verdict.warnings
    assert not verdict.calibrated
    assert "no outcomes recorded yet" in verdict.basis


def test_agreement_alone_never_turns_a_majority():
    fit = fit_agreement(past({"Ada": 10, "Bob": 1, "Cyd": 1}, known=False))
    verdict = judged(fit, *SPLIT)
    assert verdict.option == "B"
    assert not any("agreement" in warning for warning in verdict.warnings)


def test_an_open_question_is_not_taken_for_one_of_few_options():
    """Right in four of ten is below chance of two, and far above it where anything can be said."""
    fit = fit_memory(past({"Ada": 4, "Bob": 4, "Cyd": 4}, kinds=None))
    votes = (said("Ada", "A"), said("Bob", "A"), said("Cyd", "B"))
    verdict = judged(fit, *votes, question=OPEN)
    assert verdict.option == "A"
    assert all(vote.weight > 0 for ballot in verdict.ballots for vote in ballot.votes)


def test_the_first_outcome_on_an_open_question_does_not_shake_the_confidence():
    votes = (said("Ada", "A"), said("Bob", "A"), said("Cyd", "A"))
    without = judged(None, *votes, question=OPEN).confidence
    one = judged(fit_memory(past(RATES, n=1, kinds=None)), *votes, question=OPEN).confidence
    assert one == pytest.approx(without, abs=0.15)


def test_a_slice_gives_the_verdict_of_the_whole():
    rates = {**RATES, "Dov": 7, "Eli": 1}
    whole = fit_memory(past(rates, n=120) + past(rates, n=40, stage="debated"))
    for topic in ("databases", "security", "never seen"):
        question = CLOSED.model_copy(update={"topic": topic})
        part = slice_for(whole, ["Ada", "Bob", "Cyd", "Nobody"], topic)
        for votes in (SPLIT, (*SPLIT, said("Bob", "A", 2), said("Cyd", None, 2))):
            one, other = (judged(fit, *votes, question=question) for fit in (whole, part))
            same = {"memory_sha256": ""}
            assert one.model_copy(update=same) == other.model_copy(update=same)
    assert len(part.canonical_json()) < len(whole.canonical_json()) / 2


def test_the_memory_of_an_earlier_form_keeps_its_hash():
    """A field that is not set has no say, so that verdicts of before can still be verified."""
    assert Memory(fit=None, memory_id=None).sha256() == Memory().sha256()
    assert Memory(fit=FIT).sha256() != Memory().sha256()


def test_no_numpy_is_loaded_where_nothing_was_learned():
    code = (
        "import sys\n"
        "from contracts.memory import Memory, Policy\n"
        "from contracts.opinion import Opinion\n"
        "from contracts.question import Question\n"
        "from tasks.judging.decide import decide\n"
        "decide(Question(text='?'), [Opinion(juror='Ada', stance='A')], Memory(), Policy())\n"
        "print([name for name in ('numpy', 'scipy') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
