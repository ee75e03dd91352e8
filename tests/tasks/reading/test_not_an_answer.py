"""What stands in an answer's place and is none says what it is."""

import pytest

from contracts.question import Option, Question
from tasks.reading.not_an_answer import why_no_answer

BROKERS = Question(
    text="Which message broker should we adopt, Kafka or RabbitMQ?",
    options=(Option(name="Kafka"), Option(name="RabbitMQ")),
)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (" ", "blank"),
        ("-", "blank"),
        ("N/A", "placeholder"),
        ("<your answer>", "placeholder"),
        ("HTTP 429: Too Many Requests", "error message"),
        ("API call failed after 3 retries", "error message"),
        (BROKERS.text, "repeats the question"),
    ],
)
def test_it_says_why(text, why):
    assert why in why_no_answer(text, BROKERS)


@pytest.mark.parametrize("text", ["Kafka", "Use NATS.", "It depends.", "👍"])
def test_words_of_a_juror_pass(text):
    assert why_no_answer(text, BROKERS) is None


def test_an_option_that_looks_like_a_placeholder_is_an_answer():
    question = Question(text="Which?", options=(Option(name="None"), Option(name="N/A")))
    assert why_no_answer("N/A", question) is None
