"""A child's reply, read as what it claims."""

import json

import pytest

from tasks.verifying.manifest import MAX_CHARS, disagreements, read_manifest

SAID = {"status": "completed", "artifacts": ["a.md", "./b.md"], "summary": "Done."}
TEXT = json.dumps(SAID)


@pytest.mark.parametrize(
    ("reply", "form"),
    [
        (TEXT, "json"),
        (f"[{TEXT}]", "json"),
        (f"```json\n{TEXT}\n```", "json"),
        (f"Sure! Here it is:\n\n{TEXT}\n\nAnything else?", "json"),
        (f"<think>I could say {{'status': 1}}</think>{TEXT}", "json"),
        (f'First I had {{"status": "failed"}}, then\n{TEXT}', "json"),
        (f"def f() {{ return 1 }} {TEXT}", "json"),
        ("{'status': 'completed', 'artifacts': ['a.md', 'b.md'], 'summary': 'Done.',}", "repaired"),
        ('{"status": "completed", "artifacts": ["a.md", "b.md"], "summary": "Done."', "repaired"),
    ],
)
def test_the_manifest_is_found(reply, form):
    found = read_manifest(reply)
    assert found.form == form
    assert (found.status, found.artifacts, found.summary) == (
        "completed",
        ("a.md", "b.md"),
        "Done.",
    )


@pytest.mark.parametrize("reply", ["", "  \n", "<think>hm</think>"])
def test_no_reply_is_empty(reply):
    assert read_manifest(reply).form == "empty"


@pytest.mark.parametrize(
    "reply",
    [
        "I have created a.md with all findings.",
        "HTTP 429: rate limited, a.md",
        '{"answer": "a.md"}',
        '["a.md"]',
        '"a.md"',
        "{a.md",
        "[1, 2] a.md",
    ],
)
def test_what_is_no_manifest_is_prose_and_the_files_it_names_are_the_claim(reply):
    found = read_manifest(reply, ("a.md", "b.md"))
    assert found.form == "prose"
    assert found.artifacts == ("a.md",)
    assert found.summary


@pytest.mark.parametrize(
    ("artifacts", "read"),
    [
        (None, ()),
        ("a.md", ("a.md",)),
        ([7, None, True, ["x"], {"path": "a.md", "status": "ok"}, {"x": 1}, ""], ("a.md",)),
        ({"path": "a.md"}, ("a.md",)),
    ],
)
def test_artifacts_in_other_shapes_are_read_or_left_out(artifacts, read):
    reply = json.dumps({"status": "completed", "artifacts": artifacts})
    assert read_manifest(reply).artifacts == read


def test_fields_of_other_types_are_text_and_capped():
    found = read_manifest(json.dumps({"status": {"a": 1}, "summary": "x" * 99_999}))
    assert found.status == '{"a": 1}'
    assert len(found.summary) == 2000


def test_half_a_surrogate_pair_does_not_reach_the_record():
    found = read_manifest('{"status": "\\ud800", "artifacts": ["a\\udfff"]}')
    found.model_dump_json().encode()
    assert found.status == "?"


@pytest.mark.parametrize(
    "reply",
    [
        "{" * 300_000,
        "[{" * 100_000,
        '{"status":' * 30_000,
        "<think>" * 30_000,
        '"' * 200_000,
        "```" * 60_000 + TEXT[:-1],
    ],
)
def test_no_reply_takes_for_ever(reply):
    assert read_manifest(reply).form in {"prose", "repaired", "empty"}


def test_the_manifest_at_the_end_of_a_flood_is_found():
    assert read_manifest("x" * MAX_CHARS + TEXT).form == "json"


def test_claim_and_disk_are_compared():
    claimed = read_manifest('{"artifacts": ["a", "b", "x", "y"]}')
    assert disagreements(claimed, ("a", "b", "c"), ("a", "c")) == (
        "the child claims b, which did not pass",
        "the child does not mention c, which passed",
        "the child claims 2 files that the contract does not name",
    )
    assert disagreements(read_manifest("done"), ("a",), ("a",)) == ()
