"""Answers recorded earlier: one JSON object a line, found by question, juror and round, or prompt.

    {"question_id": "…", "juror": "Ada", "round": 1, "text": "…", "model": "acme/judge-1"}
    {"prompt_sha256": "…", "text": "…"}

A later line for the same place replaces an earlier one. `prompt_sha256` is the one that is kept
with each opinion.
"""

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Self

from pydantic import Field, ValidationError, model_validator

from contracts.base import Record, sha256_text
from contracts.errors import Misconfigured
from contracts.juror import Endpoint
from contracts.opinion import Usage
from tasks.providers.base import Completion, Request

MAX_BYTES = 256 * 2**20
"""A longer file is no set of recordings."""

Place = tuple[str, str, int] | str


class Recording(Record):
    """One line of the file."""

    question_id: str | None = None
    juror: str | None = None
    round: int = 1
    prompt_sha256: str | None = None
    text: str = Field(min_length=1)
    finish_reason: str | None = "stop"
    model: str = ""
    usage: Usage = Usage()

    @model_validator(mode="after")
    def _has_a_place(self) -> Self:
        if not any(True for _ in self.places()):
            raise ValueError("needs question_id and juror, or prompt_sha256")
        return self

    def places(self) -> Iterator[Place]:
        """Yield the keys under which the recording is found."""
        if self.question_id is not None and self.juror is not None:
            yield self.question_id, self.juror, self.round
        if self.prompt_sha256 is not None:
            yield self.prompt_sha256


class Recorded:
    """A provider that repeats what was said."""

    async def complete(self, endpoint: Endpoint, request: Request) -> Completion:
        """Return the recorded answer: by question, juror and round, else by prompt.

        Raises:
            Misconfigured: when the file cannot be used or holds no such answer.
        """
        if endpoint.recording is None:
            raise Misconfigured(
                f"{endpoint.model} is a recorded seat without a file; name it as recording."
            )
        recordings = _recordings(endpoint.recording)
        found = next((recordings[p] for p in _places(request) if p in recordings), None)
        if found is None:
            raise Misconfigured(
                f"{endpoint.recording} holds no answer for {request.subject or 'this prompt'} "
                f"(question_id {request.facts.get('question_id')!r}). Record one, or seat a model."
            )
        return Completion(
            text=found.text,
            finish_reason=found.finish_reason,
            usage=found.usage,
            model=found.model or endpoint.model,
            via="recorded",
            flags=("recorded",),
        )


def _places(request: Request) -> Iterator[Place]:
    facts = request.facts
    if {"question_id", "juror"} <= facts.keys():
        yield str(facts["question_id"]), str(facts["juror"]), int(facts.get("round", 1))
    yield sha256_text(f"{request.system}\x00{request.user}")


def _recordings(name: str) -> dict[Place, Recording]:
    path = Path(name).expanduser()
    try:
        told = path.stat()
        if told.st_size > MAX_BYTES:
            raise Misconfigured(f"{path} is larger than {MAX_BYTES >> 20} MB.")
        return _read(path, told.st_mtime_ns, told.st_size)
    except (OSError, UnicodeDecodeError) as error:
        raise Misconfigured(f"The recordings {path} cannot be read: {error}") from error


@lru_cache(maxsize=8)
def _read(path: Path, _changed: int, _size: int) -> dict[Place, Recording]:
    """Read the file; the time and the size of its last change are there for the cache."""
    found: dict[Place, Recording] = {}
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                recording = Recording.model_validate_json(line)
            except ValidationError as error:
                raise Misconfigured(_complaint(path, number, error)) from error
            found.update(dict.fromkeys(recording.places(), recording))
    return found


def _complaint(path: Path, number: int, error: ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    return f"{path}, line {number}: {field + ': ' if field else ''}{first['msg']}."
