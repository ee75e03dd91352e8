"""Who is given work, from one word."""

import pytest

from contracts.errors import ConfigError
from contracts.juror import JurorSpec, Roster
from tasks.children import CommandChild
from tasks.hands import child_of, hands_of
from tasks.hermes_child import HermesChild
from tasks.stand_in_child import StandInChild

PLAIN = Roster(jurors=(JurorSpec(name="Ada", provider="offline", model="stand-in/prudent"),))
SEATS = Roster(
    jurors=(
        *PLAIN.jurors,
        JurorSpec(
            name="Web", provider="openai_compatible", model="w", base_url="http://127.0.0.1:9/v1"
        ),
        JurorSpec(name="Her", provider="hermes", model="h", hermes_provider="custom"),
    )
)


def test_each_form_makes_its_child(home):
    command = child_of(hands_of("command: ./collect.sh --at 'two words'", PLAIN), home)
    assert isinstance(command, CommandChild)
    assert command.argv == ("./collect.sh", "--at", "two words")
    stand_in = child_of(hands_of("stand-in:lies, works", PLAIN), home)
    assert isinstance(stand_in, StandInChild)
    assert stand_in.script == ("lies", "works")
    assert isinstance(child_of(hands_of("hermes", SEATS), home), HermesChild)


@pytest.mark.parametrize(
    ("text", "model"), [("hermes", "h"), ("hermes:Her", "h"), ("hermes:Web", "w")]
)
def test_hermes_takes_its_model_from_a_seat(text, model):
    assert hands_of(text, SEATS).endpoint.model == model


@pytest.mark.parametrize(
    "text",
    ["", "someone", "command:", "command:'", "stand-in:dances", "hermes:Ada", "hermes:Nobody"],
)
def test_what_names_no_child_is_refused(text):
    with pytest.raises(ConfigError):
        hands_of(text, SEATS)


def test_stand_in_seats_are_no_model_for_hermes():
    with pytest.raises(ConfigError, match="no seat that Hermes can drive"):
        hands_of("hermes", PLAIN)


def test_no_program_is_allowed_unless_it_is_named():
    assert hands_of("stand-in", PLAIN).allow == ()
    assert hands_of("stand-in", PLAIN, ["make"]).allow == ("make",)
