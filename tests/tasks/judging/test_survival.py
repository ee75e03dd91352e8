"""The strength of landed attacks, learned from outcomes."""

import random
from math import exp, log

import pytest

from contracts.bout import Contest
from contracts.memory import ArenaPolicy, Policy
from tasks.judging.settle import settle
from tasks.judging.survival import PastArena, learn_strength, past_arena
from tests.tasks.arena.making import bout, decided


def test_without_outcomes_the_rule_of_the_house_comes_back():
    assert learn_strength([]) == (ArenaPolicy().strength, 0)
    assert learn_strength([PastArena(0.7, 0.0, right=True)] * 50).n == 0


def test_one_arena_moves_it_by_the_known_amount():
    """Prior N(2, 1), damage 1, confidence 1/2, wrong: k - 2 = 1 / (1 + e^k) … solved by hand."""
    found = learn_strength([PastArena(0.5, 1.0, right=False)])
    assert found.nats - 2 == pytest.approx(1 / (1 + exp(found.nats)), abs=1e-6)


def test_attacks_that_say_nothing_cost_nothing():
    past = [PastArena(0.7, 0.6, right=i % 10 < 7) for i in range(500)]
    assert learn_strength(past).nats < 0.3


@pytest.mark.parametrize("true", [0.5, 2.0, 4.0])
def test_the_true_strength_is_found_again(true):
    dice = random.Random(7)
    past = []
    for _ in range(3000):
        confidence, damage = dice.uniform(0.4, 0.95), dice.uniform(0.1, 1)
        odds = log(confidence / (1 - confidence)) - true * damage
        past.append(PastArena(confidence, damage, dice.random() < 1 / (1 + exp(-odds))))
    assert learn_strength(past).nats == pytest.approx(true, abs=0.25)


def test_an_arena_teaches_by_the_option_that_was_attacked():
    bouts = (bout("overturned", 5), bout("upheld"))
    contest = Contest(bouts=bouts, judged=decided(), settled=settle(decided(), bouts, Policy()))
    past = past_arena(contest, "Mongo")
    assert (past.confidence, past.damage, past.right) == (decided().confidence, 0.5, False)
    assert past_arena(contest, "Postgres").right
