"""Positions on an open question are merged where they are surely the same, and else stay apart."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.question import Question
from tasks.reading.slate import merge_positions
from tasks.reading.stance import Answer

CASES = json.loads((Path(__file__).parent / "slate_cases.json").read_text(encoding="utf-8"))
OPEN = Question(text="What should we do about the monolith?")


def slate_of(positions, question=OPEN):
    answers = {f"juror {n}": Answer(None, text, ()) for n, text in enumerate(positions)}
    return merge_positions(answers, question)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["question"])
def test_camps_are_those_of_one_meaning(case):
    positions = case["positions"]
    slate = slate_of([text for text, _ in positions], Question(text=case["question"]))
    held = [
        (slate.camp_of[f"juror {n}"], camp)
        for n, (_, camp) in enumerate(positions)
        if camp != "any"
    ]
    assert [option is None for option, _ in held] == [camp is None for _, camp in held]
    taking = [pair for pair in held if pair[1] is not None]
    assert len({option for option, _ in taking}) == len({camp for _, camp in taking})
    assert len(set(taking)) == len({camp for _, camp in taking})


def test_an_option_has_the_shortest_name_that_its_camp_gives_it():
    slate = slate_of(["Use PostgreSQL.", "I recommend PostgreSQL for its transactions.", "SQLite"])
    assert [option.name for option in slate.options] == ["PostgreSQL", "SQLite"]


def test_who_says_nothing_that_can_be_chosen_has_no_camp():
    slate = slate_of(["Split it.", "", "N/A", "It depends.", "HTTP 429: Too Many Requests"])
    assert list(slate.camp_of.values()) == ["Split it", None, None, None, None]


def test_the_question_given_back_is_no_position():
    assert slate_of([OPEN.text]).options == ()


def test_a_choice_stands_in_for_a_missing_position():
    assert merge_positions({"Ada": Answer("Split it", None, ())}, OPEN).camp_of == {
        "Ada": "Split it"
    }


def test_a_sentence_joins_the_camp_whose_name_it_endorses_and_no_other():
    slate = slate_of(
        ["PostgreSQL", "MongoDB", "MongoDB is trendy, yet PostgreSQL is safer.", "Avoid MongoDB."],
        Question(text="Which database?"),
    )
    camps = list(slate.camp_of.values())
    assert camps[:3] == ["PostgreSQL", "MongoDB", "PostgreSQL"]
    assert camps[3] not in {"PostgreSQL", "MongoDB"}


@settings(deadline=None)
@given(st.dictionaries(st.text(min_size=1, max_size=8), st.text(max_size=200), max_size=6))
def test_any_texts_give_a_slate_whose_names_differ_and_cover_every_camp(texts):
    answers = {juror: Answer(None, text, ()) for juror, text in texts.items()}
    slate = merge_positions(answers, OPEN)
    names = [option.name for option in slate.options]
    assert list(slate.camp_of) == list(texts)
    assert len(set(names)) == len(names)
    assert set(slate.camp_of.values()) - {None} == set(names)


@settings(deadline=None)
@given(st.text(max_size=200))
def test_the_same_text_twice_is_one_camp(text):
    slate = slate_of([text, text])
    assert len(slate.options) <= 1
