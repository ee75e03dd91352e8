"""The audit trail: nothing is lost, and nothing is changed unseen."""

import json
import multiprocessing
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.delegation import AuditRow
from contracts.errors import StoreDamaged
from data import audit

MOMENT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def row(number, **fields):
    return AuditRow(
        **{
            "at": MOMENT + timedelta(hours=number),
            "delegation_id": f"d{number}",
            "attempt": 1,
            "child": "command",
            "goal": "g",
            "deliverables": ("a.md",),
            "status": "accept",
            "reply_chars": 5,
            "artifacts": {"a.md": "0" * 64},
            **fields,
        }
    )


@pytest.fixture
def trail(home):
    for number in range(1, 6):
        audit.append(home, row(number))
    return home / "audit.jsonl"


def edit(trail, act):
    lines = trail.read_bytes().splitlines(keepends=True)
    act(lines)
    trail.write_bytes(b"".join(lines))
    return audit.verify(trail.parent)


def test_a_home_without_a_trail_is_whole(home):
    assert audit.verify(home) == (0, None)
    assert list(audit.read(home)) == []


def test_rows_come_back_as_they_were_kept(trail):
    assert list(audit.read(trail.parent)) == [row(number) for number in range(1, 6)]
    assert audit.verify(trail.parent) == (5, None)


def test_each_row_is_one_line_that_holds_the_hash_of_the_one_before(trail):
    rows = [json.loads(line) for line in trail.read_text().splitlines()]
    assert [r["seq"] for r in rows] == [1, 2, 3, 4, 5]
    assert rows[0]["previous_sha256"] == audit.GENESIS
    assert [r["previous_sha256"] for r in rows[1:]] == [r["sha256"] for r in rows[:-1]]
    assert (
        audit.append(trail.parent, row(6))
        == json.loads(trail.read_text().splitlines()[5])["sha256"]
    )


def test_rows_are_picked_by_time_and_status(trail):
    audit.append(trail.parent, row(6, status="partial"))
    since = MOMENT + timedelta(hours=5)
    assert [r.delegation_id for r in audit.read(trail.parent, since=since)] == ["d5", "d6"]
    assert [r.delegation_id for r in audit.read(trail.parent, status="partial")] == ["d6"]


@settings(max_examples=25, deadline=None)
@given(st.text(), st.lists(st.text(), max_size=3))
def test_any_text_is_kept_on_one_line(tmp_path_factory, goal, notes):
    home = tmp_path_factory.mktemp("home")
    kept = row(1, goal=goal, notes=tuple(notes))
    audit.append(home, kept)
    audit.append(home, row(2))
    assert next(audit.read(home)) == kept
    assert audit.verify(home) == (2, None)


def test_half_a_surrogate_pair_is_kept_too(home):
    audit.append(home, row(1, notes=("\ud800",)))
    assert audit.verify(home) == (1, None)


@pytest.mark.parametrize(
    ("act", "rows", "said"),
    [
        (
            lambda lines: lines.__setitem__(2, lines[2].replace(b'"goal":"g"', b'"goal":"h"')),
            2,
            "line 3 was changed",
        ),
        (lambda lines: lines.pop(1), 1, "line 2 is row 3 where row 2 is due"),
        (lambda lines: lines.pop(0), 0, "line 1 is row 2 where row 1 is due"),
        (lambda lines: lines.insert(3, lines[2]), 3, "line 4 is row 3 where row 4 is due"),
        (lambda lines: lines.reverse(), 0, "line 1 is row 5"),
        (lambda lines: lines.__setitem__(1, b"garbage\n"), 1, "line 2 does not read"),
        (lambda lines: lines.__setitem__(1, b"[]\n"), 1, "line 2 does not read"),
        (lambda lines: lines.insert(2, b"\n"), 2, "line 3 does not read"),
        (
            lambda lines: lines.__setitem__(4, lines[4].replace(b":", b": ", 1)),
            4,
            "line 5 was changed",
        ),
        (lambda lines: lines.pop(), 4, "the last 1 of 5 rows are missing"),
        (lambda lines: lines.clear(), 0, "the last 5 of 5 rows are missing"),
    ],
)
def test_the_first_line_that_was_tampered_with_is_named(trail, act, rows, said):
    report = edit(trail, act)
    assert report.rows == rows
    assert said in report.broken


