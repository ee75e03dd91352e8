"""The judge: known verdicts by name, laws by hypothesis, with and without something learned."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.fit import PastVote
from contracts.memory import Memory, Policy
from contracts.opinion import OTHER, Opinion
from contracts.question import Option, Question
from contracts.skill import WeightRule
from tasks.judging.decide import decide
from tasks.judging.fit import fit_agreement, fit_memory

QUESTION = Question(
    text="A, B or C?",
    options=(Option(name="A"), Option(name="B"), Option(name="C")),
    options_source="given",
    topic="databases",
)
NAMES = ["Ada", "Bob", "Cyd", "Dee", "Eve"]


def said(juror, stance, number=1, **more):
    if stance is None:
        more.setdefault("abstain_reason", "timeout")
    return Opinion(juror=juror, round=number, stance=stance, **more)


def judged(*opinions, rules=(), policy=None, fit=None):
    return decide(QUESTION, opinions, Memory(rules=tuple(rules), fit=fit), policy or Policy())


def rule(juror, weight, topic="databases"):
    return WeightRule(juror=juror, topic=topic, weight=weight)


def test_three_that_agree_are_unanimous():
    verdict = judged(said("Ada", "A"), said("Bob", "A"), said("Cyd", "A"))
    assert (verdict.status, verdict.option, verdict.split) == ("unanimous", "A", "3")


def test_confidence_follows_the_rule_of_succession():
    """(3 + 1) / (3 + 3) with three options: Laplace's rule over the weighted votes."""
    verdict = judged(said("Ada", "A"), said("Bob", "A"), said("Cyd", "A"))
    assert verdict.confidence == pytest.approx(4 / 6)
    assert not verdict.calibrated


def test_two_against_one_is_a_majority_with_the_dissent_named():
    verdict = judged(said("Ada", "A"), said("Bob", "A"), said("Cyd", "B", reasons=("joins",)))
    assert (verdict.status, verdict.option, verdict.split) == ("majority", "A", "2–1")
    assert [(d.juror, d.option, d.reason) for d in verdict.dissents] == [("Cyd", "B", "joins")]


def test_a_tie_is_hung_and_names_no_option():
    verdict = judged(said("Ada", "A"), said("Bob", "B"))
    assert (verdict.status, verdict.option) == ("hung", None)
    assert verdict.warnings == ("tied: A = B",)


def test_a_failed_seat_stays_in_the_denominator():
    verdict = judged(said("Ada", "A"), said("Bob", "A"), said("Cyd", None))
    assert (verdict.status, verdict.seats, verdict.split) == ("majority", 3, "2")
    assert verdict.failed_seats[0].reason == "timeout"
    full = judged(said("Ada", "A"), said("Bob", "A"), said("Cyd", "A"))
    assert verdict.confidence < full.confidence


def test_one_opinion_of_three_is_no_quorum():
    verdict = judged(said("Ada", "A"), said("Bob", None), said("Cyd", None))
    assert (verdict.status, verdict.option, verdict.decided) == ("no_quorum", None, False)


def test_two_opinions_of_five_seats_are_no_quorum():
    silent = [said(name, None) for name in NAMES[2:]]
    assert judged(said("Ada", "A"), said("Bob", "A"), *silent).status == "no_quorum"


def test_no_opinions_at_all_is_no_quorum():
    assert judged().status == "no_quorum"


def test_jurors_outside_the_options_do_not_win_together():
    verdict = judged(said("Ada", OTHER), said("Bob", OTHER), said("Cyd", "A"))
    assert (verdict.status, verdict.option) == ("hung", None)
    assert "rejected" in verdict.warnings[0]


def test_a_rule_turns_the_verdict_and_says_so():
    opinions = (said("Ada", "A"), said("Bob", "A"), said("Cyd", "B"))
    verdict = judged(*opinions, rules=[rule("cyd", 2.5)])
    assert (verdict.option, verdict.status) == ("B", "plurality")
    assert verdict.rules_applied == ("cyd | databases | 2.5",)
    assert "won by weight" in verdict.warnings[0]
    assert "2.5" in verdict.ballots[0].votes[0].why


def test_a_rule_for_the_topic_goes_before_one_for_all_topics():
    opinions = (said("Ada", "A"), said("Bob", "B"))
    verdict = judged(*opinions, rules=[rule("Ada", 3, "*"), rule("Ada", 0.5)])
    assert verdict.option == "B"


def test_a_rule_for_another_topic_does_nothing():
    opinions = (said("Ada", "A"), said("Bob", "A"), said("Cyd", "B"))
    assert judged(*opinions, rules=[rule("Cyd", 5, "hiring")]).option == "A"


def test_the_second_round_replaces_the_first_and_the_change_is_told():
    first = (said("Ada", "A"), said("Bob", "B"), said("Cyd", "B"))
    second = (said("Ada", "B", 2, changed_by="locks"), said("Bob", "B", 2), said("Cyd", "B", 2))
    verdict = judged(*first, *second)
    assert (verdict.status, verdict.option) == ("unanimous", "B")
    assert verdict.before_debate.split == "2–1"
    change = verdict.changed_minds[0]
    assert (change.juror, change.before, change.after, change.moved_by) == (
        "Ada",
        "A",
        "B",
        "locks",
    )


