"""What turned out right is recorded for what was asked, and for nothing else."""

import json
from datetime import timedelta

import pytest

from contracts.batch import Batch
from contracts.errors import ConfigError, NotFound, UsageError
from contracts.opinion import OTHER
from data.past_votes import known_outcomes
from data.store import Store
from tasks.outcome_file import read_outcome_file
from tasks.outcomes import import_outcomes, record_outcome
from tests.data.making import START, deliberation, keep


@pytest.fixture
def kept(home):
    """A home with three deliberations over yes and no, one of them of a batch."""
    journal = Store(home).journal
    keep(journal, deliberation("abc123", {"A": "yes", "B": "no"}))
    keep(journal, deliberation("abd456", {"A": "yes", "B": "yes"}))
    keep(journal, deliberation(Batch.id_of("night", "q1"), {"A": "no"}, batch_id="night"))
    return home


def truths(home):
    return known_outcomes(Store(home))


def record(home, name, right, days=0, **more):
    at = START + timedelta(days=days)
    return record_outcome(home, name, right, by="Ada", at=at, **more)[0]


def load(home, path, **more):
    return import_outcomes(home, path, by="Ada", at=START, **more)


def test_an_outcome_is_recorded_under_the_whole_id_and_the_options_own_name(kept):
    outcome = record(kept, "abc", "YES", note="it shipped")
    assert (outcome.deliberation_id, outcome.right_option) == ("abc123", "yes")
    assert truths(kept) == {"abc123": "yes"}


def test_the_later_record_corrects_the_earlier_one(kept):
    record(kept, "abc123", "yes")
    record(kept, "abc123", "no", days=1)
    assert truths(kept) == {"abc123": "no"}


def test_none_of_the_options_may_have_been_right(kept):
    assert record(kept, "abc123", "Other").right_option == OTHER


def test_an_option_that_was_not_asked_is_refused_with_the_nearest(kept):
    with pytest.raises(UsageError, match="'yess' is no option of abc123: yes, no, other"):
        record(kept, "abc123", "yess")
    assert truths(kept) == {}


def test_an_unknown_id_is_refused_with_the_nearest(kept):
    with pytest.raises(NotFound, match="Nearest: abc123"):
        record(kept, "abc124", "yes")


def test_an_id_that_begins_two_names_both(kept):
    with pytest.raises(NotFound, match="abc123"):
        record(kept, "ab", "yes")


def test_a_file_is_recorded_by_id_and_by_the_rows_of_a_batch(kept, tmp_path):
    path = tmp_path / "right.csv"
    path.write_text("deliberation_id,batch_id,key,right\nabc123,,,no\n,night,q1,No\n")
    assert load(kept, path)[:3] == (2, 0, 0)
    assert truths(kept) == {"abc123": "no", Batch.id_of("night", "q1"): "no"}


def test_json_lines_may_say_who_and_how(kept, tmp_path):
    path = tmp_path / "right.jsonl"
    path.write_text(json.dumps({"deliberation_id": "abc123", "right": "yes", "by": "Bo"}) + "\n")
    load(kept, path)
    (row,) = Store(kept).sql("select recorded_by, note from outcomes").rows
    assert row == ("Bo", "")


def test_the_same_file_again_changes_nothing_and_a_new_one_corrects(kept, tmp_path):
    path = tmp_path / "right.csv"
    path.write_text("deliberation_id,right\nabc123,no\nabd456,yes\n")
    assert load(kept, path)[:3] == (2, 0, 0)
    assert load(kept, path)[:3] == (0, 0, 2)
    path.write_text("deliberation_id,right\nabc123,yes\nabd456,yes\n")
    assert load(kept, path)[:3] == (0, 1, 1)
    assert truths(kept)["abc123"] == "yes"


def test_of_two_rows_on_one_deliberation_the_later_counts(kept, tmp_path):
    path = tmp_path / "right.csv"
    path.write_text("deliberation_id,right\nabc123,no\nabc123,yes\n")
    load(kept, path)
    assert truths(kept) == {"abc123": "yes"}


BAD = {
    "an option that was not asked": "abc123,,,maybe,",
    "an unknown deliberation": "zzz999,,,yes,",
    "a row of the batch that is not there": ",night,q9,yes,",
    "no deliberation named": ",,,yes,",
    "named twice": "abc123,night,q1,yes,",
    "half a name": ",night,,yes,",
    "nothing right": "abc123,,,,",
    "a cell too many": "abc123,,,yes,,x",
}


@pytest.mark.parametrize("row", BAD.values(), ids=BAD)
def test_one_bad_row_stops_all_unless_it_may_be_passed_over(kept, tmp_path, row):
    path = tmp_path / "right.csv"
    path.write_text(f"deliberation_id,batch_id,key,right,note\nabd456,,,yes,\n{row}\n")
    with pytest.raises(ConfigError, match=r"1 bad rows, nothing was recorded.*\nright.csv, row 3"):
        load(kept, path)
    assert truths(kept) == {}
    done = load(kept, path, skip_bad=True)
    assert (done.recorded, [fault.row for fault in done.faults]) == (1, [3])
    assert truths(kept) == {"abd456": "yes"}


FILES = {
    "an unknown kind": ("a.txt", b"x", "csv or jsonl"),
    "no right column": ("a.csv", b"deliberation_id\nabc\n", "`right` among them"),
    "an unknown column": ("a.csv", b"deliberation_id,right,weight\n", "columns are"),
    "no row": ("a.csv", b"deliberation_id,right\n", "no row"),
    "nothing": ("a.jsonl", b"", "no row"),
    "not UTF-8": ("a.csv", b"\xff\xfe\x00", "UTF-8"),
    "a quote that never ends": ("a.csv", b'deliberation_id,right\n"abc,yes\n', "not CSV"),
}


@pytest.mark.parametrize(("name", "content", "told"), FILES.values(), ids=FILES)
def test_a_file_that_does_not_read_says_why(tmp_path, name, content, told):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ConfigError, match=told):
        read_outcome_file(path)


@pytest.mark.parametrize("line", ["{", "[1]", '{"right": ["yes"], "deliberation_id": "a"}', "NaN"])
def test_a_line_that_is_no_row_is_a_fault(tmp_path, line):
    path = tmp_path / "a.jsonl"
    path.write_text(line + "\n")
    rows, faults = read_outcome_file(path)
    assert rows == ()
    assert [fault.row for fault in faults] == [1]