def test_a_row_made_anew_with_a_right_hash_breaks_the_chain_behind_it(trail):
    def forge(lines):
        end = audit.Head(1, json.loads(lines[0])["sha256"])
        lines[1] = audit._line(end, row(2, goal="forged"))[0]

    assert "line 3 is not chained" in edit(trail, forge).broken


def test_a_last_row_made_anew_is_not_the_one_that_the_head_knows(trail):
    def forge(lines):
        end = audit.Head(4, json.loads(lines[3])["sha256"])
        lines[4] = audit._line(end, row(5, goal="forged"))[0]

    assert "row 5 is not the one that audit.head knows" in edit(trail, forge).broken


def test_a_cut_stays_visible_after_more_rows(trail):
    edit(trail, lambda lines: lines.pop())
    audit.append(trail.parent, row(6))
    assert "line 5 is row 6 where row 5 is due" in audit.verify(trail.parent).broken


def test_a_trail_that_was_removed_whole_stays_visible(trail):
    trail.unlink()
    audit.append(trail.parent, row(6))
    assert "line 1 is row 6" in audit.verify(trail.parent).broken


def test_a_head_that_is_missing_is_told(trail):
    (trail.parent / "audit.head").unlink()
    assert "audit.head" in audit.verify(trail.parent).broken


def test_a_crash_between_row_and_head_is_no_damage(trail):
    head = (trail.parent / "audit.head").read_bytes()
    audit.append(trail.parent, row(6))
    (trail.parent / "audit.head").write_bytes(head)
    assert audit.verify(trail.parent) == (6, None)
    audit.append(trail.parent, row(7))
    assert audit.verify(trail.parent) == (7, None)


@pytest.mark.parametrize("torn", [b'{"seq": 6, "prev', b"x", b"y" * 200_000])
def test_a_row_whose_writer_died_is_left_out_and_then_removed(trail, torn):
    with trail.open("ab") as file:
        file.write(torn)
    assert audit.verify(trail.parent) == (5, None)
    assert len(list(audit.read(trail.parent))) == 5
    audit.append(trail.parent, row(6))
    assert audit.verify(trail.parent) == (6, None)
    assert b"\n" + torn not in trail.read_bytes()


def test_a_first_row_whose_writer_died_is_removed(home):
    home.mkdir()
    (home / "audit.jsonl").write_bytes(b'{"seq"')
    audit.append(home, row(1))
    assert audit.verify(home) == (1, None)


def test_a_row_longer_than_a_block_is_chained_to(home):
    audit.append(home, row(1, notes=("x" * 300_000,)))
    audit.append(home, row(2))
    assert audit.verify(home) == (2, None)


def test_the_chain_goes_through_rotated_files(home):
    for number in range(1, 8):
        audit.append(home, row(number), rotate_bytes=1000)
    names = sorted(path.name for path in home.glob("audit*.jsonl"))
    assert names[:2] == ["audit-000001.jsonl", "audit-000002.jsonl"]
    assert [r.delegation_id for r in audit.read(home)] == [f"d{n}" for n in range(1, 8)]
    assert audit.verify(home) == (7, None)
    (home / names[0]).unlink()
    assert "where row 1 is due" in audit.verify(home).broken


def test_a_line_that_does_not_read_is_named_when_reading(trail):
    edit(trail, lambda lines: lines.__setitem__(1, b"garbage\n"))
    with pytest.raises(StoreDamaged, match=r"audit\.jsonl line 2"):
        list(audit.read(trail.parent))


def test_nothing_is_chained_to_a_ruin_without_a_head(home):
    home.mkdir()
    (home / "audit.jsonl").write_bytes(b"garbage\n")
    with pytest.raises(StoreDamaged, match="does not read"):
        audit.append(home, row(1))


def _append_many(home, name, count):
    for number in range(count):
        audit.append(home, row(number, delegation_id=f"{name}-{number}"), rotate_bytes=6_000)


def test_many_processes_lose_and_tear_nothing(home):
    context = multiprocessing.get_context("spawn")
    writers = [
        context.Process(target=_append_many, args=(home, f"w{number}", 10)) for number in range(3)
    ]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    assert audit.verify(home) == (30, None)
    kept = {r.delegation_id for r in audit.read(home)}
    assert kept == {f"w{w}-{n}" for w in range(3) for n in range(10)}
