"""What Hermes prints is told apart: answers, notices around them, failures in their place."""

import pickle

import pytest

from contracts import errors
from tasks.providers.hermes_text import answer_text, failure_in, failure_on_screen, plain_text

WHERE = "ada through Hermes"

REPORTS = [
    ("HTTP 401: invalid api key", errors.AuthFailed),
    ("HTTP 402: insufficient credits", errors.AuthFailed),
    ("HTTP 403: forbidden", errors.AuthFailed),
    ("HTTP 404: no such model", errors.ModelNotFound),
    ("HTTP 404 — Not found", errors.Misconfigured),
    ("HTTP 400: malformed request", errors.BadRequest),
    ("HTTP 400: maximum context length is 4096 tokens", errors.ContextOverflow),
    ("API call failed after 1 retries: HTTP 429: slow down", errors.RateLimited),
    ("API call failed after 3 retries: HTTP 500: internal error", errors.ServerFault),
    ("API call failed after 3 retries: HTTP 502 — Bad gateway", errors.ServerFault),
    ("API call failed after 3 retries: rate limit", errors.RateLimited),
    ("API call failed after 3 retries: Connection error.", errors.Unreachable),
    ("API call failed after 3 retries: Request timed out.", errors.ProviderTimeout),
    (
        "API call failed after 3 retries: Provider returned an empty stream with no finish_reason",
        errors.ServerFault,
    ),
    ("Billing or credits exhausted: HTTP 402: pay first", errors.AuthFailed),
    (
        "Invalid API response after 3 retries: fast response (0.1s) — likely rate limited",
        errors.ServerFault,
    ),
    (
        "Invalid API response after 3 retries: rate limited by upstream provider (429)",
        errors.RateLimited,
    ),
    ("⚠️ No reply: the model returned empty content after retries", errors.EmptyReply),
    ("⚠️ No reply: all API retries were exhausted before a response", errors.ServerFault),
    ("⚠️ No reply: streaming stopped early and only a partial", errors.Truncated),
    ("(empty)", errors.EmptyReply),
    ("⚠️  The model declined to respond to this request (safety refusal", errors.Refused),
    ("⚠️  The model provider's safety filter blocked this request", errors.Refused),
    ("⚠️ **Thinking Budget Exhausted**\n\nThe model used all", errors.Truncated),
    ("Response truncated due to output length limit", errors.Truncated),
    ("First response truncated due to output length limit", errors.Truncated),
    ("Context length exceeded (17 tokens). Cannot compress further.", errors.ContextOverflow),
    ("Request payload too large (413). Cannot compress further.", errors.ContextOverflow),
    ("max_tokens exceeds the provider's output cap for this model.", errors.Misconfigured),
    (
        "hermes -z: agent failed: Model a has a context window of 8,192 tokens, which is below the",
        errors.Misconfigured,
    ),
    (
        "Ollama loaded `a` with only 8,192 tokens of context, but Hermes needs at least 64,000",
        errors.Misconfigured,
    ),
    ("hermes -z: agent failed: Unknown provider 'x'. Run hermes model", errors.Misconfigured),
    ("No inference provider configured. Run hermes setup", errors.Misconfigured),
    ("hermes -z: --provider requires --model", errors.Misconfigured),
    ("hermes -z: ignoring unknown --toolsets entries: x\nhermes -z: no", errors.Misconfigured),
    ("hermes -z: --toolsets did not contain any valid toolsets.", errors.Misconfigured),
    ("I apologize, but I encountered repeated errors: boom", errors.ServerFault),
    ("Use Postgres\n\n⚠️ No reply: streaming stopped early and only a part", errors.Truncated),
]


@pytest.mark.parametrize(("text", "kind"), REPORTS, ids=[text[:50] for text, _ in REPORTS])
def test_a_report_of_hermes_is_the_cause_it_names(text, kind):
    error = failure_in(text, WHERE)
    assert type(error) is kind
    assert str(error).startswith(WHERE)


ANSWERS = [
    "Use Postgres.",
    '{"position": "HTTP 429 should be retried", "confidence": 0.9}',
    "Retry on HTTP 429: the server says when.",
    "We should log 'API call failed after 3 retries: …' as an error.",
    "Model choice matters: one has a context window of 128K tokens.",
    "Connection errors are rare. I say yes.",
    "⚠️ Risky, but yes.",
    "Empty answers should be refused (empty) at the edge.",
    "The response was truncated in the example, so: no.",
    "Yes. Unknown provider risk is small.",
]


