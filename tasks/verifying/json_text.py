"""Read JSON that was written by somebody else: strictly, and within bounds."""

import json
import math
from collections import Counter
from typing import Any, NoReturn

MAX_DEPTH = 100
MAX_NODES = 500_000


class BadJson(ValueError):
    """The text is not JSON that everyone reads alike. The message says why."""


def read_json(text: str) -> Any:
    """Return the document in `text`.

    Refused beside faulty syntax: a key given twice in one object, NaN and infinity (spelled or by
    overflow), half a surrogate pair, more than 100 levels, more than 500,000 values.

    Raises:
        BadJson: saying what is wrong.
    """
    try:
        document = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse)
    except BadJson:
        raise
    except RecursionError:
        raise BadJson(f"is nested deeper than {MAX_DEPTH} levels") from None
    except ValueError as error:
        raise BadJson(f"is not JSON: {str(error)[:120]}") from None
    _check_bounds(document)
    return document


def at(document: Any, pointer: str) -> Any:
    """Return the value at an RFC 6901 pointer.

    Raises:
        BadJson: nothing is there.
    """
    value = document
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        try:
            value = value[_index(key) if isinstance(value, list) else key]
        except (LookupError, TypeError):
            raise BadJson(f"has nothing at {pointer}") from None
    return value


def _index(token: str) -> int:
    if not (token.isascii() and token.isdigit()) or len(token) > len(str(MAX_NODES)):
        raise LookupError(token)
    return int(token)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    whole = dict(pairs)
    if len(whole) != len(pairs):
        twice = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise BadJson(f"has the key {twice[:60]!r} twice in one object")
    return whole


def _refuse(constant: str) -> NoReturn:
    raise BadJson(f"holds {constant}, which is not a JSON number")


def _check_bounds(document: Any) -> None:
    level, nodes, depth = [document], 0, 0
    while level:
        nodes, depth = nodes + len(level), depth + 1
        if depth > MAX_DEPTH:
            raise BadJson(f"is nested deeper than {MAX_DEPTH} levels")
        if nodes > MAX_NODES:
            raise BadJson(f"holds more than {MAX_NODES:,} values")
        deeper: list[Any] = []
        for value in level:
            if isinstance(value, dict):
                deeper.extend(value.values())
                _check_text("".join(value))
            elif isinstance(value, list):
                deeper.extend(value)
            else:
                _check_leaf(value)
        level = deeper


def _check_leaf(value: Any) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise BadJson("holds a number beyond what a JSON reader can take")
    if isinstance(value, str):
        _check_text(value)


def _check_text(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadJson("holds half a surrogate pair, which is no text") from None
