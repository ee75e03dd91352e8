"""What is written for Hermes follows from the roster; every home knows OpenRouter and Ollama."""

import asyncio

import pytest

from contracts.errors import AuthFailed, Misconfigured, NetworkForbidden
from contracts.juror import Endpoint, JurorSpec, Roster
from contracts.settings import settings
from tasks.hermes_setup import all_models, foreign, juror_endpoints, known_endpoints, plans, write
from tasks.mirror import mirrored_homes
from tasks.providers.hermes_foreman import ask_foreman, ask_memory, read_config
from tasks.providers.hermes_home import foreman_home
from tasks.recall import recall_verdicts
from tasks.seating import PRESETS, chain, preset, read_roster
from tasks.skills import skill_path

LAB = "http://127.0.0.1:9/v1"


def seat(name, provider="hermes", **more):
    return JurorSpec(name=name, provider=provider, **({"model": name, "base_url": LAB} | more))


def roster(*seats, **more):
    return Roster(jurors=seats, **more)


def test_the_shipped_roster_has_three_hermes_seats_and_its_chain_goes_on_without_hermes():
    assert "hermes" in PRESETS
    shipped = read_roster(preset("hermes"), where="hermes.toml")
    assert [juror.provider for juror in shipped.jurors] == ["hermes"] * 3
    for juror in shipped.jurors:
        assert [e.provider for e in chain(juror, shipped)] == ["hermes", "openai_compatible"]
        stood_in = shipped.model_copy(update={"allow_stand_in": True})
        assert chain(juror, stood_in)[-1].provider == "offline"


def test_every_home_knows_openrouter_and_the_local_ollama():
    offline = read_roster(preset("offline"), where="offline.toml")
    addresses = {endpoint.base_url for endpoint in known_endpoints(offline)}
    assert addresses == {"https://openrouter.ai/api/v1", "http://127.0.0.1:11434/v1"}


def test_the_foreman_is_the_default_then_a_hermes_seat():
    foreman = Endpoint(provider="hermes", model="words", base_url="http://127.0.0.1:8/v1")
    seats = (seat("Ada", "openai_compatible", base_url="http://127.0.0.1:7/v1"), seat("Bob"))
    assert known_endpoints(roster(*seats, foreman=foreman))[0].model == "words"
    assert known_endpoints(roster(*seats))[0].model == "Bob"


def test_two_keys_for_one_address_are_no_conflict_in_the_foremans_home(home):
    seats = (seat("Ada", api_key_env="ONE_API_KEY"), seat("Bob", api_key_env="TWO_API_KEY"))
    made = plans(home, roster(*seats))
    assert len(made) == 3
    write(home, made, None)
    entry = read_config(foreman_home(home))["providers"]["council-127-0-0-1-9"]
    assert (entry["key_env"], list(entry["models"])) == ("ONE_API_KEY", ["Ada"])


def test_every_model_of_an_address_has_its_floor_there(home):
    write(home, plans(home, roster(seat("Ada"), seat("Bob"))), None)
    models = read_config(foreman_home(home))["providers"]["council-127-0-0-1-9"]["models"]
    assert {name: entry["context_length"] >= 64_000 for name, entry in models.items()} == {
        "Ada": True,
        "Bob": True,
    }
    assert len(all_models(roster(seat("Ada"), seat("Ada2", model="Ada")))) >= 1


def test_alternates_through_hermes_have_homes_too(home):
    direct = JurorSpec(
        name="Ada",
        provider="openai_compatible",
        model="m",
        base_url=LAB,
        alternates=(Endpoint(provider="hermes", model="n", base_url=LAB),),
    )
    assert [e.model for e in juror_endpoints(roster(direct))] == ["n"]
    assert len(plans(home, roster(direct))) == 2


def test_writing_plants_the_skills_and_again_changes_nothing(home):
    made = plans(home, roster(seat("Ada")))
    assert write(home, made, None)
    assert skill_path(home).is_file()
    assert mirrored_homes(home) == (foreman_home(home),)
    assert write(home, made, None) == []
    (foreman_home(home) / "SOUL.md").write_text("mine")
    (change,) = foreign(made)
    assert change.before == "mine"
    assert "+You are the foreman" in change.diff


class TestRefusals:
    """Nothing is asked that must not be."""

    @pytest.fixture
    def hermes(self, home, monkeypatch):
        monkeypatch.setenv("COUNCIL_HERMES_BIN", "/nowhere/hermes")
        settings.cache_clear()
        write(home, plans(home, roster(seat("Ada"))), None)
        return home

    def test_an_address_that_the_home_does_not_know(self, hermes):
        other = Endpoint(provider="hermes", model="m", base_url="http://127.0.0.1:6/v1")
        with pytest.raises(Misconfigured, match="not known to the foreman's home"):
            asyncio.run(ask_foreman(hermes, other, "x", "council"))

    def test_a_key_that_is_not_set(self, hermes):
        keyed = Endpoint(provider="hermes", model="m", base_url=LAB, api_key_env="ACME_API_KEY")
        with pytest.raises(AuthFailed, match="ACME_API_KEY"):
            asyncio.run(ask_foreman(hermes, keyed, "x", "council"))

    def test_the_network_when_it_is_off_and_the_store_answers(self, hermes, monkeypatch):
        write(hermes, plans(hermes, read_roster(preset("openrouter"), where="x")), None)
        monkeypatch.setenv("COUNCIL_OFFLINE", "1")
        settings.cache_clear()
        with pytest.raises(NetworkForbidden):
            asyncio.run(ask_memory(hermes, "x"))
        recalled = asyncio.run(recall_verdicts(hermes, "x"))
        assert recalled.recollection.by == "store"
        assert "COUNCIL_OFFLINE" in recalled.note

    def test_a_home_that_is_not_set_up(self, home):
        with pytest.raises(Misconfigured, match="setup-hermes"):
            asyncio.run(ask_memory(home, "x"))
