"""From what a person typed to a question."""

import pytest

from contracts.errors import QuestionError
from contracts.skill import Topic
from tasks.asking import make_question

TOPICS = (Topic(name="databases", words=("postgres",)),)


def test_given_options_are_used_and_marked():
    question = make_question("Which?", options=["Postgres", "Mongo"])
    assert question.option_names == ("Postgres", "Mongo")
    assert question.options_source == "given"


def test_the_topic_is_matched_or_given():
    assert make_question("Keep Postgres?", topics=TOPICS).topic == "databases"
    assert make_question("Keep Postgres?", topic="legal", topics=TOPICS).topic == "legal"
    assert make_question("Keep cats?", topics=TOPICS).topic == "general"


def test_the_id_is_the_content_and_white_space_is_none():
    assert make_question("Why  not? ").question_id == make_question("Why not?").question_id
    one, other = make_question("Why?"), make_question("Why?", context="because")
    assert one.question_id != other.question_id


@pytest.mark.parametrize("text", ["", "   ", "\n\t"])
def test_an_empty_question_is_refused(text):
    with pytest.raises(QuestionError, match="empty"):
        make_question(text)


@pytest.mark.parametrize(
    "options", [["only"], ["A", "a"], ["na\u00efve", "nai\u0308ve"], ["A", " "]]
)
def test_options_that_are_one_or_the_same_or_blank_are_refused(options):
    with pytest.raises(QuestionError):
        make_question("Which?", options=options)


def test_more_than_two_hundred_kilobytes_are_refused():
    with pytest.raises(QuestionError, match="200,000"):
        make_question("Why?", context="x" * 200_001)
