"""JSON Schema within bounds: no network, no endless pattern, no endless recursion.

The rules are jsonschema's. A document that a child wrote can make an innocent schema expensive (a
pattern that backtracks, branches that double at each level), so patterns and the whole get a time,
and `uniqueItems` a linear method.
"""

import time
from collections.abc import Hashable, Iterator
from contextvars import ContextVar
from functools import cache
from typing import Any

from tasks.verifying.patterns import Timeless, finds

SECONDS = 4.0
"""Of this thread's CPU time, for one document."""

_deadline: ContextVar[float] = ContextVar("deadline")


class BadSchema(ValueError):
    """A schema that cannot be used. The message says why."""


class _TooLong(Exception):
    """The time is used up."""


def check_schema(schema: dict[str, Any]) -> None:
    """Refuse a schema that is none, or that would need the network or `patternProperties`.

    Raises:
        BadSchema: saying what is wrong, and where.
    """
    from jsonschema.exceptions import SchemaError  # noqa: PLC0415 (0.2 s, only where a schema is)
    from jsonschema.validators import Draft202012Validator, validator_for  # noqa: PLC0415

    for key, value in _members(schema):
        if key in {"$ref", "$dynamicRef"} and not str(value).startswith("#"):
            raise BadSchema(f"{key} {value!r} leads outside the schema; use #/$defs")
        if key == "patternProperties":
            raise BadSchema("patternProperties cannot be checked within bounds; name the keys")
    try:
        validator_for(schema, default=Draft202012Validator).check_schema(schema)
    except SchemaError as error:
        raise BadSchema(f"at {error.json_path}: {error.message[:200]}") from None


def fault(schema: dict[str, Any], document: Any) -> str | None:
    """Return what the first violation is and where, None when the document satisfies the schema."""
    from referencing import Registry  # noqa: PLC0415
    from referencing.exceptions import Unresolvable  # noqa: PLC0415

    token = _deadline.set(time.thread_time() + SECONDS)
    try:
        validator = _validator(schema.get("$schema"))(schema, registry=Registry())
        error = next(validator.iter_errors(document), None)
    except _TooLong:
        return f"took more than {SECONDS:g} s to judge by its schema"
    except RecursionError:
        return "is nested deeper than its schema can follow"
    except Unresolvable as unresolved:
        return (
            f"cannot be judged: the schema refers to {unresolved.ref!r}, which it does not define"
        )
    finally:
        _deadline.reset(token)
    return None if error is None else f"at {error.json_path}: {error.message[:200]}"


@cache
def _validator(dialect: str | None) -> Any:
    from jsonschema import validators  # noqa: PLC0415

    base = validators.validator_for({"$schema": dialect}, default=validators.Draft202012Validator)
    rules = {**base.VALIDATORS, "pattern": _pattern, "uniqueItems": _unique_items}
    timed = {name: _timed(rule) for name, rule in rules.items()}
    return validators.extend(base, timed)  # type: ignore[no-untyped-call]


def _timed(rule: Any) -> Any:
    def apply(validator: Any, value: Any, instance: Any, schema: Any) -> Any:
        if time.thread_time() > _deadline.get():
            raise _TooLong
        return rule(validator, value, instance, schema)

    return apply


def _pattern(_: Any, pattern: str, instance: Any, __: Any) -> Iterator[Exception]:
    from jsonschema.exceptions import ValidationError  # noqa: PLC0415

    if not isinstance(instance, str):
        return
    try:
        found = finds(pattern, instance)
    except Timeless as error:
        yield ValidationError(str(error))
    else:
        if not found:
            yield ValidationError(f"{instance[:60]!r} does not match {pattern!r}")


def _unique_items(_: Any, wanted: Any, instance: Any, __: Any) -> Iterator[Exception]:
    from jsonschema.exceptions import ValidationError  # noqa: PLC0415

    items = instance if wanted and isinstance(instance, list) else []
    if len({_value(item) for item in items}) != len(items):
        yield ValidationError("has items that are the same")


def _value(item: Any) -> Hashable:
    """Return what two JSON values have in common when they are equal: 1 is 1.0 and not true."""
    if isinstance(item, dict):
        return frozenset((key, _value(value)) for key, value in item.items())
    if isinstance(item, list):
        return tuple(map(_value, item))
    return ("bool", item) if isinstance(item, bool) else item


def _members(schema: Any) -> Iterator[tuple[str, Any]]:
    stack = [schema]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            yield from value.items()
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)
