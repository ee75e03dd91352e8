"""The roster file: who sits, and errors that name the seat and the field."""

import pytest

from contracts.errors import ConfigError
from contracts.settings import Settings
from tasks.seating import PRESETS, chain, load_roster, preset, read_roster

SEAT = '[[juror]]\nname = "Ada"\nprovider = "offline"\nmodel = "stand-in/prudent"\n'


def test_without_a_file_the_three_stand_ins_sit():
    roster = load_roster(Settings())
    assert [juror.name for juror in roster.jurors] == ["Prudent", "Builder", "Strategist"]
    assert {juror.provider for juror in roster.jurors} == {"offline"}


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_reads(name):
    assert read_roster(preset(name), where=name).jurors


def test_presets_hold_no_key_and_name_the_variable():
    roster = read_roster(preset("openrouter"), where="openrouter")
    hosted = [juror for juror in roster.jurors if juror.locality == "hosted"]
    assert {juror.api_key_env for juror in hosted} == {"OPENROUTER_API_KEY"}
    assert len({juror.family for juror in hosted}) == len(hosted)


def test_the_home_roster_is_found(home):
    home.mkdir()
    (home / "roster.toml").write_text(SEAT)
    assert [juror.name for juror in load_roster(Settings()).jurors] == ["Ada"]


def test_a_named_file_goes_first(home, tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\n' + SEAT)
    assert load_roster(Settings(), path).name == "mine"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SEAT + "timeout_seconds = -1\n", "seat 'Ada': timeout_seconds"),
        (SEAT + 'colour = "red"\n', "seat 'Ada': colour"),
        (SEAT.replace("offline", "telepathy"), "seat 'Ada': provider"),
        (SEAT + SEAT, "two seats are named 'Ada'"),
        ("", "no \\[\\[juror\\]\\] seats"),
        ("juror = 3", "seats are tables"),
        ("[[juror", "not TOML"),
    ],
)
def test_a_fault_names_the_seat_and_the_field(text, said):
    with pytest.raises(ConfigError, match=said):
        read_roster(text, where="roster.toml")


def test_a_missing_file_says_how_to_write_one(tmp_path):
    with pytest.raises(ConfigError, match="council roster init"):
        load_roster(Settings(), tmp_path / "none.toml")


def test_a_seat_falls_back_to_its_alternates_then_to_the_stand_in_only_where_allowed():
    text = SEAT + '[[juror.alternate]]\nprovider = "recorded"\nmodel = "m"\n'
    closed = read_roster(text, where="x")
    assert [e.provider for e in chain(closed.jurors[0], closed)] == ["offline", "recorded"]
    opened = read_roster("allow_stand_in = true\n" + text, where="x")
    assert [e.provider for e in chain(opened.jurors[0], opened)] == [
        "offline",
        "recorded",
        "offline",
    ]
