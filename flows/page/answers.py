"""The forms in which the page answers."""

import json
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response


class Json(Response):
    """JSON in ASCII: a model may say half a surrogate pair, for which UTF-8 has no bytes."""

    media_type = "application/json"

    def __init__(
        self,
        content: Any,
        status_code: int = 200,
        headers: Mapping[str, str] | None = None,
        media_type: str | None = None,
    ) -> None:
        """Take any value of JSON."""
        super().__init__(content, status_code, dict(headers or {}), media_type)

    def render(self, content: Any) -> bytes:
        """Return the bytes."""
        return dumps(content).encode()


def dumps(content: Any) -> str:
    """Return one line of ASCII JSON."""
    return json.dumps(content, separators=(",", ":"), allow_nan=False)
