"""Replies of the arena, as models really write them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.asking import make_question
from tasks.reading.pleas import read_attack, read_rebuttal, read_score

QUESTION = make_question("Postgres or Mongo?", options=["Postgres", "Mongo"])
ATTACK = {"claim": "It is slow.", "assumption": "Load is low.", "severity": 4, "option": "mongo"}


def test_an_attack_is_read_field_by_field():
    read = read_attack(json.dumps(ATTACK), QUESTION)
    assert read == ("It is slow.", "Load is low.", 4, "Mongo", None)


@pytest.mark.parametrize(
    "raw",
    [
        f"Here it is:\n```json\n{json.dumps(ATTACK)}\n```\nThat is all.",
        f"<think>maybe {{}} </think>{json.dumps(ATTACK)}",
        "{'claim': 'It is slow.', 'assumption': 'Load is low.', 'severity': 4, 'option': 'Mongo',}",
        json.dumps({key.upper(): value for key, value in ATTACK.items()}),
    ],
)
def test_fences_thoughts_and_loose_syntax_do_not_matter(raw):
    assert read_attack(raw, QUESTION)[:4] == ("It is slow.", "Load is low.", 4, "Mongo")


@pytest.mark.parametrize(
    ("stated", "severity"),
    [(1, 1), (5, 5), ("4/5", 4), ("3", 3), (9, 5), (0, 1), (2.6, 3), (None, 3), ("grave", 3)],
)
def test_a_severity_is_from_1_to_5_whatever_is_stated(stated, severity):
    assert read_attack(json.dumps(ATTACK | {"severity": stated}), QUESTION).severity == severity


@pytest.mark.parametrize("option", [None, "null", "Oracle", "", 3])
def test_an_option_that_is_none_of_the_questions_is_none(option):
    assert read_attack(json.dumps(ATTACK | {"option": option}), QUESTION).option is None


@pytest.mark.parametrize("claim", [None, "", "null", "None", "n/a"])
def test_a_critic_may_find_nothing(claim):
    read = read_attack(json.dumps(ATTACK | {"claim": claim}), QUESTION)
    assert (read.claim, read.fault) == (None, None)


def test_prose_is_a_claim_of_middle_severity():
    read = read_attack("It does not scale beyond one machine.", QUESTION)
    assert read == ("It does not scale beyond one machine.", "", 3, None, None)


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        ("I'm sorry, but I can't help with that request.", "refused"),
        ('{"choice": "A", "position": "Postgres"}', "unreadable"),
        ("", "unreadable"),
        ("<think>hmm", "unreadable"),
    ],
)
def test_what_is_no_attack_says_why(raw, fault):
    read = read_attack(raw, QUESTION)
    assert (read.claim, read.fault) == (None, fault)


def test_a_rebuttal_is_its_answer_or_its_prose():
    assert read_rebuttal('{"answer": "Not so."}') == "Not so."
    assert read_rebuttal("Not so,\nand here is why.\n") == "Not so,\nand here is why."
    assert read_rebuttal('{"claim": "other"}') == ""


SCORE = {"check": "k12ab", "stronger": "A", "weight": 4, "reason": "it is true"}


def test_a_score_is_read_field_by_field():
    assert read_score(json.dumps(SCORE), "k12ab") == ("A", 4, "it is true", None)


@pytest.mark.parametrize(
    ("stronger", "picked"),
    [("a", "A"), ("Side B", "B"), ("B.", "B"), ("(A)", "A"), ("Neither", "neither")],
)
def test_the_side_is_read_as_models_write_it(stronger, picked):
    assert read_score(json.dumps(SCORE | {"stronger": stronger}), "k12ab").picked == picked


@pytest.mark.parametrize("stronger", ["both", "", None, "A and B", "the attack", "C"])
def test_a_side_that_is_none_is_no_score(stronger):
    read = read_score(json.dumps(SCORE | {"stronger": stronger}), "k12ab")
    assert (read.picked, read.fault) == (None, "unreadable")


@pytest.mark.parametrize("check", ["", "k12ac", None, "the check word"])
def test_a_score_without_the_check_word_does_not_count(check):
    read = read_score(json.dumps(SCORE | {"check": check}), "k12ab")
    assert (read.picked, read.weight, read.fault) == (None, None, "no_check_word")


def test_a_score_in_prose_does_not_count():
    assert read_score("A wins by far, weight 5.", "k12ab").fault == "unreadable"


@given(st.text())
def test_every_reply_is_read(raw):
    read_attack(raw, QUESTION)
    read_rebuttal(raw)
    assert (read_score(raw, "k12ab").picked is None) == (read_score(raw, "k12ab").fault is not None)
