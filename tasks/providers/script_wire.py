"""HTTP/1.1 as the scripted server speaks it: requests read, steps sent whole or broken."""

import asyncio
import json
import socket
import struct
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote, urlsplit

from pydantic import Field

from contracts.base import Record
from tasks.providers.script import Step

PIECE = 24
"""Characters of the answer in one event of a stream."""
MAX_BODY = 32 * 2**20
"""Bytes of a request; the connection of a longer one is closed."""
SECRET_HEADERS = frozenset(
    {"authorization", "proxy-authorization", "cookie", "api-key", "x-api-key"}
)


class Seen(Record):
    """One request as it arrived. Values of headers that carry secrets are not kept."""

    method: str
    path: str
    headers: dict[str, str]
    """Names in lower case."""
    body: dict[str, Any] = Field(default_factory=dict)

    @property
    def model(self) -> str:
        """The model that was asked, empty for requests without one."""
        return str(self.body.get("model", ""))


async def read_request(reader: asyncio.StreamReader) -> tuple[Seen, str] | None:
    """Read one request and its key; None at the end of the connection."""
    head = await reader.readuntil(b"\r\n\r\n") if not reader.at_eof() else b""
    if not head:
        return None
    first, *lines = head.decode("latin-1").strip().split("\r\n")
    method, target, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    length = int(headers.get("content-length", 0))
    if length > MAX_BODY:
        raise ValueError(f"a request of {length} bytes is more than {MAX_BODY}")
    body = _json_object(await reader.readexactly(length))
    key = headers.get("authorization", "").removeprefix("Bearer ")
    kept = {name: "***" if name in SECRET_HEADERS else value for name, value in headers.items()}
    path = unquote(urlsplit(target).path)
    return Seen(method=method, path=path, headers=kept, body=body), key


def _json_object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body) if body else {}
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


async def send(
    writer: asyncio.StreamWriter, step: Step, asked: Mapping[str, Any], number: int
) -> bool:
    """Send what `step` stands for; return whether the connection may be used again."""
    if step.wire == "hang":
        await asyncio.sleep(3600)
    if step.wire == "reset":
        return _reset(writer)
    streamed = bool(asked.get("stream")) if step.stream is None else step.stream
    if streamed and step.is_completion and step.status == HTTPStatus.OK:
        return await _send_events(writer, step, asked, number)
    body = plain_body(step, asked, number).encode()
    writer.write(_head(step, {"Content-Type": step.content_type, "Content-Length": len(body)}))
    writer.write(body[: len(body) // 2] if step.wire == "cut" else body)
    await writer.drain()
    return step.wire is None


async def _send_events(
    writer: asyncio.StreamWriter, step: Step, asked: Mapping[str, Any], number: int
) -> bool:
    writer.write(_head(step, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"}))
    for event in events(step, asked, number):
        data = event.encode()
        writer.write(b"%x\r\n%s\r\n" % (len(data), data))
        await writer.drain()
    if step.wire is None:
        writer.write(b"0\r\n\r\n")
        await writer.drain()
    return step.wire is None


def _head(step: Step, headers: Mapping[str, object]) -> bytes:
    asked_wait = {} if step.retry_after is None else {"Retry-After": step.retry_after}
    lines = [f"HTTP/1.1 {step.status} Scripted"]
    lines += [
        f"{name}: {value}" for name, value in {**headers, **asked_wait, **step.headers}.items()
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def _reset(writer: asyncio.StreamWriter) -> bool:
    raw: socket.socket = writer.get_extra_info("socket")
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
    return False


def plain_body(step: Step, asked: Mapping[str, Any], number: int) -> str:
    """Return the body of a response that is not streamed."""
    if step.body is not None:
        return step.body
    if step.error is not None:
        return json.dumps({"error": {"message": step.error, "code": step.error_code}})
    choice = {"index": 0, "message": _message(step), "finish_reason": step.reason}
    return json.dumps(
        {
            **_envelope(step, asked, number, "chat.completion"),
            "choices": [choice],
            "usage": usage(step, asked),
        }
    )


def events(step: Step, asked: Mapping[str, Any], number: int) -> Iterator[str]:
    """Yield the server-sent events of a streamed response, the usage where it was asked for."""
    head = _envelope(step, asked, number, "chat.completion.chunk")
    for delta in _deltas(step):
        yield _event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    if step.wire == "cut":
        return
    last = {"index": 0, "delta": {}, "finish_reason": step.reason}
    yield _event({**head, "choices": [last]})
    if (asked.get("stream_options") or {}).get("include_usage"):
        yield _event({**head, "choices": [], "usage": usage(step, asked)})
    yield "data: [DONE]\n\n"


def usage(step: Step, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return token counts as a rule of thumb: four characters a token, at least one."""
    prompt = sum(len(str(m.get("content", ""))) for m in asked.get("messages", ()))
    counts = {"prompt_tokens": prompt // 4 + 1, "completion_tokens": len(step.answer) // 4 + 1}
    total = {"total_tokens": sum(counts.values())}
    return {**counts, **total, **({} if step.cost is None else {"cost": step.cost})}


def _envelope(step: Step, asked: Mapping[str, Any], number: int, kind: str) -> dict[str, Any]:
    model = step.model or asked.get("model", "")
    return {"id": f"scripted-{number}", "object": kind, "created": 0, "model": model}


def _message(step: Step) -> dict[str, Any]:
    silent = step.refusal is not None or bool(step.tool_calls)
    message: dict[str, Any] = {"role": "assistant", "content": step.answer or None}
    if step.answer or not silent:
        message["content"] = step.answer
    if step.reasoning is not None:
        message["reasoning_content"] = step.reasoning
    if step.refusal is not None:
        message["refusal"] = step.refusal
    if step.tool_calls:
        message["tool_calls"] = _calls(step)
    return message


def _calls(step: Step) -> list[dict[str, Any]]:
    return [
        {
            "index": index,
            "id": f"call_{index}",
            "type": "function",
            "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
        }
        for index, call in enumerate(step.tool_calls)
    ]


def _deltas(step: Step) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": ""}
    if step.reasoning is not None:
        yield {"reasoning_content": step.reasoning}
    if step.refusal is not None:
        yield {"refusal": step.refusal}
    for start in range(0, len(step.answer), PIECE):
        yield {"content": step.answer[start : start + PIECE]}
    if step.tool_calls:
        yield {"tool_calls": _calls(step)}


def _event(payload: Mapping[str, Any]) -> str:
    return f"data: {json.dumps(payload)}\n\n"
