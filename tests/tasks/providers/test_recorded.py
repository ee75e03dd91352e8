"""What was said before is said again, and nothing else."""

import json

import pytest

from contracts.errors import Misconfigured
from contracts.juror import Endpoint
from tasks.prompting import prompt_sha256
from tasks.providers.base import Request
from tasks.providers.recorded import Recorded

FACTS = {"question_id": "q1", "juror": "Ada", "round": 1}
REQUEST = Request(system="s", user="u", subject="Ada, round 1", facts=FACTS)


@pytest.fixture
def record(tmp_path):
    def write(*lines):
        path = tmp_path / "answers.jsonl"
        path.write_text("\n".join(x if isinstance(x, str) else json.dumps(x) for x in lines))
        return Endpoint(provider="recorded", model="m", recording=str(path))

    return write


async def heard(seat, request=REQUEST):
    return (await Recorded().complete(seat, request)).text


async def test_an_answer_is_found_by_question_juror_and_round(record):
    places = [FACTS | {"round": 2}, FACTS | {"juror": "Bob"}, FACTS, FACTS | {"question_id": "q2"}]
    seat = record(*({**place, "text": str(n)} for n, place in enumerate(places)))
    assert await heard(seat) == "2"
    assert await heard(seat, REQUEST.model_copy(update={"facts": FACTS | {"round": 2}})) == "0"


async def test_else_by_the_prompt_as_it_is_kept_with_an_opinion(record):
    seat = record({"prompt_sha256": prompt_sha256(REQUEST), "text": "by prompt"})
    assert await heard(seat) == "by prompt"


async def test_the_place_comes_before_the_prompt(record):
    sha = prompt_sha256(REQUEST)
    seat = record({**FACTS, "text": "place"}, {"prompt_sha256": sha, "text": "prompt"})
    assert await heard(seat) == "place"


async def test_a_later_line_replaces_an_earlier_one_also_while_running(record):
    seat = record({**FACTS, "text": "old"}, "", {**FACTS, "text": "new"})
    assert await heard(seat) == "new"
    record({**FACTS, "text": "newest of all"})
    assert await heard(seat) == "newest of all"


async def test_the_completion_tells_who_said_it_and_that_it_is_recorded(record):
    usage = {"prompt_tokens": 3, "cost_usd": 0.5}
    seat = record({**FACTS, "text": "A", "model": "acme/judge-1", "usage": usage})
    completion = await Recorded().complete(seat, REQUEST)
    assert (completion.model, completion.via) == ("acme/judge-1", "recorded")
    assert completion.usage.cost_usd == 0.5
    assert completion.flags == ("recorded",)


async def test_nothing_recorded_names_the_file_and_the_question(record):
    with pytest.raises(Misconfigured, match=r"answers\.jsonl holds no answer for Ada, round 1.*q1"):
        await heard(record({**FACTS, "juror": "Bob", "text": "A"}))


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("{", "line 2: Invalid JSON"),
        ({"text": "A"}, "line 2: .*question_id and juror"),
        ({**FACTS, "text": ""}, "line 2: text"),
        ({**FACTS, "text": "A", "mood": "good"}, "line 2: mood"),
    ],
)
async def test_a_line_that_does_not_read_is_named(record, line, complaint):
    with pytest.raises(Misconfigured, match=complaint):
        await heard(record({**FACTS, "text": "A"}, line))


async def test_a_file_that_is_not_there_is_named():
    seat = Endpoint(provider="recorded", model="m", recording="/nowhere/answers.jsonl")
    with pytest.raises(Misconfigured, match=r"/nowhere/answers\.jsonl"):
        await heard(seat)


async def test_a_seat_without_a_file_is_told():
    with pytest.raises(Misconfigured, match="recording"):
        await heard(Endpoint(provider="recorded", model="m"))
