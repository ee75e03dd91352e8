"""What every provider is: a completion asked for, a completion given, or a ProviderError."""

from typing import Any, Protocol

from pydantic import Field

from contracts.base import Record
from contracts.juror import Endpoint
from contracts.opinion import Usage


class Request(Record):
    """One prompt to one endpoint."""

    system: str
    user: str
    json_schema: dict[str, Any] | None = None
    """Shape that is asked for where the server takes one."""
    options: tuple[str, ...] = ()
    """For providers that score options rather than write: their names, in letter order."""
    seed: int = 0
    """For the deterministic providers."""
    subject: str = ""
    """Who asks what, for messages: `Ada, round 1`."""
    facts: dict[str, Any] = Field(default_factory=dict)
    """What the prompt was made from, for the stand-in and the recorded provider, which read no
    prose: question_id, question, topic, round, juror, own (stance), shown (positions)."""


class Completion(Record):
    """What came back. `text` is never empty."""

    text: str
    finish_reason: str | None = None
    """`stop`, `length` …, as the server says."""
    usage: Usage = Usage()
    model: str = ""
    """The model that answered, as the server names it."""
    via: str = ""
    provider_version: str | None = None
    session_id: str | None = None
    simulated: bool = False
    flags: tuple[str, ...] = ()


class Provider(Protocol):
    """A way to ask. It makes one call and never retries."""

    async def complete(self, endpoint: Endpoint, request: Request) -> Completion:
        """Return the completion.

        Raises:
            ProviderError: one of its subclasses, with the true cause.
        """
        ...
