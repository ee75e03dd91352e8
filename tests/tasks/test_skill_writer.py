"""A rule gets into SKILL.md whole or not at all, and nothing else is changed on the way."""

import stat
import threading
from datetime import UTC, datetime

import pytest

from contracts.errors import SkillError
from contracts.juror import JurorSpec, Roster
from contracts.skill import RuleChange
from data.journal import Journal
from tasks.providers.hermes_home import foreman_home
from tasks.skill_writer import copy_for_hermes, learn, plant_seeds
from tasks.skills import load_skill, seed, skill_path

AT = datetime(2026, 1, 31, 12, tzinfo=UTC)
ROSTER = Roster(
    jurors=tuple(
        JurorSpec(name=name, provider="offline", model="m") for name in ("Ada", "Local Juror")
    )
)


def teach(home, line, **more):
    return learn(home, line, ROSTER, **({"by": "Sam", "at": AT} | more))


def text(home):
    return skill_path(home).read_bytes().decode()


def test_a_rule_is_added_with_who_approved_it_and_when(home):
    change = teach(home, "local juror | security | 1.5 | 4 dissents, 3 right")
    (rule,) = load_skill(home).rules
    assert (rule.juror, rule.topic, rule.weight) == ("Local Juror", "security", 1.5)
    assert (rule.evidence, rule.approved_by) == ("4 dissents, 3 right", "Sam")
    assert rule.approved_at == "2026-01-31"
    assert (change.rule, change.replaced, change.by) == (rule, None, "Sam")


def test_the_change_is_kept_in_the_journal(home):
    change = teach(home, "Ada | * | 2")
    (document,) = Journal(home).iter("rule")
    assert document.record(RuleChange) == change


def test_everything_that_a_person_wrote_stays_letter_for_letter(home):
    path = skill_path(home)
    path.parent.mkdir(parents=True)
    mine = seed("council").replace(
        "```weights\njuror",
        "My own notes stay.  \n\n```weights\n# from the review of May\njuror",
    )
    mine = mine.replace("approved_at\n```", "approved_at\n\nAda|hiring |0.5\n  # odd one\n```")
    path.write_bytes(mine.encode())
    teach(home, "Ada | security | 1.5")
    assert text(home) == mine.replace(
        "  # odd one\n```", "  # odd one\nAda | security | 1.5 |  | Sam | 2026-01-31\n```"
    )
    assert len(load_skill(home).rules) == 2


def test_line_ends_of_another_system_stay(home):
    path = skill_path(home)
    path.parent.mkdir(parents=True)
    path.write_bytes(seed("council").replace("\n", "\r\n").encode())
    teach(home, "Ada | security | 1.5")
    assert text(home).count("\n") == text(home).count("\r\n")


def test_a_file_without_the_block_gets_one(home):
    path = skill_path(home)
    path.parent.mkdir(parents=True)
    path.write_text("---\nname: council\ndescription: d\nversion: 1\n---\n\nBody.")
    teach(home, "Ada | security | 1.5")
    assert text(home).startswith("---\nname: council\ndescription: d\nversion: 1\n---\n\nBody.\n")
    assert len(load_skill(home).rules) == 1


def test_a_second_rule_for_juror_and_topic_needs_replace_and_takes_the_place(home):
    teach(home, "Ada | security | 1.5")
    teach(home, "Ada | hiring | 0.5")
    with pytest.raises(SkillError, match=r"already: Ada \| security \| 1.5.*--replace"):
        teach(home, "ADA | Security | 2")
    change = teach(home, "ADA | Security | 2", replace_old=True)
    assert change.replaced.weight == 1.5
    assert [(r.topic, r.weight) for r in load_skill(home).rules] == [
        ("Security", 2.0),
        ("hiring", 0.5),
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Eve | security | 1.5", "no juror is named 'Eve'; the roster seats Ada, Local Juror"),
        ("Ada | security | 0", r"not a number in \(0, 5\]"),
        ("Ada | security | -1", r"not a number in \(0, 5\]"),
        ("Ada | security | 1e9", r"not a number in \(0, 5\]"),
        ("Ada | security | nan", r"not a number in \(0, 5\]"),
        ("Ada | security", "is not `juror"),
        ("Ada | security | 1 | why | Mallory | 1999-01-01", "no more"),
        ("Ada | security | 1\n```\nEvil", "one line without control characters"),
        ("Ada | security | 1 | ```", "one line without control characters"),
        ("Ada | security | 1 | a\u202eb", "one line without control characters"),
        ("Ada | security | 1 | " + "x" * 600, "longer than 500"),
    ],
)
def test_what_does_not_fit_is_named_and_nothing_is_written(home, line, why):
    with pytest.raises(SkillError, match=why):
        teach(home, line)
    assert not skill_path(home).exists()
    assert not list(Journal(home).iter("rule"))


def test_a_broken_file_is_named_and_left_as_it_is(home):
    path = skill_path(home)
    path.parent.mkdir(parents=True)
    broken = seed("council").replace("approved_at\n```", "approved_at\nAda | security | 9\n```")
    path.write_text(broken)
    with pytest.raises(SkillError, match=r"SKILL\.md:\d+: the weight '9'"):
        teach(home, "Ada | hiring | 1.5")
    assert path.read_text() == broken


def test_a_link_stays_a_link_and_permissions_stay(home, tmp_path):
    real = tmp_path / "dotfiles.md"
    real.write_text(seed("council"))
    real.chmod(0o640)
    path = skill_path(home)
    path.parent.mkdir(parents=True)
    path.symlink_to(real)
    teach(home, "Ada | security | 1.5")
    assert path.is_symlink()
    assert "Ada | security | 1.5" in real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_writers_at_once_lose_no_rule(home):
    topics = [f"topic-{n}" for n in range(24)]
    failed = []

    def one(topic):
        try:
            teach(home, f"Ada | {topic} | 1.5")
        except SkillError as error:  # pragma: no cover - the assertion tells
            failed.append(error)

    threads = [threading.Thread(target=one, args=(topic,)) for topic in topics]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert {rule.topic for rule in load_skill(home).rules} == {*topics}


def test_seeds_are_planted_once_and_never_over_a_persons_file(home):
    assert {path.parent.name for path in plant_seeds(home)} == {"council", "hyde"}
    skill_path(home).write_text(seed("council") + "\nmine\n")
    assert plant_seeds(home) == ()
    assert text(home).endswith("mine\n")


def test_a_copy_in_the_foremans_home_is_kept_up(home):
    plant_seeds(home)
    copy = copy_for_hermes(home)
    assert copy.is_relative_to(foreman_home(home))
    teach(home, "Ada | security | 1.5")
    assert copy.read_text() == text(home)
