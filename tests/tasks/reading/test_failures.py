"""Error texts as providers, gateways and tools word them, and answers that only look like one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.question import Option, Question
from tasks.reading.failures import failure_in_object, failure_in_text, is_sentinel

LEDGER = Question(
    text="Which database should hold the billing ledger?",
    options=(Option(name="PostgreSQL"), Option(name="MongoDB")),
)
FAILURES = {
    "rate_limited": """
API call failed after 3 retries: HTTP 429: slow down
Error code: 429 - {'error': {'message': 'Rate limit reached'}}
429 Too Many Requests
Request failed with status code 429
Rate limit reached for the model in organization o on tokens per min
Too many requests, please slow down.
You exceeded your current quota, please check your plan and billing details.
You've hit your usage limit. Try again at 5pm.
AI usage limit reached|1700000000
google.api_core.exceptions.ResourceExhausted: 429 Quota exceeded
RESOURCE_EXHAUSTED: quota
litellm.RateLimitError: VendorException - slow down
insufficient_quota""",
    "auth": """
HTTP 401: credential rejected
HTTP/1.1 403 Forbidden
401 Unauthorized
Incorrect API key provided: sk-xxx.
Invalid API key · Please run /login
invalid x-api-key
Your credit balance is too low to access the API.
Unauthorized
Not logged in · Please run /login""",
    "server_error": """
HTTP 502: upstream
500 Internal Server Error
503: Service Temporarily Unavailable
unexpected status 503 Service Unavailable: upstream
API Error: 529 {"type":"error"}
Overloaded
The server is overloaded or not ready yet.
Service Unavailable
CUDA out of memory. Tried to allocate 2.00 GiB
Failed to generate a response
We're currently experiencing high demand
Sorry, something went wrong. Please try again.
hermes: command not found
llama runner process has terminated: exit status 2""",
    "timeout": """
504 Gateway Time-out
Request timed out.
ReadTimeout: The read operation timed out
Gateway Timeout
The operation was aborted due to timeout
deadline exceeded""",
    "unreachable": """
Connection error.
openai.APIConnectionError: Connection error.
Connection refused
stream error: stream disconnected before completion
socket hang up
Could not connect to the server""",
    "context_overflow": """
This model's maximum context length is 8192 tokens. However, you requested 9000
prompt is too long: 210000 tokens > 200000 maximum
input length and `max_tokens` exceed context limit: 199000 + 2000 > 200000""",
    "model_not_found": """
404 Not Found
model 'llama3' not found, try pulling it first
The model `x-9` does not exist or you do not have access to it.
No endpoints found matching your data policy""",
    "empty": """
⚠️ No reply: the model returned empty content after 3 retries
Empty response received from model""",
    "refused": """
⚠️  The model declined to answer this request.
The response was filtered due to the prompt triggering the content management policy.""",
    "failed": """
upstream connect error or disconnect/reset before headers. reset reason: unknown
TypeError: Cannot read properties of undefined (reading 'choices')
❌ Error: something failed
An error occurred while processing your request.
hermes -z: agent failed: Unknown failure
Error during model call: boom
[ERROR] failed""",
}
CASES = [(text, kind) for kind, block in FAILURES.items() for text in block.strip().split("\n")]


@pytest.mark.parametrize(("text", "kind"), CASES)
def test_an_error_text_is_known_with_its_kind(text, kind):
    failure = failure_in_text(text, LEDGER)
    assert failure is not None
    assert failure.kind == kind


ANSWERS = """
PostgreSQL
PostgreSQL, because HTTP 500 errors are rarer.
I'd return HTTP 404 for missing invoices, so MongoDB.
Rate limiting is the best approach here.
Connection pooling matters most; PostgreSQL.
Timeouts should be 30 seconds.
Authentication should be done with OAuth.
Unauthorized access is the main risk, so PostgreSQL.
Internal server errors should be retried; choose A.
Default: PostgreSQL
Error handling is better in PostgreSQL.
Overloaded operators are bad.
500 users need it, so PostgreSQL.
Failed migrations are the biggest risk; therefore PostgreSQL.
Exceptions: none. PostgreSQL.
Too many requests hit the ledger for MongoDB to keep up; PostgreSQL.
Usage: heavy joins, so PostgreSQL.
"""


@pytest.mark.parametrize("text", ANSWERS.strip().split("\n"))
def test_an_answer_that_speaks_of_errors_is_none(text):
    assert failure_in_text(text, LEDGER) is None


def test_what_the_question_asks_about_is_no_error():
    status = Question(text="Which status fits?", options=(Option(name="HTTP 401: no key"),))
    assert failure_in_text("HTTP 401: no key", status) is None
    retry = Question(text="What to do after 'connection refused'?")
    assert failure_in_text("Connection refused: wait and retry.", retry) is None


def test_an_option_that_is_a_number_does_not_hide_an_error_that_begins_with_it():
    replicas = Question(text="How many?", options=(Option(name="5"), Option(name="3")))
    assert failure_in_text("500 Internal Server Error", replicas) is not None


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ({"error": {"message": "Rate limit", "type": "rate_limit_error"}}, "rate_limited"),
        ({"error": {"message": "slow", "code": 429}}, "rate_limited"),
        ({"error": "model 'x' not found"}, "model_not_found"),
        (
            {"errors": [{"code": 10000, "message": "Authentication error"}], "success": False},
            "auth",
        ),
        ({"object": "error", "message": "x", "code": 400}, "bad_request"),
        ({"type": "error", "error": {"type": "overloaded_error"}}, "server_error"),
        ({"detail": "Not authenticated"}, "auth"),
        ({"detail": [{"loc": ["body"], "msg": "field required"}]}, "failed"),
        ({"message": "Forbidden"}, "auth"),
        ({"message": "Endpoint request timed out"}, "timeout"),
        ({"__type": "ThrottlingException", "message": "Rate exceeded"}, "failed"),
        ({"statusCode": 503, "message": "no"}, "server_error"),
        ({"is_error": True, "result": "API Error: 529"}, "server_error"),
    ],
)
def test_an_error_object_is_known_in_every_vendors_shape(value, kind):
    failure = failure_in_object(value, LEDGER)
    assert failure is not None
    assert failure.kind == kind


@pytest.mark.parametrize(
    "value", [{"error": None}, {"error": ""}, {"message": "PostgreSQL"}, {"code": 200}, {}]
)
def test_an_object_without_an_error_reports_none(value):
    assert failure_in_object(value, LEDGER) is None


def test_blanks_are_blanks_unless_they_are_options():
    for text in ("", "(empty)", "[No response]", "None", "null", "N/A", "---", "…", "Done."):
        assert is_sentinel(text, LEDGER), text
    for text in ("No", "0", "👍", "C", "+1"):
        assert not is_sentinel(text, LEDGER), text
    some = Question(text="?", options=(Option(name="None"), Option(name="+", aliases=("-",))))
    for text in ("none", "+", "-"):
        assert not is_sentinel(text, some), text


@settings(deadline=None)
@given(st.text())
def test_any_text_is_judged(text):
    failure = failure_in_text(text, LEDGER)
    assert failure is None or (failure.kind and len(failure.detail) <= 200)
