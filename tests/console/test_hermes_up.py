"""`council up` and `down` carry Hermes along where the roster has seats behind its server."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from contracts.settings import secret
from data.journal import Journal
from tasks.mirror import read_memory
from tasks.providers.hermes_gateway import known_gateway
from tasks.providers.hermes_home import foreman_home
from tasks.providers.scripted_server import ScriptedServer

PROGRAM = secret("COUNCIL_HERMES_BIN")
pytestmark = [
    pytest.mark.hermes,
    pytest.mark.server,
    pytest.mark.slow,
    pytest.mark.skipif(
        PROGRAM is None,
        reason="COUNCIL_HERMES_BIN is not set; .ci/hermes installs Hermes and prints its path",
    ),
]
COUNCIL = [sys.executable, "-c", "from flows.console.cli import main; main()"]
OPINION = {"opinion": {"choice": "A", "position": "Postgres", "reasons": ["joins"]}}

WORDS = "The council says Postgres, unanimously, because of joins."


def test_up_serves_the_seats_and_down_ends_it(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COUNCIL_", "PREFECT_"))}
    env |= {"COUNCIL_HOME": str(home), "COUNCIL_HERMES_BIN": PROGRAM}

    def council(*arguments):
        done = subprocess.run(
            [*COUNCIL, *arguments],
            env=env,
            capture_output=True,
            text=True,
            timeout=280,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    with ScriptedServer({"*": OPINION, "words": WORDS}) as server:
        seats = [
            f'[[juror]]\nname = "{name}"\nprovider = "hermes_server"\nmodel = "{name.lower()}"\n'
            f'base_url = "{server.base_url}"\nlocality = "local"\ntimeout_seconds = 120'
            for name in ("Ada", "Bob", "Cyd")
        ]
        seats.append(
            f'[foreman]\nprovider = "hermes_server"\nmodel = "words"\n'
            f'base_url = "{server.base_url}"\nlocality = "local"'
        )
        (home / "roster.toml").write_text("\n".join(['name = "served"', *seats]))
        try:
            council("setup-hermes")
            assert "for 4 seats" in council("up")
            info = known_gateway(home)
            assert "hermes  answers at" in council("status")
            said = json.loads(council("ask", "Postgres or Mongo for invoices?", "--json"))
        finally:
            ended = council("down")
        assert {seen.model for seen in server.asked()} == {"ada", "bob", "cyd", "words"}
        assert "You are the foreman of a jury" in str(server.asked("words")[-1].body)
    assert (said["status"], said["option"]) == ("unanimous", "Postgres")
    (kept,) = Journal(home).iter("deliberation")
    assert {opinion["via"] for opinion in kept.body["opinions"]} == {"hermes_server"}
    assert kept.body["engine"] == "prefect"
    assert kept.body["foreman_text"] == WORDS
    assert [entry.option for entry in read_memory(foreman_home(home)).block.entries] == ["Postgres"]
    assert "stopped Hermes" in ended
    assert known_gateway(home) is None
    # One that nobody waited for may still stand there, with no command line.
    command = Path(f"/proc/{info.pid}/cmdline")
    assert not command.exists() or not command.read_bytes()