def test_a_juror_that_fails_in_the_second_round_keeps_its_first_opinion():
    verdict = judged(said("Ada", "A"), said("Bob", "A"), said("Ada", None, 2))
    assert verdict.split == "2"


def test_a_juror_that_takes_its_answer_back_abstains():
    back = said("Ada", None, 2, abstain_reason="declined")
    verdict = judged(said("Ada", "A"), said("Bob", "A"), said("Cyd", "A"), back)
    assert verdict.split == "2"


def test_a_change_without_an_argument_is_called_hollow():
    opinions = (said("Ada", "A"), said("Bob", "B"), said("Ada", "B", 2), said("Bob", "B", 2))
    assert any("hollow: Ada" in warning for warning in judged(*opinions).warnings)


def test_agreement_in_the_same_words_is_called_hollow():
    words = ("it has transactions and is boring",)
    opinions = (
        said("Ada", "A"),
        said("Bob", "B"),
        said("Ada", "B", 2, reasons=words, changed_by="transactions"),
        said("Bob", "B", 2, reasons=words),
    )
    assert any("nearly the same words" in warning for warning in judged(*opinions).warnings)


RATES = {"Ada": 9, "Bob": 6, "Cyd": 5, "Dee": 1}
"""Right answers in ten. Eve was never measured."""


def past(n, stage, *, known=True):
    rows = []
    for i in range(n):
        for at, (juror, rate) in enumerate(RATES.items()):
            right = (i * 7 + at * 3) % 10 < rate
            rows.append(
                PastVote(
                    question_id=f"q{i}",
                    topic="databases" if i % 3 else "security",
                    juror=juror,
                    option="A" if right else "BC"[(i + at) % 2],
                    right="A" if known else None,
                    n_options=3,
                    stage=stage,
                )
            )
    return rows


@cache
def learned(kind):
    rows = {
        "agreement": lambda: past(40, "alone", known=False),
        "few": lambda: past(8, "alone"),
        "many": lambda: past(120, "alone"),
        "both": lambda: past(120, "alone") + past(60, "debated"),
        "debated": lambda: past(60, "debated"),
    }
    if kind == "nothing":
        return None
    return fit_agreement(rows[kind]()) if kind == "agreement" else fit_memory(rows[kind]())


fits = st.sampled_from(["nothing", "agreement", "few", "many", "both", "debated"]).map(learned)
stances = st.sampled_from(["A", "B", "C", OTHER, None])
weights = st.floats(0.01, 5, allow_nan=False)


@st.composite
def cases(draw):
    names = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=5))
    opinions = [said(name, draw(stances)) for name in names]
    opinions += [said(name, draw(stances), 2) for name in names if draw(st.booleans())]
    rules = [rule(name, draw(weights)) for name in names if draw(st.booleans())]
    return opinions, rules, draw(fits)


@given(cases(), st.randoms(use_true_random=False))
def test_the_order_of_jurors_never_matters(case, random):
    opinions, rules, fit = case
    shuffled = opinions[:]
    random.shuffle(shuffled)
    memory = Memory(rules=tuple(rules), fit=fit)
    one = decide(QUESTION, opinions, memory, Policy())
    assert one.canonical_json() == decide(QUESTION, shuffled, memory, Policy()).canonical_json()


@given(cases())
def test_no_juror_counts_twice(case):
    opinions, rules, fit = case
    once = judged(*opinions, rules=rules, fit=fit)
    twice = judged(*opinions, *opinions, rules=rules, fit=fit)
    assert once == twice
    voters = [vote.juror for ballot in once.ballots for vote in ballot.votes]
    assert len(voters) == len(set(voters)) <= once.seats


@given(cases(), st.data())
def test_raising_a_weight_never_helps_the_other_side(case, data):
    opinions, rules, fit = case
    voters = [o for o in opinions if o.stance not in (None, OTHER)]
    if not voters:
        return
    mine = data.draw(st.sampled_from(voters))
    others = [r for r in rules if r.juror != mine.juror]
    low = data.draw(st.floats(0.01, 4.9))
    high = data.draw(st.floats(low, 5))
    before = judged(*opinions, rules=[*others, rule(mine.juror, low)], fit=fit)
    after = judged(*opinions, rules=[*others, rule(mine.juror, high)], fit=fit)
    held = next((b.option for b in before.ballots for v in b.votes if v.juror == mine.juror), None)
    if before.option == held and held is not None:
        assert after.option == held
    if after.option not in (held, None):
        assert before.option == after.option or before.option is None


@given(cases())
def test_the_judge_is_total_and_its_numbers_are_in_range(case):
    opinions, rules, fit = case
    verdict = judged(*opinions, rules=rules, fit=fit)
    assert 0 < verdict.confidence < 1
    assert sum(ballot.share for ballot in verdict.ballots) == pytest.approx(
        int(bool(verdict.ballots))
    )
    assert verdict.decided == (verdict.option is not None)
    assert verdict.option is None or any(b.option == verdict.option for b in verdict.ballots)


@given(cases())
def test_the_same_input_gives_the_same_bytes(case):
    opinions, rules, fit = case
    once, again = (judged(*opinions, rules=rules, fit=fit) for _ in range(2))
    assert once.canonical_json() == again.canonical_json()
