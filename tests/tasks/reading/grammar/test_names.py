"""Names are found as whole words in every form that people give them."""

import pytest

from contracts.question import Option
from tasks.reading.grammar.names import SEVERAL, Namebook
from tasks.reading.grammar.naming import complements
from tasks.reading.grammar.plain import plain
from tasks.reading.grammar.tokens import tokenise


def options(*names):
    return [Option(name=name) for name in names]


def found(names, text):
    book = Namebook(options(*names))
    return [names[mention.option] for mention in book.mentions(tokenise(plain(text)))]


@pytest.mark.parametrize(
    ("names", "text", "expected"),
    [
        (("Go", "Rust"), "Google and Django trust it", []),
        (("Go", "Rust"), "Go with Rust", ["Rust"]),
        (("Go", "Rust"), "let's go with Go", ["Go"]),
        (("US", "EU"), "let us stay in the EU", ["EU"]),
        (("REST", "gRPC"), "gRPC beats the rest", ["gRPC"]),
        (("C", "C++"), "C++17, not C", ["C++", "C"]),
        (("C", "C++"), "C-level and C/C++", ["C", "C++"]),
        ((".NET", "Node.js"), "the internet; node js", ["Node.js"]),
        (("Java", "JavaScript"), "JavaScript", ["JavaScript"]),
        (("SQL", "NoSQL"), "no SQL here", ["SQL"]),
        (("Approve", "Approve with conditions"), "approve, with conditions",
         ["Approve with conditions"]),
        (("Compliant", "Non-compliant"), "noncompliant, non compliant",
         ["Non-compliant", "Non-compliant"]),
        (("Kubernetes", "Nomad"), "K8s or kube", ["Kubernetes", "Kubernetes"]),
        (("Amazon Web Services", "Azure"), "AWS", ["Amazon Web Services"]),
        (("PostgreSQL", "MongoDB"), "postgres, mongo db", ["PostgreSQL", "MongoDB"]),
        (("Microservices", "Monolith"), "a micro-service", ["Microservices"]),
        (("Hire", "Outsource"), "hiring, outsourced", ["Hire", "Outsource"]),
        (("GPT-4", "GPT-4o"), "gpt 4 and GPT-4o", ["GPT-4", "GPT-4o"]),
        (("PostgreSQL", "MongoDB"), "MongoDB-compatible, ex-PostgreSQL", []),
    ],
)  # fmt: skip
def test_a_name_is_found_where_it_stands_for_the_option(names, text, expected):
    assert found(names, text) == expected


def test_a_given_alias_of_two_options_stands_for_several():
    book = Namebook([Option(name=name, aliases=("CI",)) for name in ("Integration", "Insight")])
    assert [mention.option for mention in book.mentions(tokenise("CI"))] == [SEVERAL]


def test_a_denied_name_speaks_against_its_option():
    (mention,) = Namebook(options("True", "False")).mentions(tokenise("untrue"))
    assert (mention.option, mention.sign) == (0, -1)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Legal", "Illegal"), {0: 1, 1: 0}),
        (("Done", "Not done", "Skipped"), {0: 1, 1: 0}),
        (("Kafka", "NATS"), {}),
    ],
)
def test_options_that_deny_each_other_are_known(names, expected):
    assert complements(options(*names)) == expected


@pytest.mark.parametrize(("word", "hit"), [("PostgersSQL", 0), ("PostgerSQL", 1), ("Postage", 0)])
def test_one_slip_is_forgiven_and_two_are_not(word, hit):
    near = Namebook(options("PostgreSQL", "MongoDB")).nearest(tokenise(word))
    assert len(near) == hit
