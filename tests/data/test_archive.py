"""Packs of older days: every document readable, once, whatever moment the packing is killed at."""

import gzip
import os
from datetime import UTC, datetime

import pytest

from contracts.base import Record
from contracts.errors import StoreDamaged
from data import archive as archive_module
from data.journal import Journal
from data.packindex import PackIndex

DAY = datetime(2026, 1, 5, 12, tzinfo=UTC)
AFTER = datetime(2026, 2, 1, tzinfo=UTC).date()


class Note(Record):
    """Something to keep."""

    text: str


class Killed(BaseException):
    """Stands for kill -9: nothing catches it."""


@pytest.fixture
def journal(tmp_path):
    """Ten notes and a single audit, archived, two notes a day."""
    journal = Journal(tmp_path)
    for number in range(10):
        journal.put("note", f"n{number}", Note(text=f"t{number}"))
    journal.put("audit", "a", Note(text="audited"))
    journal.settle(journal.pending())
    for number in range(10):
        age(journal, "note", f"n{number}", number // 2)
    age(journal, "audit", "a", 0)
    return journal


def age(journal, kind, name, days):
    (path,) = [p for p in journal.archive.directory.iterdir() if holds(p, kind, name)]
    then = DAY.timestamp() + days * 86_400
    os.utime(path, (then, then))


def holds(path, kind, name):
    found = b'"id":"%s"' % name.encode() in path.read_bytes()
    return found and path.name.startswith(f"{kind}-")


def pack_all(journal):
    while journal.archive.pack(AFTER):
        pass


def everything(journal):
    return sorted(document.body["text"] for document in journal.iter())


WHOLE = sorted([f"t{number}" for number in range(10)] + ["audited"])


def test_packing_moves_all_older_days_and_loses_nothing(journal):
    pack_all(journal)
    assert journal.archive.loose() == []
    assert [pack.name for pack in journal.archive.packs("audit")] == [
        "2026-01-05.0001.audit.ndjson.gz"
    ]
    assert len(journal.archive.packs("note")) == 5
    assert everything(journal) == WHOLE
    for number in range(10):
        assert journal.get("note", f"n{number}").body == {"text": f"t{number}"}
        assert not journal.put("note", f"n{number}", Note(text="late"))
    assert journal.get("note", "n10") is None


def test_today_stays_loose(journal):
    assert journal.archive.pack(DAY.date()) == 0
    assert len(journal.archive.loose()) == 11


def test_a_pack_is_plain_gzip(journal):
    pack_all(journal)
    with gzip.open(journal.archive.packs("note")[0], "rt") as lines:
        assert len(lines.readlines()) == 2


def test_a_late_document_of_a_packed_day_gets_a_pack_of_its_own(journal):
    pack_all(journal)
    journal.put("note", "late", Note(text="late"))
    journal.settle(journal.pending())
    age(journal, "note", "late", 0)
    pack_all(journal)
    assert "2026-01-05.0002.note.ndjson.gz" in {p.name for p in journal.archive.packs()}
    assert everything(journal) == sorted([*WHOLE, "late"])


@pytest.mark.parametrize("step", ["pack", "index", "unlink"])
@pytest.mark.parametrize("nth", [1, 2, 3])
def test_killed_at_any_step_nothing_is_lost_or_there_twice(journal, monkeypatch, step, nth):
    left = [nth]

    def die_at(call):
        def dying(*arguments, **more):
            left[0] -= 1
            if left[0] == 0:
                raise Killed
            return call(*arguments, **more)

        return dying

    with monkeypatch.context() as patched:
        if step == "pack":
            patched.setattr(archive_module, "replace", die_at(archive_module.replace))
        elif step == "index":
            patched.setattr(PackIndex, "write", die_at(PackIndex.write))
        else:
            patched.setattr(type(journal.outbox), "unlink", die_at(type(journal.outbox).unlink))
        with pytest.raises(Killed):
            pack_all(journal)
    assert everything(journal) == WHOLE
    pack_all(journal)
    assert everything(journal) == WHOLE
    assert journal.archive.loose() == []
    packed = b"".join(gzip.decompress(pack.read_bytes()) for pack in journal.archive.packs())
    assert packed.count(b"\n") == len(WHOLE)


def test_a_lost_index_is_made_again(journal):
    pack_all(journal)
    for index in journal.archive.directory.glob("*.index"):
        index.unlink()
    journal.archive.reindex()
    assert journal.get("note", "n3").body == {"text": "t3"}


def test_a_cut_index_is_said_to_be_damaged(journal):
    pack_all(journal)
    index = journal.archive.directory / "note.index"
    index.write_bytes(index.read_bytes()[:-3])
    with pytest.raises(StoreDamaged, match="rebuild"):
        journal.get("note", "n3")
    journal.archive.reindex()
    assert journal.get("note", "n3").body == {"text": "t3"}


def test_an_empty_index_is_said_to_be_damaged(journal):
    pack_all(journal)
    (journal.archive.directory / "note.index").write_bytes(b"")
    with pytest.raises(StoreDamaged, match="rebuild"):
        journal.get("note", "n3")


def test_a_damaged_pack_is_named(journal):
    pack_all(journal)
    pack = journal.archive.packs("note")[0]
    data = bytearray(pack.read_bytes())
    data[20] ^= 0xFF
    pack.write_bytes(bytes(data))
    with pytest.raises(StoreDamaged, match=pack.name):
        list(journal.iter("note"))
    with pytest.raises(StoreDamaged, match=pack.name):
        [journal.get("note", f"n{number}") for number in range(10)]
    with pytest.raises(StoreDamaged, match=pack.name):
        journal.archive.reindex()
