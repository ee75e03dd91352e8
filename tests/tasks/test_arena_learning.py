"""A refit rates the arenas and learns what an attack that landed is worth."""

import asyncio

from contracts.outcome import Outcome
from contracts.settings import Settings
from data.journal import Journal
from data.store import Store
from tasks.arena.casting import with_arena
from tasks.asking import make_question
from tasks.deliberate import deliberate, new_session
from tasks.learning import refit_home
from tasks.memory import recall
from tasks.seating import load_roster
from tasks.stages import now, plain_stages


def attacked(home, text):
    house = Settings(home=home)
    policy = with_arena(house.policy, "always")
    roster, stages = load_roster(house), plain_stages(house)
    question = make_question(text)
    return asyncio.run(deliberate(question, roster, policy, stages, new_session("direct")))


def test_ratings_are_kept_and_the_strength_reaches_the_next_deliberation(home):
    done = attacked(home, "Should we use serverless?")
    attacked(home, "Should we build it ourselves?")
    right = next(o for o in done.question.option_names if o != done.verdict.option)
    outcome = Outcome(
        deliberation_id=done.deliberation_id, right_option=right, by="Sam", recorded_at=now()
    )
    Journal(home).put("outcome", outcome.outcome_id, outcome)
    learned = refit_home(home, at=now())
    assert learned.arena_outcomes == 1
    assert Store(home).sql("select count(*) from ratings").rows[0][0] > 0
    memory = recall(home, done.question, done.roster)
    assert (memory.arena_strength, memory.arena_outcomes) == (learned.arena_strength, 1)


def test_without_arenas_nothing_is_rated(home):
    assert refit_home(home, at=now()).arena_strength is None
    assert Store(home).sql("select count(*) from ratings").rows[0][0] == 0
