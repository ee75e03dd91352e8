"""What a scripted model does, step by step; real servers' faults have names."""

import json
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, model_validator

from contracts.base import Record

FAULTS: Mapping[str, Mapping[str, Any]] = {
    "rate_limited": {"status": 429, "error": "slow down", "error_code": "rate_limit_exceeded"},
    "auth": {"status": 401, "error": "invalid api key", "error_code": "invalid_api_key"},
    "no_credit": {"status": 402, "error": "insufficient credits", "error_code": 402},
    "model_not_found": {"status": 404, "error": "no such model", "error_code": "model_not_found"},
    "bad_request": {"status": 400, "error": "malformed request", "error_code": 400},
    "context_overflow": {
        "status": 400,
        "error": "the context length of this model is 4096 tokens",
        "error_code": "context_length_exceeded",
    },
    "server_error": {"status": 500, "error": "internal error", "error_code": 500},
    "overloaded": {"status": 503, "error": "overloaded", "error_code": 503},
    "error_in_200": {"error": "upstream failed", "error_code": 502},
    "html": {"body": "<!doctype html><title>One moment</title>", "content_type": "text/html"},
    "no_choices": {"body": '{"id": "c1", "object": "chat.completion"}'},
    "garbage": {"text": "qux 17 lorem ;; ipsum"},
    "empty": {"text": ""},
    "reasoning_only": {"text": "", "reasoning": "One could say Postgres, or Mongo."},
    "refusal": {"refusal": "I can't help with that."},
    "content_filter": {"text": "I would pick Post", "finish_reason": "content_filter"},
    "truncated": {"text": '{"position": "Use Post', "finish_reason": "length"},
    "hang": {"wire": "hang"},
    "reset": {"wire": "reset"},
    "cut": {"text": "I would pick Post", "wire": "cut"},
}
"""Ways in which real servers fail, by name."""


class ToolCall(Record):
    """A call that the model asks for instead of answering."""

    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class Step(Record):
    """One response. `Step(fault="rate_limited", retry_after=1)` starts from a named fault."""

    fault: str | None = None
    """A name of FAULTS; the other fields override what it stands for."""
    text: str = ""
    opinion: dict[str, Any] | None = None
    """Sent as JSON text in place of `text`."""
    tool_calls: tuple[ToolCall, ...] = ()
    reasoning: str | None = None
    refusal: str | None = None
    finish_reason: str | None = None
    """Else `stop`, or `tool_calls`."""
    model: str | None = None
    """The model that is said to have answered; else the one asked for."""
    cost: float | None = None
    """US dollars, reported as `usage.cost`."""
    delay_seconds: float | None = Field(default=None, ge=0)
    """Before the first byte; None takes the server's own."""
    status: int = Field(default=200, ge=200, le=599)
    headers: dict[str, str] = Field(default_factory=dict)
    retry_after: int | float | str | None = None
    error: str | None = None
    error_code: int | str | None = None
    body: str | None = None
    """Sent as it stands."""
    content_type: str = "application/json"
    stream: bool | None = None
    """True or False streams, or does not, whatever was asked."""
    wire: Literal["hang", "reset", "cut"] | None = None
    """Never answer; reset the connection; end half way through the body."""

    @model_validator(mode="before")
    @classmethod
    def _from_fault(cls, data: Any) -> Any:
        name = data.get("fault") if isinstance(data, dict) else None
        if name is None:
            return data
        if name not in FAULTS:
            raise ValueError(f"no fault is named {name!r}; there are {', '.join(sorted(FAULTS))}")
        return {**FAULTS[name], **data}

    @property
    def answer(self) -> str:
        """The text of the message."""
        return self.text if self.opinion is None else json.dumps(self.opinion, ensure_ascii=False)

    @property
    def reason(self) -> str:
        """The finish reason as it is sent."""
        return self.finish_reason or ("tool_calls" if self.tool_calls else "stop")

    @property
    def is_completion(self) -> bool:
        """Whether the step is a model's message and not an error or a raw body."""
        return self.error is None and self.body is None


def as_step(value: object) -> Step:
    """Return a step from a text, a mapping of its fields, or a step.

    Raises:
        pydantic.ValidationError: naming the field that is wrong.
    """
    if isinstance(value, Step):
        return value
    return Step(text=value) if isinstance(value, str) else Step.model_validate(value)
