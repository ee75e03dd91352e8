"""Settings from the environment (COUNCIL_*). The only module that reads it."""

import os
from functools import lru_cache
from pathlib import Path
from typing import Self

from platformdirs import user_data_path
from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from contracts.errors import ConfigError
from contracts.evidence import PartialEvidence
from contracts.memory import Policy


def default_home() -> Path:
    """Return `<checkout>/data/local` in a checkout, else the per-user application directory."""
    root = Path(__file__).resolve().parent.parent
    if (root / "prefect.yaml").is_file() and (root / "contracts").is_dir():
        return root / "data" / "local"
    return user_data_path("council", appauthor=False)


class Settings(BaseSettings):
    """What a person may set without touching a file. Each field is COUNCIL_<NAME>."""

    model_config = SettingsConfigDict(env_prefix="COUNCIL_", extra="ignore", frozen=True)

    home: Path = Field(default_factory=default_home)
    """Where everything of a person's council lives."""
    roster: Path | None = None
    """Roster file; else `<home>/roster.toml`; else the embedded stand-ins."""
    offline: bool = False
    """Refuse every call that would leave the machine's loopback."""
    proxy: str | None = None
    """Proxy for calls beyond the machine. HTTP_PROXY and the like are not followed."""
    debate: bool = True
    quorum: int = Field(default=2, ge=1)
    quorum_share: float = Field(default=0.5, ge=0, le=1)
    partial_evidence: PartialEvidence = "allow"
    """`forbid` asks no juror when delegated evidence did not come whole."""
    attempts: int = Field(default=3, ge=1, le=10)
    """Tries of one call that failed in a way that may pass."""
    max_retry_wait_seconds: float = Field(default=60.0, gt=0)
    """A server that asks for a longer wait than this is not waited for."""
    server_port: int = Field(default=4280, ge=1, le=65535)
    """First port that `council up` tries."""
    token: SecretStr | None = None
    """What `council serve` asks for before it answers; it must be set where others can reach it."""
    hermes_bin: Path | None = None

    @field_validator("token")
    @classmethod
    def _a_blank_token_is_none(cls, token: SecretStr | None) -> SecretStr | None:
        return token if token and token.get_secret_value().strip() else None

    @model_validator(mode="after")
    def _home_is_absolute(self) -> Self:
        object.__setattr__(self, "home", self.home.expanduser().absolute())
        return self

    @property
    def policy(self) -> Policy:
        """The part of the settings that the judge goes by."""
        return Policy(
            quorum=self.quorum,
            quorum_share=self.quorum_share,
            debate=self.debate,
            partial_evidence=self.partial_evidence,
        )


@lru_cache(maxsize=1)
def settings() -> Settings:
    """Return the settings, read once.

    Raises:
        ConfigError: naming the variable whose value cannot be used.
    """
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors()[0]
        name = "_".join(str(part) for part in first["loc"]).upper()
        raise ConfigError(
            f"COUNCIL_{name}={first['input']!r} cannot be used: {first['msg']}. "
            "Correct the variable or unset it."
        ) from None


def secret(name: str) -> str | None:
    """Return the value of an environment variable that a roster names, None when unset or blank."""
    return os.environ.get(name, "").strip() or None


def environment(*names: str) -> dict[str, str]:
    """Return those of the named variables that are set: the minimal environment of a child."""
    return {name: os.environ[name] for name in names if name in os.environ}


def export(name: str, value: str) -> None:
    """Set a variable that a library reads when it is imported, unless a person set it."""
    os.environ.setdefault(name, value)
