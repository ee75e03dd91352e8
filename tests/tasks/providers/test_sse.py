"""A stream is put together whole, or it is an error."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.providers.sse import assemble, is_done, looks_like_events


def event(**payload):
    return f"data: {json.dumps(payload)}\n\n"


def delta(content=None, finish=None, **more):
    return event(choices=[{"delta": {"content": content, **more}, "finish_reason": finish}])


STOP = delta(finish="stop")


def said(text):
    return assemble(text)["choices"][0]["message"].get("content")


@given(st.lists(st.text(max_size=20), max_size=8), st.sampled_from(["\n", "\r\n", "\r"]))
def test_pieces_are_joined_whatever_ends_the_lines(pieces, end):
    text = "".join(delta(piece) for piece in pieces) + STOP + "data: [DONE]\n\n"
    assert (said(text.replace("\n", end)) or "") == "".join(pieces)


def test_unicode_line_separators_do_not_cut_an_event():
    raw = json.dumps({"choices": [{"delta": {"content": "a\u2028b\x85c"}}]}, ensure_ascii=False)
    assert said(f"data: {raw}\n\n{STOP}") == "a\u2028b\x85c"


def test_comments_and_other_fields_are_passed_over():
    text = ": ping\n\nretry: 3000\nid: 7\nevent: message\n" + delta("A") + ":\n\n" + STOP
    assert said(text) == "A"


def test_data_over_several_lines_is_one_event():
    assert said('data: {"choices": [{"delta":\ndata:  {"content": "A"}}]}\n\n' + STOP) == "A"


def test_model_and_usage_are_kept_from_whichever_chunk_tells_them():
    whole = assemble(event(model="m", choices=[]) + STOP + event(usage={"prompt_tokens": 3}))
    assert (whole["model"], whole["usage"]) == ("m", {"prompt_tokens": 3})


def test_refusal_reasoning_and_tool_calls_are_kept():
    text = delta(reasoning_content="hm") + delta(refusal="no") + delta(tool_calls=[{"id": "1"}])
    message = assemble(text + STOP)["choices"][0]["message"]
    assert message == {"reasoning_content": "hm", "refusal": "no", "tool_calls": [{"id": "1"}]}


@pytest.mark.parametrize(
    "text",
    [
        delta("half"),
        delta("half") + "data: [DONE]\n\n",
        delta("half") + 'data: {"choices": [{"del',
        delta("half") + "data: oops\n\n" + STOP,
    ],
    ids=["cut", "done without a reason", "cut within an event", "not JSON"],
)
def test_half_a_stream_is_an_error(text):
    assert "error" in assemble(text)


def test_an_error_event_is_the_whole_answer():
    error = {"message": "upstream failed", "code": 502}
    assert assemble(delta("half") + event(error=error) + STOP) == {"error": error}


def test_an_empty_stream_has_no_choices():
    assert assemble(": ping\n\ndata: [DONE]\n\n") == {"choices": []}


@given(st.text(max_size=300))
def test_no_text_breaks_the_reader(text):
    assert isinstance(assemble("data: " + text), dict)


@pytest.mark.parametrize("text", ["data: {}", ": ping", "\n\nevent: x", "retry: 1"])
def test_a_stream_is_known_by_its_first_line(text):
    assert looks_like_events(text)


@pytest.mark.parametrize("text", ['{"a": 1}', "<html>", "", "database: x"])
def test_other_texts_are_no_stream(text):
    assert not looks_like_events(text)


def test_the_closing_event_ends_the_reading_and_the_words_in_an_answer_do_not():
    assert is_done(b"data: {}\n\ndata: [DONE]\n\n")
    assert is_done(b"data:[DONE]\r\n\r\n")
    assert not is_done(b'data: {"content": "data: [DONE]"}\n\n')
