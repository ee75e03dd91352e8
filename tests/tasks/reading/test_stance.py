"""A juror's words become the option that they endorse, or an abstention that says why."""

import json
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.errors import QuestionError
from contracts.opinion import OTHER
from contracts.question import Option, Question, letter
from tasks.reading.grammar.tokens import wordset
from tasks.reading.options import check_options
from tasks.reading.stance import Answer, read_stance

GROUPS = json.loads((Path(__file__).parent / "stance_kinds.json").read_text(encoding="utf-8"))
BY_PLACE = {"letters", "places"}
DATABASES = Question(
    text="Which database should hold the billing ledger, PostgreSQL or MongoDB?",
    options=(Option(name="PostgreSQL"), Option(name="MongoDB")),
)
YES_NO = Question(
    text="Should we migrate this quarter?", options=(Option(name="Yes"), Option(name="No"))
)
ANY_TEXT = st.text(max_size=300)
SPOKEN = wordset("""
    PostgreSQL MongoDB not no yes better than over from to replace with use avoid both neither
    either and or but while because if otherwise , . ? ! : ; ( ) - > < 1 30 % the is would
    should I we can't enough migrate wait 👍
""")
WORDS = st.lists(st.sampled_from(sorted(SPOKEN)), max_size=25).map(" ".join)


def asked(question, options, aliases=None):
    named = [Option(name=name, aliases=tuple((aliases or {}).get(name, ()))) for name in options]
    return Question(text=question, options=tuple(named))


def read(group, position, more=None):
    more = more or {}
    answer = Answer(more.get("choice"), position, tuple(more.get("reasons", ())))
    question = asked(group["question"], group["options"], more.get("aliases"))
    return read_stance(answer, question, lettered=group["lettered"])


@pytest.mark.parametrize("group", GROUPS, ids=lambda g: f"{g['kind']}: {g['question'][:40]}")
def test_every_kind_of_wording_is_read(group):
    wrong = []
    for position, expected, *more in group["answers"]:
        stance = read(group, position, *more).stance or "abstain"
        if stance not in (expected if isinstance(expected, list) else [expected]):
            wrong.append((position, stance, expected))
    assert not wrong


@pytest.mark.parametrize(
    "group",
    [g for g in GROUPS if g["kind"] not in BY_PLACE and not g["lettered"]],
    ids=lambda g: f"{g['kind']}: {g['question'][:40]}",
)
def test_the_order_of_options_changes_no_reading(group):
    for position, _, *more in group["answers"]:
        orders = list(permutations(group["options"]))[:6]
        readings = {read(group | {"options": order}, position, *more) for order in orders}
        assert len(readings) == 1, position


@settings(deadline=None)
@given(text=WORDS)
def test_the_order_of_two_options_changes_no_reading_of_any_words(text):
    turned = DATABASES.model_copy(update={"options": DATABASES.options[::-1]})
    first = read_stance(Answer(None, text, ()), DATABASES, lettered=False)
    assert first == read_stance(Answer(None, text, ()), turned, lettered=False)


@settings(deadline=None)
@given(choice=st.none() | ANY_TEXT, position=st.none() | ANY_TEXT | WORDS, reason=ANY_TEXT | WORDS)
@pytest.mark.parametrize("question", [DATABASES, YES_NO])
def test_any_text_gives_an_option_other_or_an_abstention_with_a_note(
    question, choice, position, reason
):
    reading = read_stance(Answer(choice, position, (reason,)), question)
    assert reading.stance in {*question.option_names, OTHER, None}
    assert (reading.stance is None) == (reading.how is None)
    assert reading.note


@settings(deadline=None)
@given(names=st.lists(st.text(min_size=1, max_size=20), min_size=2, max_size=5), data=st.data())
@pytest.mark.parametrize("lettered", [True, False])
def test_an_exact_name_is_always_that_option(lettered, names, data):
    try:
        options = check_options(names)
    except QuestionError:
        return
    name = data.draw(st.sampled_from([option.name for option in options]))
    question = Question(text="Which?", options=options)
    for answer in (Answer(None, name, ()), Answer(name, None, ())):
        reading = read_stance(answer, question, lettered=lettered)
        assert (reading.stance, reading.how) == (name, "explicit")


@settings(deadline=None)
@given(st.integers(2, 26), st.data())
def test_a_letter_is_the_option_at_its_place(count, data):
    names = tuple(f"proposal {letter(index) * 3}" for index in range(count))
    at = data.draw(st.integers(0, count - 1))
    question = asked("Which?", names)
    for form in ("{}", "({})", "{})", "Option {}", "**{}**", "{}."):
        reading = read_stance(Answer(form.format(letter(at)), None, ()), question)
        assert reading.stance == names[at]


@pytest.mark.parametrize(
    ("answer", "stance", "how"),
    [
        (Answer("A", None, ()), "PostgreSQL", "explicit"),
        (Answer(None, "Postgres", ()), "PostgreSQL", "alias"),
        (Answer(None, "I would choose MongoDB.", ()), "MongoDB", "position"),
        (
            Answer(None, "See below.", ("PostgreSQL is the better choice.",)),
            "PostgreSQL",
            "reasons",
        ),
    ],
)
def test_a_stance_says_how_it_was_read(answer, stance, how):
    reading = read_stance(answer, DATABASES)
    assert (reading.stance, reading.how) == (stance, how)


def test_a_pick_that_its_own_words_contradict_is_an_abstention():
    reading = read_stance(Answer("A", "I recommend MongoDB.", ()), DATABASES)
    assert reading.stance is None
    assert "'PostgreSQL'" in reading.note
    assert "'MongoDB'" in reading.note


@pytest.mark.parametrize(
    ("answer", "other"),
    [
        (Answer("none", "SQLite is enough.", ()), "SQLite is enough."),
        (Answer("None of these", "Use DuckDB.", ()), "DuckDB"),
        (Answer("none", None, ()), None),
        (Answer("SQLite", None, ()), "SQLite"),
        (Answer(None, "Neither; use SQLite.", ()), "SQLite"),
        (Answer(None, "Use both.", ()), "all of them"),
    ],
)
def test_a_choice_outside_the_options_is_kept_in_its_own_words(answer, other):
    reading = read_stance(answer, DATABASES)
    assert (reading.stance, reading.other) == (OTHER, other)


def test_no_pick_and_no_verdict_stays_an_abstention():
    assert read_stance(Answer("none", "It depends on the load.", ()), DATABASES).stance is None


def test_turning_down_one_of_two_decides_nothing_where_there_may_be_a_third():
    answer = Answer(None, "Avoid MongoDB.", ())
    assert read_stance(answer, DATABASES).stance == "PostgreSQL"
    assert read_stance(answer, DATABASES, closed=False).stance is None


def test_an_open_question_has_no_stance():
    assert read_stance(Answer(None, "PostgreSQL", ()), Question(text="What?")).stance is None


@pytest.mark.parametrize("unit", ["not ", "than ", "PostgreSQL ", "(", "**", "1 ", "a.b", "<b>"])
def test_a_very_long_text_is_read_by_its_head_and_tail(unit):
    text = f"{unit * 40_000}\nFinal answer: MongoDB"
    assert read_stance(Answer(None, text, ()), DATABASES).stance in {"MongoDB", None}


@pytest.mark.parametrize("text", ["-1/0", "0/0", "1/" + "9" * 5_000, "-5/-10", "1/2/0", "1/1.5.2"])
def test_a_fraction_that_is_none_breaks_nothing(text):
    amounts = asked("What share?", ["25%", "50%"])
    assert read_stance(Answer(None, text, ()), amounts).note
