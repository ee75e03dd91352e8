"""`council delegate` and `council audit` as processes: exit codes, notes, a tampered line."""

import json

import pytest

from tests.console.test_cli import run


@pytest.fixture
def contract(tmp_path):
    def write(name="prices", **fields):
        body = {
            "goal": f"collect {name}",
            "deliverables": [{"path": "pg.md"}, {"path": "mongo.md"}],
            "budget": {"tries": 1},
            **fields,
        }
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(body))
        return str(path)

    return write


def delegate(home, *arguments):
    return run(home, "delegate", *arguments, "--direct")


@pytest.mark.parametrize(
    ("acts", "on_fail", "code", "status"),
    [
        ("works", "partial", 0, "accepted"),
        ("half", "partial", 3, "partial"),
        ("half", "escalate", 4, "escalated"),
        ("half", "fail", 1, "failed"),
    ],
)
def test_the_exit_code_says_how_it_ended(home, contract, acts, on_fail, code, status):
    done = delegate(home, contract(on_fail=on_fail), "--child", f"stand-in:{acts}")
    assert done.returncode == code, done.stderr
    assert f"{status}, " in done.stdout
    assert ("mongo.md is not there" in done.stdout) == (status != "accepted")
    assert "Traceback" not in done.stderr


def test_of_several_the_worst_decides_and_each_is_in_the_json(home, contract):
    whole = contract("whole", deliverables=[{"path": "pg.md"}])
    done = delegate(home, whole, contract("half"), "--child", "stand-in:half", "--json")
    assert done.returncode == 3
    assert [record["status"] for record in json.loads(done.stdout)] == ["accepted", "partial"]


def test_the_schema_is_published(home):
    schema = json.loads(run(home, "delegate", "schema").stdout)
    assert {"goal", "deliverables"} <= set(schema["required"])


def test_a_bad_contract_runs_nothing_and_names_the_field(home, contract):
    done = delegate(home, contract(deliverables=[{"path": "../x"}]), "--child", "stand-in")
    assert done.returncode == 2
    assert "deliverables[0].path" in done.stderr
    assert not (home / "delegations").exists()


def test_the_audit_lists_by_time_and_status_and_finds_a_tampered_line(home, contract):
    delegate(home, contract("one"), "--child", "stand-in:half")
    delegate(home, contract("two"), "--child", "stand-in")
    rows = json.loads(run(home, "audit", "--json").stdout)
    assert [row["status"] for row in rows] == ["partial", "accept"]
    (row,) = json.loads(run(home, "audit", "--status", "accept", "--json").stdout)
    assert row["goal"] == "collect two"
    assert set(row["artifacts"]) == {"pg.md", "mongo.md"}
    assert json.loads(run(home, "audit", "--since", "2999-01-01", "--json").stdout) == []
    assert run(home, "audit", "--status", "fine").returncode == 2
    assert "2 rows" in run(home, "audit", "verify").stdout
    trail = home / "audit.jsonl"
    trail.write_text(trail.read_text().replace("collect one", "collect ten"))
    found = run(home, "audit", "verify")
    assert found.returncode == 1
    assert "audit.jsonl line 1 was changed" in found.stderr


def test_an_escalated_contract_stops_the_ask_with_its_notes(home, contract):
    given = ("ask", "Postgres or Mongo?", "--direct", "--child", "stand-in:half", "--evidence")
    done = run(home, *given, contract(on_fail="escalate"))
    assert done.returncode == 4
    assert "mongo.md is not there" in done.stderr
    assert run(home, *given, contract(), COUNCIL_PARTIAL_EVIDENCE="forbid").returncode == 4


def test_an_ask_on_half_the_evidence_says_so_and_its_action_is_done(home, contract):
    then = contract("ticket", deliverables=[{"path": "a"}, {"path": "b"}])
    given = ("--direct", "--child", "stand-in:half", "--evidence", contract(), "--then", then)
    done = run(home, "ask", "Postgres or Mongo for invoices?", *given, "--arena", "off")
    assert "partial evidence 'prices'" in " ".join(done.stdout.replace("│", " ").split())
    assert done.returncode == 3, "the action came back partial"
    assert "ticket: partial, 1 of 2 files" in done.stderr
