"""Options that a question's text names, and those that a person gives."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.errors import QuestionError
from tasks.reading.options import check_options, options_in

YES_NO = ["Yes", "No"]


def names_in(text):
    return [option.name for option in options_in(text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Postgres or Mongo for invoices?", ["Postgres", "Mongo"]),
        ("X, Y or Z?", ["X", "Y", "Z"]),
        ("Kafka, NATS, or RabbitMQ?", ["Kafka", "NATS", "RabbitMQ"]),
        ("Should we use A or B?", ["A", "B"]),
        ("Should we use Kafka or RabbitMQ for events?", ["Kafka", "RabbitMQ"]),
        (
            "Which database should hold the billing ledger, PostgreSQL or MongoDB?",
            ["PostgreSQL", "MongoDB"],
        ),
        ("Should we build or buy?", ["Build", "Buy"]),
        ("Should we build our own auth or buy Auth0?", ["Build our own auth", "Buy Auth0"]),
        ("Is the clause legal or illegal?", ["legal", "illegal"]),
        ("Should we ship on Friday or wait until Monday?", ["Ship on Friday", "Wait until Monday"]),
        ("Hire or outsource?", ["Hire", "Outsource"]),
        ("Act now or wait?", ["Act now", "Wait"]),
        ("Microservices or a monolith?", ["Microservices", "monolith"]),
        ("Tea or coffee?", ["Tea", "coffee"]),
        ("Is it better to rent or to buy?", ["Rent", "Buy"]),
        ("Should the timeout be 30 s or 300 s?", ["30 s", "300 s"]),
        ("PostgreSQL vs MongoDB for invoices?", ["PostgreSQL", "MongoDB"]),
        ("PostgreSQL vs. MongoDB", ["PostgreSQL", "MongoDB"]),
        ("SQL or NoSQL?", ["SQL", "NoSQL"]),
        ("Which is better, A or B?", ["A", "B"]),
        ("Which is better: Vim or Emacs?", ["Vim", "Emacs"]),
        ("Who should lead, Ann or Bob?", ["Ann", "Bob"]),
        ("Where should the data live, US or EU?", ["US", "EU"]),
        ("Should we go with Amazon Aurora or Google Spanner?", ["Amazon Aurora", "Google Spanner"]),
        ("Is this a bug or a feature?", ["bug", "feature"]),
        ("Is the claim true or false?", ["true", "false"]),
        ("Do something or do nothing?", ["Do something", "Do nothing"]),
        ("Keep the process or change it?", ["Keep the process", "Change it"]),
        ("Raise or keep the price?", ["Raise", "Keep the price"]),
        ("Postgres or Mongo", ["Postgres", "Mongo"]),
        ("Should we approve or reject the vendor?", ["Approve", "Reject the vendor"]),
        ("Should we write it in Go, Rust or Python?", ["Go", "Rust", "Python"]),
        ("Pick one:\nA) Postgres\nB) Mongo\nC) SQLite", ["Postgres", "Mongo", "SQLite"]),
        ("a or b or c?", ["a", "b", "c"]),
        ("Which build tool, Make or Bazel?", ["Make", "Bazel"]),
        ("Is the release safe or unsafe?", ["safe", "unsafe"]),
        ("Should we store dates as strings or integers?", ["strings", "integers"]),
        ("Postgres, MySQL or SQLite for a small shop?", ["Postgres", "MySQL", "SQLite"]),
        ("Should we use tabs or spaces?", ["tabs", "spaces"]),
        ("Migrate now or wait until Q3 2026?", ["Migrate now", "Wait until Q3 2026"]),
    ],
)
def test_the_text_names_its_options(text, names):
    assert names_in(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "Should we migrate to the new billing system this quarter?",
        "Is it wrong to keep passwords in plain text?",
        "Can we ship on Friday?",
        "Should we deploy now or not?",
        "Adopt Node.js for the API?",
        "Shouldn't we drop support for the old API?",
        "Would it be a mistake to skip the audit?",
        "We have 3 engineers. Should we hire?",
        "Is Kafka a good fit?",
        "Are we ready?",
        "Should I eat?",
        "Did the task succeed?",
        "Is it ok to deploy on Fridays?",
        "Do you agree that we should migrate?",
        "Should we rewrite the parser in Rust?",
    ],
)
def test_what_only_yes_or_no_answers_has_these_options(text):
    assert names_in(text) == YES_NO


@pytest.mark.parametrize(
    "text",
    [
        "Which language for the new service?",
        "How should we ship?",
        "What request timeout?",
        "Should we hire one or more engineers?",
        "Should we stop supporting IE or older browsers?",
        "Can you recommend a database?",
        "Do you know which database is best?",
        "What should we do about the monolith?",
        "Which consent model?",
        "Why is the sky blue?",
        "Tell me about Postgres or Mongo.",
        "How do we license the client?",
        "What is your view on raising prices?",
        "When should we launch?",
        "",
        "?",
        "or",
        "Does the plan work, and if not, why?",
    ],
)
def test_what_is_not_sure_stays_open(text):
    assert names_in(text) == []


@settings(deadline=None)
@given(st.text(max_size=400))
def test_any_text_gives_no_option_or_at_least_two_that_differ(text):
    names = names_in(text)
    assert len(names) != 1
    assert check_options(names) is not None


def test_given_options_keep_their_order_and_lose_outer_spaces():
    assert [o.name for o in check_options([" B ", "A"])] == ["B", "A"]


def test_no_options_are_an_open_question():
    assert check_options([]) == ()


@pytest.mark.parametrize(
    ("names", "says"),
    [
        (["Kafka"], "'Kafka'"),
        (["Kafka", " "], "blank"),
        (["Kafka", "\u200b"], "blank"),
        (["Kafka", "kafka"], "read the same"),
        (["Zürich", "Zurich"], "read the same"),
        (["Blue", "Ｂｌｕｅ"], "read the same"),
        (["Blue", "Bl\u200bue"], "read the same"),
        (["opt-in", "opt\u2011in"], "read the same"),
        (["a - b", "a \u2014 b"], "read the same"),
        (["Kafka", "Kafka."], "read the same"),
        (["Kafka", "x" * 501], "501"),
        ([f"option {n}" for n in range(27)], "27"),
    ],
)
def test_options_that_cannot_be_told_apart_are_refused_by_name(names, says):
    with pytest.raises(QuestionError, match=says):
        check_options(names)


@pytest.mark.parametrize(
    "names", [["C", "C++", "C#"], ["+5%", "-5%"], ["a", "a b"], ["1.1", "1.10"]]
)
def test_options_that_differ_in_a_sign_are_two(names):
    assert [option.name for option in check_options(names)] == names
