"""SKILL.md is read strictly: every fault names its line."""

import pytest

from contracts.errors import SkillError
from contracts.skill import Topic
from tasks.reading.skill import match_topic, read_skill
from tasks.skills import load_skill, seed, skill_path

HEAD = "---\nname: council\ndescription: d\nversion: 1\n---\n\nBody.\n\n"


def with_rules(*lines):
    return HEAD + "```weights\njuror | topic | weight\n" + "\n".join(lines) + "\n```\n"


def test_the_shipped_skill_reads_and_has_topics_and_no_rules():
    skill = read_skill(seed("council"))
    assert skill.name == "council"
    assert "security" in {topic.name for topic in skill.topics}
    assert skill.rules == ()


def test_a_rule_is_read_with_its_evidence_and_approval():
    text = with_rules("Ada | security | 1.5 | 4 dissents, 3 right | Sam | 2026-01-31")
    (rule,) = read_skill(text).rules
    assert (rule.juror, rule.topic, rule.weight) == ("Ada", "security", 1.5)
    assert (rule.approved_by, rule.approved_at) == ("Sam", "2026-01-31")


@pytest.mark.parametrize("weight", ["0", "-1", "5.01", "1e9", "nan", "inf", "much", ""])
def test_a_weight_outside_the_range_names_its_line(weight):
    with pytest.raises(SkillError, match=r"SKILL\.md:11: "):
        read_skill(with_rules(f"Ada | security | {weight}"))


@pytest.mark.parametrize("line", ["Ada", "Ada | security", "| security | 1", "a|b|1|c|d|e|f"])
def test_a_malformed_line_names_itself(line):
    with pytest.raises(SkillError, match=r"SKILL\.md:11"):
        read_skill(with_rules(line))


def test_two_rules_for_one_juror_and_topic_are_refused():
    with pytest.raises(SkillError, match=r"SKILL\.md:12: a second rule"):
        read_skill(with_rules("Ada | security | 1.5", "ADA | Security | 2"))


def test_a_rule_for_an_unknown_juror_names_the_seats():
    with pytest.raises(SkillError, match="no juror is named 'Eve'"):
        read_skill(with_rules("Eve | security | 1.5"), jurors=frozenset({"Ada"}))


def test_a_block_that_is_never_closed_is_named():
    with pytest.raises(SkillError, match="never closed"):
        read_skill(HEAD + "```weights\nAda | security | 1.5\n")


def test_a_second_block_is_refused():
    with pytest.raises(SkillError, match="a second `weights` block"):
        read_skill(with_rules("Ada | a | 1") + with_rules("Ada | b | 1").removeprefix(HEAD))


@pytest.mark.parametrize("field", ["name", "description", "version"])
def test_a_missing_front_matter_field_is_named(field):
    text = "\n".join(line for line in HEAD.splitlines() if not line.startswith(field))
    with pytest.raises(SkillError, match=f"lacks `{field}`"):
        read_skill(text)


def test_a_file_without_front_matter_is_refused():
    with pytest.raises(SkillError, match="starts with front matter"):
        read_skill("# Council\n")


def test_topics_match_whole_words_and_the_most_hits_win():
    topics = (Topic(name="hiring", words=("hire",)), Topic(name="security", words=("auth", "jwt")))
    assert match_topic("JWT or session auth?", topics) == "security"
    assert match_topic("Do we shire the author?", topics) == "general"


def test_a_home_without_a_skill_gets_the_shipped_one(home):
    assert load_skill(home).name == "council"


def test_a_broken_skill_in_the_home_stops_and_names_file_and_line(home):
    path = skill_path(home)
    path.parent.mkdir(parents=True)
    path.write_text(with_rules("Ada | security | 9"))
    with pytest.raises(SkillError, match=r"council/SKILL\.md:11"):
        load_skill(home)
