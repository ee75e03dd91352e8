"""The drain: each document once, none blocks another, and the database can always be made again."""

import os

import pytest
from filelock import FileLock

from contracts.base import Record
from contracts.errors import StoreDamaged, StoreError
from contracts.memory import Memory
from contracts.opinion import Usage
from contracts.skill import WeightRule
from data import drain as drain_module
from data import ingest, rows, schema
from data.documents import decode
from data.rows import Reading
from data.snapshots import Snapshots
from data.store import Store
from tests.data.making import contents, deliberation, keep, opinion, outcome

HOSTILE = [
    "'; drop table verdicts; --",
    '"quoted"\\back\tslash\r\n',
    "\x00nul and \x1b[31mred\x07",
    "bidi \u202e\u2066 zero\u200bwidth \ufeffbom",
    "😀𝔘𠀀 \U0010ffff",
    "$since {topic} %s ? :x ${x} {{x}}",
    "NULL",
    "[1, 2]",
    "x" * 100_000,
]


class Note(Record):
    """A record of a stage without tables."""

    schema_number: int = 1
    text: str


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "home")


@pytest.fixture
def journal(store):
    return store.journal


def count(store, table):
    ((n,),) = store.sql(f"select count(*) from {table}").rows
    return n


def test_a_document_becomes_rows_once(store, journal):
    keep(journal, deliberation("one", {"A": ("yes", "no"), "B": "no", "C": None}))
    assert store.drain().documents == 1
    assert store.drain().documents == 0
    tables = ("documents", "questions", "deliberations", "verdicts", "opinions", "votes")
    assert [count(store, table) for table in tables] == [1, 1, 1, 1, 4, 2]
    assert count(store, "changed_minds") == 1


def test_every_field_arrives(store, journal):
    rule = WeightRule(juror="A", topic="general", weight=2, approved_by="Ada")
    unused = WeightRule(juror="Z", topic="general", weight=3)
    said = (
        opinion("A", "yes", flags=("repaired",), usage=Usage(cost_usd=0.25, calls=2), raw="abc"),
        opinion("B", "no"),
        opinion("C", None, abstain_detail="gone"),
    )
    memory = Memory(rules=(rule, unused))
    keep(journal, deliberation("one", {"A": "", "B": "", "C": ""}, opinions=said, memory=memory))
    (first, _, third) = store.sql("from opinions order by juror").records()
    assert (first["provider"], first["cost_usd"], first["calls"]) == ("offline", 0.25, 2)
    assert (first["flags"], first["reasons"], first["raw_chars"]) == (["repaired"], ["because"], 3)
    assert (third["stance"], third["abstain_reason"]) == (None, "timeout")
    (verdict,) = store.sql("from verdicts").records()
    assert (verdict["status"], verdict["option"], verdict["n_failed_seats"]) == (
        "plurality",
        "yes",
        1,
    )
    assert verdict["rules_applied"] == ["A | general | 2"]
    assert store.sql("select juror, weight from applied_rules").rows == (("A", 2.0),)
    assert store.sql("select juror, weight from votes order by 1").rows == (("A", 2.0), ("B", 1.0))
    assert store.sql("select juror, option from dissents").rows == (("B", "no"),)


def test_a_question_asked_twice_is_one_question(store, journal):
    for name in ("one", "two"):
        keep(journal, deliberation(name, {"A": "yes"}, text="Again?"))
        store.drain()
    assert (count(store, "questions"), count(store, "deliberations")) == (1, 2)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_only_text(store, journal, text):
    option, juror = text[:500], text[:60]
    kept = deliberation(
        "one",
        {juror: "yes", "B": option},
        options=(option, "yes"),
        topic=text,
        text=text,
        context=text,
        foreman_text=text,
        batch_id=text,
    )
    keep(journal, kept, outcome("one", option))
    assert store.drain().documents == 2
    asked = "select text, topic, foreman_text from questions join deliberations using (topic)"
    assert store.sql(asked).rows == ((text,) * 3,)
    assert store.sql("select juror from opinions where juror <> 'B'").rows == ((juror,),)
    assert store.deliberation("one") == kept
    assert len(store.history(topic=text, batch=text).rows) == 1
    assert ("B", text) in {row[:2] for row in store.query("juror_reliability", topic=text).rows}


