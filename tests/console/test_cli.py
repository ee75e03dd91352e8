"""The command line as a person meets it: real processes, exit codes, one line for a mistake."""

import json
import os
import subprocess
import sys

import pytest

from tasks.providers.scripted_server import ScriptedServer

ANSWER = {"opinion": {"choice": "A", "position": "Go", "reasons": ["simple"]}}
QUESTION = "Go or Rust for the agent?"


def run(home, *arguments, stdin=None, **environ):
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COUNCIL_", "PREFECT_"))}
    code = "from flows.console.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        input=stdin,
        env={**env, "COUNCIL_HOME": str(home), **environ},
        check=False,
        timeout=120,
    )


def roster_file(tmp_path, server, *models):
    path = tmp_path / "roster.toml"
    path.write_text(
        "\n".join(
            f'[[juror]]\nname = "{model}"\nprovider = "openai_compatible"\nmodel = "{model}"\n'
            f'base_url = "{server.base_url}"\ntimeout_seconds = 5\n'
            for model in models
        )
    )
    return str(path)


def test_ask_prints_the_card_and_says_that_stand_ins_answered(home):
    done = run(home, "ask", "Should a 3-person startup use microservices?", "--direct")
    assert done.returncode == 0
    for said in ("2–1", "where they split", "the arena", "Strategist", "this is a rehearsal"):
        assert said in done.stdout
    assert "Traceback" not in done.stderr


def test_json_is_the_verdict_alone_on_stdout(home):
    done = run(home, "ask", QUESTION, "--direct", "--json")
    verdict = json.loads(done.stdout)
    assert verdict["option"] in ("Go", "Rust")
    assert verdict["simulated"] is True


def test_what_was_asked_is_shown_listed_and_found_by_sql(home):
    run(home, "ask", QUESTION, "--direct", "--json")
    (row,) = json.loads(run(home, "history", "--json").stdout)
    shown = json.loads(run(home, "show", row["deliberation_id"][:6], "--json").stdout)
    assert shown["question"]["text"] == QUESTION
    assert shown["engine"] == "direct"
    counted = run(home, "sql", "-q", "select count(*) n from verdicts", "--format", "json")
    assert json.loads(counted.stdout) == [{"n": 1}]


