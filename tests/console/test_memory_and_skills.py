"""`recall`, `memory`, `learn` and `skills` where there is no Hermes at all."""

import json

import pytest
from typer.testing import CliRunner

from contracts.errors import ConfigError, SkillError
from flows.console.cli import app
from tasks.skills import load_skill


def council(*arguments, code=0):
    done = CliRunner().invoke(app, list(arguments))
    assert done.exit_code == code, done.output
    return done.output


@pytest.fixture
def asked(home):
    """A home with one verdict of the stand-ins."""
    council("ask", "JWT or sessions for auth?", "--direct", "--arena", "off")
    return home


def test_recall_answers_from_the_store_and_says_so(asked):
    said = json.loads(council("recall", "auth", "--json"))
    assert said["by"] == "store"
    assert "setup-hermes" in said["note"]
    assert said["found"][0]["question"] == "JWT or sessions for auth?"
    assert "answered from the store: Hermes has no memory here" in council("recall", "auth")
    assert "no verdict is about that" in council("recall", "giraffes")


@pytest.mark.parametrize("command", ["show", "rebuild", "check"])
def test_memory_without_hermes_says_what_to_do(home, command):
    done = CliRunner().invoke(app, ["memory", command])
    assert isinstance(done.exception, ConfigError)
    assert "council setup-hermes" in str(done.exception)


def test_learn_writes_a_rule_that_show_and_diff_show(home):
    assert "learned  Builder | security | 1.5" in council("learn", "builder | security | 1.5")
    assert "+Builder | security | 1.5" in council("skills", "diff")
    assert council("skills", "show").splitlines()[-1].split()[:3] == ["Builder", "security", "1.5"]
    read = json.loads(council("skills", "show", "--json"))["read"]
    assert [rule["juror"] for rule in read["rules"]] == ["Builder"]
    said = council("learn", "Builder | security | 2", "--replace", "--by", "Sam")
    assert "in place of Builder | security | 1.5" in said
    (rule,) = load_skill(home).rules
    assert (rule.weight, rule.approved_by) == (2.0, "Sam")


def test_a_rule_that_does_not_fit_is_named(home):
    done = CliRunner().invoke(app, ["learn", "Nobody | security | 1.5"])
    assert isinstance(done.exception, SkillError)
    assert "the roster seats Prudent, Builder, Strategist" in str(done.exception)


def test_a_topic_that_the_skill_does_not_have_is_told(home):
    assert "no topic of the skill is called gardening" in council(
        "learn", "Builder | gardening | 2"
    )


def test_the_shipped_skills_are_shown_as_shipped(home):
    assert council("skills", "diff") == "as shipped\n"
    assert "no rules: every juror has the weight 1" in council("skills", "show")
    assert "contrarian: the strongest case" in council("skills", "show", "hyde")
    council("skills", "show", "../../etc", code=2)
