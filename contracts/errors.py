"""Every exception of Council.

CouncilError                     shown to a person as one line, never as a traceback
├── UsageError                   the command or its input is wrong (exit 2)
│   ├── ConfigError              a setting or the roster
│   ├── QuestionError            the question cannot be asked as it stands
│   ├── SkillError               a SKILL.md that does not read
│   └── ContractError            a delegation contract that cannot be run
├── ProviderError                a juror could not be heard: becomes an abstention with `kind`
│   ├── RateLimited*             429, or an error body that says so
│   ├── ServerFault*             5xx, or a reply that is not the API's
│   ├── Unreachable*             no connection, TLS failure, reset
│   ├── ProviderTimeout*         the seat's time ran out
│   ├── EmptyReply*              200 with nothing in it
│   ├── AuthFailed               401, 403, no key
│   ├── ModelNotFound            404, unknown model
│   ├── BadRequest               400, 413, 422
│   ├── ContextOverflow          the prompt is longer than the model's window
│   ├── Refused                  content filter or a refusal field
│   ├── Truncated                cut at the token limit
│   ├── MissingBinary            the program that drives the provider is not there
│   ├── Misconfigured            the seat can never answer as it is configured
│   └── NetworkForbidden         COUNCIL_OFFLINE is set and the seat needs the network
├── StoreError
│   ├── NotFound                 no such deliberation, batch, query (exit 2)
│   ├── StoreDamaged             the database cannot be read; rebuild it from the journal
│   └── MigrationFailed
├── EngineError                  the Prefect server is needed and is not there
├── EvidenceMissing              evidence did not come as it must; no juror was asked (exit 4)
└── GateFailed                   a data gate stopped the run (exit 4)

An asterisk marks what may pass by itself: only those are retried. A hung jury, a missing quorum
and an abstention are values, not errors.
"""

from typing import Any, ClassVar


class CouncilError(Exception):
    """Root of the tree. The message says what went wrong, with which input, and what to do."""

    exit_code: ClassVar[int] = 1


class UsageError(CouncilError):
    """The command, or a file given to it, is wrong."""

    exit_code: ClassVar[int] = 2


class ConfigError(UsageError):
    """A setting or the roster is wrong."""


class QuestionError(UsageError):
    """The question cannot be asked as it stands."""


class SkillError(UsageError):
    """A SKILL.md does not read. The message names the line."""


class ContractError(UsageError):
    """A delegation contract cannot be run. The message names the field."""


class ProviderError(CouncilError):
    """A juror could not be heard.

    `kind` is the word under which it is recorded; `retry_after` (seconds) is what the server asked
    for, where it did; `exhausted` says that the program below has asked again already, so that
    asking once more would count the tries twice.
    """

    kind: ClassVar[str] = "failed"
    retryable: bool = False

    def __init__(
        self, message: str, *, retry_after: float | None = None, exhausted: bool = False
    ) -> None:
        """Keep the message, and the wait that the server asked for, in seconds."""
        super().__init__(message)
        self.retry_after = retry_after
        self.exhausted = exhausted
        if exhausted:
            self.retryable = False

    def __reduce__(self) -> tuple[object, ...]:
        """Survive pickling, which Prefect's result store does to exceptions."""
        state = {"retry_after": self.retry_after, "exhausted": self.exhausted}
        return (_rebuild, (type(self), str(self), state))


def _rebuild(cls: type[ProviderError], message: str, state: dict[str, Any]) -> ProviderError:
    return cls(message, **state)


class RateLimited(ProviderError):
    """The server asked for fewer calls."""

    kind = "rate_limited"
    retryable = True


class ServerFault(ProviderError):
    """The server failed, or what answered was not the API."""

    kind = "server_error"
    retryable = True


class Unreachable(ProviderError):
    """No connection could be made or kept."""

    kind = "unreachable"
    retryable = True


class ProviderTimeout(ProviderError):
    """The seat's time ran out."""

    kind = "timeout"
    retryable = True


class EmptyReply(ProviderError):
    """The call succeeded and brought nothing."""

    kind = "empty"
    retryable = True


class AuthFailed(ProviderError):
    """The key is missing, wrong, or not allowed."""

    kind = "auth"


class ModelNotFound(ProviderError):
    """The server does not serve that model."""

    kind = "model_not_found"


class BadRequest(ProviderError):
    """The server refuses the request as it is."""

    kind = "bad_request"


class ContextOverflow(ProviderError):
    """The prompt is longer than the model's window, or than the transport's limit."""

    kind = "context_overflow"


class Refused(ProviderError):
    """A content filter or the model itself declined."""

    kind = "refused"


class Truncated(ProviderError):
    """The answer was cut at the token limit before it was one."""

    kind = "truncated"


class MissingBinary(ProviderError):
    """The program that drives the provider is not there or cannot be run."""

    kind = "missing_binary"


class Misconfigured(ProviderError):
    """The seat can never answer as it is configured."""

    kind = "config"


class NetworkForbidden(ProviderError):
    """The network is switched off by COUNCIL_OFFLINE."""

    kind = "offline"


class StoreError(CouncilError):
    """The store could not do what was asked."""


class NotFound(StoreError):
    """Nothing is kept under that name."""

    exit_code: ClassVar[int] = 2


class StoreDamaged(StoreError):
    """The database cannot be read. It is derived: `council store rebuild` makes it again."""


class MigrationFailed(StoreError):
    """A migration did not apply."""


class EngineError(CouncilError):
    """A Prefect server is needed and none answers."""


class EvidenceMissing(CouncilError):
    """Evidence did not come as its contract or the policy demands. No juror was asked."""

    exit_code: ClassVar[int] = 4


class GateFailed(CouncilError):
    """A data gate stopped the run."""

    exit_code: ClassVar[int] = 4
