"""The journal: the first document wins, is whole or not there, and comes back as it was."""

import errno
import json
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.activation import Activation
from contracts.base import Record
from contracts.deliberation import Deliberation
from contracts.errors import StoreDamaged, StoreError
from contracts.opinion import Usage
from data.documents import Unreadable, decode, encode
from data.journal import Journal
from tests.data.making import deliberation, outcome

ONE = deliberation("one", {"A": "yes", "B": "no"})


class Note(Record):
    """A record of a later stage."""

    text: str


@pytest.fixture
def journal(tmp_path):
    return Journal(tmp_path / "home")


def test_a_document_comes_back_as_it_was(journal):
    assert journal.put("deliberation", "one", ONE)
    found = journal.get("deliberation", "one")
    assert found is not None
    assert found.record(Deliberation) == ONE
    assert journal.has("deliberation", "one")


def test_put_again_changes_nothing_and_says_so(journal):
    other = deliberation("one", {"A": "no", "B": "no"})
    assert journal.put("deliberation", "one", ONE)
    assert not journal.put("deliberation", "one", other)
    found = journal.get("deliberation", "one")
    assert found is not None
    assert found.record(Deliberation) == ONE
    assert len(journal.pending()) == 1


def test_the_same_id_in_another_kind_is_another_document(journal):
    assert journal.put("note", "x", Note(text="a"))
    assert journal.put("audit", "x", Note(text="b"))
    assert [d.body["text"] for d in journal.iter("audit")] == ["b"]


def test_nothing_is_created_by_looking(journal, tmp_path):
    assert journal.get("deliberation", "one") is None
    assert not journal.has("deliberation", "one")
    assert list(journal.iter()) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["", "Bout", "../x", "a-b", "a" * 41, "1x"])
def test_a_kind_is_a_plain_word(journal, kind):
    with pytest.raises(StoreError, match="kind of document"):
        journal.put(kind, "x", Note(text="a"))


def test_an_id_is_never_a_path(journal, tmp_path):
    journal.put("note", "../../../etc/passwd", Note(text="a"))
    assert [p.parent for p in tmp_path.rglob("*.json")] == [journal.outbox]
    assert journal.get("note", "../../../etc/passwd") is not None


@settings(deadline=None)
@given(text=st.text(st.characters(exclude_categories=())), document_id=st.text(min_size=1))
def test_any_text_and_any_id_round_trip(text, document_id):
    """Control characters, bidi marks, lone surrogates and all."""
    found = decode(encode("note", document_id, Note(text=text)))
    assert found.record(Note).text == text
    assert found.document_id == document_id


@given(
    data=st.binary()
    | st.recursive(st.integers(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)).map(
        lambda x: json.dumps(x).encode()
    )
)
def test_bytes_that_are_no_document_are_unreadable_and_nothing_else(data):
    with pytest.raises(Unreadable):
        decode(data)


def test_a_nest_too_deep_is_unreadable():
    with pytest.raises(Unreadable):
        decode(b'{"kind":"note","id":"x","document":' + b'{"a":' * 100_000)


def test_a_document_is_one_line(journal):
    journal.put("note", "x", Note(text="a\nb\u2028c\r\n"))
    (path,) = journal.outbox.iterdir()
    assert path.read_bytes().count(b"\n") == 1


@pytest.mark.parametrize("number", [float("inf"), float("-inf"), float("nan")])
def test_a_number_without_json_is_refused_in_words(journal, number):
    with pytest.raises(StoreError, match="not finite"):
        journal.put("usage", "x", Usage(latency_ms=number))
    assert journal.pending() == []


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EPERM])
def test_a_disk_that_refuses_is_said_in_words(journal, monkeypatch, number):
    def refuse(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "link", refuse)
    with pytest.raises(StoreError, match=f"could not be kept.*{os.strerror(number)}"):
        journal.put("deliberation", "one", ONE)
    assert journal.pending() == []
    assert list(journal.scratch.iterdir()) == []


