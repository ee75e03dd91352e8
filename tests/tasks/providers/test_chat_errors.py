"""A server's error is read for what it is, however the server words it."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.errors import (
    AuthFailed,
    BadRequest,
    ContextOverflow,
    Misconfigured,
    ModelNotFound,
    ProviderTimeout,
    RateLimited,
    Refused,
    ServerFault,
)
from tasks.providers.chat_errors import SHOWN, error_from, fault_in, parse_retry_after, tidy

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


def kind(status, payload):
    fault = fault_in(status, payload)
    return type(error_from(fault, "acme/judge-1 at host"))


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (400, BadRequest),
        (401, AuthFailed),
        (402, AuthFailed),
        (403, AuthFailed),
        (404, ModelNotFound),
        (405, Misconfigured),
        (408, ProviderTimeout),
        (409, ServerFault),
        (410, ModelNotFound),
        (413, ContextOverflow),
        (418, BadRequest),
        (422, BadRequest),
        (429, RateLimited),
        (500, ServerFault),
        (502, ServerFault),
        (503, ServerFault),
        (504, ServerFault),
        (524, ServerFault),
        (529, ServerFault),
    ],
)
def test_a_status_means_the_same_in_the_head_and_in_the_body(status, expected):
    assert kind(status, {"error": {"message": "no", "code": status}}) is expected
    assert kind(200, {"error": {"message": "no", "code": status}}) is expected
    assert kind(200, {"error": {"message": "no", "code": str(status)}}) is expected


def test_a_404_without_an_api_is_a_wrong_address():
    assert kind(404, None) is Misconfigured
    assert kind(404, {"detail": "Not Found"}) is Misconfigured


@pytest.mark.parametrize(
    ("status", "message", "expected"),
    [
        (400, "prompt too long: the context length is 4096 tokens", ContextOverflow),
        (400, "This model's maximum context length is 8192 tokens", ContextOverflow),
        (500, "the request exceeds the available context size", ContextOverflow),
        (400, "acme/judge-1 is not a valid model ID", ModelNotFound),
        (400, "The model `judge` does not exist or you do not have access", ModelNotFound),
        (404, "No endpoints found for acme/judge-1", ModelNotFound),
        (400, "API key not valid. Please pass a valid API key.", AuthFailed),
        (403, "Your input was flagged by moderation", Refused),
        (400, "The response was filtered by the content management policy", Refused),
        (403, "Rate limit exceeded for this token", RateLimited),
        (503, "Loading model", ServerFault),
        (429, "You exceeded your current quota, please check your billing details", RateLimited),
    ],
)
def test_the_words_decide_where_a_status_is_used_for_several_causes(status, message, expected):
    assert kind(status, {"error": {"message": message, "code": status}}) is expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("rate_limit_exceeded", RateLimited),
        ("insufficient_quota", AuthFailed),
        ("context_length_exceeded", ContextOverflow),
        ("model_not_found", ModelNotFound),
        ("invalid_api_key", AuthFailed),
        ("content_filter", Refused),
        ("server_error", ServerFault),
        ("overloaded_error", ServerFault),
        ("something_new", ServerFault),
        (None, ServerFault),
    ],
)
def test_codes_in_words_are_understood_in_a_success(code, expected):
    assert kind(200, {"error": {"message": "no", "code": code}}) is expected
    assert kind(200, {"error": {"message": "no", "type": code}}) is expected


def test_an_account_without_credit_is_not_asked_again():
    fault = fault_in(429, {"error": {"message": "no", "code": "insufficient_quota"}})
    assert not error_from(fault, "x").retryable


@pytest.mark.parametrize(
    "payload",
    [
        {"error": "Rate limit reached"},
        {"error": "nope", "code": "rate_limited 429: too many requests"},
        {"error": {"message": "Provider returned error", "metadata": {"raw": "throttled"}}},
        {"error": True, "message": "too many requests"},
        {"object": "error", "message": "no", "code": 429},
        {"errors": [{"message": "no", "code": 429}]},
    ],
)
def test_the_error_is_found_in_its_many_places(payload):
    assert kind(200, payload) is RateLimited


@pytest.mark.parametrize(
    "payload", [{}, {"error": None}, {"error": ""}, {"error": {}}, None, [], "x"]
)
def test_a_success_without_an_error_has_none(payload):
    assert fault_in(200, payload) is None


def test_the_request_repeated_in_the_details_is_not_read():
    detail = [{"loc": ["body", "top_k"], "msg": "extra field", "input": {"temperature": 1}}]
    fault = fault_in(422, {"detail": detail})
    assert fault.message == "body.top_k: extra field"


def test_the_message_says_who_what_and_what_to_do():
    text = str(error_from(fault_in(401, {"error": {"message": "bad key"}}), "judge at host"))
    assert text.startswith("judge at host answered with error 401: bad key. Check the key")


def test_foreign_words_are_bounded_and_on_one_line():
    text = tidy("a\x1b[31m\nb" + "x" * 10_000)
    assert text.startswith("a [31m b")
    assert len(text) == SHOWN + 1
    assert text.isprintable()


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("1", 1.0),
        (" 2.5 ", 2.5),
        ("0", 0.0),
        ("86400", 86400.0),
        ("-5", None),
        ("soon", None),
        ("", None),
        ("nan", None),
        ("inf", None),
        ("1e9", None),
        ("9" * 400, None),
        ("Mon, 99 Foo 2026 99:99:99 GMT", None),
        (format_datetime(NOW + timedelta(seconds=7), usegmt=True), 7.0),
        (format_datetime(NOW - timedelta(seconds=7), usegmt=True), None),
        ("Sun, 01 Mar 2026 12:00:03 -0000", 3.0),
    ],
)
def test_retry_after_is_seconds_or_a_date_or_nothing(value, seconds):
    assert parse_retry_after({"retry-after": value}, NOW) == seconds


def test_milliseconds_win_over_seconds():
    assert parse_retry_after({"retry-after": "2", "retry-after-ms": "1500"}, NOW) == 1.5


@given(st.text(max_size=80))
def test_no_retry_after_breaks_the_reader(value):
    seconds = parse_retry_after({"retry-after": value}, NOW)
    assert seconds is None or 0 <= seconds < float("inf")
