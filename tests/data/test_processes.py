"""Real processes at once, and kill -9: nothing lost, nothing twice, nothing half."""

import multiprocessing
import os
import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from data.store import Store
from tests.data.making import contents, deliberation, keep, outcome

SPAWN = multiprocessing.get_context("spawn")


def started(target, *arguments):
    process = SPAWN.Process(target=target, args=arguments)
    process.start()
    return process


def finished(processes):
    for process in processes:
        process.join(120)
    return [process.exitcode for process in processes]


def check_whole(home, names):
    """Every deliberation is there once and whole, in the rows and in the journal."""
    store = Store(home)
    store.drain()
    assert store.journal.pending() == []
    found = store.query("deliberation_audit").records()
    assert [row["deliberation_id"] for row in found] == sorted(names)
    for row in found:
        assert (row["n_deliberations"], row["n_verdicts"], row["n_opinions"]) == (1, 1, 3)
        assert (row["n_double_opinions"], row["n_double_votes"], row["is_orphan"]) == (0, 0, False)
    assert sorted(d.document_id for d in store.journal.iter("deliberation")) == sorted(names)
    rows = contents(store)
    store.rebuild()
    assert contents(store) == rows


def one(name):
    return deliberation(name, {"A": ("yes", "no"), "B": "no"})


def write_and_drain(home, writer, number):
    store = Store(Path(home))
    for i in range(number):
        keep(store.journal, one(f"{writer}-{i}"))
        if i % 3 == 0:
            store.drain(0)
    store.drain()


def read_until_told(home, stop, counts):
    """Read as long as the others write; a reader's count never goes down."""
    store, seen = Store(Path(home)), [0]
    while not stop.is_set():
        ((n, whole),) = store.sql(
            "select count(*), count(*) filter (where n_verdicts = 1 and n_opinions = 3)"
            " from deliberation_audit"
        ).rows
        assert n == whole
        assert n >= seen[-1]
        seen.append(n)
    counts.put(len(seen))


def test_processes_that_write_drain_and_read_at_once_lose_nothing(tmp_path):
    stop, counts = SPAWN.Event(), SPAWN.Queue()
    reader = started(read_until_told, str(tmp_path), stop, counts)
    writers = [started(write_and_drain, str(tmp_path), writer, 15) for writer in range(3)]
    assert finished(writers) == [0, 0, 0]
    stop.set()
    assert counts.get(timeout=60) > 1
    assert finished([reader]) == [0]
    check_whole(tmp_path, [f"{writer}-{i}" for writer in range(3) for i in range(15)])


def test_threads_that_write_drain_and_read_at_once_lose_nothing(tmp_path):
    def work(writer):
        store = Store(tmp_path)
        for i in range(4):
            keep(store.journal, one(f"{writer}-{i}"))
            store.drain(30 if i % 2 else 0)
            store.history()

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(work, range(5)))
    check_whole(tmp_path, [f"{writer}-{i}" for writer in range(5) for i in range(4)])


STEPS = {
    "before the copy": "data.snapshots.shutil.copyfile",
    "before the rows": "data.drain.load",
    "before publishing": "data.snapshots.Snapshots.publish",
    "before the rename": "data.snapshots.flush",
    "after the rename": "data.snapshots.sync_directory",
    "before the archive": "data.journal.Journal.settle",
    "between link and unlink": "data.journal.sync_directory",
    "before packing": "data.archive.Archive.pack",
}


def drain_and_die(home, step):
    def die(*_, **__):
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(step, die)
        Store(Path(home)).drain()


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS.keys())
def test_a_drain_killed_at_any_step_is_taken_up_by_the_next(tmp_path, step):
    store = Store(tmp_path)
    keep(store.journal, one("first"))
    store.drain()
    keep(store.journal, one("second"), one("third"))
    (tmp_path / "journal/archive/packed").unlink()
    assert finished([started(drain_and_die, str(tmp_path), step)]) == [-signal.SIGKILL]
    assert len(store.journal.pending()) + len(store.journal.archive.loose()) >= 3
    check_whole(tmp_path, ["first", "second", "third"])
    assert [p.name for p in (tmp_path / "snapshots").glob("draft*")] == []


def put_many(home, number):
    store = Store(Path(home))
    for i in range(number):
        keep(store.journal, one(f"d{i}"))


def drain_always(home):
    store = Store(Path(home))
    while True:
        store.drain()


@pytest.mark.slow
def test_writers_and_drainers_killed_at_random_lose_nothing(tmp_path):
    """The writer that replaces a killed one does the same again: what is there is not doubled."""
    number, kills = 60, random.Random(4)
    store = Store(tmp_path)
    for _ in range(20):
        pair = [started(put_many, str(tmp_path), number), started(drain_always, str(tmp_path))]
        time.sleep(1.0 + kills.random())
        for process in pair:
            process.kill()
        finished(pair)
    put_many(str(tmp_path), number)
    keep(store.journal, outcome("d0", "no"))
    check_whole(tmp_path, [f"d{i}" for i in range(number)])
    assert list(store.journal.quarantine.iterdir()) == []
