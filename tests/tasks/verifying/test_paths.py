"""Opening a file that somebody hostile put there, or is moving at this moment."""

import os
import socket
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tasks.verifying import paths
from tasks.verifying.paths import NotTaken, names_in, open_folder, open_root, take

LIMIT = 1000


@pytest.fixture
def work(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def taken(folder, path, limit=LIMIT):
    with open_root(folder) as root:
        return take(root, path, limit).data


def refused(folder, path, limit=LIMIT):
    with open_root(folder) as root, pytest.raises(NotTaken) as caught:
        take(root, path, limit)
    return caught.value


def test_a_file_is_read_whole(work):
    (work / "a").mkdir()
    (work / "a" / "b.bin").write_bytes(bytes(range(256)))
    assert taken(work, "a/b.bin") == bytes(range(256))
    assert taken(work, "./a//b.bin") == bytes(range(256))


def test_the_folder_itself_may_be_reached_through_a_link(work, tmp_path):
    (work / "x").write_text("x")
    (tmp_path / "alias").symlink_to(work)
    assert taken(tmp_path / "alias", "x") == b"x"


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(NotTaken, match="work folder"), open_root(tmp_path / "none"):
        pass


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd", "a/../../secret", "x\0y", ".", ""])
def test_a_path_is_checked_again_where_it_is_used(work, path):
    (work.parent / "secret").write_text("s")
    refused(work, path)


def test_a_missing_file_is_told_from_a_refused_one(work):
    (work / "file").write_text("x")
    assert refused(work, "none").absent
    assert refused(work, "none/deeper").absent
    assert not refused(work, "file/deeper").absent


@pytest.mark.parametrize("target", ["../secret", "{base}/secret", "inside", "nowhere", "/dev/zero"])
def test_no_link_is_followed_at_the_end(work, target):
    (work.parent / "secret").write_text("s")
    (work / "inside").write_text("i")
    (work / "out").symlink_to(target.format(base=work.parent))
    assert "symbolic link" in str(refused(work, "out"))


def test_no_link_is_followed_on_the_way(work):
    (work.parent / "vault").mkdir()
    (work.parent / "vault" / "x").write_text("s")
    (work / "sub").symlink_to(work.parent / "vault")
    (work / "loop").symlink_to("loop")
    assert "link or no folder" in str(refused(work, "sub/x"))
    assert "link or no folder" in str(refused(work, "loop/x"))


def test_a_second_name_of_a_file_is_refused(work):
    (work.parent / "secret").write_text("s")
    os.link(work.parent / "secret", work / "out")
    assert "2 names" in str(refused(work, "out"))


def test_what_is_no_ordinary_file_is_refused_at_once(work):
    os.mkfifo(work / "fifo")
    (work / "folder").mkdir()
    server = socket.socket(socket.AF_UNIX)
    before = Path.cwd()
    os.chdir(work)
    try:
        server.bind("s")
    finally:
        os.chdir(before)
        server.close()
    assert "a FIFO" in str(refused(work, "fifo"))
    assert "a folder" in str(refused(work, "folder"))
    assert "a socket" in str(refused(work, "s"))


def test_a_device_is_not_even_opened(work, monkeypatch):
    try:
        os.mknod(work / "null", 0o20600, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("only root makes devices")
    assert "a device" in str(refused(work, "null"))


def test_a_giant_file_is_refused_by_its_size_without_being_read(work, monkeypatch):
    with (work / "giant").open("wb") as file:
        file.truncate(10**12)
    monkeypatch.setattr(paths, "_read_all", lambda *_: pytest.fail("it was read"))
    assert "1,000,000,000,000 bytes" in str(refused(work, "giant"))


def test_a_file_of_exactly_the_limit_is_taken(work):
    (work / "x").write_bytes(b"x" * LIMIT)
    assert len(taken(work, "x")) == LIMIT
    refused(work, "x", LIMIT - 1)


@pytest.mark.parametrize("change", ["grow", "shrink", "rewrite"])
def test_a_file_that_changes_while_it_is_read_is_refused(work, monkeypatch, change):
    file = work / "x"
    file.write_bytes(b"x" * 100)
    read = paths._read_all

    def meanwhile(descriptor, size):
        data = read(descriptor, size)
        file.write_bytes(b"y" * {"grow": 200, "shrink": 10, "rewrite": 100}[change])
        os.utime(file, ns=(0, 0))
        return data

    monkeypatch.setattr(paths, "_read_all", meanwhile)
    assert "changed while" in str(refused(work, "x"))


def test_a_file_that_is_growing_is_not_read_beyond_its_size(work):
    file = work / "x"
    file.write_bytes(b"x" * 100)
    descriptor = os.open(file, os.O_RDONLY)
    try:
        file.write_bytes(b"x" * 5000)
        assert len(paths._read_all(descriptor, 100)) == 101
    finally:
        os.close(descriptor)


def test_short_reads_are_put_together(work, monkeypatch):
    (work / "x").write_bytes(bytes(range(250)))
    read = os.read
    monkeypatch.setattr(paths.os, "read", lambda fd, n: read(fd, min(n, 7)))
    assert taken(work, "x") == bytes(range(250))


def test_a_folder_swapped_for_a_link_never_gives_the_other_file(work):
    (work / "sub").mkdir()
    (work / "sub" / "x").write_text("mine")
    vault = work.parent / "vault"
    vault.mkdir()
    (vault / "x").write_text("SECRET")
    (work / "link").symlink_to(vault)
    stop, seen = threading.Event(), set()

    def swap():
        while not stop.is_set():
            for old, new in (("sub", "real"), ("link", "sub"), ("sub", "link"), ("real", "sub")):
                (work / old).rename(work / new)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        for _ in range(2000):
            try:
                seen.add(taken(work, "sub/x"))
            except NotTaken:
                seen.add(None)
    finally:
        stop.set()
        thread.join()
    assert seen <= {b"mine", None}
    assert b"mine" in seen


def test_nothing_stays_open(work):
    (work / "a").mkdir()
    (work / "a" / "x").write_text("x")
    os.mkfifo(work / "fifo")
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(20):
        taken(work, "a/x")
        refused(work, "fifo")
        refused(work, "a/none/deeper")
        refused(work, "a/x/deeper")
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_names_are_as_the_disk_spells_them(work):
    (work / "Report.md").write_text("x")
    with open_root(work) as root:
        assert names_in(root, ()) == {"Report.md"}
        assert names_in(root, ("none",)) == frozenset()
        with open_folder(root, ()) as folder:
            assert os.fstat(folder).st_ino == work.stat().st_ino


def test_two_readers_of_one_folder_do_not_take_names_from_each_other(work):
    for number in range(300):
        (work / f"f{number}").touch()
    with open_root(work) as root, ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(lambda _: len(names_in(root, ())), range(200)))
    assert set(counts) == {300}