def test_a_lone_surrogate_is_kept_in_the_journal_and_replaced_in_the_rows(store, journal):
    said = opinion("A", "yes", position="lone \ud800", reasons=("\udfff", "😀"))
    kept = deliberation("one", {"A": "yes"}, opinions=(said,), foreman_text="\ud800")
    keep(journal, kept)
    assert store.drain().documents == 1
    found = store.sql("select position, reasons, foreman_text from opinions, deliberations")
    assert found.rows == (("lone \ufffd", ["\ufffd", "😀"], "\ufffd"),)
    assert store.deliberation("one") == kept


@pytest.fixture
def killed_half_way(journal):
    """What a machine that loses power may leave, and worse."""
    keep(journal, *(deliberation(name, {"A": "yes"}) for name in ("good", "torn", "moved")))
    paths = {decode(path.read_bytes()).document_id: path for path in journal.outbox.iterdir()}
    torn, moved = paths["torn"], paths["moved"]
    torn.write_bytes(torn.read_bytes()[:200])
    moved.rename(moved.with_name(moved.name[:-10] + "00000.json"))
    return journal


def test_what_cannot_be_read_is_set_aside_with_its_reason(store, killed_half_way):
    journal = killed_half_way
    empty = journal.outbox / ("deliberation-" + "0" * 64 + ".json")
    empty.touch()
    (journal.outbox / "notes.txt").write_text("not ours")
    (journal.outbox / "directory").mkdir()
    (journal.outbox / ".nfs0001").write_text("a file system's own")
    os.mkfifo(journal.outbox / ("deliberation-" + "1" * 64 + ".json"))
    (journal.outbox / ("deliberation-" + "2" * 64 + ".json")).symlink_to("/etc/passwd")
    report = store.drain()
    assert report.documents == 1
    assert report.remaining == 0
    assert len(report.quarantined) == 7
    reasons = {p.name: p.read_text() for p in journal.quarantine.glob("*.reason.txt")}
    assert len(reasons) == 7
    assert sum("under another name" in reason for reason in reasons.values()) == 1
    assert count(store, "verdicts") == 1
    assert store.drain().documents == 0


def test_a_value_that_fits_no_column_stops_no_other(store, journal):
    huge = opinion("A", "yes", usage=Usage(prompt_tokens=10**30))
    keep(journal, deliberation("huge", {"A": "yes"}, opinions=(huge,)))
    keep(journal, *(deliberation(f"good{i}", {"A": "yes"}) for i in range(7)))
    report = store.drain()
    assert report.documents == 7
    (reason,) = report.quarantined
    assert "does not fit" in reason
    assert count(store, "opinions") == 7


def test_a_kind_without_tables_can_be_asked_at_once(store, journal):
    journal.put("note", "x", Note(text="lone \ud800 'quote'"))
    assert store.drain().documents == 1
    found = store.sql("select body->>'$.text' from documents where kind = 'note'")
    assert found.rows == (("lone \ufffd 'quote'",),)


def test_a_document_of_a_newer_council_waits(store, journal, monkeypatch):
    keep(journal, deliberation("old", {"A": "yes"}))
    newer = deliberation("new", {"A": "yes"}, schema_number=99)
    keep(journal, newer)
    report = store.drain()
    assert (report.documents, report.held, report.remaining) == (1, 1, 1)
    published = len(list((store.home / "snapshots").iterdir()))
    assert store.drain().held == 1
    assert len(list((store.home / "snapshots").iterdir())) == published
    with pytest.raises(StoreDamaged, match="newer Council"):
        store.deliberation("new")
    knows = rows.READINGS["deliberation"]._replace(schema=99)
    monkeypatch.setattr(rows, "READINGS", {**rows.READINGS, "deliberation": knows})
    assert store.drain().documents == 1


