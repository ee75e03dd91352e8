"""The whole verification: what is accepted, what is not, and that it never raises."""

import hashlib
import os
import sys
import time
import unicodedata

import pytest

from contracts.checks import CommandSucceeds, FileContains, FileExists, NoExtraFiles
from contracts.delegation import Budget, DelegationContract, Deliverable, Input
from tasks.verifying import folder as folder_module
from tasks.verifying.deliver import Scene, Trouble
from tasks.verifying.paths import Mark, open_root
from tasks.verifying.verify import verify, verify_and_run

NOW = time.time()


@pytest.fixture
def work(tmp_path):
    path = tmp_path / "work"
    path.mkdir()
    return path


def contract(*paths, checks=(), **fields):
    deliverables = tuple(Deliverable(path=p) if isinstance(p, str) else p for p in paths)
    return DelegationContract(goal="g", deliverables=deliverables, checks=checks, **fields)


def verified(work, asked, **seen):
    with open_root(work) as root:
        return verify(Scene(root, asked, **seen))


def found(work, asked, **seen):
    return verified(work, asked, **seen).verification


def test_a_file_as_promised_is_accepted_with_its_hash_and_its_bytes(work):
    (work / "a.md").write_bytes(b"hello")
    record, contents = verified(work, contract("a.md"), since=NOW, outside=(), attempt=3)
    assert record.ok
    assert contents == {"a.md": b"hello"}
    (artifact,) = record.artifacts
    assert artifact.content_sha256 == hashlib.sha256(b"hello").hexdigest()
    assert (artifact.path, artifact.size_bytes, artifact.attempt) == ("a.md", 5, 3)


def test_what_is_handed_on_are_the_bytes_that_were_checked(work):
    (work / "a.md").write_bytes(b"good")
    asked = contract("a.md", checks=(FileContains(path="a.md", text="good"),))
    record, contents = verified(work, asked)
    (work / "a.md").write_bytes(b"evil")
    assert record.ok
    assert contents["a.md"] == b"good"


def test_half_of_the_work_is_told_apart(work):
    (work / "a.md").write_text("x")
    record = found(work, contract("a.md", "b.md"))
    assert not record.ok
    assert [artifact.path for artifact in record.artifacts] == ["a.md"]
    assert record.missing == ("b.md",)
    assert record.rejected == {"b.md": "b.md is not there"}


def test_one_failed_check_rejects_the_file_and_each_check_is_recorded(work):
    (work / "a.md").write_text("x")
    checks = (
        FileExists(path="a.md"),
        FileContains(path="a.md", text="x"),
        FileContains(path="a.md", text="y"),
    )
    record = found(work, contract("a.md", checks=checks))
    assert not record.ok
    assert record.artifacts == ()
    assert [(r.check, r.ok) for r in record.results] == [
        ("delivered", True),
        ("file_exists", True),
        ("file_contains", True),
        ("file_contains", False),
    ]


def test_an_optional_file_may_be_absent_and_a_bad_one_does_not_stop_the_rest(work):
    optional = Deliverable(path="b.json", media_type="application/json", required=False)
    (work / "a.md").write_text("x")
    assert found(work, contract("a.md", optional)).ok
    (work / "b.json").write_text("{")
    record = found(work, contract("a.md", optional))
    assert record.ok
    assert record.missing == ()
    assert "b.json" in record.rejected


@pytest.mark.parametrize("hashed", [True, False])
def test_a_placeholder_of_the_parent_is_not_the_childs_work(work, hashed):
    file = work / "a.json"
    file.write_text("[]")
    status = file.stat()
    digest = hashlib.sha256(b"[]").hexdigest() if hashed else None
    before = {"a.json": Mark(status.st_ino, status.st_size, status.st_mtime_ns, digest)}
    assert "lay there before" in found(work, contract("a.json"), before=before).notes[0]
    os.utime(file)
    assert "lay there before" in found(work, contract("a.json"), before=before).notes[0]
    file.write_text("[1]")
    assert found(work, contract("a.json"), before=before).ok


def test_without_an_earlier_hash_a_rewrite_of_equal_size_is_told_from_a_touch(work):
    file = work / "a.json"
    file.write_text("[1]")
    os.utime(file, (NOW - 9, NOW - 9))
    status = file.stat()
    before = {"a.json": Mark(status.st_ino, status.st_size, status.st_mtime_ns)}
    os.utime(file)
    assert not found(work, contract("a.json"), before=before).ok
    os.utime(file, (NOW - 9, NOW - 9))
    file.write_text("[2]")
    assert found(work, contract("a.json"), before=before).ok


def test_a_placeholder_written_again_with_the_same_content_is_still_one(work):
    file = work / "a.json"
    file.write_text("[]")
    before = {"a.json": Mark(1, 2, 3, hashlib.sha256(b"[]").hexdigest())}
    assert not found(work, contract("a.json"), before=before).ok


def test_a_file_older_than_the_attempt_is_stale_wherever_it_came_from(work):
    (work / "a.md").write_text("x")
    os.utime(work / "a.md", (NOW - 60, NOW - 60))
    record = found(work, contract("a.md"), since=NOW)
    assert record.notes == ("a.md is older than the attempt",)
    assert record.missing == ()


def test_a_coarse_file_clock_does_not_make_a_file_stale(work):
    (work / "a.md").write_text("x")
    os.utime(work / "a.md", (NOW - 1, NOW - 1))
    assert found(work, contract("a.md"), since=NOW).ok


