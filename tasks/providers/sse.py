"""Server-sent events of a streamed chat completion, put together into one payload. Pure.

Source of the format: WHATWG HTML, 9.2 (event streams). Lines end in CR, LF or CRLF and in nothing
else: `str.splitlines` would also cut at U+2028, which answers may hold.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

DONE = "[DONE]"
_LINE_END = re.compile(r"\r\n|\n|\r")
_START = re.compile(r"\s{0,64}(:|(data|event|id|retry):)")
_DONE_LINE = re.compile(rb"(?:^|[\r\n])data: ?\[DONE\]")
_TAIL = 64
"""Bytes from the end of a body within which the closing event is looked for."""


def looks_like_events(text: str) -> bool:
    """Return whether a body is a stream of events, whatever its content type says."""
    return _START.match(text) is not None


def is_done(body: bytes | bytearray) -> bool:
    """Return whether the closing event has arrived; some servers then keep the line open."""
    return _DONE_LINE.search(bytes(body[-_TAIL:])) is not None


def assemble(text: str) -> dict[str, Any]:
    """Return the payload that a server that does not stream would have sent.

    An event with an error gives that error. A stream that ended before any finish reason, or that
    holds an event that is not JSON, gives an error too: half an answer is none.
    """
    whole = _Whole()
    for data in _events(text):
        if data.strip() == DONE:
            break
        try:
            chunk = json.loads(data)
        except (ValueError, RecursionError):
            return _broken("the stream holds an event that is not JSON")
        if isinstance(chunk, dict) and not whole.add(chunk):
            return chunk
    return whole.payload()


class _Whole:
    """What the chunks so far amount to."""

    def __init__(self) -> None:
        self.chunks = 0
        self.message: dict[str, Any] = {}
        self.finish_reason: str | None = None
        self.told: dict[str, Any] = {}

    def add(self, chunk: dict[str, Any]) -> bool:
        """Take one chunk in; return False when it is an error."""
        self.chunks += 1
        if chunk.get("error"):
            return False
        self.told |= {name: chunk[name] for name in ("model", "usage") if chunk.get(name)}
        choices = chunk.get("choices")
        if isinstance(choices, list) and choices and isinstance(choices[0], dict):
            self._add_choice(choices[0])
        return True

    def _add_choice(self, choice: dict[str, Any]) -> None:
        delta = choice.get("delta") or choice.get("message")
        delta = delta if isinstance(delta, dict) else {}
        for name in ("content", "refusal", "reasoning", "reasoning_content"):
            piece = delta.get(name)
            if isinstance(piece, list):
                piece = "".join(str(p.get("text", "")) for p in piece if isinstance(p, dict))
            if isinstance(piece, str):
                self.message.setdefault(name, []).append(piece)
        if delta.get("tool_calls"):
            self.message["tool_calls"] = delta["tool_calls"]
        self.finish_reason = choice.get("finish_reason") or self.finish_reason

    def payload(self) -> dict[str, Any]:
        if not self.chunks:
            return {"choices": []}
        if self.finish_reason is None:
            return _broken("the stream ended before the answer did")
        message = {
            name: "".join(pieces) if name != "tool_calls" else pieces
            for name, pieces in self.message.items()
        }
        return {
            **self.told,
            "choices": [{"message": message, "finish_reason": self.finish_reason}],
        }


def _events(text: str) -> Iterator[str]:
    """Yield the data of each event; comments and other fields are passed over."""
    lines: list[str] = []
    for line in [*_LINE_END.split(text), ""]:
        if not line:
            if lines:
                yield "\n".join(lines)
            lines = []
        elif line.startswith("data:"):
            lines.append(line[5:].removeprefix(" "))


def _broken(message: str) -> dict[str, Any]:
    return {"error": {"message": message, "code": 502}}