def test_a_document_of_an_older_form_is_brought_up(store, journal, monkeypatch):
    class Renamed(Record):
        schema_number: int = 2
        words: str

    journal.put("note", "x", Note(text="old"))
    reading = Reading(
        Renamed,
        lambda note: iter([("notes", {"words": note.words})]),
        schema=2,
        upgrades={1: lambda body: {"schema_number": 2, "words": body["text"]}},
    )
    extra = schema.Migration("0099_notes.sql", "create table notes (words varchar)")
    with_notes(monkeypatch, extra)
    for module in (rows, ingest):
        monkeypatch.setattr(module, "READINGS", {**rows.READINGS, "note": reading})
    store.drain()
    assert store.sql("from notes").rows == (("old",),)


def with_notes(monkeypatch, *extra):
    known = (*schema.migrations(), *extra)
    monkeypatch.setattr(schema, "migrations", lambda: known)


def test_rebuild_equals_the_original_row_for_row(store, journal):
    for number in range(5):
        keep(
            journal,
            deliberation(f"d{number}", {"A": ("yes", "no"), "B": "no", "C": None}, days=number),
            outcome(f"d{number}", "no"),
        )
        journal.put("note", str(number), Note(text=HOSTILE[number]))
        store.drain()
    before = contents(store)
    assert store.rebuild().documents == 15
    assert contents(store) == before


def test_rebuild_takes_packs_loose_files_and_the_outbox(store, journal):
    keep(journal, *(deliberation(f"d{number}", {"A": "yes"}) for number in range(6)))
    store.drain()
    for path in list(journal.archive.directory.glob("*.json"))[:3]:
        os.utime(path, (1_700_000_000, 1_700_000_000))
    (journal.archive.directory / "packed").unlink(missing_ok=True)
    keep(journal, deliberation("seven", {"A": "yes"}))
    store.drain()
    assert len(journal.archive.packs()) == 1
    before = contents(store)
    keep(journal, deliberation("eight", {"A": "yes"}))
    assert store.rebuild().documents == 8
    after = contents(store)
    assert set(before["verdicts"]) < set(after["verdicts"])
    assert len(after["verdicts"]) == 8


def test_a_journal_that_was_lost_takes_no_snapshot_with_it(store, journal, caplog):
    keep(journal, deliberation("one", {"A": "yes"}), deliberation("two", {"A": "yes"}))
    store.drain()
    (path, _) = journal.archive.directory.glob("*.json")
    path.unlink()
    with pytest.raises(StoreError, match="has 1 documents and the last snapshot 2"):
        store.rebuild()
    assert count(store, "verdicts") == 2
    keep(journal, deliberation("three", {"A": "yes"}))
    assert store.drain().documents == 1
    assert count(store, "verdicts") == 3


def newest(store):
    return max((store.home / "snapshots").glob("council-*"))


def test_lost_snapshots_come_back_from_the_journal(store, journal):
    keep(journal, deliberation("one", {"A": "yes"}))
    store.drain()
    before = contents(store)
    for path in (store.home / "snapshots").iterdir():
        path.unlink()
    assert contents(store) == before


@pytest.mark.parametrize("damage", [b"", b"not a database at all" * 1000])
def test_a_damaged_snapshot_is_said_and_made_again(store, journal, damage):
    keep(journal, deliberation("one", {"A": "yes"}))
    store.drain()
    newest(store).write_bytes(damage)
    with pytest.raises(StoreDamaged, match="council store rebuild"):
        store.sql("from verdicts")
    keep(journal, deliberation("two", {"A": "yes"}))
    assert store.drain().documents == 1
    assert count(store, "verdicts") == 2


def test_a_flipped_bit_is_said(store, journal):
    keep(
        journal,
        *(deliberation(f"d{i}", {"A": "yes"}, foreman_text=str(i) * 999) for i in range(90)),
    )
    store.drain()
    data = bytearray(newest(store).read_bytes())
    for at in range(3 * 4096 + 100, len(data), 50_000):
        data[at] ^= 1
    newest(store).write_bytes(bytes(data))
    with pytest.raises(StoreDamaged, match="council store rebuild"):
        contents(store)
    assert store.rebuild().documents == 90
    assert count(store, "verdicts") == 90


