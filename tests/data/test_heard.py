"""Opinions that were heard: kept for a while, for every process, and never in the way."""

import os
import shutil
import sqlite3
import subprocess
import sys
from datetime import timedelta

import pytest

from contracts.opinion import Opinion
from data.heard import Heard

OPINION = Opinion(
    juror="ada", round=1, stance="Go", position="Go 🙂", reasons=("simple",), raw="x" * 9000
)


def test_an_opinion_is_found_under_its_key_alone(tmp_path):
    heard = Heard(tmp_path)
    heard.put("one", OPINION)
    assert heard.get("one") == OPINION
    assert heard.get("two") is None
    assert Heard(tmp_path).get("one") == OPINION


def test_the_later_opinion_counts(tmp_path):
    heard = Heard(tmp_path)
    heard.put("one", OPINION)
    heard.put("one", OPINION.model_copy(update={"stance": "Rust"}))
    assert heard.get("one").stance == "Rust"


def test_an_opinion_is_used_for_as_long_as_was_said(tmp_path):
    heard = Heard(tmp_path)
    heard.put("one", OPINION)
    with sqlite3.connect(tmp_path / "heard" / "opinions.sqlite") as database:
        database.execute("UPDATE heard SET heard_at = heard_at - 7200")
    database.close()
    assert heard.get("one", timedelta(hours=3)) == OPINION
    assert heard.get("one", timedelta(hours=1)) is None


@pytest.mark.parametrize("damage", ["rubbish", "no folder", "a file for a folder", "old form"])
def test_what_cannot_be_kept_or_read_is_asked_for_again(tmp_path, damage):
    folder = tmp_path / "heard"
    if damage != "a file for a folder":
        folder.mkdir()
    if damage == "rubbish":
        (folder / "opinions.sqlite").write_bytes(b"no database" * 1000)
    elif damage == "no folder":
        shutil.rmtree(folder)
    elif damage == "a file for a folder":
        folder.write_text("mine")
    else:
        with sqlite3.connect(folder / "opinions.sqlite") as database:
            database.execute("CREATE TABLE heard (key TEXT)")
        database.close()
    heard = Heard(tmp_path)
    heard.put("one", OPINION)
    assert heard.get("one") == (OPINION if damage == "no folder" else None)


def test_an_opinion_that_has_no_bytes_is_not_kept(tmp_path):
    heard = Heard(tmp_path)
    heard.put("one", OPINION.model_copy(update={"raw": "\ud800"}))
    assert heard.get("one") is None


WRITER = """
import sys
from pathlib import Path
from contracts.opinion import Opinion
from data.heard import Heard
heard, opinion = Heard(Path(sys.argv[1])), Opinion.model_validate_json(sys.stdin.read())
for number in range(1000):
    heard.put(f"{sys.argv[2]}-{number}", opinion)
    print(number, flush=True)
"""


def test_writers_at_once_lose_nothing_not_even_when_one_is_killed(tmp_path):
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )
        for number in range(4)
    ]
    for writer in writers:
        writer.stdin.write(OPINION.model_dump_json())
        writer.stdin.close()
    said = [writers[0].stdout.readline() for _ in range(200)]
    writers[0].kill()
    kept = len(said) + len(writers[0].stdout.readlines())
    for writer in writers[1:]:
        assert len(writer.stdout.readlines()) == 1000
    for writer in writers:
        writer.wait()
        writer.stdout.close()
    heard = Heard(tmp_path)
    assert all(heard.get(f"0-{number}") == OPINION for number in range(kept))
    assert all(heard.get(f"{one}-{number}") for one in (1, 2, 3) for number in range(1000))
