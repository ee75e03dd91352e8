"""Each primitive: what passes, what does not, and what is said about it."""

import hashlib

import pytest

from contracts.checks import (
    CountAtLeast,
    FileContains,
    FileExists,
    FileMatches,
    JsonKeys,
    JsonSchemaOk,
    RowsEachHave,
    Sha256Is,
)
from contracts.delegation import Deliverable
from tasks.verifying import patterns
from tasks.verifying.checks import check_promise, run_check, shown
from tasks.verifying.content import Content

ITEMS = b'{"items": [{"id": "a", "score": 0}, {"id": "b", "score": 1}]}'


def content(data, path="f.json", **fields):
    return Content(Deliverable(path=path, **fields), data, hashlib.sha256(data).hexdigest())


@pytest.mark.parametrize(
    ("check", "data", "path"),
    [
        (FileExists(path="f"), b"x", "f"),
        (FileContains(path="f", text="é"), "café".encode(), "f"),
        (FileContains(path="f", text="a", times=3), b"a b a b a", "f"),
        (FileMatches(path="f", pattern="(?m)^# "), b"x\n# y", "f"),
        (JsonSchemaOk(path="f", json_schema={"required": ["items"]}), ITEMS, "f"),
        (JsonSchemaOk(path="f", json_schema={}), b"\xef\xbb\xbf{}", "f"),
        (JsonKeys(path="f", keys=("items",)), ITEMS, "f"),
        (JsonKeys(path="f", keys=("id", "score"), at="/items/1"), ITEMS, "f"),
        (CountAtLeast(path="f", count=2, at="/items"), ITEMS, "f"),
        (CountAtLeast(path="f", count=1), ITEMS, "f"),
        (CountAtLeast(path="f", count=2, of="lines"), b"a\n\n  \nb", "f"),
        (CountAtLeast(path="f.csv", count=2, of="rows"), b"h\n1\n2\n", "f.csv"),
        (CountAtLeast(path="f.jsonl", count=2, of="rows"), b"{}\n\n{}\n", "f.jsonl"),
        (RowsEachHave(path="f", fields=("id", "score"), at="/items"), ITEMS, "f"),
        (RowsEachHave(path="f.csv", fields=("a", "b")), b"a,b\r\n1,2\r\n3,4", "f.csv"),
        (RowsEachHave(path="f.tsv", fields=("b",)), b"a\tb\n1\t2\n", "f.tsv"),
        (RowsEachHave(path="f.ndjson", fields=("a",)), b'{"a": false}\r\n{"a": 0}\n', "f.ndjson"),
        (Sha256Is(path="f", content_sha256=hashlib.sha256(b"x").hexdigest()), b"x", "f"),
    ],
    ids=lambda value: getattr(value, "check", None),
)
def test_a_check_that_holds_says_so(check, data, path):
    found = run_check(check, content(data, path))
    assert found.ok, found
    assert (found.check, found.path) == (check.check, check.path)
    assert found.sentence.startswith(path)


@pytest.mark.parametrize(
    ("check", "data", "path", "said"),
    [
        (FileContains(path="f", text="A"), b"a", "f", "does not contain it (wanted: it contains"),
        (FileContains(path="f", text="a", times=3), b"a a", "f", "contains it 2 times"),
        (FileContains(path="f", text="a"), b"a\xff", "f", "not UTF-8 text (byte 1)"),
        (FileContains(path="f", text="a"), b"a\0", "f", "NUL"),
        (FileMatches(path="f", pattern="^x$"), b"y", "f", "does not match"),
        (JsonSchemaOk(path="f", json_schema={"type": "array"}), ITEMS, "f", "breaks the schema"),
        (JsonSchemaOk(path="f", json_schema={}), b"{,}", "f", "is not JSON"),
        (JsonSchemaOk(path="f", json_schema={}), b'{"a":1,"a":2}', "f", "'a' twice"),
        (JsonSchemaOk(path="f", json_schema={}), "{}".encode("utf-16"), "f", "not UTF-8"),
        (JsonKeys(path="f", keys=("x", "items", "y")), ITEMS, "f", "lacks the keys x, y"),
        (JsonKeys(path="f", keys=("x",)), b"[]", "f", "an array where an object"),
        (JsonKeys(path="f", keys=("x",), at="/none"), ITEMS, "f", "nothing at /none"),
        (CountAtLeast(path="f", count=3, at="/items"), ITEMS, "f", "has 2 items"),
        (CountAtLeast(path="f", count=1), b'"text"', "f", "a text where items"),
        (CountAtLeast(path="f", count=1, of="lines"), b" \n\n", "f", "has 0 lines"),
        (CountAtLeast(path="f", count=1, of="rows"), b"{}", "f", "where an array of rows"),
        (RowsEachHave(path="f", fields=("id",)), b"[]", "f", "has no rows"),
        (RowsEachHave(path="f", fields=("id",)), b'[{"id": 1}, 7]', "f", "a number as row 2"),
        (RowsEachHave(path="f", fields=("id",)), b'[{"id": " "}]', "f", "row 1 does not fill id"),
        (RowsEachHave(path="f", fields=("id",)), b'[{"id": null}]', "f", "row 1 does not fill"),
        (RowsEachHave(path="f.csv", fields=("b",)), b"a,b\n1\n", "f.csv", "row 1 does not fill b"),
        (RowsEachHave(path="f.csv", fields=("a",)), b"a,a\n1,2\n", "f.csv", "column 'a' twice"),
        (RowsEachHave(path="f.csv", fields=("a",)), b"", "f.csv", "has no rows"),
        (
            RowsEachHave(path="f.csv", fields=("a",)),
            b"a\n" + b"x" * 1_000_001,
            "f.csv",
            "does not read as a table",
        ),
        (RowsEachHave(path="f.jsonl", fields=("a",)), b'{"a":1}\n{', "f.jsonl", "line 2 is not"),
        (Sha256Is(path="f", content_sha256="0" * 64), b"x", "f", "has the hash 2d71"),
    ],
)
def test_a_check_that_does_not_hold_says_what_was_found(check, data, path, said):
    found = run_check(check, content(data, path))
    assert not found.ok
    assert said in found.sentence