def test_a_disk_that_is_full_is_said_and_the_old_snapshot_answers(
    store, journal, monkeypatch, caplog
):
    keep(journal, deliberation("one", {"A": "yes"}))
    store.drain()
    keep(journal, deliberation("two", {"A": "yes"}))

    def refuse(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("data.snapshots.shutil.copyfile", refuse)
        with pytest.raises(StoreError, match="No space left"):
            store.drain()
        assert count(store, "verdicts") == 1
        assert "last snapshot" in caplog.text
    assert count(store, "verdicts") == 2


def test_a_stream_without_end_still_ends_a_drain(store, journal, monkeypatch):
    monkeypatch.setattr(drain_module, "BATCH", 2)
    settle = type(journal).settle

    def settle_while_another_writes(journal, names):
        keep(journal, deliberation(f"late-{names[0]}", {"A": "yes"}))
        settle(journal, names)

    monkeypatch.setattr(type(journal), "settle", settle_while_another_writes)
    keep(journal, *(deliberation(f"d{i}", {"A": "yes"}) for i in range(5)))
    report = store.drain()
    assert (report.documents, report.remaining) == (5, 3)


def test_a_snapshot_that_is_not_finished_is_not_published(tmp_path):
    snapshots = Snapshots(tmp_path)
    with snapshots.draft(None) as path:
        path.touch()
        path.with_name("draft.duckdb.wal").touch()
        with pytest.raises(StoreError, match="did not finish"):
            snapshots.publish(path, "0" * 8)
    assert list(snapshots.directory.iterdir()) == []


def test_whoever_finds_it_locked_goes_on(store, journal):
    keep(journal, deliberation("one", {"A": "yes"}))
    store.drain()
    keep(journal, deliberation("two", {"A": "yes"}))
    with FileLock(store.home / "drain.lock"):
        report = store.drain(0)
        assert (report.ran, report.remaining) == (False, 1)
        assert count(store, "verdicts") == 1
        assert journal.put("note", "x", Note(text="a writer is never stopped"))
        with pytest.raises(StoreError, match="Try again"):
            store.rebuild(0.01)
    assert store.drain(0).documents == 2


def test_a_reader_keeps_its_snapshot_while_newer_ones_come(store, journal):
    keep(journal, deliberation("d0", {"A": "yes"}))
    with store.connection() as connection:
        for number in range(1, 8):
            keep(journal, deliberation(f"d{number}", {"A": "yes"}))
            store.drain()
        assert connection.execute("select count(*) from verdicts").fetchone() == (1,)
    assert count(store, "verdicts") == 8
    assert len(list((store.home / "snapshots").iterdir())) == 3


def test_older_days_are_packed_on_the_way(store, journal):
    keep(journal, deliberation("old", {"A": "yes"}))
    (path,) = journal.outbox.iterdir()
    os.utime(path, (1_700_000_000, 1_700_000_000))
    store.drain()
    assert [p.name for p in journal.archive.packs()] == ["2023-11-14.0001.deliberation.ndjson.gz"]
    assert store.deliberation("old").deliberation_id == "old"


def test_what_killed_writers_left_is_removed_after_a_day(store, journal):
    keep(journal, deliberation("one", {"A": "yes"}))
    old, fresh = journal.scratch / "1-old", journal.scratch / "1-fresh"
    old.touch()
    fresh.touch()
    os.utime(old, (1_700_000_000, 1_700_000_000))
    store.drain()
    assert list(journal.scratch.iterdir()) == [fresh]


def test_the_file_opens_in_older_clients(store, journal):
    keep(journal, deliberation("one", {"A": "yes"}))
    store.drain()
    tags = store.sql("select tags['storage_version'] from duckdb_databases() where not internal")
    assert tags.rows[0][0].startswith("v1.5")