def test_without_a_server_it_says_in_one_line_how_to_get_the_dashboard(home):
    done = run(home, "ask", QUESTION)
    assert done.returncode == 0
    assert "council up" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ask", ""], "empty"),
        (["ask", "Which?", "-o", "only"], "two options"),
        (["ask", "Which?", "-o", "A", "-o", "a"], "read the same"),
        (["ask", "Why?", "--context", "/nowhere/file"], "cannot be read"),
        (["ask", "Why?", "--roster", "/nowhere/roster.toml"], "council roster init"),
        (["show", "abc"], "abc"),
        (["sql", "no_such_query"], "no_such_query"),
        (["sql", "-q", "drop table verdicts"], ""),
        (["sql", "-q", "select * from read_text('/etc/passwd')"], ""),
        (["roster", "init", "--preset", "nobody"], "nobody"),
        (["replay"], "--failed"),
        (["batch", "/nowhere/questions.csv", "--direct"], "cannot be read"),
        (["batch", "--sample", "1", "--direct", "--max-cost", "-1"], "not a number above 0"),
        (["batch", "--sample", "1", "--direct", "--max-minutes", "nan"], "not a number above 0"),
        (["report", "-o", "/nowhere/report.html"], "cannot be written"),
        (["sql", "history", "--format", "csv", "--output", "/nowhere/t.csv"], "cannot be written"),
        (["roster", "init", "--path", "/proc/nowhere/roster.toml"], "cannot be written"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_two(home, arguments, said):
    done = run(home, *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert "root:" not in done.stdout


def test_every_bad_row_of_a_batch_stands_on_a_line_of_its_own(home, tmp_path):
    file = tmp_path / "questions.csv"
    file.write_text("id,question\n1,Which?\n1,Why?\n2,\n")
    done = run(home, "batch", str(file), "--direct")
    assert done.returncode == 2
    told = [line.strip() for line in done.stderr.splitlines()]
    for row in ("row 3: id '1' stands", "row 4: the question is empty"):
        assert any(line.startswith(f"questions.csv, {row}") for line in told)


def test_a_flow_without_a_server_says_what_to_start(home):
    done = run(home, "ask", QUESTION, "--flow")
    assert done.returncode == 1
    assert "council up" in done.stderr


def test_three_garbage_jurors_are_no_quorum_and_exit_code_three(home, tmp_path):
    with ScriptedServer({"*": "lorem ipsum dolor sit amet"}) as server:
        roster = roster_file(tmp_path, server, "ada", "bob", "cyd")
        done = run(home, "ask", QUESTION, "--direct", "--roster", roster)
    assert done.returncode == 3
    assert "no quorum" in done.stdout


def test_a_hung_council_is_exit_code_three(home, tmp_path):
    other = {"opinion": {"choice": "B", "position": "Rust", "reasons": ["fast"]}}
    with ScriptedServer({"ada": ANSWER, "bob": other}) as server:
        roster = roster_file(tmp_path, server, "ada", "bob")
        done = run(home, "ask", QUESTION, "--direct", "--roster", roster)
    assert done.returncode == 3
    assert "hung" in done.stdout


def test_a_wrong_setting_names_the_variable(home):
    done = run(home, "ask", QUESTION, "--direct", COUNCIL_QUORUM="many")
    assert done.returncode == 2
    assert "COUNCIL_QUORUM" in done.stderr


def test_context_is_read_from_stdin(home, tmp_path):
    with ScriptedServer({"*": ANSWER}) as server:
        roster = roster_file(tmp_path, server, "ada", "bob")
        arguments = ["ask", QUESTION, "--direct", "--roster", roster, "--context", "-"]
        run(home, *arguments, stdin="we are three people")
        assert all("we are three people" in str(seen.body) for seen in server.asked())


def test_foreign_text_reaches_the_terminal_without_control_characters(home, tmp_path):
    evil = {"opinion": {"choice": "A", "position": "Go", "reasons": ["\x1b]0;owned\x07[red]x[/]"]}}
    with ScriptedServer({"*": evil}) as server:
        roster = roster_file(tmp_path, server, "ada", "bob")
        done = run(home, "ask", QUESTION, "--direct", "--roster", roster)
    assert "\x1b]" not in done.stdout
    assert "[red]x[/]" in done.stdout


def test_roster_check_tells_each_seat_and_fails_when_one_cannot_answer(home, tmp_path):
    script = {"ada": {"opinion": {"choice": "A", "position": "7", "reasons": ["larger"]}}}
    with ScriptedServer(script) as server:
        good = roster_file(tmp_path, server, "ada")
        rows = json.loads(run(home, "roster", "check", "--roster", good, "--json").stdout)
        assert (rows[0]["reachable"], rows[0]["wrong"]) == (True, "")
        bad = roster_file(tmp_path, server, "ada", "nobody")
        done = run(home, "roster", "check", "--roster", bad, "--json")
    assert done.returncode == 1
    assert "model_not_found" in json.loads(done.stdout)[1]["wrong"]


def test_roster_init_writes_a_commented_file_and_never_over_another(home):
    assert run(home, "roster", "init", "--preset", "offline").returncode == 0
    assert (home / "roster.toml").read_text().startswith("#")
    assert run(home, "roster", "init").returncode == 2


def test_the_direct_mode_and_the_help_import_nothing_heavy(home):
    code = (
        "import sys\nfrom flows.console.cli import main\n"
        "sys.argv = ['council', *sys.argv[1:]]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print([m for m in ('prefect', 'pandas', 'great_expectations', 'scipy', 'matplotlib',"
        " 'numpy', 'duckdb') if m in sys.modules], file=sys.stderr)\n"
    )
    for arguments in (["--help"], ["ask", QUESTION, "--direct", "--json"]):
        env = {**os.environ, "COUNCIL_HOME": str(home)}
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            capture_output=True,
            text=True,
            env=env,
            check=False,
        )
        assert done.stderr.splitlines()[-1] == "[]", done.stderr


def test_every_command_has_help(home):
    from flows.console.cli import app  # noqa: PLC0415

    for command in app.registered_commands:
        assert command.callback.__doc__
    for group in app.registered_groups:
        for command in group.typer_instance.registered_commands:
            assert command.callback.__doc__
