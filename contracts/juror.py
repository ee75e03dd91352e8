"""The seats of the council: who answers, through what, within which limits."""

from typing import Literal, Self

from pydantic import Field, model_validator

from contracts.base import Record

ProviderName = Literal[
    "offline", "openai_compatible", "local", "recorded", "hermes", "hermes_server"
]
Locality = Literal["hosted", "local"]


class Endpoint(Record):
    """One way to reach a model."""

    provider: ProviderName
    model: str = Field(min_length=1)
    base_url: str | None = None
    """Address of an OpenAI-compatible API, `/v1` included."""
    api_key_env: str | None = None
    """Name of the environment variable that holds the key; never the key itself."""
    hermes_provider: str | None = None
    """For `hermes`: the provider's name in Hermes' own configuration."""
    locality: Locality = "hosted"
    timeout_seconds: float = Field(default=120.0, gt=0, le=3600)
    """For one call, from start to last byte."""
    max_tokens: int = Field(default=1200, gt=0, le=1_000_000)
    temperature: float | None = Field(default=0.2, ge=0, le=2)
    """None leaves the server's own default."""
    stream: bool = False
    """For `openai_compatible`: asks for a stream, for servers or gateways that cut silent calls."""
    max_concurrency: int | None = Field(default=None, gt=0)
    """Calls in flight at once to this provider and address, over all seats that share it."""
    requests_per_minute: float | None = Field(default=None, gt=0)
    recording: str | None = None
    """For `recorded`: a JSON lines file of earlier answers."""


class JurorSpec(Endpoint):
    """A seat: a name, a model family and the endpoint that answers for it."""

    name: str = Field(min_length=1, max_length=60)
    family: str = ""
    """Models of one family tend to err together."""
    alternates: tuple[Endpoint, ...] = ()
    """Asked in order when the endpoint itself fails."""

    @property
    def endpoint(self) -> Endpoint:
        """The seat's own endpoint, without what makes it a seat."""
        fields = Endpoint.model_fields
        return Endpoint(**{name: getattr(self, name) for name in fields})


class Roster(Record):
    """Who sits on the council."""

    name: str = "default"
    jurors: tuple[JurorSpec, ...] = Field(min_length=1, max_length=64)
    allow_stand_in: bool = False
    """Whether a seat whose endpoints all fail may be filled by the deterministic stand-in."""
    foreman: Endpoint | None = None
    """Who puts verdicts into words; None takes the template, which costs nothing."""

    @model_validator(mode="after")
    def _names_are_unique(self) -> Self:
        seen: set[str] = set()
        for juror in self.jurors:
            key = juror.name.casefold().strip()
            if key in seen:
                raise ValueError(f"two seats are named {juror.name!r}; a juror votes once")
            seen.add(key)
        return self
