"""The commands around Hermes, as processes, with the real program; the server's log is the proof.

One home for all: set up once, asked, recalled, taught. The council's three models and the foreman
are models of a scripted server, and what each of them was shown is in its log.
"""

import json
import os
import shlex
import subprocess
import sys

import pytest

from contracts.settings import secret
from data.journal import Journal
from tasks.mirror import memory_file, read_memory
from tasks.providers.hermes_home import foreman_home
from tasks.providers.scripted_server import ScriptedServer
from tasks.reading.memory_entry import DELIMITER

PROGRAM = secret("COUNCIL_HERMES_BIN")
pytestmark = [
    pytest.mark.hermes,
    pytest.mark.slow,
    pytest.mark.skipif(
        PROGRAM is None,
        reason="COUNCIL_HERMES_BIN is not set; .ci/hermes installs Hermes and prints its path",
    ),
]
COUNCIL = [sys.executable, "-c", "from flows.console.cli import main; main()"]
AUTH = "JWT or sessions for auth?"
LEDGER = "Postgres or Mongo for invoices?"
WORDS = (
    "The council says Postgres, 2–1, because invoices need transactions. Cyd dissents for Mongo."
)


def opinion(position, *reasons):
    return {"opinion": {"choice": position, "position": position, "reasons": list(reasons)}}


def juror(ledger):
    """A model that takes sessions, and Postgres or Mongo."""

    def answer(body):
        asked = str(body["messages"])
        if "JWT" in asked:
            return opinion("sessions", "they can be revoked")
        if ledger == "Postgres":
            return opinion("Postgres", "invoices need transactions")
        return opinion("Mongo", "documents fit")

    return answer


def foreman(body):
    """A model that words the ledger's verdict, and else tells what its memory holds."""
    asked = str(body["messages"])
    if "What did the council decide" in asked:
        held = [line for line in asked.split("\\n") if line.startswith("Council verdict")]
        return " ".join(held) or "My memory holds no such verdict."
    return WORDS if "decided: Postgres" in asked else "Mongo, 9–0, is what you should use."


MODELS = {
    "ada": juror("Postgres"),
    "bob": juror("Postgres"),
    "cyd": juror("Mongo"),
    "foreman": foreman,
}


def run(argv, env):
    return subprocess.run(argv, env=env, capture_output=True, text=True, timeout=280, check=False)


class House:
    """A council home that is set up, the server behind it, and its commands."""

    def __init__(self, home, server):
        self.home, self.server = home, server
        self.roster = home / "roster.toml"
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("COUNCIL_")}
        self.env |= {"COUNCIL_HOME": str(home), "COUNCIL_HERMES_BIN": PROGRAM}
        self.env["HOME"] = str(home / "person")
        (home / "person").mkdir(parents=True)
        self.seat("ada", "bob", "cyd")

    def seat(self, *names):
        at = f'base_url = "{self.server.base_url}"\nlocality = "local"\ntimeout_seconds = 240\n'
        seats = [
            f'[[juror]]\nname = "{name.title()}"\nprovider = "hermes"\nmodel = "{name}"\n{at}'
            for name in names
        ]
        words = f'[foreman]\nprovider = "hermes"\nmodel = "foreman"\n{at}'
        self.roster.write_text("\n".join(['name = "three"', *seats, words]))

    def __call__(self, *arguments, code=0):
        done = run([*COUNCIL, *arguments], self.env)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout

    def ask(self, question, code=0):
        said = json.loads(self("ask", question, "--direct", "--arena", "off", "--json", code=code))
        latest = [document.body for document in Journal(self.home).iter("deliberation")]
        return said, max(latest, key=lambda body: body["finished_at"])

    def shown(self, model):
        """The last prompt that a model was shown."""
        return "\n".join(m["content"] for m in self.server.asked(model)[-1].body["messages"])


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with ScriptedServer(MODELS) as server:
        made = House(tmp_path_factory.mktemp("house"), server)
        made("setup-hermes")
        yield made


@pytest.fixture(scope="module")
def unanimous(house):
    return house.ask(AUTH)


@pytest.fixture(scope="module")
def split(house, unanimous):
    return house.ask(LEDGER)


def test_setup_again_changes_nothing_and_hermes_lists_the_skill(house):
    said = house("setup-hermes")
    assert "homes    as they should be" in said
    assert "skill    read where it lies" in said
    assert not (house.home / "person" / ".hermes").exists()


def test_three_seats_on_three_models_are_unanimous(house, unanimous):
    verdict, kept = unanimous
    assert (verdict["status"], verdict["option"]) == ("unanimous", "sessions")
    assert {o["via"] for o in kept["opinions"]} == {"hermes"}
    assert {(o["juror"], o["model"]) for o in kept["opinions"]} == {
        ("Ada", "ada"),
        ("Bob", "bob"),
        ("Cyd", "cyd"),
    }
    assert len({o["session_id"] for o in kept["opinions"]}) == 3


def test_words_that_contradict_the_record_are_thrown_away_and_that_is_on_record(unanimous):
    _, kept = unanimous
    assert kept["foreman_text"].startswith("The council says sessions, unanimously.")
    (act,) = [act for act in kept["activations"] if act["kind"] == "foreman"]
    assert "rejected" in act["effect"]


