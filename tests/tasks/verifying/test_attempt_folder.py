"""The fresh folder of an attempt, and what the watch sees outside it."""

import hashlib
import os

import pytest

from tasks.verifying import folder as folder_module
from tasks.verifying.attempt_folder import FINISHED, Watch, fresh_folder
from tasks.verifying.paths import take

OWN = "delegations/mine/attempt-2"


@pytest.fixture
def full_home(tmp_path):
    """A home with what a council keeps in one."""
    home = tmp_path / "council"
    files = (
        "roster.toml",
        "skills/council/SKILL.md",
        "journal/outbox/x.json",
        "snapshots/council-1.duckdb",
        "hermes/jurors/a/state.db",
        "audit.jsonl",
        "drain.lock",
        "delegations/mine/attempt-1/a.md",
        "delegations/mine/attempt-2.prompt.md",
        f"delegations/done/{FINISHED}",
        "delegations/done/accepted/abc",
        "delegations/running/attempt-1/a.md",
    )
    for name in files:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("x")
    return home


def changes(home, act):
    with fresh_folder(home / OWN, "p", {}) as place:
        watch = Watch(home, place)
        act(home)
        return watch.changes()


def test_a_fresh_folder_holds_the_seeds_and_remembers_them(tmp_path):
    with fresh_folder(tmp_path / "a", "told", {"in/x.txt": b"seed"}) as place:
        assert take(place.root, "in/x.txt", 10).data == b"seed"
        mark = place.before["in/x.txt"]
        assert mark.sha256 == hashlib.sha256(b"seed").hexdigest()
        assert mark.inode == (tmp_path / "a/in/x.txt").stat().st_ino
        assert place.path.stat().st_mode & 0o777 == 0o700
        assert (tmp_path / "a.prompt.md").read_text() == "told"


def test_a_folder_that_exists_is_not_fresh(tmp_path):
    (tmp_path / "a").mkdir()
    with pytest.raises(FileExistsError), fresh_folder(tmp_path / "a", "p", {}):
        pass


@pytest.mark.parametrize(
    "name",
    [
        "roster.toml",
        "skills/council/SKILL.md",
        "delegations/mine/attempt-1/a.md",
        "delegations/mine/attempt-2.prompt.md",
        f"delegations/done/{FINISHED}",
        "delegations/done/accepted/abc",
    ],
)
@pytest.mark.parametrize("how", ["write", "touch back", "remove", "replace", "chmod", "link"])
def test_a_change_of_a_watched_file_is_seen(full_home, name, how):
    file = full_home / name

    def act(home):
        status = file.stat()
        if how in {"write", "touch back"}:
            file.write_text("y")
        if how == "touch back":
            os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
        if how == "remove":
            file.unlink()
        if how == "replace":
            (home / OWN / "new").write_text("x")
            (home / OWN / "new").replace(file)
        if how == "chmod":
            file.chmod(0o600)
        if how == "link":
            os.link(file, home / OWN / "stolen")

    assert changes(full_home, act) == (name,)


@pytest.mark.parametrize("name", ["planted.sh", "skills/evil/SKILL.md", "delegations/mine/x"])
def test_a_new_file_is_seen_and_so_is_a_link(full_home, name):
    def write(home):
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).symlink_to("/etc/passwd")

    assert changes(full_home, write) == (name,)


@pytest.mark.parametrize(
    "name",
    [
        f"{OWN}/a.md",
        f"{OWN}/sub/a.md",
        "journal/outbox/y.json",
        "snapshots/council-2.duckdb",
        "hermes/jurors/a/state.db",
        "prefect/results/z",
        "heard/z.json",
        "audit.jsonl",
        "audit.head.new",
        "drain.lock",
        "delegations/running/attempt-1/a.md",
        f"delegations/running/{FINISHED}",
        "delegations/new/attempt-1/a.md",
    ],
)
def test_the_own_folder_and_what_others_write_meanwhile_are_left_out(full_home, name):
    def write(home):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("y")

    assert changes(full_home, write) == ()


def test_a_work_folder_that_was_exchanged_is_seen(full_home):
    def exchange(home):
        (home / OWN).rename(home / OWN.replace("attempt-2", "moved"))
        (home / OWN).symlink_to("/")

    seen = changes(full_home, exchange)
    assert seen[0] == OWN


def test_a_work_folder_that_was_removed_is_seen(full_home):
    assert changes(full_home, lambda home: (home / OWN).rmdir()) == (OWN,)


def test_a_flood_of_files_is_seen(full_home, monkeypatch):
    monkeypatch.setattr(folder_module, "MAX_FILES", 60)

    def flood(home):
        for number in range(60):
            (home / f"f{number}").write_text("")

    assert changes(full_home, flood) == ("more files than can be watched",)


def test_a_home_too_large_to_watch_is_no_reproach(full_home, monkeypatch):
    monkeypatch.setattr(folder_module, "MAX_FILES", 3)
    assert changes(full_home, lambda home: (home / "x").write_text("x")) == ()
