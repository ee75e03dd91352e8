"""JSON Schema by the library's rules, with bounds where a document could make it endless."""

import re

import pytest

from tasks.verifying import patterns, schema
from tasks.verifying.patterns import Timeless, finds, pattern_fault
from tasks.verifying.schema import BadSchema, check_schema, fault

BACKTRACKS = "(a|aa)+$"


@pytest.mark.parametrize(
    ("rules", "value", "said"),
    [
        ({"type": "object"}, [], "not of type 'object'"),
        ({"type": "number"}, True, "not of type 'number'"),
        ({"items": {"required": ["id"]}}, [{"id": 1}, {}], r"at \$\[1\]: 'id' is a required"),
        ({"pattern": "^a+$"}, "ab", "does not match"),
        ({"uniqueItems": True}, [1, 1.0], "the same"),
        ({"uniqueItems": True}, [{"a": [1]}, {"a": [1]}], "the same"),
        ({"enum": ["a"]}, "b", "not one of"),
        ({"additionalProperties": False}, {"x": 1}, "'x' was unexpected"),
    ],
)
def test_a_violation_is_told_with_its_place(rules, value, said):
    assert re.search(said, fault(rules, value))


@pytest.mark.parametrize(
    ("rules", "value"),
    [
        ({}, {"a": 1}),
        ({"type": "integer"}, 3),
        ({"pattern": "a"}, 5),
        ({"uniqueItems": True}, [1, True, "1", [1], {"a": 1}]),
        ({"uniqueItems": True}, "aa"),
        ({"$ref": "#/$defs/n", "$defs": {"n": {"type": "string"}}}, "x"),
        ({"$schema": "http://json-schema.org/draft-07/schema#", "const": 1}, 1),
    ],
)
def test_a_document_that_satisfies_its_schema_has_no_fault(rules, value):
    check_schema(rules)
    assert fault(rules, value) is None


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"type": "wat"}, "at \\$.type"),
        ({"properties": {"a": {"$ref": "http://x/y"}}}, "leads outside"),
        ({"allOf": [{"$dynamicRef": "other.json"}]}, "leads outside"),
        ({"items": {"patternProperties": {".*": {}}}}, "patternProperties"),
    ],
)
def test_a_schema_that_cannot_be_used_is_refused(rules, said):
    with pytest.raises(BadSchema, match=said):
        check_schema(rules)


def test_a_reference_is_never_fetched():
    assert "does not define" in fault({"$ref": "http://127.0.0.1:9/x"}, {})
    assert "does not define" in fault({"$ref": "#/$defs/none"}, {})


def test_a_schema_that_runs_in_a_circle_comes_to_an_end():
    assert "deeper than its schema" in fault({"$ref": "#"}, {})


def test_branches_that_double_at_each_level_come_to_an_end(monkeypatch):
    monkeypatch.setattr(schema, "SECONDS", 0.2)
    branch = {"properties": {"c": {"$ref": "#/$defs/n"}}}
    rules = {
        "$defs": {"n": {"anyOf": [{**branch, "required": ["x"]}, {**branch, "required": ["y"]}]}},
        "$ref": "#/$defs/n",
    }
    value = {}
    for _ in range(40):
        value = {"c": value}
    assert "took more than" in fault(rules, value)


def test_a_pattern_that_backtracks_comes_to_an_end(monkeypatch):
    monkeypatch.setattr(patterns, "SECONDS", 0.1)
    with pytest.raises(Timeless, match="did not come to an end"):
        finds(BACKTRACKS, "a" * 100 + "b")
    assert "did not come to an end" in fault({"pattern": BACKTRACKS}, "a" * 100 + "b")


def test_what_is_no_pattern_is_told():
    assert "missing )" in pattern_fault("(")
    assert pattern_fault("(?m)^# .+$") is None
