"""A second process, in which the questions of a batch are deliberated by the plain stages.

Python runs one thread of a process at a time, and what Prefect does about a task takes as long as
what the council does about a whole question. In two processes the two go on at once.

The processes write each other one JSON document a line over a pair of sockets. When the first one
ends, however it does, the second one reads the end of the line and ends as well.
"""

import asyncio
import socket
import sys
import traceback
from contextlib import suppress
from types import TracebackType
from typing import Self

from contracts import errors
from contracts.base import Record
from contracts.batch import Batch, BatchItem, Settled
from contracts.errors import CouncilError, EngineError
from contracts.settings import Settings
from tasks.batches import RunOne, plain_runner
from tasks.calm import rare_collections

LINE_BYTES = 1 << 26
"""The longest line that is read; a question with its context is far below it."""
END_SECONDS = 5.0
"""How long the second process may take to end before it is killed."""


class _Opening(Record):
    """The first line: what every question has in common."""

    settings: Settings
    batch: Batch
    flow_run_id: str | None


class _Answer(Record):
    """What came of one question: how it ended, or the error that it ended with."""

    key: str
    settled: Settled | None = None
    error: str = ""
    """Name of its class."""
    text: str = ""


class SideProcess:
    """Deliberates a batch's questions in a process of their own.

    It starts when the block is entered, which does not wait for it, and has ended when the block
    is left.
    """

    def __init__(self, settings: Settings, batch: Batch, *, flow_run_id: str | None = None) -> None:
        """Name what every question has in common; nothing is started yet."""
        shared = batch.model_copy(update={"items": ()})
        self._opening = _Opening(settings=settings, batch=shared, flow_run_id=flow_run_id)
        self._waiting: dict[str, asyncio.Future[Settled]] = {}

    async def __aenter__(self) -> Self:
        """Start the process."""
        ours, theirs = socket.socketpair()
        number = theirs.fileno()
        with theirs:
            self._process = await asyncio.create_subprocess_exec(
                # -P: the folder that a person is in is no place to find modules.
                *(sys.executable, "-P", "-m", "tasks.side_process", str(number)),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                pass_fds=(number,),
                # Ctrl-C is for the first process, which ends this one.
                start_new_session=True,
            )
        self._reader, self._writer = await asyncio.open_connection(sock=ours, limit=LINE_BYTES)
        self._hearing = asyncio.create_task(self._hear())
        _write(self._writer, self._opening)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Have the process end; it leaves what it has in hand."""
        self._writer.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), END_SECONDS)
        if self._process.returncode is None:
            self._process.kill()
        await self._hearing

    async def __call__(self, item: BatchItem) -> Settled:
        """Return what became of the question.

        Raises:
            CouncilError: as the deliberation raised it.
            EngineError: when the process has ended, or the deliberation failed otherwise.
        """
        if self._hearing.done():
            raise self._gone()
        told: asyncio.Future[Settled] = asyncio.get_running_loop().create_future()
        self._waiting[item.key] = told
        _write(self._writer, item)
        return await told

    async def _hear(self) -> None:
        try:
            with suppress(ConnectionError):
                async for line in self._reader:
                    self._settle(_Answer.model_validate_json(line))
        except ValueError:
            # A line that is no answer: none of the following can be believed.
            with suppress(ProcessLookupError):
                self._process.kill()
        await self._process.wait()
        for told in self._waiting.values():
            if not told.done():
                told.set_exception(self._gone())

    def _settle(self, answer: _Answer) -> None:
        told = self._waiting.pop(answer.key)
        if told.done():
            return
        if answer.settled is None:
            told.set_exception(_raised(answer))
        else:
            told.set_result(answer.settled)

    def _gone(self) -> EngineError:
        code, batch_id = self._process.returncode, self._opening.batch.batch_id
        return EngineError(
            f"the process that deliberates ended with {code}; "
            f"`council batch --resume {batch_id}` carries on"
        )


def _raised(answer: _Answer) -> CouncilError:
    """Return the error that the answer tells of."""
    known = getattr(errors, answer.error, None)
    if isinstance(known, type) and issubclass(known, CouncilError):
        return known(answer.text)
    return EngineError(f"a question could not be deliberated: {answer.text}")


def _write(writer: asyncio.StreamWriter, record: Record) -> None:
    writer.write(record.model_dump_json().encode() + b"\n")


async def _answer(run_one: RunOne, item: BatchItem, writer: asyncio.StreamWriter) -> None:
    try:
        answer = _Answer(key=item.key, settled=await run_one(item))
    except Exception as error:  # noqa: BLE001 - the first process raises it
        known = isinstance(error, CouncilError)
        told = str(error) if known else "".join(traceback.format_exception(error))
        # What a model wrote may hold half a character, which JSON has no bytes for.
        text = told.encode("utf-8", "replace").decode()
        answer = _Answer(key=item.key, error=type(error).__name__, text=text)
    _write(writer, answer)


async def _serve(link: socket.socket) -> None:
    """Deliberate what is read, until the end of the line; what is in hand then is left."""
    reader, writer = await asyncio.open_connection(sock=link, limit=LINE_BYTES)
    opening = _Opening.model_validate_json(await reader.readline())
    run_one = plain_runner(opening.settings, opening.batch, flow_run_id=opening.flow_run_id)
    begun: set[asyncio.Task[None]] = set()
    with rare_collections():
        async for line in reader:
            item = BatchItem.model_validate_json(line)
            task = asyncio.create_task(_answer(run_one, item, writer))
            begun.add(task)
            task.add_done_callback(begun.discard)


if __name__ == "__main__":
    asyncio.run(_serve(socket.socket(fileno=int(sys.argv[1]))))
