"""Opinions that were heard, by the hash of everything that could change them.

The plain engine's counterpart of Prefect's result store: a question that was interrupted, or is
asked again, finds here what was paid for. Nothing depends on it; it may be deleted at any time.
"""

import itertools
import os
import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from pydantic import ValidationError

from contracts.base import sha256_text
from contracts.opinion import Opinion

_drafts = itertools.count()


class Heard:
    """The opinions that were heard in one home."""

    def __init__(self, home: Path) -> None:
        """Name the home; nothing is touched yet."""
        self._folder = home / "heard"

    def get(self, key: str, keep: timedelta | None = None) -> Opinion | None:
        """Return the opinion under `key`, None when there is none or it is older than `keep`."""
        path = self._path(key)
        with suppress(OSError, ValidationError):
            if keep is not None and time.time() - path.stat().st_mtime > keep.total_seconds():
                return None
            return Opinion.model_validate_json(path.read_bytes())
        return None

    def put(self, key: str, opinion: Opinion) -> None:
        """Keep an opinion: whole or not at all, also when the process is killed.

        It is not flushed to the disk: after a power cut it would be asked for again, no more.
        """
        path = self._path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(f".{os.getpid()}-{next(_drafts)}")
        draft.write_bytes(opinion.model_dump_json().encode())
        draft.replace(path)

    def _path(self, key: str) -> Path:
        name = sha256_text(key)
        return self._folder / name[:2] / f"{name}.json"
