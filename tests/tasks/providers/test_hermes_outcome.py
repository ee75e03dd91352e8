"""An answer is taken only when exit code, usage report and text agree."""

import json

import pytest

from contracts import errors
from tasks.providers.hermes_outcome import MAX_REPORT_BYTES, Report, answer_of, read_report
from tasks.providers.process import Finished

WHERE = "ada through Hermes"
DONE = Report(completed=True, failed=False)


def ended(stdout="Use Postgres.\n", code=0, stderr="", **more):
    kept = {"timed_out": False, "truncated": False, "seconds": 1.0} | more
    return Finished(returncode=code, stdout=stdout, stderr=stderr, **kept)


def test_three_that_agree_are_an_answer():
    assert answer_of(ended(), DONE, WHERE) == "Use Postgres."


def test_a_program_without_a_report_is_taken_at_its_word():
    assert answer_of(ended("\x1b[32mUse Postgres.\x1b[0m\n"), None, WHERE) == "Use Postgres."


DISAGREEMENTS = {
    "report says failed": (ended(), Report(failed=True, completed=False), errors.ServerFault),
    "report says failed, text says why": (
        ended("API call failed after 1 retries: HTTP 429: slow"),
        Report(failed=True, completed=False),
        errors.RateLimited,
    ),
    "report tells the failure": (
        ended("", 1),
        Report(failed=True, failure="Unknown provider 'x'."),
        errors.Misconfigured,
    ),
    "report says incomplete": (ended(), Report(completed=False), errors.Truncated),
    "report of a newer version says partial": (
        ended(code=2),
        Report(completed=True, partial=True, turn_exit_reason="length"),
        errors.Truncated,
    ),
    "report of a newer version says interrupted": (
        ended(code=130),
        Report(interrupted=True),
        errors.ServerFault,
    ),
    "report says completed, text says empty": (
        ended("⚠️ No reply: the model returned empty content"),
        DONE,
        errors.EmptyReply,
    ),
    "report says completed, exit code does not": (ended(code=1), DONE, errors.ProviderError),
    "all well but no text": (ended(" \n"), DONE, errors.EmptyReply),
    "no report, no text": (ended(""), None, errors.EmptyReply),
    "no report, retry notice as the answer": (
        ended("API call failed after 3 retries: rate limit"),
        None,
        errors.RateLimited,
    ),
    "no report, crash as the answer": (
        ended("Traceback (most recent call last):\nKeyError"),
        None,
        errors.ServerFault,
    ),
    "exit 1 with words on stderr": (ended("", 1, "boom"), None, errors.ProviderError),
    "usage error of another version": (
        ended("", 2, "usage: hermes [-h]\nhermes: error: unrecognized arguments: --usage-file"),
        None,
        errors.Misconfigured,
    ),
    "killed after half an answer": (ended("Use Mon", -11), None, errors.ServerFault),
    "time ran out with half an answer": (
        ended("Use Mon", -15, timed_out=True),
        DONE,
        errors.ProviderTimeout,
    ),
    "more text than is kept": (ended(truncated=True), DONE, errors.ServerFault),
}


@pytest.mark.parametrize(("end", "report", "kind"), DISAGREEMENTS.values(), ids=DISAGREEMENTS)
def test_anything_else_is_an_error_with_its_cause(end, report, kind):
    with pytest.raises(errors.ProviderError) as caught:
        answer_of(end, report, WHERE)
    assert type(caught.value) is kind
    assert WHERE in str(caught.value)


def test_an_error_shows_the_words_that_were_printed():
    with pytest.raises(errors.ProviderError, match="exited with 3: the disk is full"):
        answer_of(ended("", 3, "the disk is full\n"), None, WHERE)


def test_a_report_is_read_and_what_is_unknown_is_left_out(tmp_path):
    file = tmp_path / "usage.json"
    file.write_text(
        json.dumps({"completed": True, "failed": False, "input_tokens": 7, "auxiliary": {"a": 1}})
    )
    assert read_report(file) == Report(completed=True, input_tokens=7)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"input_tokens": "many"}', "null"])
def test_what_is_no_report_counts_as_none(tmp_path, text):
    file = tmp_path / "usage.json"
    file.write_text(text)
    assert read_report(file) is None


def test_a_missing_or_huge_report_counts_as_none(tmp_path):
    assert read_report(tmp_path / "none.json") is None
    huge = tmp_path / "huge.json"
    huge.write_text(json.dumps({"completed": True, "pad": "x" * MAX_REPORT_BYTES}))
    assert read_report(huge) is None
