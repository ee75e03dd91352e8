"""The arena's SKILL.md is read strictly: every fault names its line."""

import pytest

from contracts.errors import SkillError
from contracts.persona import Persona
from tasks.reading.personas import read_hyde
from tasks.skills import load_hyde, seed, skill_path

HEAD = "---\nname: hyde\ndescription: d\nversion: 1\n---\n\n"
GOOD = "attacker | security, legal | risky, thin | what it exposes"


def skill(*personas, casting=()):
    text = HEAD + "```personas\npersona | topics | when | hunts\n" + "\n".join(personas) + "\n```\n"
    if casting:
        text += "```casting\n" + "\n".join(casting) + "\n```\n"
    return text


def test_the_shipped_skill_has_eight_personas_or_more_each_with_when_and_what():
    hyde = read_hyde(seed("hyde"))
    assert len(hyde.personas) >= 8
    assert all(p.hunts and (p.topics or p.when) for p in hyde.personas)
    assert sum("always" in p.when for p in hyde.personas) >= 3
    assert hyde.casting == ()


def test_a_persona_is_read_with_its_topics_conditions_and_prey():
    (persona,) = read_hyde(skill(GOOD)).personas
    assert persona == Persona(
        name="attacker",
        topics=("security", "legal"),
        when=("risky", "thin"),
        hunts="what it exposes",
    )


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("attacker", "is not `persona"),
        ("attacker | security | risky", "is not `persona"),
        ("attacker | security | risky | what | more", "is not `persona"),
        (" | security | risky | what", "is not `persona"),
        ("attacker | security | sometimes | what", "'sometimes' is no condition"),
        ("attacker | - | - | what", "never applies"),
        ("x" * 61 + " | - | always | what", "no name of at most 60"),
        ("bad\x07name | - | always | what", "no name of at most"),
        ("attacker | - | always | " + "x" * 401, "401 characters"),
    ],
)
def test_a_line_that_does_not_fit_names_itself(line, told):
    with pytest.raises(SkillError, match=r"SKILL\.md:9: ") as caught:
        read_hyde(skill(line))
    assert told in str(caught.value)


def test_a_second_persona_of_a_name_is_refused():
    with pytest.raises(SkillError, match=r"SKILL\.md:10: a second persona"):
        read_hyde(skill(GOOD, GOOD.upper().replace("RISKY, THIN", "risky")))


@pytest.mark.parametrize("text", [HEAD, HEAD + "```personas\n```\n"])
def test_a_skill_without_a_persona_is_refused(text):
    with pytest.raises(SkillError, match="no persona"):
        read_hyde(text)


def test_a_casting_rule_is_read_with_its_approval():
    rule = "Attacker | security | always | 8 of 8 landed | Sam | 2026-01-31"
    (found,) = read_hyde(skill(GOOD, casting=[rule])).casting
    assert (found.persona, found.topic, found.cast) == ("Attacker", "security", "always")
    assert (found.evidence, found.approved_by) == ("8 of 8 landed", "Sam")


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (["nobody | * | never"], "no persona is named 'nobody'"),
        (["attacker | * | often"], "`always` or `never`"),
        (["attacker | *"], "is not `persona"),
        (["attacker | * | never", "ATTACKER | * | always"], "a second rule"),
    ],
)
def test_a_casting_rule_that_does_not_fit_names_its_line(rules, told):
    with pytest.raises(SkillError, match=r"SKILL\.md:\d+: ") as caught:
        read_hyde(skill(GOOD, casting=rules))
    assert told in str(caught.value)


def test_a_home_has_its_own_personas_else_the_shipped_ones(home):
    assert len(load_hyde(home).personas) == len(read_hyde(seed("hyde")).personas)
    path = skill_path(home, "hyde")
    path.parent.mkdir(parents=True)
    path.write_text(skill("dentist | - | always | what hurts later"))
    assert [p.name for p in load_hyde(home).personas] == ["dentist"]


def test_a_broken_skill_in_the_home_names_file_and_line(home):
    path = skill_path(home, "hyde")
    path.parent.mkdir(parents=True)
    path.write_text(skill("dentist"))
    with pytest.raises(SkillError, match=r"hyde/SKILL\.md:9"):
        load_hyde(home)