def test_three_seats_that_split_read_each_other_and_the_dissent_is_kept(house, split):
    verdict, kept = split
    assert (verdict["split"], verdict["option"]) == ("2–1", "Postgres")
    assert [d["juror"] for d in verdict["dissents"]] == ["Cyd"]
    assert sorted(o["round"] for o in kept["opinions"]) == [1, 1, 1, 2, 2, 2]
    assert "invoices need transactions" in house.shown("cyd")


def test_a_juror_is_shown_no_memory_no_skill_and_no_tool(house, split):
    for model in ("ada", "bob", "cyd"):
        for seen in house.server.asked(model):
            assert "Council verdict" not in str(seen.body)
            assert "foreman of a jury" not in str(seen.body)
            assert not seen.body.get("tools")


def test_the_foreman_words_it_by_the_skill_that_hermes_loaded(house, split):
    _, kept = split
    assert kept["foreman_text"] == WORDS
    (act,) = [act for act in kept["activations"] if act["kind"] == "foreman"]
    assert "which Hermes loaded" in act["effect"]
    asked = [
        seen for seen in house.server.asked("foreman") if "decided: Postgres" in str(seen.body)
    ]
    assert "name: council" in str(asked[-1].body)
    assert "dissent: Cyd for Mongo" in str(asked[-1].body)
    assert not asked[-1].body.get("tools")


def test_each_verdict_is_in_the_memory_beside_what_others_wrote(house, split):
    hermes_home = foreman_home(house.home)
    options = [entry.option for entry in read_memory(hermes_home).block.entries]
    assert options == ["sessions", "Postgres"]
    file = memory_file(hermes_home)
    file.write_text("likes tea" + DELIMITER + file.read_text())
    assert "2 verdicts" in house("memory", "rebuild")
    assert file.read_text().startswith("likes tea" + DELIMITER + "Council verdict")
    assert "2 verdicts, 1 entries of others" in house("memory", "show")
    house("memory", "check")


def test_recall_answers_from_that_memory_and_counts_the_use(house, split):
    said = json.loads(house("recall", "auth", "--json"))
    assert (said["by"], said["model"]) == ("hermes", "foreman")
    prompt = house.shown("foreman")
    assert f"{AUTH} → sessions (unanimous" in prompt
    assert "MEMORY" in prompt
    used = {
        entry.option: entry.used for entry in read_memory(foreman_home(house.home)).block.entries
    }
    assert used["sessions"] == 1
    assert "answered by Hermes (foreman) from its memory" in house("recall", "auth")


def test_recall_needs_no_code_of_ours(house, split):
    env = {"PATH": os.environ["PATH"], "HERMES_HOME": str(foreman_home(house.home))}
    env |= {"HOME": str(house.home / "person"), "LANG": "C.UTF-8", "TERM": "dumb"}
    by_hand = [PROGRAM, "-z", "What did the council decide about auth?"]
    done = run(by_hand, env)
    assert "→ sessions" in done.stdout, shlex.join(by_hand)
    assert f"{AUTH} → sessions (unanimous" in house.shown("foreman")
    assert "answer from these entries" in house.shown("foreman")


def test_recall_falls_back_to_the_store_and_says_why(house, split):
    said = json.loads(house("recall", "invoices", "--store", "--json"))
    assert (said["by"], said["found"][0]["option"]) == ("store", "Postgres")
    broken = house.env | {"COUNCIL_HERMES_BIN": "/nowhere/hermes"}
    done = run([*COUNCIL, "recall", "invoices"], broken)
    assert "Postgres" in done.stdout
    assert "answered from the store: Hermes did not answer" in done.stdout


def test_a_rule_that_was_learned_is_in_the_next_prompt_and_in_the_next_weights(house, split):
    assert "learned  Cyd | databases | 3" in house("learn", "cyd | databases | 3 | 2 of 2 right")
    verdict, _ = house.ask(LEDGER)
    weights = {v["juror"]: v["weight"] for b in verdict["ballots"] for v in b["votes"]}
    assert weights == {"Ada": 1.0, "Bob": 1.0, "Cyd": 3.0}
    assert (verdict["option"], verdict["split"]) == ("Mongo", "2–1")
    assert verdict["rules_applied"] == ["Cyd | databases | 3"]
    assert "Cyd | databases | 3 | 2 of 2 right" in house.shown("foreman")
    assert house("skills", "show").splitlines()[-1].split()[:3] == ["Cyd", "databases", "3.0"]
    assert "+Cyd | databases | 3 | 2 of 2 right" in house("skills", "diff")
    assert len(list(Journal(house.home).iter("rule"))) == 1


def test_the_doctor_finds_nothing(house, split):
    said = house("doctor")
    assert "all well" in said
    for name in ("hermes version", "address of Ada", "skill in hermes", "memory"):
        assert f"✓ {name}" in said


def test_into_the_users_own_home_only_when_asked_and_with_a_copy_kept(house, split):
    own = house.home / "person" / ".hermes"
    own.mkdir()
    mine = "# mine\nmodel:\n  default: my-model\n"
    (own / "config.yaml").write_text(mine)
    house("setup-hermes")
    assert (own / "config.yaml").read_text() == mine
    house("setup-hermes", "--into-user-home", code=1)
    assert (own / "config.yaml").read_text() == mine
    said = house("setup-hermes", "--into-user-home", "--yes")
    assert "+providers:" in said
    text = (own / "config.yaml").read_text()
    assert text.startswith(mine)
    assert "council-openrouter-ai" in text
    (kept,) = own.glob("config.yaml.before-council-*")
    assert kept.read_text() == mine
    assert len(read_memory(own).block.entries) == 3
