"""The stand-ins in the arena: real weaknesses, found by rule; and a verdict of each fate."""

import asyncio

import pytest

from contracts.juror import Endpoint
from contracts.memory import ArenaPolicy, Policy
from contracts.settings import Settings
from tasks.arena.words import arena_lines
from tasks.asking import make_question
from tasks.deliberate import deliberate, new_session
from tasks.providers.base import Request
from tasks.providers.offline import Offline
from tasks.providers.stand_in import TEMPERAMENTS, known_drawback
from tasks.providers.stand_in_pleas import FORMAL, PREFERRED, attack, rebut, score
from tasks.reading.personas import read_hyde
from tasks.seating import load_roster
from tasks.skills import load_skill, seed
from tasks.stages import plain_stages

KAFKA = {
    "stage": "attack",
    "persona": "cost hawk",
    "question": "Kafka or RabbitMQ?",
    "verdict": "Kafka",
    "ballots": [["Kafka", 2], ["RabbitMQ", 1]],
    "said": [
        ["Kafka", ["Kafka holds when load and people grow"], None],
        ["Kafka", ["Kafka is what the others want"], ""],
        ["RabbitMQ", ["RabbitMQ has fewer moving parts to understand and to break"], None],
    ],
    "earlier": [],
    "before": [],
}


def request(options=("Kafka", "RabbitMQ"), **facts):
    return Request(system="s", user="u", options=options, facts=KAFKA | facts)


def attacked(persona, temperament="prudent", options=("Kafka", "RabbitMQ"), **facts):
    return attack(TEMPERAMENTS[temperament], request(options, persona=persona, **facts))


# Weaknesses that can be checked ---------------------------------------------------------------


def test_the_drawback_of_an_option_is_the_tables():
    found = attacked("stranger")
    assert found["claim"] == f"Kafka: {known_drawback('Kafka')}"
    assert (found["severity"], found["option"]) == (5, "RabbitMQ")


def test_a_trait_that_the_option_lacks():
    found = attacked("cost hawk")
    assert found["claim"] == "Kafka costs more to run and to staff than it looks"
    assert found["severity"] == 3


def test_a_reason_that_nothing_on_record_bears_out():
    said = [["Kafka", ["Kafka has fewer moving parts to understand and to break"], None]]
    found = attacked("attacker", said=said)
    assert "“Kafka has fewer moving parts" in found["claim"]
    assert "nothing on record bears it out" in found["claim"]


def test_a_reason_that_the_table_bears_out_is_not_attacked():
    said = [["Kafka", ["Kafka holds when load and people grow"], None]]
    assert "on record" not in attacked("attacker", said=said)["claim"]


def test_a_lead_of_one_vote():
    assert attacked("statistician")["claim"].startswith("2 against 1: one juror the other way")
    wide = [["Kafka", 4], ["RabbitMQ", 1]]
    assert "against" not in attacked("statistician", ballots=wide, said=[])["claim"]


def test_a_changed_mind_with_no_argument():
    assert attacked("historian")["claim"] == "a juror went over to Kafka without naming an argument"
    named = [["Kafka", ["r"], "load grows"]]
    assert "went over" not in attacked("historian", said=named)["claim"]


def test_a_reason_of_the_losing_side_that_was_passed_over():
    assert attacked("contrarian")["claim"].startswith("the answer passes over this: RabbitMQ has")


def test_what_the_other_option_has_and_the_answer_gives_up():
    options = ("Sqlite", "Rust")
    facts = {"verdict": "Sqlite", "ballots": [["Sqlite", 3]], "said": [], "question": "Which?"}
    taken = []
    for _ in range(9):
        found = attacked("stranger", options=options, earlier=taken, **facts)
        if found["claim"] is None:
            break
        taken.append(found["claim"])
    assert "Rust holds when load and people grow, and the answer gives that up" in taken
    assert found["claim"] is None
    assert len(set(taken)) == len(taken)


def test_personas_of_one_round_find_different_weaknesses():
    names = list(PREFERRED)[:4]
    claims = [attacked(name, before=names[:place])["claim"] for place, name in enumerate(names)]
    assert len(set(claims)) == 4


def test_each_shipped_persona_has_something_of_its_own_to_look_for():
    assert set(PREFERRED) == {p.name for p in read_hyde(seed("hyde")).personas}


