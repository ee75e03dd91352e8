"""A real OpenAI-compatible server on a loopback port whose models follow a script.

It ships with the product: tests, benchmarks and demonstrations talk to it over HTTP as they would
to any provider. `python -m tasks.providers.scripted_server SCRIPT.json --port 8099` serves

    {"models": {"ada": "Use Postgres.",
                "bob": [{"fault": "rate_limited", "retry_after": 1}, {"opinion": {}}],
                "*":   {"fault": "hang"}},
     "delay_seconds": 0.2, "context_length": 131072, "api_key": null}

A model's steps are played in order and the last one repeats; `*` stands for every other model.
"""

import argparse
import asyncio
import inspect
import json
import sys
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from contracts.base import Record
from tasks.providers.script import Step, as_step
from tasks.providers.script_wire import Seen, read_request, send

Answer = str | Mapping[str, Any] | Step
Behaviour = Answer | Sequence[Answer] | Callable[[dict[str, Any]], Answer | Awaitable[Answer]]
"""What a model does: one answer, steps, or a function of the request's body."""


class ScriptedServer:
    """Serves `models` from `__enter__` to `__exit__`: on a thread (`with`) or here (`async with`).

    Args:
        models: behaviour by model name; `*` for every other name.
        delay_seconds: wait before each answer that names none of its own.
        context_length: tokens, as `/v1/models` tells them.
        api_key: the key to insist on; None takes every caller.
        port: 0 takes a free one.

    Attributes:
        requests: every request as it arrived, in order.
        connections: how many were opened so far.
    """

    def __init__(
        self,
        models: Mapping[str, Behaviour],
        *,
        delay_seconds: float = 0.0,
        context_length: int = 131_072,
        api_key: str | None = None,
        port: int = 0,
    ) -> None:
        """Check the script; serving starts with the context."""
        self.requests: list[Seen] = []
        self.connections = 0
        self.port = port
        self._models = {name: _behaviour(value) for name, value in models.items()}
        self._delay_seconds = delay_seconds
        self._context_length = context_length
        self._api_key = api_key
        self._played: Counter[str] = Counter()
        self._connections: set[asyncio.Task[Any]] = set()
        self._thread: threading.Thread | None = None
        self._stop: Callable[[], object] = lambda: None
        self._failure: BaseException | None = None

    @property
    def base_url(self) -> str:
        """Address for `Endpoint.base_url`."""
        return f"http://127.0.0.1:{self.port}/v1"

    def asked(self, model: str | None = None) -> list[Seen]:
        """Return the chat requests so far, of one model or of all, in order of arrival."""
        chats = [seen for seen in self.requests if seen.path.endswith("/chat/completions")]
        return [seen for seen in chats if model is None or seen.model == model]

    async def __aenter__(self) -> Self:
        """Serve on the running loop."""
        self._server = await asyncio.start_server(self._converse, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        """End every connection, also those that hang."""
        self._server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await self._server.wait_closed()

    def __enter__(self) -> Self:
        """Serve on a thread with a loop of its own."""
        ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run(ready)), daemon=True)
        self._thread.start()
        ready.wait()
        if self._failure is not None:
            raise self._failure
        return self

    def __exit__(self, *_: object) -> None:
        """Stop serving and end the thread."""
        self._stop()
        if self._thread is not None:
            self._thread.join()

    async def _run(self, ready: threading.Event) -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        self._stop = lambda: loop.call_soon_threadsafe(stop.set)
        try:
            async with self:
                ready.set()
                await stop.wait()
        except OSError as error:
            self._failure = error
            ready.set()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - asyncio runs the callback as a task
        self._connections.add(task)
        self.connections += 1
        try:
            while (seen := await read_request(reader)) is not None:
                if not await self._respond(seen, writer):
                    break
        except (OSError, EOFError, ValueError, asyncio.LimitOverrunError):
            pass  # the client left or does not speak HTTP: nobody is there to be told
        except asyncio.CancelledError:
            pass  # the server is closing
        finally:
            self._connections.discard(task)
            writer.close()

    async def _respond(self, seen: tuple[Seen, str], writer: asyncio.StreamWriter) -> bool:
        """Answer one request; return whether the connection may be used again."""
        request, key = seen
        self.requests.append(request)
        if self._api_key is not None and key != self._api_key:
            return await send(writer, Step(fault="auth"), {}, 0)
        if request.method == "GET":
            return await send(writer, self._listing(request.path), {}, 0)
        if not request.path.endswith("/chat/completions"):
            return await send(writer, Step(status=404, error="no such path"), {}, 0)
        step = await self._step(request)
        delay = self._delay_seconds if step.delay_seconds is None else step.delay_seconds
        if delay:
            await asyncio.sleep(delay)
        return await send(writer, step, request.body, len(self.requests))

    async def _step(self, request: Seen) -> Step:
        behaviour = self._models.get(request.model) or self._models.get("*")
        if behaviour is None:
            return Step(fault="model_not_found")
        if callable(behaviour):
            answer = behaviour(request.body)
            return as_step(await answer if inspect.isawaitable(answer) else answer)
        number = self._played[request.model]
        self._played[request.model] += 1
        return behaviour[min(number, len(behaviour) - 1)]

    def _listing(self, path: str) -> Step:
        models = [
            {"id": name, "object": "model", "context_length": self._context_length}
            for name in self._models
            if name != "*"
        ]
        if path.endswith("/v1/models"):
            return Step(body=json.dumps({"object": "list", "data": models}))
        named = [m for m in models if path.endswith(f"/v1/models/{m['id']}")]
        return Step(body=json.dumps(named[0])) if named else Step(fault="model_not_found")


def _behaviour(value: Behaviour) -> tuple[Step, ...] | Callable[[dict[str, Any]], Any]:
    if callable(value):
        return value
    if isinstance(value, str | Mapping | Step):
        return (as_step(value),)
    return tuple(as_step(each) for each in value)


class Script(Record):
    """The file that the command line takes."""

    models: dict[str, Any]
    delay_seconds: float = 0.0
    context_length: int = 131_072
    api_key: str | None = None


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve a script until interrupted; the first line on stdout is the base URL."""
    parser = argparse.ArgumentParser(prog="python -m tasks.providers.scripted_server")
    parser.add_argument("script", type=Path, help="JSON file: models and what they do")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    chosen = parser.parse_args(arguments)
    script = Script.model_validate_json(chosen.script.read_text(encoding="utf-8"))
    with ScriptedServer(**dict(script), port=chosen.port) as server:
        sys.stdout.write(server.base_url + "\n")
        sys.stdout.flush()
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
