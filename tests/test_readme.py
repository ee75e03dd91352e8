"""The README's commands run, and what its first screen shows is what is printed."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL)
COMMANDS = [line[2:] for block in BLOCKS for line in block.splitlines() if line.startswith("$ ")]
RUN = [command for command in COMMANDS if command.startswith("council ")]


def council(command, home, code=0):
    argv = shlex.split(command)[1:]
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COUNCIL_", "PREFECT_"))}
    done = subprocess.run(
        [sys.executable, "-c", "from flows.console.cli import main; main()", *argv],
        cwd=ROOT,
        env={**env, "COUNCIL_HOME": str(home), "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    assert done.returncode == code, (command, done.stderr)
    return done.stdout


def test_the_first_screen_is_what_is_printed(home):
    command = COMMANDS[0].rpartition("&& ")[2] + " --direct"
    shown = BLOCKS[0][BLOCKS[0].index("╭") :]
    assert council(command, home).startswith(shown)


@pytest.mark.slow
def test_every_command_runs_in_the_order_of_the_page(tmp_path):
    home, report = tmp_path / "home", tmp_path / "report.html"
    for command in RUN:
        if command.startswith("council roster"):
            continue  # the file it writes names models that are not here
        council(command.replace("report.html", str(report)), home)
    assert report.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_the_roster_commands_write_a_file_and_find_that_nobody_answers(home):
    council("council roster init --preset ollama", home)
    council("council roster check --json", home, code=1)


def test_every_command_that_is_named_exists():
    from flows.console.cli import app  # noqa: PLC0415

    known = {c.name or c.callback.__name__.replace("_", "-") for c in app.registered_commands}
    known |= {group.name for group in app.registered_groups}
    named = set(re.findall(r"(?:`|\$ |&& )council ([a-z][a-z-]+)", TEXT))
    assert named <= known, named - known
