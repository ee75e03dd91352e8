"""JSON that somebody else wrote: one meaning or none."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.verifying.json_text import MAX_DEPTH, MAX_NODES, BadJson, at, read_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=20,
)


@given(VALUES)
def test_what_json_writes_is_read(value):
    assert read_json(json.dumps(value)) == value


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1, "a": 2}', "'a' twice"),
        ('[{"b": {"a": 1, "x": 0, "a": 1}}]', "'a' twice"),
        ("[NaN]", "NaN"),
        ("[-Infinity]", "-Infinity"),
        ("[1e999]", "beyond"),
        ('["\\ud800"]', "surrogate"),
        ('{"\\udc00": 1}', "surrogate"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "nested deeper"),
        ("[" * 200_000, "nested deeper"),
        ('{"a":' * 50_000, "nested deeper"),
        ("1" * 5000, "is not JSON"),
        ("{'a': 1}", "is not JSON"),
        ("[1,]", "is not JSON"),
        ("// no\n{}", "is not JSON"),
        ("{} {}", "is not JSON"),
        ("", "is not JSON"),
        ("\ufeff{}", "is not JSON"),
    ],
)
def test_what_readers_would_read_differently_is_refused(text, said):
    with pytest.raises(BadJson, match=said):
        read_json(text)


def test_the_deepest_document_allowed_is_read():
    text = "[" * (MAX_DEPTH - 1) + "1" + "]" * (MAX_DEPTH - 1)
    assert json.dumps(read_json(text)) == text


def test_a_document_of_too_many_values_is_refused():
    with pytest.raises(BadJson, match="more than"):
        read_json("[" + "1," * MAX_NODES + "1]")


def test_many_keys_with_one_twice_take_no_quadratic_time():
    keys = ",".join(f'"k{i}":1' for i in range(200_000))
    with pytest.raises(BadJson, match="'k199999' twice"):
        read_json("{" + keys + ',"k199999":1}')


DOCUMENT = {"a": [{"b/c": 1, "d~e": 2}], "": 3}


@pytest.mark.parametrize(
    ("pointer", "value"),
    [("", DOCUMENT), ("/a/0/b~1c", 1), ("/a/0/d~0e", 2), ("/", 3), ("/a", DOCUMENT["a"])],
)
def test_a_pointer_leads_to_its_value(pointer, value):
    assert at(DOCUMENT, pointer) == value


@pytest.mark.parametrize("pointer", ["/x", "/a/1", "/a/-1", "/a/-", "/a/b", "/a/0/b~1c/x", "/a/²"])
def test_a_pointer_to_nothing_is_refused(pointer):
    with pytest.raises(BadJson, match="nothing at"):
        at(DOCUMENT, pointer)