def test_a_home_that_is_a_file_is_said_in_words(tmp_path):
    (tmp_path / "home").write_text("x")
    with pytest.raises(StoreError, match="COUNCIL_HOME"):
        Journal(tmp_path / "home").put("note", "x", Note(text="a"))


def test_half_a_file_is_said_to_be_damaged(journal):
    journal.put("deliberation", "one", ONE)
    (path,) = journal.outbox.iterdir()
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(StoreDamaged, match="cannot be read"):
        journal.get("deliberation", "one")
    assert list(journal.iter()) == []


def test_a_record_of_another_form_is_said_to_be_damaged(journal):
    journal.put("deliberation", "one", Note(text="a"))
    found = journal.get("deliberation", "one")
    assert found is not None
    with pytest.raises(StoreDamaged, match="'one' does not read"):
        found.record(Deliberation)


def test_iter_yields_each_document_once_wherever_it_stands(journal):
    for i in range(6):
        journal.put("note", str(i), Note(text=str(i)))
    names = journal.pending()
    journal.settle(names[:4])
    old = 1_700_000_000
    for name in names[:2]:
        os.utime(journal.archive.directory / name, (old, old))
    journal.archive.pack(outcome("x", "y").recorded_at.date())
    assert len(journal.archive.packs()) == 1
    assert len(journal.archive.loose()) == 2
    assert sorted(d.body["text"] for d in journal.iter("note")) == list("012345")
    assert sorted(d.document_id for d in journal.iter()) == list("012345")
    assert list(journal.iter("outcome")) == []


def test_an_archived_document_still_wins(journal):
    journal.put("deliberation", "one", ONE)
    journal.settle(journal.pending())
    assert journal.pending() == []
    assert not journal.put("deliberation", "one", deliberation("one", {"A": "no"}))
    found = journal.get("deliberation", "one")
    assert found is not None
    assert found.record(Deliberation) == ONE


def test_a_document_that_came_while_another_was_archived_loses(journal, monkeypatch):
    """The other is put, drained and archived between our look and our link."""
    other = deliberation("one", {"A": "no"})
    look = journal._has

    def look_then_lose(name):
        found = look(name)
        rival = Journal(journal.outbox.parent.parent)
        rival.put("deliberation", "one", ONE)
        rival.settle(rival.pending())
        return found

    monkeypatch.setattr(journal, "_has", look_then_lose)
    assert not journal.put("deliberation", "one", other)
    Journal.settle(journal, journal.pending())
    found = journal.get("deliberation", "one")
    assert found is not None
    assert found.record(Deliberation) == ONE
    reasons = [p.read_text() for p in journal.quarantine.glob("*.reason.txt")]
    assert reasons == ["another document of the same kind and id was kept first\n"]


def _race(home: str, number: int, start, won) -> None:
    start.wait()
    if Journal(Path(home)).put("note", "same", Note(text=str(number))):
        won.put(number)


def test_of_many_processes_one_wins(tmp_path):
    spawn = multiprocessing.get_context("spawn")
    start, won = spawn.Event(), spawn.Queue()
    racers = [
        spawn.Process(target=_race, args=(str(tmp_path), number, start, won)) for number in range(4)
    ]
    for racer in racers:
        racer.start()
    start.set()
    for racer in racers:
        racer.join()
        assert racer.exitcode == 0
    winner = won.get(timeout=10)
    assert won.empty()
    (kept,) = Journal(tmp_path).iter("note")
    assert kept.body == {"text": str(winner)}


def test_a_writer_imports_no_database():
    code = "import sys, data.journal; print({'duckdb', 'prefect', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_the_file_says_what_it_holds(journal):
    act = Activation(kind="skill", subject="s", effect="e")
    journal.put("audit", "x", act)
    (path,) = journal.outbox.iterdir()
    assert path.name.startswith("audit-")
    assert json.loads(path.read_text())["document"] == act.model_dump()
