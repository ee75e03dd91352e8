"""The stand-ins: deterministic, marked, and of three minds."""

import asyncio
import json

import pytest

from contracts.errors import Misconfigured
from contracts.juror import Endpoint
from contracts.opinion import Opinion
from tasks.asking import make_question
from tasks.prompting import Shown, ask_request, reconsider_request
from tasks.providers.offline import TEMPERAMENTS, Offline, known_drawback


def answer(temperament, request):
    endpoint = Endpoint(provider="offline", model=f"stand-in/{temperament}")
    completion = asyncio.run(Offline().complete(endpoint, request))
    return completion, json.loads(completion.text)


def asked(text, options=()):
    return ask_request(make_question(text, options=options), "Ada")


def test_every_answer_is_marked_as_simulated_and_free():
    completion, _ = answer("prudent", asked("Go or Rust?", ["Go", "Rust"]))
    assert (completion.simulated, completion.via, completion.usage.cost_usd) == (True, "offline", 0)


def test_the_same_question_gets_the_same_answer():
    request = asked("Which?", ["Foo", "Bar"])
    assert answer("builder", request) == answer("builder", request)


def test_a_question_that_the_table_knows_splits_the_three_temperaments():
    request = asked("Should a 3-person startup use microservices?", ["Yes", "No"])
    choices = {name: answer(name, request)[1]["choice"] for name in TEMPERAMENTS}
    assert choices["builder"] == "B"
    assert len(set(choices.values())) == 2


def test_a_reason_of_weight_moves_a_juror_whose_lead_is_thin_and_is_named():
    question = make_question("Kafka or RabbitMQ?", options=["Kafka", "RabbitMQ"])
    moved = []
    for name in TEMPERAMENTS:
        own = json.loads(answer(name, ask_request(question, "Ada"))[0].text)
        other = next(o for o in question.option_names if o != own["position"])
        said = Shown("Juror A", other, other, f"{other} leaves room to change course")
        opinion = Opinion(juror="Ada", stance=own["position"], position=own["position"])
        again = answer(name, reconsider_request(question, "Ada", opinion, [said]))[1]
        moved.append(again["changed"])
        assert (again["moved_by"] is not None) == again["changed"]
    assert set(moved) <= {True, False}


def test_an_open_question_gets_a_position():
    _, said = answer("prudent", asked("What should we do about the outage?"))
    assert said["choice"] is None
    assert said["position"]


def test_a_temperament_that_does_not_exist_is_a_configuration_error():
    with pytest.raises(Misconfigured, match="stand-in/prudent"):
        answer("wise", asked("Why?"))


def test_the_table_knows_drawbacks():
    assert "network call" in known_drawback("Microservices")
    assert known_drawback("Quux") is None
