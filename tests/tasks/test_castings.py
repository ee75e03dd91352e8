"""Personas retired and promoted: proposed from bouts, decided by a person, obeyed by the arena."""

import asyncio
from datetime import UTC, datetime

import pytest

from contracts.errors import NotFound, SkillError, UsageError
from contracts.persona import CastingChange, CastingDecision, CastingRule
from contracts.settings import Settings
from data.journal import Journal
from data.store import Store
from tasks.arena.casting import with_arena
from tasks.asking import make_question
from tasks.deliberate import deliberate, new_session
from tasks.judging.castings import propose_personas
from tasks.reading.personas import read_hyde
from tasks.reflection import approve, dismiss, reflect_home
from tasks.reflection_engine import pose, table_markdown
from tasks.seating import load_roster
from tasks.skill_writer import learn_casting
from tasks.skills import load_hyde, seed, skill_path
from tasks.stages import plain_stages
from tests.benchmarks.sample import ROSTER
from tests.tasks.arena.making import bout, keep_bouts

NOW = datetime(2026, 6, 1, tzinfo=UTC)
HYDE = read_hyde(seed("hyde"))


def look(home):
    return reflect_home(home, ROSTER, now=NOW).personas


def rule(**fields):
    return CastingRule(**({"persona": "newcomer", "topic": "*", "cast": "never"} | fields))


def write(home, one, **more):
    return learn_casting(home, one, **({"by": "Eve", "at": NOW} | more))


def hyde_file(home):
    return skill_path(home, "hyde")


def planted(home, text):
    hyde_file(home).parent.mkdir(parents=True)
    hyde_file(home).write_bytes(text.encode())


# What is offered -----------------------------------------------------------------------------


def test_the_case_is_told_with_its_bouts_its_wins_and_its_interval(home):
    """0 of 20: Wilson's upper bound is 0.1611; 8 of 8: his lower one is 0.6756."""
    keep_bouts(home, "upheld", "newcomer", 20)
    keep_bouts(home, "overturned", "historian", 8, "security")
    promoted, retired = look(home)
    assert (retired.persona, retired.topic, retired.cast) == ("newcomer", "*", "never")
    assert (retired.n, retired.landed, retired.low, retired.high) == (20, 0, 0.0, 0.1611)
    assert retired.words == (
        "The newcomer attacked in 20 bouts on all topics, and 0 of its attacks landed: 0%, "
        "somewhere from 0% to 16% with 95 % confidence. Approved, it is cast no more."
    )
    assert (promoted.persona, promoted.topic, promoted.cast) == ("historian", "security", "always")
    assert (promoted.low, promoted.high) == (0.6756, 1.0)
    assert promoted.words.endswith("Approved, it is cast first on security.")
    assert look(home) == (promoted, retired)
    rows = Store(home).sql("select persona, casting, n, landed from persona_proposals").rows
    assert set(rows) == {("newcomer", "never", 20, 0), ("historian", "always", 8, 8)}


def test_a_topic_that_is_called_like_all_topics_counts_once():
    bouts = [bout("upheld", persona="newcomer", topic="*") for _ in range(10)]
    assert propose_personas(bouts, HYDE, ()) == ()


def test_a_persona_that_the_skill_does_not_have_is_not_proposed():
    bouts = [bout("upheld", persona="someone who left") for _ in range(20)]
    assert propose_personas(bouts, HYDE, ()) == ()


def test_the_name_is_that_of_the_skill_and_a_rule_that_stands_is_not_offered():
    bouts = [bout("upheld", persona="NEWCOMER") for _ in range(20)]
    (one,) = propose_personas(bouts, HYDE, ())
    assert (one.persona, one.replaces) == ("newcomer", None)
    kept = HYDE.model_copy(update={"casting": (rule(cast="always"),)})
    (other,) = propose_personas(bouts, kept, ())
    assert (other.replaces, other.proposal_id == one.proposal_id) == ("always", False)
    kept = HYDE.model_copy(update={"casting": (rule(persona="Newcomer"),)})
    assert propose_personas(bouts, kept, ()) == ()


def test_the_dashboard_is_told_beside_the_rules_and_the_persona_is_escaped(home):
    keep_bouts(home, "upheld", "newcomer", 20)
    (one,) = look(home)
    told = table_markdown(pose((), (one,)))
    assert "## newcomer on" in told
    assert "never cast" in told
    assert f"--approve {one.proposal_id}" in told
    nasty = one.model_copy(update={"persona": "<img src=x>"})
    assert "<img" not in table_markdown(pose((), (nasty,)))


# What a person decides -----------------------------------------------------------------------


def cast_by(home, text, topic):
    """Ask the stand-ins, attack their verdict, and return who was cast, the first one first."""
    house = Settings(home=home)
    roster, stages = load_roster(house), plain_stages(house)
    question = make_question(text, options=["yes", "no"], topic=topic)
    policy = with_arena(house.policy, "always")
    done = asyncio.run(deliberate(question, roster, policy, stages, new_session("direct")))
    return list(dict.fromkeys(bout.persona for bout in done.contest.bouts))