@pytest.mark.parametrize("text", ANSWERS)
def test_an_answer_about_failures_is_still_an_answer(text):
    assert failure_in(text, WHERE) is None
    assert failure_on_screen(text, WHERE) is None
    assert answer_text(text) == text


@pytest.mark.parametrize("kind", [errors.EmptyReply, errors.Truncated])
def test_what_hermes_asked_again_itself_is_not_asked_a_third_time(kind):
    text = next(text for text, expected in REPORTS if expected is kind)
    error = failure_in(text, WHERE)
    assert error.exhausted
    assert not error.retryable
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), copy.retryable, str(copy)) == (kind, False, str(error))


def test_a_rate_limit_may_be_asked_again():
    assert failure_in("API call failed after 1 retries: HTTP 429: slow down", WHERE).retryable


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Traceback (most recent call last):\n  File x\nKeyError: 1", errors.ServerFault),
        ("starting\nAPI call failed after 3 retries: HTTP 429: slow", errors.RateLimited),
        ("Error: 429 Too Many Requests", errors.RateLimited),
        ("error: connection refused", errors.Unreachable),
        ("❌ Error code: 401 - {'error': 'bad key'}", errors.AuthFailed),
        ("fatal: something broke", errors.ServerFault),
        ('{"error": {"message": "slow down", "code": 429}}', errors.RateLimited),
        ('{"error": "no upstream serves this model"}', errors.ModelNotFound),
    ],
)
def test_without_a_usage_report_a_screen_that_shows_a_failure_is_one(text, kind):
    assert type(failure_on_screen(text, WHERE)) is kind


def test_colours_links_and_control_characters_are_taken_off():
    text = "\x1b[1;32mUse\x1b[0m \x1b]8;;http://x\x07Postgres\x1b]8;;\x07.\x08\r\n"
    assert plain_text(text) == "Use Postgres."


def test_tabs_and_line_breaks_stay():
    assert plain_text("a\tb\nc") == "a\tb\nc"


FRAMED = """\
Query: Which database?
┊ 💻 terminal  ls  0.1s
⏳ Retrying in 2.1s (attempt 1/3)...
╭─ ⚕ Hermes ───────────────────────────────╮
│ Use Postgres.                            │
│                                          │
│ It is boring.                            │
╰──────────────────────────────────────────╯
session_id: 20261130_101010_abcdef
"""


def test_the_answer_is_taken_out_of_its_frame():
    assert answer_text(FRAMED) == "Use Postgres.\n\nIt is boring."


def test_a_frame_without_sides_is_taken_off_too():
    assert answer_text("╭─ ⚕ Hermes ────╮\nUse Postgres.\n╰───────────────╯\n") == "Use Postgres."


def test_a_drawing_within_an_answer_stays():
    drawing = "Like this:\n┌───┐\n│ A │\n└───┘\nSo: Postgres."
    assert answer_text(drawing) == drawing


def test_what_a_spinner_wrote_and_went_back_over_is_no_answer():
    assert answer_text("⠋ thinking\r⠙ thinking\r\x1b[KUse Postgres.\r\n⠋ done\n") == "Use Postgres."


def test_an_opinion_in_json_is_no_error():
    assert failure_on_screen('{"position": "yes", "reasons": ["error rates fall"]}', WHERE) is None


def test_notices_alone_are_no_answer():
    assert answer_text("┊ 🔍 search  x\nsession_id: 20261130_1_a\n") == ""


@pytest.mark.parametrize(
    "text",
    [
        "╭" * 200_000,
        "\x1b]" + "a" * 200_000,
        "Model " + "x" * 200_000,
        "⚠️ " + " (attempt 1" * 50_000,
        "Error" * 50_000,
        "word " * 200_000 + "\r",
        "╭─╮\n" + "│" + " " * 500_000 + "\n╰─╯",
    ],
    ids=["edges", "escape", "model", "attempt", "error", "return", "sides"],
)
@pytest.mark.timeout(30)
def test_no_text_keeps_the_reader_busy(text):
    assert isinstance(answer_text(text), str)
    assert failure_in(text, WHERE) is None
    failure_on_screen(text, WHERE)
