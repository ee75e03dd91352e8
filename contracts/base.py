"""The one base of every record: frozen, closed, with a canonical form."""

import hashlib
import json
from typing import Any

from pydantic import BaseModel, ConfigDict

MAX_CELL = 1_000_000
"""Characters of one cell of a table. Every reader sets it: csv keeps one limit a process."""


class Record(BaseModel):
    """An immutable value. Unknown fields are refused; equal records have equal bytes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def canonical_json(self) -> str:
        """Return the record as JSON with sorted keys and no spaces: the form that is hashed."""
        return canonical_json(self.model_dump(mode="json"))

    def sha256(self) -> str:
        """Return the hex SHA-256 of the canonical form (64 characters)."""
        return sha256_text(self.canonical_json())


def canonical_json(value: Any) -> str:
    """Return `value` as JSON with sorted keys and no spaces.

    Raises:
        ValueError: for NaN or infinity, which JSON has no word for.
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def sha256_text(text: str) -> str:
    """Return the hex SHA-256 of `text` in UTF-8 (lone surrogates are replaced)."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
