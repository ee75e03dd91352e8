"""Prose, however it is dressed, becomes the same plain tokens."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.reading.grammar.plain import LIMIT, key_of, plain
from tasks.reading.grammar.tokens import MAX_TOKENS, fold, tokenise


def words(text):
    return [token.word for token in tokenise(plain(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C++17, C# and .NET", ["c++", "17", ",", "c#", "and", ".net"]),
        ("Node.js.", ["node.js", "."]),
        ("MongoDB.Because", ["mongodb", ".", "because"]),
        ("We shouldn’t; dont, can't", ["we", "should", "not", ";", "do", "not", ",", "can", "not"]),
        ("PostgreSQL's", ["postgresql", "'s"]),
        ("−5% or +5%", ["-5", "%", "or", "+5", "%"]),
        ("non-compliant", ["non", "-", "compliant"]),
        ("yes—no", ["yes", "—", "no"]),
        ("Bl\u200bue Gre\xaden", ["blue", "green"]),
        ("\u0412lue", ["blue"]),
        ("Да", ["да"]),
        ("Zürich Łódź Straße", ["zurich", "lodz", "strasse"]),
        ("**Kafka** _NATS_ `Go` <b>R</b>", ["kafka", "nats", "go", "r"]),
        ("> MongoDB", ["mongodb"]),
        ("- [Kafka](https://example.org)", ["kafka"]),
        ("~~Kafka~~ NATS", ["nats"]),
        ("$\\boxed{B}$", ["b"]),
        ("Kafka &gt; NATS", ["kafka", ">", "nats"]),
    ],
)
def test_dressing_is_taken_off(text, expected):
    assert words(text) == expected


@settings(deadline=None)
@given(st.text())
def test_any_text_has_bounded_folded_tokens(text):
    tokens = tokenise(plain(text * 3))
    assert len(tokens) <= MAX_TOKENS
    assert all(
        (token.word and not token.word[0].isspace()) or token.kind == "line" for token in tokens
    )
    words_of_it = [token.word for token in tokens if token.kind == "word"]
    assert words_of_it == [fold(word) for word in words_of_it]


def test_of_a_long_text_the_head_and_the_tail_are_read():
    shown = plain(f"first {'x' * 3 * LIMIT} last")
    assert shown.startswith("first")
    assert shown.endswith("last")
    assert len(shown) <= LIMIT + 1


@settings(deadline=None)
@given(st.text(max_size=50))
def test_a_key_of_a_key_is_itself(text):
    assert key_of(key_of(text)) == key_of(text)
