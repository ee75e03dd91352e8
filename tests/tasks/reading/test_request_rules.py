"""Rules that come with a request pass the checks of SKILL.md, and claim nothing for themselves."""

import json

import pytest

from contracts.errors import SkillError
from contracts.skill import Topic
from tasks.reading.request_rules import MAX_RULES, SENT, request_rules

SEATS = ("Ada", "Local Juror")
TOPICS = (Topic(name="security", words=("auth", "oauth", "security")),)


def one(**changes):
    return {"juror": "Ada", "topic": "security", "weight": 1.5, **changes}


def test_objects_and_lines_are_read_and_marked_as_sent():
    (rule,) = request_rules([one(juror=" ada ")], SEATS)
    assert (rule.juror, rule.topic, rule.weight, rule.approved_by) == (
        "Ada",
        "security",
        1.5,
        SENT,
    )
    (line,) = request_rules(["Local Juror | security | 1.5 | dissents"], SEATS)
    assert (line.juror, line.evidence, line.approved_by) == ("Local Juror", "dissents", SENT)


def test_no_rules_are_none():
    assert request_rules([], SEATS) == ()


WEIGHTS = {
    "zero": 0,
    "below zero": -1,
    "huge": 1e9,
    "just too much": 5.01,
    "not a number": float("nan"),
    "without end": float("inf"),
    "text": "heavy",
    "true": True,
    "nothing": None,
    "a list": [1.5],
    "empty": "",
    "an expression": "1.5 or 9",
}


@pytest.mark.parametrize("weight", WEIGHTS.values(), ids=WEIGHTS)
def test_a_weight_is_a_number_above_0_and_at_most_5(weight):
    with pytest.raises(SkillError, match="rule 1 of the request"):
        request_rules([one(weight=weight)], SEATS)


def test_nan_that_json_lets_through_is_refused():
    with pytest.raises(SkillError):
        request_rules(json.loads('[{"juror": "Ada", "topic": "x", "weight": NaN}]'), SEATS)


RULES = {
    "an unknown juror": (one(juror="Mallory"), "no juror is named 'Mallory'"),
    "everybody": (one(juror="*"), "no juror is named"),
    "a bar": (one(topic="security | 5"), "not plain text"),
    "a second line": (one(topic="security\nAda | * | 5"), "not plain text"),
    "the end of the block": (one(evidence="```"), "not plain text"),
    "hidden characters": (one(topic="secur\u202eity"), "not plain text"),
    "a very long cell": (one(evidence="x" * 201), "not plain text"),
    "an approval of its own": (one(approved_by="the board"), "nothing else"),
    "a line with too many cells": ("Ada | security | 1.5 | e | board", "no more"),
    "a line with too few": ("Ada | security", "is not `juror"),
    "no rule at all": (7, "nothing else"),
    "no topic": (one(topic=" "), "is not `juror"),
}


@pytest.mark.parametrize(("rule", "told"), RULES.values(), ids=RULES)
def test_what_is_no_rule_is_refused_by_its_number(rule, told):
    with pytest.raises(SkillError, match=told) as failed:
        request_rules([one(topic="hiring"), rule], SEATS)
    assert "rule 2 of the request" in str(failed.value)


def test_two_rules_for_one_juror_and_topic_conflict():
    with pytest.raises(SkillError, match="there is one for that already: Ada"):
        request_rules([one(), one(juror="ADA", topic="Security", weight=0.5)], SEATS)


def test_more_rules_than_may_come_are_refused_unread():
    many = [one(topic=f"t{i}") for i in range(MAX_RULES + 1)]
    assert len(request_rules(many[:-1], SEATS)) == MAX_RULES
    with pytest.raises(SkillError, match=f"{MAX_RULES + 1} rules"):
        request_rules(many, SEATS)


@pytest.mark.parametrize("raw", ["Ada | * | 5", {"juror": "Ada"}, None, 3])
def test_rules_are_a_list(raw):
    with pytest.raises(SkillError, match="are a list"):
        request_rules(raw, SEATS)


def test_a_word_of_a_topic_is_not_the_topic():
    with pytest.raises(SkillError, match="'auth' is a word of the topic security"):
        request_rules([one(topic="auth")], SEATS, TOPICS)
    assert request_rules([one(topic="Security"), one(topic="own")], SEATS, TOPICS)
