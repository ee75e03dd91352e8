"""A run on the disk until its verdict is kept: what was asked, then what was heard, a line each.

A server that was killed carries it on when it comes back, and asks nobody twice.
"""

from collections.abc import Sequence
from io import RawIOBase
from pathlib import Path

from pydantic import ValidationError

from contracts.base import Record
from contracts.juror import Endpoint, JurorSpec, Roster
from contracts.opinion import Opinion
from contracts.question import Question
from flows.page.jobs import Job
from tasks.prompting import ask_request, prompt_sha256, reconsider_request, shown_to
from tasks.providers.base import Request
from tasks.stages import Stages

SUFFIX = ".jsonl"


class Line(Record):
    """One line: a job, each time that it was begun, or an opinion."""

    job: Job | None = None
    opinion: Opinion | None = None


class RunFile:
    """The file of one run. It is not flushed: a power cut, unlike a kill, may lose the last of it.

    Opinions are found again by the prompt that they answer.
    """

    def __init__(self, path: Path) -> None:
        """Read what is there; a last line that was not finished is left out."""
        self.path = path
        self.job: Job | None = None
        self._open: RawIOBase | None = None
        self._heard: dict[tuple[str, str, str], Opinion] = {}
        for raw in path.read_bytes().splitlines() if path.exists() else ():
            try:
                line = Line.model_validate_json(raw)
            except ValidationError:
                continue
            self.job = line.job or self.job
            if line.opinion is not None:
                found = line.opinion
                self._heard[found.juror, found.prompt_sha256, found.via] = found

    def begin(self, job: Job) -> None:
        """Write what is begun."""
        self._write(Line(job=job))

    def keep(self, opinion: Opinion) -> None:
        """Add an opinion."""
        self._write(Line(opinion=opinion))

    def close(self) -> None:
        """Let go of the file."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def remove(self) -> None:
        """Remove the file: the verdict is kept, or there will be none."""
        self.close()
        self.path.unlink(missing_ok=True)

    def before(self, stages: Stages) -> Stages:
        """Return stages that give what was heard already, and ask for the rest."""
        if not self._heard:
            return stages

        async def ask(question: Question, seat: JurorSpec, endpoint: Endpoint) -> Opinion:
            found = self._answer(seat, endpoint, ask_request(question, seat.name))
            return found or await stages.ask(question, seat, endpoint)

        async def reconsider(
            question: Question,
            seat: JurorSpec,
            endpoint: Endpoint,
            own: Opinion,
            opinions: Sequence[Opinion],
            roster: Roster,
        ) -> Opinion:
            shown = shown_to(question, seat.name, opinions, roster)
            request = reconsider_request(question, seat.name, own, shown)
            found = self._answer(seat, endpoint, request)
            return found or await stages.reconsider(question, seat, endpoint, own, opinions, roster)

        return stages._replace(ask=ask, reconsider=reconsider)

    def _answer(self, seat: JurorSpec, endpoint: Endpoint, request: Request) -> Opinion | None:
        return self._heard.get((seat.name, prompt_sha256(request), endpoint.provider))

    def _write(self, line: Line) -> None:
        if self._open is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._open = self.path.open("ab", buffering=0)
        text = line.model_dump_json(exclude_defaults=True)
        self._open.write(text.encode("utf-8", "replace") + b"\n")
