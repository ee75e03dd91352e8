"""Who work is given to: any program that takes a prompt and leaves files."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from contracts.delegation import DelegationContract
from contracts.errors import ProviderError
from tasks.providers.process import child_environment, run_process

REPLY_BYTES = 1_000_000
"""Of a child's standard output; more is dropped."""


class Errand(NamedTuple):
    """One attempt, as the child gets it."""

    prompt: str
    folder: Path
    """Fresh; the child's working directory."""
    seconds: float
    """After which the child is ended."""
    contract: DelegationContract
    """What is still wanted. For children that read no prose."""
    attempt: int = 1


class ChildReply(NamedTuple):
    """What came back beside the files."""

    text: str
    exit_code: int | None = None
    timed_out: bool = False
    session_id: str | None = None
    tokens: int | None = None
    """Of the child and of its own children, where it says."""
    cost_usd: float | None = None
    simulated: bool = False
    """No model was asked."""
    failure: ProviderError | None = None
    """Why the child ended without having done its turn, where it says so itself."""


class Child(Protocol):
    """Something that work can be given to."""

    @property
    def name(self) -> str:
        """The word under which it is recorded."""
        ...

    async def run(self, errand: Errand) -> ChildReply:
        """Do the work in `errand.folder`, and end within `errand.seconds`.

        Raises:
            ProviderError: the child could not be started or reached.
        """
        ...


class CommandChild:
    """A program on this machine: the prompt is its standard input, what it prints its reply."""

    name = "command"

    def __init__(self, argv: Sequence[str], passes: Sequence[str] = ("HOME",)) -> None:
        """Name the program and its arguments.

        Args:
            argv: As the program gets them; no shell is involved.
            passes: Environment variables that it gets beside search path, locale, certificates and
                proxies. No key is passed on unless it is named here.
        """
        self.argv = tuple(argv)
        self.passes = tuple(passes)

    async def run(self, errand: Errand) -> ChildReply:
        """Run the program in the errand's folder.

        Raises:
            MissingBinary: it is not there or cannot be executed.
        """
        ended = await run_process(
            self.argv,
            cwd=errand.folder,
            env=child_environment({}, *self.passes),
            timeout_seconds=errand.seconds,
            stdin=errand.prompt.encode("utf-8", "replace"),
            stdout_cap=REPLY_BYTES,
        )
        return ChildReply(text=ended.stdout, exit_code=ended.returncode, timed_out=ended.timed_out)