def test_a_check_that_cannot_be_mended_says_so():
    check = FileContains(path="f", text="a", recoverable=False)
    assert not run_check(check, content(b"b", "f")).recoverable


def test_a_pattern_that_does_not_end_is_a_check_that_does_not_hold(monkeypatch):
    monkeypatch.setattr(patterns, "SECONDS", 0.1)
    check = FileMatches(path="f", pattern="(a|aa)+$")
    found = run_check(check, content(b"a" * 100 + b"b", "f"))
    assert not found.ok
    assert "did not come to an end" in found.sentence


TEXT, JSON = {"media_type": "text/plain"}, {"media_type": "application/json"}
LINES, TABLE = {"media_type": "application/x-ndjson"}, {"media_type": "text/csv"}
SCORED = {"$defs": {"n": {"type": "number"}}, "properties": {"score": {"$ref": "#/$defs/n"}}}


@pytest.mark.parametrize(
    ("data", "fields", "said"),
    [
        (b"", {}, "has 0 bytes"),
        (b"ab", {"min_bytes": 3}, "has 2 bytes"),
        (b"\0" * 50, {}, "nothing but NUL"),
        (b" \n\t\r\n", TEXT, "is blank"),
        (b"\xef\xbb\xbf \n", TEXT, "is blank"),
        ("\u2003\u00a0\n".encode(), TEXT, "is blank"),
        (b"r\xe9sultat", TEXT, "not UTF-8"),
        ("hello".encode("utf-16"), TEXT, "not UTF-8"),
        (b"a\0b", TEXT, "NUL"),
        (b"{", JSON, "is not JSON"),
        (b"NaN", JSON, "NaN"),
        (b"[" * 100_000, JSON, "nested deeper"),
        (b'{"a": 1, "a": 2}', JSON, "'a' twice"),
        (b"[]", {"json_schema": {"type": "object"}}, "breaks its schema: at $"),
        (b"```json\n{}\n```", JSON, "is not JSON"),
        ("\u200b\u2060\n".encode(), TEXT, "is blank"),
        (b'{"a": 1}\n{"a":\n', LINES, "line 2 is not JSON"),
        (b"{}\n" * 9 + b'{"score": "1"}\n', {**LINES, "json_schema": SCORED}, "at $[9].score"),
        (b"a,b\n1,2\n1,2,3\n", TABLE, "more cells in row 2 than its 2 columns"),
        (b"a,a\n1,2\n", TABLE, "the column 'a' twice"),
    ],
)
def test_a_file_that_breaks_its_promise_is_told(data, fields, said):
    assert said in check_promise(content(data, **fields))


@pytest.mark.parametrize(
    ("data", "fields"),
    [
        (b"\xff\xfe\0x", {}),
        (b" ", {}),
        (b"", {"min_bytes": 0}),
        (b"", {"min_bytes": 0, "media_type": "text/plain"}),
        (b"\xef\xbb\xbfhello", TEXT),
        (b"\xef\xbb\xbf{}", JSON),
        (b"null", JSON),
        (ITEMS, {"json_schema": {"required": ["items"]}}),
        ("\u200bh".encode(), TEXT),
        (b'{"score": 1}\n\n{"score": 2.5}\n', {**LINES, "json_schema": SCORED}),
        (b'a,b\r\n1,"2,3\n4"\r\n', TABLE),
    ],
)
def test_a_file_that_keeps_its_promise_has_no_fault(data, fields):
    assert check_promise(content(data, **fields)) is None


def test_what_is_shown_is_one_short_line_without_control_characters():
    text = shown("a\x1b[31m\n b\u202e" + "x" * 500)
    assert text.startswith("a�[31m b�x")
    assert len(text) == 200
