"""The primitives: one file, one check, one result. Pure: the bytes are already in hand."""

from typing import Any, NoReturn, assert_never

from contracts.checks import (
    CheckResult,
    CountAtLeast,
    FileCheck,
    FileContains,
    FileExists,
    FileMatches,
    JsonKeys,
    JsonSchemaOk,
    RowsEachHave,
    Sha256Is,
)
from tasks.verifying.content import Content, Failed, kind_of
from tasks.verifying.patterns import Timeless, finds
from tasks.verifying.schema import fault

MAX_SHOWN = 200
IMPLICIT = frozenset({"delivered", "child_finished", "nothing_outside"})
"""Checks that need not stand in a contract."""


def run_check(check: FileCheck, content: Content) -> CheckResult:
    """Return what `check` finds in `content`."""
    expected = check.describe()
    try:
        found = _findings(check, content)
    except (Failed, Timeless) as error:
        return result(check.check, check.path, str(error), expected, recoverable=check.recoverable)
    return result(check.check, check.path, None, expected, found=found)


def result(
    check: str,
    path: str | None,
    problem: str | None,
    expected: str,
    *,
    found: str = "as expected",
    absent: bool = False,
    recoverable: bool = True,
) -> CheckResult:
    """Return the record of one check; `problem` None means that it passed.

    The sentence says what was wanted only for the contract's own checks: of a file that is not
    there, or a child that ran out of time, nobody needs to be told.
    """
    expected = shown(expected)
    text = shown(found if problem is None else problem)
    plain = problem is None or check in IMPLICIT
    wanted = "" if plain else f" (wanted: it {expected})"
    return CheckResult(
        check=check,
        path=path,
        ok=problem is None,
        expected=expected,
        found=text,
        sentence=f"{shown(path or 'the work')} {text}{wanted}",
        absent=absent,
        recoverable=recoverable,
    )


def shown(text: str) -> str:
    """Return `text` on one line, short, without characters that steer a terminal."""
    line = " ".join(text.split())
    if not line.isprintable():
        line = "".join(char if char.isprintable() else "�" for char in line)
    return line if len(line) <= MAX_SHOWN else f"{line[: MAX_SHOWN - 1]}…"


def check_promise(content: Content) -> str | None:
    """Return how the file breaks its deliverable's own promises, None when it keeps them."""
    deliverable = content.deliverable
    size = len(content.data)
    if size < deliverable.min_bytes:
        return f"has {size} bytes; at least {deliverable.min_bytes} are wanted"
    if size and not content.data.strip(b"\0"):
        return "holds nothing but NUL bytes"
    try:
        if deliverable.is_text:
            _is_text(content)
        if deliverable.is_json:
            _satisfies(deliverable.json_schema or {}, content.document)
        if deliverable.is_rows:
            _satisfies(_each(deliverable.json_schema or {}), content.rows(""))
    except Failed as error:
        return str(error)
    return None


def _is_text(content: Content) -> None:
    content.check_text()
    if content.deliverable.min_bytes and content.is_blank:
        raise Failed("is blank")


def _each(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an array of what satisfies `schema`, whose `#` stays its own root."""
    dialect = {"$schema": schema["$schema"]} if "$schema" in schema else {}
    return {**dialect, "items": {"$id": "urn:council:row", **schema}} if schema else {}


def _satisfies(schema: dict[str, Any], value: Any) -> None:
    violation = fault(schema, value) if schema else None
    if violation:
        raise Failed(f"breaks its schema: {violation}")


def _findings(check: FileCheck, content: Content) -> str:  # noqa: PLR0911 (one case a check)
    match check:
        case FileExists():
            return "is there"
        case FileContains():
            return _contains(check, content)
        case FileMatches():
            return "matches" if finds(check.pattern, content.text) else _fail("does not match")
        case JsonSchemaOk():
            violation = fault(check.json_schema, content.document)
            return _fail(f"breaks the schema: {violation}") if violation else "satisfies the schema"
        case JsonKeys():
            return _has_keys(check, content)
        case CountAtLeast():
            return _counts(check, content)
        case RowsEachHave():
            return _rows_filled(check, content)
        case Sha256Is():
            same = content.sha256 == check.content_sha256
            return "has that hash" if same else _fail(f"has the hash {content.sha256}")
        case _:
            assert_never(check)


def _contains(check: FileContains, content: Content) -> str:
    content.check_text()
    times = content.data.count(check.text.encode("utf-8", "replace"))
    if times < check.times:
        _fail(f"contains it {times} times" if times else "does not contain it")
    return f"contains it {times} times"


def _has_keys(check: JsonKeys, content: Content) -> str:
    value = content.value_at(check.at)
    if not isinstance(value, dict):
        _fail(f"has {kind_of(value)} where an object is wanted")
    lacking = [key for key in check.keys if key not in value]
    return _fail(f"lacks the keys {', '.join(lacking)}") if lacking else "has the keys"


def _counts(check: CountAtLeast, content: Content) -> str:
    if check.of == "lines":
        count = sum(1 for line in content.text.splitlines() if line.strip())
    elif check.of == "rows":
        count = len(content.rows(check.at))
    else:
        value = content.value_at(check.at)
        if not isinstance(value, list | dict):
            _fail(f"has {kind_of(value)} where items are wanted")
        count = len(value)
    return _fail(f"has {count} {check.of}") if count < check.count else f"has {count} {check.of}"


def _rows_filled(check: RowsEachHave, content: Content) -> str:
    rows = content.rows(check.at)
    if not rows:
        _fail("has no rows")
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            _fail(f"has {kind_of(row)} as row {number}, where an object is wanted")
        empty = [name for name in check.fields if not _filled(row.get(name))]
        if empty:
            _fail(f"row {number} does not fill {', '.join(empty)}")
    return f"fills them in {len(rows)} rows"


def _filled(value: Any) -> bool:
    return value is not None and (not isinstance(value, str) or bool(value.strip()))


def _fail(found: str) -> NoReturn:
    raise Failed(found)