@pytest.mark.parametrize(
    ("asked", "there"),
    [
        ("Report.md", "report.md"),
        ("résumé.md", unicodedata.normalize("NFD", "résumé.md")),
        ("a/ﬁle.md", "a/file.md"),
    ],
)
def test_a_twin_in_case_or_normal_form_is_named_and_not_taken(work, asked, there):
    (work / there).parent.mkdir(exist_ok=True)
    (work / there).write_text("x")
    record = found(work, contract(asked))
    assert not record.ok
    assert record.missing == (asked,)
    assert "the name must be exact" in record.notes[0]


def test_of_two_twins_the_declared_one_is_taken(work):
    (work / "a.md").write_text("small")
    (work / "A.md").write_text("LARGE")
    _, contents = verified(work, contract("A.md"))
    assert contents == {"A.md": b"LARGE"}


def test_a_file_system_that_folds_case_does_not_pass_another_name(work, monkeypatch):
    (work / "Report.md").write_text("x")
    monkeypatch.setattr("tasks.verifying.deliver.names_in", lambda *_: frozenset({"report.md"}))
    assert "another spelling" in found(work, contract("Report.md")).notes[0]


def test_all_files_together_have_a_limit(work):
    for name in "abc":
        (work / name).write_bytes(b"x" * 60)
    record = found(work, contract("a", "b", "c", budget=Budget(max_bytes=150)))
    assert [artifact.path for artifact in record.artifacts] == ["a", "b"]
    assert "beyond 150 bytes" in record.rejected["c"]


def extra(work, *allow, before=None, inputs=()):
    checks = (NoExtraFiles(allow=allow),)
    asked = contract("a.md", checks=checks, inputs=inputs)
    return found(work, asked, before=before or {})


def test_files_that_nobody_asked_for_are_told(work):
    (work / "a.md").write_text("x")
    (work / "in.txt").write_text("x")
    (work / "kept.md").write_text("x")
    (work / "empty").mkdir()
    given = (Input(path="in.txt", text="x"),)
    assert extra(work, inputs=given, before={"kept.md": Mark(1, 1, 1)}).ok
    (work / "sub" / "deep").mkdir(parents=True)
    (work / "sub" / "deep" / "x").write_text("x")
    (work / "link").symlink_to("a.md")
    record = extra(work, inputs=given, before={"kept.md": Mark(1, 1, 1)})
    assert not record.ok
    assert "link, sub/deep/x" in record.notes[0]
    assert [artifact.path for artifact in record.artifacts] == ["a.md"]


def test_allowed_files_and_folders_are_no_extras(work):
    (work / "a.md").write_text("x")
    (work / "sub").mkdir()
    (work / "sub" / "x").write_text("x")
    (work / "subway").write_text("x")
    assert "subway" in extra(work, "sub").notes[0]
    assert extra(work, "sub", "subway").ok


def test_a_name_that_is_no_text_and_a_tree_without_end_are_extras(work, monkeypatch):
    (work / "a.md").write_text("x")
    (work / os.fsdecode(b"\xff\xfe")).write_text("x")
    assert "\\xff\\xfe" in extra(work).notes[0]
    deep = work
    for _ in range(40):
        deep = deep / "d"
    deep.mkdir(parents=True)
    assert "d/d/d" in extra(work).notes[0]
    monkeypatch.setattr(folder_module, "MAX_FILES", 3)
    assert "more than 3 files" in extra(work).notes[0]


def test_how_the_child_ended_and_what_changed_outside_are_results(work):
    (work / "a.md").write_text("x")
    trouble = Trouble("was cut off", recoverable=True)
    record = found(work, contract("a.md"), trouble=trouble, outside=("skills/x",))
    assert not record.ok
    assert record.outside == ("skills/x",)
    assert [(r.check, r.ok, r.recoverable) for r in record.results] == [
        ("nothing_outside", False, False),
        ("child_finished", False, True),
        ("delivered", True, True),
    ]


def test_what_a_child_names_its_files_is_never_raw_on_a_terminal(work):
    (work / "a.md").write_text("x")
    (work / "\x1b[2Jevil").write_text("x")
    assert "\x1b" not in extra(work).notes[0]


def command(*argv, **fields):
    return contract("a.py", checks=(CommandSucceeds(argv=argv, **fields),))


async def ran(work, asked, allowed):
    with open_root(work) as root:
        return (await verify_and_run(Scene(root, asked), frozenset(allowed))).verification


async def test_commands_are_off_by_default(work):
    (work / "a.py").write_text("open('/nowhere/x', 'w')")
    record = await ran(work, command(sys.executable, "a.py"), ())
    assert not record.ok
    assert "allow-list" in record.notes[0]
    other = await ran(work, command(sys.executable, "a.py"), {"pytest"})
    assert not other.ok


async def test_an_allowed_command_runs_on_copies_of_what_was_verified(work):
    (work / "a.py").write_text("import pathlib; assert not pathlib.Path('b.py').exists()")
    (work / "b.py").write_text("not declared")
    assert (await ran(work, command(sys.executable, "a.py"), {sys.executable})).ok
    assert sorted(path.name for path in work.iterdir()) == ["a.py", "b.py"]


async def test_a_command_that_fails_says_how(work):
    (work / "a.py").write_text("raise SystemExit('no good')")
    record = await ran(work, command(sys.executable, "a.py"), {sys.executable})
    assert "end with 1: no good" in record.notes[0]
    assert [artifact.path for artifact in record.artifacts] == ["a.py"]


async def test_a_command_without_end_is_ended(work):
    (work / "a.py").write_text("import time; time.sleep(60)")
    asked = command(sys.executable, "a.py", seconds=0.3)
    record = await ran(work, asked, {sys.executable})
    assert "out of time" in record.notes[0]


async def test_a_command_that_is_not_there_cannot_be_mended(work):
    (work / "a.py").write_text("x")
    record = await ran(work, command("no-such-program-here"), {"no-such-program-here"})
    assert not record.failures[0].recoverable