# Rebuttals and scores -------------------------------------------------------------------------


def test_a_rebuttal_says_what_the_table_bears_out_and_its_temperament_cares_about():
    said = rebut(TEMPERAMENTS["strategist"], request(stage="rebut", attack="x"))
    assert said["answer"].startswith("Kafka holds when load and people grow")
    assert rebut(TEMPERAMENTS["builder"], request(("Rust",), verdict="Rust"))["answer"].startswith(
        "That is so"
    )


SIDES = (
    "Kafka adds moving parts that somebody has to understand",
    "Kafka holds when load and people grow",
)


@pytest.mark.parametrize(("temperament", "stronger"), [("builder", "A"), ("strategist", "B")])
def test_a_score_goes_by_what_holds_and_what_the_scorer_cares_about(temperament, stronger):
    given = request(check="k1", sides=list(SIDES))
    found = score(TEMPERAMENTS[temperament], given)
    assert (found["stronger"], found["check"]) == (stronger, "k1")
    swapped = score(TEMPERAMENTS[temperament], request(check="k1", sides=list(SIDES[::-1])))
    assert {found["stronger"], swapped["stronger"]} == {"A", "B"}
    assert found["weight"] == swapped["weight"]


def test_what_does_not_hold_weighs_nothing():
    given = request(check="k", sides=["Kafka costs less to run and to staff", "no argument"])
    assert score(TEMPERAMENTS["prudent"], given)["stronger"] == "neither"


def test_a_fault_of_form_weighs_for_every_temperament():
    for words in FORMAL:
        for temperament in TEMPERAMENTS.values():
            given = request(check="k", sides=[f"so and so: {words}", "no argument"])
            assert score(temperament, given)["stronger"] == "A"


def test_the_provider_answers_each_stage_in_its_own_form():
    endpoint = Endpoint(provider="offline", model="stand-in/prudent")
    for facts, key in (({}, "claim"), ({"stage": "rebut"}, "answer")):
        done = asyncio.run(Offline().complete(endpoint, request(**facts)))
        assert f'"{key}"' in done.text
        assert done.simulated


# The default council --------------------------------------------------------------------------


def convene(text, options=(), **arena):
    house = Settings()
    question = make_question(text, options=options, topics=load_skill(house.home).topics)
    policy = Policy(arena=ArenaPolicy(mode="always", **arena))
    return asyncio.run(
        deliberate(question, load_roster(house), policy, plain_stages(house), new_session("direct"))
    )


@pytest.mark.parametrize(
    ("text", "status", "fate"),
    [
        ("Should we build it ourselves?", "majority", "survived 3 of 3 attacks"),
        ("Should we use MongoDB?", "majority", "survived 1 of 3 attacks, 1 weakened it"),
        ("Should we use serverless?", "contested", "2 overturned it"),
    ],
)
def test_the_default_council_shows_a_verdict_of_each_fate(text, status, fate):
    done = convene(text, ["Yes", "No"])
    assert done.verdict.status == status
    assert fate in arena_lines(done.contest, done.verdict)[0]
    assert all(plea.simulated for bout in done.contest.bouts for plea in bout.pleas)
    assert done.verdict.simulated


def test_the_same_question_meets_the_same_arena():
    def tale(done):
        bouts = [(b.persona, b.outcome, b.severity, b.attack.claim) for b in done.contest.bouts]
        return bouts, done.verdict

    question = "Should we use serverless?"
    assert tale(convene(question, ["Yes", "No"])) == tale(convene(question, ["Yes", "No"]))


def test_a_question_that_the_table_does_not_know_has_an_arena_too():
    done = convene("Foo or bar?", ["Foo", "Bar"])
    assert done.contest.bouts
    assert all(bout.attack for bout in done.contest.bouts)


def test_an_overturned_verdict_can_turn_when_it_is_reopened():
    turned = [
        done
        for text in ("Kafka or RabbitMQ?", "Monolith or Kubernetes?", "Redis or Refactor?")
        if (
            done := convene(text, text.rstrip("?").split(" or "), reopen=True)
        ).verdict.arena.reopened
    ]
    assert turned
    for done in turned:
        assert {o.round for o in done.opinions} == {1, 2, 3}
        assert done.contest.settled.status == "contested"
