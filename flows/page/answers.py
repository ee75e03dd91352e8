"""The forms in which the page answers."""

import json
from typing import Any

from starlette.responses import JSONResponse


class Json(JSONResponse):
    """JSON in ASCII: a model may say half a surrogate pair, for which UTF-8 has no bytes."""

    def render(self, content: Any) -> bytes:
        """Return the bytes."""
        return dumps(content).encode()


def dumps(content: Any) -> str:
    """Return one line of ASCII JSON."""
    return json.dumps(content, separators=(",", ":"), allow_nan=False)
