"""The bouts folded into the verdict: laws by hypothesis, known values by hand."""

from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.memory import ArenaPolicy, Memory, Policy
from tasks.judging.settle import (
    after_reopening,
    damage,
    settle,
    strongest,
    with_learned_strength,
)
from tests.tasks.arena.making import bout, decided, verdict_with

POLICY = Policy()
OUTCOMES = ("upheld", "weakened", "overturned", "draw", None)

outcomes = st.tuples(st.sampled_from(OUTCOMES), st.integers(1, 5))
confidences = st.floats(min_value=1e-6, max_value=1 - 1e-6)
strengths = st.floats(min_value=0, max_value=20)


def fields(drawn):
    """A landed bout has a severity, the others none."""
    return [
        bout(outcome, severity=severity if outcome in ("weakened", "overturned") else None)
        for outcome, severity in drawn
    ]


lists = st.lists(outcomes, max_size=6).map(fields)
policies = strengths.map(lambda s: Policy(arena=ArenaPolicy(strength=s)))
verdicts = confidences.map(lambda c: verdict_with(confidence=c))


@given(verdicts, policies)
def test_without_bouts_nothing_changes(verdict, policy):
    assert settle(verdict, [], policy) is verdict


@given(verdicts, st.integers(1, 6), policies)
def test_attacks_that_were_survived_never_lower_the_confidence(verdict, n, policy):
    after = settle(verdict, [bout("upheld") for _ in range(n)], policy)
    assert after.confidence >= verdict.confidence
    assert (after.status, after.option) == (verdict.status, verdict.option)


@given(verdicts, lists, policies)
def test_one_more_attack_survived_never_lowers_it(verdict, bouts, policy):
    before = settle(verdict, bouts, policy).confidence
    assert settle(verdict, [*bouts, bout("upheld")], policy).confidence >= before - 1e-12


@given(verdicts, lists, st.sampled_from(["weakened", "overturned"]), st.integers(1, 5), policies)
def test_one_more_attack_that_lands_never_raises_it(verdict, bouts, outcome, severity, policy):
    before = settle(verdict, bouts, policy).confidence
    after = settle(verdict, [*bouts, bout(outcome, severity=severity)], policy).confidence
    assert after <= before + 1e-12
    assert after <= verdict.confidence


@given(verdicts, lists, st.sampled_from(["draw", None]), policies)
def test_a_draw_and_a_void_bout_change_no_confidence(verdict, bouts, outcome, policy):
    before = settle(verdict, bouts, policy).confidence
    assert settle(verdict, [*bouts, bout(outcome)], policy).confidence == before


@given(verdicts, lists, policies, st.randoms(use_true_random=False))
def test_the_order_of_the_bouts_never_matters(verdict, bouts, policy, random):
    shuffled = random.sample(bouts, len(bouts))
    assert settle(verdict, bouts, policy) == settle(verdict, shuffled, policy)


@given(verdicts, lists, policies)
def test_the_confidence_stays_between_0_and_1_and_never_above_the_judges(verdict, bouts, policy):
    after = settle(verdict, bouts, policy)
    assert 0 < after.confidence <= verdict.confidence < 1


@given(verdicts, lists, policies)
def test_contested_is_what_has_a_counted_bout_that_overturned_and_nothing_else(
    verdict, bouts, policy
):
    overturned = any(one.outcome == "overturned" for one in bouts)
    assert (settle(verdict, bouts, policy).status == "contested") == overturned


@given(lists)
def test_damage_is_a_share(bouts):
    assert 0 <= damage(bouts) <= 1


def test_the_known_value_of_one_overturned_bout_among_three():
    """Harm 1 × 5/5; D / (D + U) = 1/3; 2 nats: log-odds of 0.6 less 2/3."""
    bouts = [bout("overturned", 5), bout("upheld"), bout("upheld")]
    after = settle(verdict_with(confidence=0.6), bouts, POLICY)
    odds = log(0.6 / 0.4) - 2 / 3
    assert after.confidence == pytest.approx(1 / (1 + exp(-odds)))
    assert (after.status, after.option) == ("contested", "Postgres")
    assert after.arena.before.confidence == 0.6
    assert (after.arena.upheld, after.arena.overturned, after.arena.counted) == (2, 1, 3)
    assert after.arena.worst_severity == 5
    assert "lowered by what landed in the arena, by a rule of the house" in after.basis


def test_the_known_value_of_a_weakened_bout_alone():
    """Harm 0.5 × 3/5 = 0.3, share 1: 0.3 × 2 nats."""
    after = settle(verdict_with(confidence=0.75), [bout("weakened", 3)], POLICY)
    assert after.confidence == pytest.approx(1 / (1 + exp(-(log(3) - 0.6))))
    assert after.status == "majority"


def test_survived_3_of_3_is_kept_as_such():
    after = settle(decided(), [bout("upheld") for _ in range(3)], POLICY)
    assert (after.arena.upheld, after.arena.counted) == (3, 3)
    assert after.confidence == decided().confidence
    assert after.basis == decided().basis


@pytest.mark.parametrize("stances", [("Postgres", "Mongo"), (None, None, None)])
def test_without_a_decision_there_is_nothing_to_attack(stances):
    said = [s for s in stances if s]
    verdict = decided(said) if said else verdict_with(status="no_quorum", option=None)
    assert not verdict.decided
    assert settle(verdict, [bout("overturned", 5)], POLICY) == verdict


def test_a_void_attack_and_self_scoring_are_told_to_the_reader():
    void = bout(None, persona="attacker", void="it tried to instruct the scorers: it hides text")
    after = settle(decided(), [void, bout("upheld", self_scored=True)], POLICY)
    assert after.arena.void == 1
    assert any("attacker is void: it tried to instruct" in told for told in after.warnings)
    assert any("self-scored" in told for told in after.warnings)


def test_a_calibrated_confidence_stays_so_only_under_a_strength_that_was_learned():
    verdict = verdict_with(calibrated=True)
    learned = Memory(arena_strength=1.0, arena_outcomes=40)
    for memory, calibrated in ((Memory(), False), (learned, True)):
        policy = with_learned_strength(POLICY, memory)
        after = settle(verdict, [bout("weakened", 3)], policy)
        assert after.calibrated == calibrated
    assert "learned from 40 outcomes" in after.basis
    assert settle(verdict, [bout("upheld")], POLICY).calibrated


def test_the_strongest_attack_is_the_one_that_did_most_harm():
    bouts = [
        bout("upheld"),
        bout("weakened", 5),
        bout("overturned", 4, persona="b"),
        bout("overturned", 4, persona="a"),
        bout("overturned", 3),
        bout(None),
    ]
    assert strongest(bouts).persona == "a"
    assert strongest([bout(None)]) is None


def test_after_a_reopened_round_the_second_verdict_stands_and_knows_of_the_first():
    settled = settle(decided(), [bout("overturned", 5)], POLICY)
    again = decided(("Mongo", "Mongo", "Postgres"))
    final = after_reopening(settled, again)
    assert (final.status, final.option, final.confidence) == ("majority", "Mongo", again.confidence)
    assert final.arena.reopened
    assert final.arena.before.option == "Postgres"
    assert any("1 of 1 overturned it" in told for told in final.warnings)
