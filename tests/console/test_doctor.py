"""A doctor that names each fault of a broken home, and how to mend it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from contracts.settings import secret, settings
from flows.console import checkup, checkup_hermes
from flows.console.cli import app
from tasks.mirror import memory_file
from tasks.providers.hermes_home import foreman_home, juror_home
from tasks.providers.scripted_server import ScriptedServer
from tasks.seating import load_roster
from tasks.skills import seed, skill_path

PROGRAM = secret("COUNCIL_HERMES_BIN")
real = [
    pytest.mark.hermes,
    pytest.mark.slow,
    pytest.mark.skipif(
        PROGRAM is None,
        reason="COUNCIL_HERMES_BIN is not set; .ci/hermes installs Hermes and prints its path",
    ),
]


def doctor(*arguments, code=0):
    """Run the doctor; return each finding by its name."""
    settings.cache_clear()
    done = CliRunner().invoke(app, ["doctor", "--json", *arguments])
    assert done.exit_code == code, done.output
    said = json.loads(done.stdout)
    assert said["ok"] == (code == 0)
    return {check["name"]: check for check in said["checks"]}


def faults(found):
    return {name for name, check in found.items() if check["state"] == "fault"}


def seat(home, *seats):
    home.mkdir(exist_ok=True)
    (home / "roster.toml").write_text("\n".join(['name = "mine"', *seats]))


def hermes_seat(name, model, base_url, provider="hermes"):
    return (
        f'[[juror]]\nname = "{name}"\nprovider = "{provider}"\nmodel = "{model}"\n'
        f'base_url = "{base_url}"\nlocality = "local"\ntimeout_seconds = 200\n'
    )


def test_a_fresh_home_of_stand_ins_is_well(home):
    found = doctor()
    assert found["hermes"]["said"].startswith("not used")
    assert found["server"]["said"].startswith("none")


def test_a_home_without_hermes_names_five_faults_and_their_mends(home, monkeypatch):
    seat(
        home,
        hermes_seat("Ada", "ada", "http://127.0.0.1:9/v1"),
        hermes_seat("Bob", "bob", "http://127.0.0.1:9/v1") + 'api_key_env = "ACME_API_KEY"\n',
    )
    monkeypatch.setenv("COUNCIL_HERMES_BIN", "/nowhere/hermes")
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:9/api")
    path = skill_path(home)
    path.parent.mkdir(parents=True)
    path.write_text(seed("council").replace("approved_at\n```", "approved_at\nAda | law | 9\n```"))
    found = doctor(code=1)
    assert faults(found) == {
        "hermes program",
        "key of Bob",
        "skill council",
        "server",
        "home foreman",
    }
    assert "--install" in found["hermes program"]["mend"]
    assert "export ACME_API_KEY" in found["key of Bob"]["mend"]
    assert "the weight '9'" in found["skill council"]["said"]
    assert "unset PREFECT_API_URL" in found["server"]["mend"]
    assert "setup-hermes" in found["home foreman"]["mend"]


def test_a_roster_that_does_not_read_is_named(home):
    seat(home, '[[juror]]\nname = "Ada"\nprovider = "nobody"\nmodel = "m"')
    found = doctor(code=1)
    assert "seat 'Ada': provider" in found["roster"]["said"]


def test_another_package_of_the_same_name_is_named(home, monkeypatch):
    owners = {"tasks": ["council-jury", "somebody-elses-tasks"], "flows": ["council-jury"]}
    monkeypatch.setattr(checkup.importlib.metadata, "packages_distributions", lambda: owners)
    found = doctor(code=1)
    assert found["packages"]["said"] == "tasks is also shipped by somebody-elses-tasks"
    assert "environment of its own" in found["packages"]["mend"]


def test_homes_that_have_grown_too_large_are_named(home, monkeypatch):
    monkeypatch.setattr(checkup_hermes, "LARGEST", 10)
    monkeypatch.setenv("COUNCIL_HERMES_BIN", "/nowhere/hermes")
    seat(home, hermes_seat("Ada", "ada", "http://127.0.0.1:9/v1"))
    big = home / "hermes" / "jurors" / "x" / "state.db"
    big.parent.mkdir(parents=True)
    big.write_text("x" * 100)
    assert "hermes sizes" in faults(doctor(code=1))


def test_what_it_prints_names_fault_and_mend(home, monkeypatch):
    monkeypatch.setenv("COUNCIL_HERMES_BIN", "/nowhere/hermes")
    seat(home, hermes_seat("Ada", "ada", "http://127.0.0.1:9/v1"))
    settings.cache_clear()
    said = CliRunner().invoke(app, ["doctor"])
    assert said.exit_code == 1
    assert "✗ hermes program" in said.output
    assert "mend: `council setup-hermes --install`" in said.output
    assert "broken" in said.output


class TestWithHermes:
    pytestmark = real

    def test_a_home_that_somebody_broke_names_each_of_six_faults(self, home):
        with ScriptedServer({"*": "7"}) as right, ScriptedServer({"*": "7"}) as wrong:
            seat(
                home,
                hermes_seat("Ada", "ada", right.base_url),
                hermes_seat("Bob", "bob", right.base_url),
                hermes_seat("Cyd", "cyd", right.base_url, provider="hermes_server"),
            )
            done = CliRunner().invoke(app, ["setup-hermes"])
            assert done.exit_code == 0, done.output
            ada, bob = (juror_home(home, j.endpoint) for j in load_roster(settings()).jurors[:2])
            swap(ada / "config.yaml", right.base_url, wrong.base_url)
            swap(bob / "config.yaml", "65536", "8192")
            swap(foreman_home(home) / "config.yaml", str(home / "skills"), str(home / "elsewhere"))
            memory_file(foreman_home(home)).write_text("x" * 2300)
            found = doctor(code=1)
            assert len(wrong.asked("ada")) == 1
            assert not right.asked()
        assert faults(found) == {
            f"home {ada.name}",
            f"home {bob.name}",
            "home foreman",
            "address of Ada",
            "floor of Bob",
            "address of Bob",
            "skill in hermes",
            "memory",
            "hermes server",
        }
        assert (
            f"{right.base_url} was asked and {wrong.base_url} answered"
            in (found["address of Ada"]["said"])
        )
        assert "8,192 tokens of context" in found["floor of Bob"]["said"]
        assert "needs 64,000" in found["floor of Bob"]["said"]
        assert found["address of Bob"]["said"].startswith("config: ")
        assert "2,300 of 2,200 characters" in found["memory"]["said"]
        assert found["hermes server"]["mend"] == "`council up` starts it"
        assert all(found[name]["mend"] for name in faults(found))

    def test_setup_mends_what_the_doctor_found(self, home):
        with ScriptedServer({"*": "7"}) as server:
            seat(home, hermes_seat("Ada", "ada", server.base_url))
            assert CliRunner().invoke(app, ["setup-hermes"]).exit_code == 0
            config = foreman_home(home) / "config.yaml"
            swap(config, str(home / "skills"), str(home / "elsewhere"))
            assert faults(doctor("--no-ask", code=1)) == {"home foreman", "skill in hermes"}
            refused = CliRunner().invoke(app, ["setup-hermes"], input="n\n")
            assert refused.exit_code == 1
            assert "elsewhere" in config.read_text()
            assert CliRunner().invoke(app, ["setup-hermes"], input="y\n").exit_code == 0
            found = doctor()
            assert server.asked("ada")
        assert found["skill in hermes"]["state"] == "ok"
        (kept,) = config.parent.glob("config.yaml.before-council-*")
        assert "elsewhere" in kept.read_text()

    def test_a_probe_leaves_no_home_and_a_dead_address_is_its_cause(self, home):
        seat(home, hermes_seat("Ada", "ada", "http://127.0.0.1:9/v1"))
        assert CliRunner().invoke(app, ["setup-hermes"]).exit_code == 0
        settings.cache_clear()
        (juror,) = load_roster(settings()).jurors
        for file in juror_home(home, juror.endpoint).iterdir():
            file.unlink()
        found = doctor(code=1)
        assert found["address of Ada"]["said"].startswith("unreachable: ")
        assert not list(juror_home(home, juror.endpoint).iterdir())

    def test_a_program_that_is_not_hermes_is_named(self, home, monkeypatch, tmp_path):
        other = tmp_path / "hermes"
        other.write_text("#!/bin/sh\necho no such thing\n")
        other.chmod(0o755)
        monkeypatch.setenv("COUNCIL_HERMES_BIN", str(other))
        seat(home, hermes_seat("Ada", "ada", "http://127.0.0.1:9/v1"))
        found = doctor("--no-ask", code=1)
        assert "does not tell" in found["hermes version"]["said"]


def swap(file: Path, old, new):
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