def test_the_next_arena_casts_as_was_approved(home):
    text = "Shall the beta go out without a tour?"
    assert "end user" in cast_by(home, text, "product")
    assert "statistician" not in cast_by(home, text, "product")
    keep_bouts(home, "upheld", "end user", 21)
    keep_bouts(home, "overturned", "statistician", 8, "product")
    assert "end user" in cast_by(home, text, "product")
    for one in look(home):
        approve(home, ROSTER, one.proposal_id[:6], by="Eve", note="seen", now=NOW)
    after = cast_by(home, text, "product")
    assert "end user" not in after
    assert after[0] == "statistician"
    assert look(home) == ()
    decided = [d.record(CastingDecision) for d in Journal(home).iter("persona_decision")]
    assert {(d.persona, d.decision, d.by, d.note) for d in decided} == {
        ("end user", "approved", "Eve", "seen"),
        ("statistician", "approved", "Eve", "seen"),
    }
    rows = Store(home).sql("select persona, casting, approved_by, source from castings").rows
    assert set(rows) == {
        ("end user", "never", "Eve", "reflection"),
        ("statistician", "always", "Eve", "reflection"),
    }


def test_a_dismissed_one_is_not_offered_until_two_bouts_are_new(home):
    keep_bouts(home, "upheld", "newcomer", 20)
    (one,) = look(home)
    dismiss(home, ROSTER, one.proposal_id, by="Eve", note="give it time", now=NOW)
    assert not hyde_file(home).exists()
    assert look(home) == ()
    with pytest.raises(UsageError, match="stands no longer"):
        approve(home, ROSTER, one.proposal_id, by="Eve", now=NOW)
    keep_bouts(home, "draw", "newcomer", 1)
    assert look(home) == ()
    keep_bouts(home, "upheld", "newcomer", 1, "product")
    (again,) = look(home)
    assert (again.n, again.proposal_id == one.proposal_id) == (22, False)
    rows = Store(home).sql("select persona, decision, decided_by from persona_decisions").rows
    assert rows == (("newcomer", "dismissed", "Eve"),)


def test_an_unknown_id_names_those_that_stand(home):
    keep_bouts(home, "upheld", "newcomer", 20)
    (one,) = look(home)
    with pytest.raises(NotFound, match=one.proposal_id):
        approve(home, ROSTER, "zzzz", by="Eve", now=NOW)


# What is written -----------------------------------------------------------------------------


def test_the_line_is_added_and_the_rest_stays_letter_for_letter(home):
    mine = "\ufeff" + seed("hyde").replace("# Hyde\n", "# Hyde\n\nMy notes.  \n\n\n").replace(
        "```casting\n", "```casting\n# from May\n"
    ).replace("\n", "\r\n")
    planted(home, mine)
    change = write(home, rule(evidence="0 of 20"))
    line = "newcomer | * | never | 0 of 20 | Eve | 2026-06-01\r\n"
    end = mine.rindex("```")
    assert hyde_file(home).read_bytes().decode() == mine[:end] + line + mine[end:]
    (kept,) = Journal(home).iter("casting")
    assert kept.record(CastingChange) == change
    assert load_hyde(home).casting == (change.rule,)


def test_a_home_without_the_skill_gets_the_shipped_one(home):
    write(home, rule())
    text = hyde_file(home).read_text()
    assert text.replace("newcomer | * | never |  | Eve | 2026-06-01\n", "") == seed("hyde")
    assert not skill_path(home).exists()


def test_a_rule_is_replaced_only_where_that_was_approved(home):
    write(home, rule(cast="always"))
    before = hyde_file(home).read_bytes()
    with pytest.raises(SkillError, match="a rule already: newcomer"):
        write(home, rule())
    assert hyde_file(home).read_bytes() == before
    change = write(home, rule(), replace_old=True)
    assert change.replaced.cast == "always"
    assert [one.cast for one in load_hyde(home).casting] == ["never"]


def test_a_file_that_was_broken_by_hand_is_named_and_not_touched(home):
    keep_bouts(home, "upheld", "newcomer", 20)
    broken = seed("hyde").replace("approved_at\n```", "approved_at\nnewcomer | * | perhaps\n```")
    planted(home, broken)
    for act in (lambda: look(home), lambda: write(home, rule())):
        with pytest.raises(SkillError, match=r"SKILL\.md:\d+: cast is `always` or `never`"):
            act()
    assert hyde_file(home).read_text() == broken


SMUGGLED = {
    "a second rule": "newcomer | * | never\nend user",
    "another cell": "newcomer | product",
    "the end of the block": "newcomer\n```\n",
    "a fence": "```",
    "a comment": "# newcomer",
    "a hidden letter": "new\u200bcomer",
    "a line of Unicode": "newcomer\u2028end user",
    "a return": "newcomer\rend user",
    "nothing": "",
    "blanks around it": " newcomer ",
    "somebody unknown": "mallory",
    "a flood": "n" * 10_000,
}


@pytest.mark.parametrize("field", ["persona", "topic", "evidence"])
@pytest.mark.parametrize("text", SMUGGLED.values(), ids=SMUGGLED)
def test_a_name_smuggles_nothing_into_the_file(home, field, text):
    """It is refused whole, or stands in its own cell and nowhere else."""
    planted(home, seed("hyde"))
    try:
        change = write(home, rule(**{field: text}))
    except SkillError:
        assert hyde_file(home).read_text() == seed("hyde")
        assert list(Journal(home).iter("casting")) == []
    else:
        assert field != "persona"
        assert load_hyde(home).casting == (change.rule,)
        assert getattr(change.rule, field) == text


def test_who_approves_cannot_smuggle_a_second_rule(home):
    with pytest.raises(SkillError):
        write(home, rule(), by="Eve\nend user | * | never")
    assert not hyde_file(home).exists()
