import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.reading.objects import find_objects

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=10,
)
OBJECTS = st.dictionaries(st.text(min_size=1, max_size=8), VALUES, min_size=1, max_size=4)


def only(text, **known):
    found = list(find_objects(text, **known))
    assert len(found) == 1, found
    return found[0]


@settings(deadline=None)
@given(OBJECTS, st.text("abc \n.,!", max_size=30), st.text("abc \n.,!", max_size=30))
def test_an_object_is_found_in_prose_as_it_is(value, before, after):
    found = only(f"{before}{json.dumps(value)}{after}")
    assert found.value == value
    assert not found.mended
    assert not found.cut


@settings(deadline=None)
@given(st.text())
def test_any_text_is_searched_without_an_error(text):
    ends = 0
    for found in find_objects(text):
        assert ends <= found.start < found.end <= len(text)
        ends = found.end


ANSWER = {"position": "Postgres", "reasons": ["ACID", "age"], "confidence": 0.8}
MENDED = {
    "trailing commas": '{"position": "Postgres", "reasons": ["ACID", "age",], "confidence": 0.8,}',
    "missing commas": '{"position": "Postgres" "reasons": ["ACID" "age"] "confidence": 0.8}',
    "single quotes": "{'position': 'Postgres', 'reasons': ['ACID', 'age'], 'confidence': 0.8}",
    "curly quotes": "{“position”: “Postgres”, “reasons”: [“ACID”, “age”], “confidence”: 0.8}",
    "guillemets": "{«position»: «Postgres», «reasons»: [«ACID», «age»], «confidence»: 0.8}",
    "corners": "{「position」：「Postgres」，「reasons」：[「ACID」，「age」]，"
    "「confidence」：0.8}",
    "wide": '{"position"："Postgres"，"reasons"：["ACID"，"age"]，"confidence"：0.8}',
    "equals": '{"position" = "Postgres", "reasons" = ["ACID", "age"], "confidence" = 0.8}',
    "no quotes": "{position: Postgres, reasons: [ACID, age], confidence: 0.8}",
    "semicolons": '{"position": "Postgres"; "reasons": ["ACID", "age"]; "confidence": 0.8}',
    "comments": '{\n// mine\n"position": "Postgres", # best\n"reasons": ["ACID", /* b */ "age"],\n'
    '"confidence": 0.8}',
    "backticks": '{"position": `Postgres`, "reasons": [`ACID`, `age`], "confidence": 0.8}',
    "ellipsis": '{"position": "Postgres", "reasons": ["ACID", "age", ...], "confidence": 0.8}',
}


@pytest.mark.parametrize("text", MENDED.values(), ids=MENDED.keys())
def test_syntax_is_mended_without_a_change_of_content(text):
    found = only(text)
    assert found.value == ANSWER
    assert found.mended


def test_quotes_and_commas_inside_strings_survive_the_mending():
    text = '{"position": "P", "reasons": ["{1,2,} is „legal“", "the “a”, and //b"], "x": 1,}'
    assert only(text).value["reasons"] == ["{1,2,} is „legal“", "the “a”, and //b"]


def test_an_odd_quote_inside_a_string_is_kept():
    text = '{"position": "P", "reasons": ["die Doku nennt „ACID" als Grund", "zwei"], "x": 1}'
    assert only(text).value["reasons"] == ['die Doku nennt „ACID" als Grund', "zwei"]


@pytest.mark.parametrize(
    "text",
    [
        '{"position": "PostgreSQL", but not for ledgers", "reasons": ["a"]}',
        "{'position': 'PostgreSQL, but no",
        '{"position": PostgreSQL is no',
    ],
)
def test_a_repair_that_would_end_a_sentence_early_is_refused(text):
    assert not [found for found in find_objects(text) if found.value.get("position")]


@settings(deadline=None)
@given(st.integers(1, 200))
def test_of_a_cut_object_only_whole_values_are_kept(length):
    text = json.dumps(
        {"position": "not MongoDB", "reasons": ["ACID", "tooling"], "confidence": 0.85}
    )
    for found in find_objects(text[:length]):
        assert found.cut == (length < len(text))
        assert found.value.get("position", "not MongoDB") == "not MongoDB"
        assert found.value.get("confidence", 0.85) == 0.85
        assert (
            found.value.get("reasons", [])
            == ["ACID", "tooling"][: len(found.value.get("reasons", []))]
        )


def test_a_cut_object_claims_the_objects_inside_it():
    found = only('{"example": {"position": "MongoDB"}, "x": [1,], "position": "Postg')
    assert found.cut
    assert "position" not in found.value


def test_an_unclosed_draft_does_not_swallow_the_answer_after_it():
    text = 'Draft: {"position": "MongoDB", hmm, no. Final: {"position": "PostgreSQL"}'
    assert only(text).value == {"position": "PostgreSQL"}


def test_keys_that_stand_twice_are_remembered_in_whole_and_in_mended_objects():
    assert only('{"a": 1, "a": 2, "b": 1}').clashes == {"a"}
    assert only('{"a": 1, "a": 1}').clashes == frozenset()
    assert only('{"a": "x", "a": "y",}').clashes == {"a"}


def test_numbers_beyond_the_interpreters_limits_do_no_harm():
    assert only('{"a": ' + "7" * 10_000 + "}").value["a"] == float("inf")
    assert only('{"a": NaN, "b": Infinity}').value == {"a": None, "b": None}


@pytest.mark.parametrize(
    "text",
    [
        "{" * 100_000,
        '{"a":' * 50_000,
        "[" * 100_000,
        '{"a": "' + "x" * 500_000,
        "{“a”: “b” c, " * 20_000,
    ],
    ids=["braces", "objects", "brackets", "string", "quotes"],
)
def test_floods_end(text):
    assert len(list(find_objects(text))) <= 300
