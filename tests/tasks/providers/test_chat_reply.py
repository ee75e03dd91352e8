"""A reply is an answer, or the true cause why it is none. Nothing in between."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.errors import (
    BadRequest,
    EmptyReply,
    Misconfigured,
    ProviderError,
    RateLimited,
    Refused,
    ServerFault,
    Truncated,
    Unreachable,
)
from tasks.providers.base import Completion
from tasks.providers.chat_reply import Asked, Reply, completion_of, payload_of, same_model

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ASKED = Asked(model="acme/judge-1", where="acme/judge-1 at host")


def read(body, status=200, headers=None, asked=ASKED, broken=None):
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    reply = Reply(status, headers or {}, raw, broken)
    return completion_of(reply, payload_of(reply), asked, NOW)


def answer(content="Use Postgres.", finish="stop", top=None, **message):
    message = {"role": "assistant", "content": content, **message}
    return {"choices": [{"message": message, "finish_reason": finish}], **(top or {})}


def test_a_plain_answer_is_read_whole():
    usage = {"prompt_tokens": 12, "completion_tokens": 4, "cost": 0.002}
    completion = read(answer(top={"model": "acme/judge-1", "usage": usage}))
    assert completion.text == "Use Postgres."
    assert completion.finish_reason == "stop"
    assert completion.model == "acme/judge-1"
    assert (completion.usage.prompt_tokens, completion.usage.completion_tokens) == (12, 4)
    assert completion.usage.cost_usd == 0.002
    assert completion.flags == ()


def test_content_in_parts_is_joined_and_thoughts_are_left_out():
    parts = [{"type": "thinking", "text": "hm"}, {"type": "text", "text": "Use "}, {"text": "it."}]
    assert read(answer(parts)).text == "Use it."


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        (answer(""), EmptyReply),
        (answer("  \n\u200b\ufeff "), EmptyReply),
        (answer(None), EmptyReply),
        (answer("", reasoning_content="Mongo might do"), EmptyReply),
        (answer(None, finish="tool_calls", tool_calls=[{"id": "1"}]), EmptyReply),
        (answer("", finish="length"), Truncated),
        (answer("Use Post", finish="content_filter"), Refused),
        (answer("Use Post", finish="SAFETY"), Refused),
        (answer(None, refusal="I can't help with that."), Refused),
        (answer("Use Post", finish="error"), ServerFault),
        (answer("Use Post", finish="abort"), ServerFault),
        (answer(7), ServerFault),
        ({"choices": []}, EmptyReply),
        ({"choices": [None]}, ServerFault),
        ({"choices": "x"}, ServerFault),
        ({"choices": [{"finish_reason": "stop"}]}, EmptyReply),
        ({"choices": [{"message": None}]}, EmptyReply),
        ({"choices": [{"error": {"code": 429, "message": "slow"}}]}, RateLimited),
        ({"id": "c1"}, ServerFault),
        ({"error": {"code": 429}, **answer()}, RateLimited),
        ([1], ServerFault),
        (b"", EmptyReply),
        (b"  \n", EmptyReply),
        (b"null", ServerFault),
        (b"<html><title>Wait</title></html>", ServerFault),
        (b'{"choices": [{"message": {"content": "Use', ServerFault),
        (b"[" * 200_000, ServerFault),
        (b'{"choices": ' + b"9" * 5000, ServerFault),
    ],
)
def test_what_is_no_answer_has_its_cause(body, cause):
    with pytest.raises(cause):
        read(body)


def test_a_page_is_named_by_its_title():
    with pytest.raises(ServerFault, match="a web page \\('One moment'\\)"):
        read(b"<!doctype html><TITLE>One\nmoment</TITLE>")


def test_an_answer_cut_at_the_limit_is_kept_and_marked():
    for reason in ("length", "max_tokens", "MAX_TOKENS"):
        completion = read(answer("Use Post", finish=reason))
        assert (completion.finish_reason, completion.flags) == ("length", ("truncated",))


def test_a_stream_is_read_whatever_its_content_type_says():
    chunk = {"choices": [{"delta": {"content": "Use it."}, "finish_reason": "stop"}]}
    assert read(f"data: {json.dumps(chunk)}\n\n".encode()).text == "Use it."


def test_a_broken_connection_is_forgiven_only_when_the_answer_is_whole():
    broken = Unreachable("broke the connection")
    assert read(answer(), broken=broken).text == "Use Postgres."
    with pytest.raises(Unreachable):
        read(b'{"choices": [{"message": {"content": "Use', broken=broken)
    with pytest.raises(BadRequest):
        read(b"", status=400, broken=broken)


def test_a_redirect_is_told_and_not_followed():
    with pytest.raises(Misconfigured, match=r"https://other\.example/v1"):
        read(b"", status=307, headers={"location": "https://other.example/v1"})


def test_a_wait_that_the_server_asks_for_is_passed_on():
    with pytest.raises(RateLimited) as caught:
        read({"error": {"message": "slow"}}, status=429, headers={"retry-after": "7"})
    assert caught.value.retry_after == 7


def test_the_key_is_blotted_out_of_what_a_server_says():
    asked = ASKED._replace(hidden="sk-very-secret")
    with pytest.raises(ProviderError) as caught:
        read({"error": {"message": "bad key sk-very-secret"}}, status=401, asked=asked)
    assert "sk-very-secret" not in str(caught.value)


def test_bytes_that_are_no_utf8_and_lone_surrogates_leave_readable_text():
    completion = read(b'{"choices": [{"message": {"content": "Use \xff it \\ud83d."}}]}')
    assert completion.text == "Use \ufffd it \ufffd."
    assert completion.flags == ("invalid_utf8",)
    completion.text.encode()


def test_a_byte_order_mark_is_no_fault():
    assert read(b"\xef\xbb\xbf" + json.dumps(answer()).encode()).text == "Use Postgres."


@pytest.mark.parametrize(
    "usage",
    [None, [], "x", {"prompt_tokens": "12"}, {"prompt_tokens": -1, "cost": True}, {"cost": 1e300}],
)
def test_a_usage_that_cannot_be_is_unknown(usage):
    found = read(answer(top={"usage": usage})).usage
    assert (found.prompt_tokens, found.cost_usd) == (None, None)


def test_a_prompt_that_a_server_cut_silently_is_marked():
    asked = ASKED._replace(prompt_characters=40_000)
    top = {"usage": {"prompt_tokens": 4096}}
    assert read(answer(top=top), asked=asked).flags == ("prompt_truncated",)
    top = {"usage": {"prompt_tokens": 10_000}}
    assert read(answer(top=top), asked=asked).flags == ()


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("acme/judge-1", "acme/judge-1"),
        ("acme/judge-1:free", "acme/judge-1"),
        ("gpt-4o", "gpt-4o-2024-08-06"),
        ("gpt-4", "gpt-4-0613"),
        ("openai/gpt-4o", "gpt-4o"),
        ("llama3.2", "llama3.2:latest"),
        ("Mixtral", "mixtral-2407"),
        ("gemini-1.5-flash", "gemini-1.5-flash-001"),
    ],
)
def test_one_model_may_have_two_names(asked, answered):
    assert same_model(asked, answered)


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("acme/judge-1", "other/cheap-1"),
        ("acme/judge-1", "other/judge-1"),
        ("gpt-4o", "gpt-4o-mini"),
        ("llama-3", "llama-3-70b"),
        ("qwen:7b", "qwen:14b"),
    ],
)
def test_another_model_is_another_model(asked, answered):
    assert not same_model(asked, answered)
    completion = read(answer(top={"model": answered}), asked=ASKED._replace(model=asked))
    assert completion.flags == ("model_mismatch",)


WORDS = (
    *("choices", "message", "content", "refusal", "error", "errors", "code", "type", "text"),
    *("finish_reason", "usage", "prompt_tokens", "model", "delta", "detail", "metadata", "raw"),
    *("loc", "msg", "object", "status"),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=5)
    ),
    max_leaves=25,
)


@given(JSON, st.sampled_from([200, 201, 204, 302, 400, 404, 429, 500]))
def test_every_payload_gives_a_completion_or_a_provider_error(payload, status):
    try:
        completion = read(payload, status=status)
    except ProviderError as error:
        assert str(error)  # noqa: PT017 - either outcome is right
    else:
        assert isinstance(completion, Completion)
        assert completion.text.strip()
        completion.canonical_json().encode()


@given(JSON)
def test_every_chunk_of_a_stream_gives_a_completion_or_a_provider_error(chunk):
    try:
        assert read(f"data: {json.dumps({'choices': [chunk]})}\n\n".encode()).text
    except ProviderError as error:
        assert str(error)  # noqa: PT017 - either outcome is right
