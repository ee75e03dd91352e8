"""The audit trail of delegated work: `<home>/audit.jsonl`, a row a line, each chained to the last.

A row carries the SHA-256 of the row before it, so a line that was changed, removed, put in or moved
breaks the chain at a place that `verify` names. `audit.head` holds how many rows there are and the
hash of the last, so that a cut tail shows too. Rows are appended under a file lock and are on the
disk when `append` returns; a full file is renamed to `audit-000001.jsonl` and the chain goes on in
the next.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from filelock import FileLock

from contracts.delegation import AuditRow, StepName
from contracts.errors import StoreDamaged
from data.files import flush, make_directory, sync_directory

ROTATE_BYTES = 16 * 1024 * 1024
"""A file that has grown beyond this is closed and the next begun."""

POLL_SECONDS = 0.01

GENESIS = "0" * 64
"""What the first row has in the place of the row before it."""


class Head(NamedTuple):
    """Where the chain ends."""

    rows: int
    sha256: str


class AuditReport(NamedTuple):
    """What a check of the whole chain found."""

    rows: int
    """That hold, up to the first that does not."""
    broken: str | None
    """The first line that does not hold, and why; None when all do."""


class _Line(NamedTuple):
    place: str
    text: bytes


def append(home: Path, row: AuditRow, *, rotate_bytes: int = ROTATE_BYTES) -> str:
    """Add one row, and return its hash (64 hex characters). Many processes may do so at once.

    Raises:
        StoreDamaged: neither the last row nor `audit.head` reads: nothing can be chained on.
        OSError: the disk is full or `home` cannot be written.
    """
    make_directory(home)
    current = home / "audit.jsonl"
    with FileLock(home / "audit.lock", poll_interval=POLL_SECONDS):
        _drop_torn_line(current)
        end = _end(home)
        line, digest = _line(end, row)
        if current.exists() and current.stat().st_size >= rotate_bytes:
            current.rename(home / f"audit-{len(_closed(home)) + 1:06}.jsonl")
        with current.open("ab") as file:
            file.write(line)
            flush(file)
        _write_head(home, Head(end.rows + 1, digest))
    return digest


def read(
    home: Path, *, since: datetime | None = None, status: StepName | None = None
) -> Iterator[AuditRow]:
    """Yield the rows, oldest first: from `since` on, and of one `status`, where given.

    Raises:
        StoreDamaged: naming a line that does not read.
    """
    for line in _lines(home):
        try:
            row = AuditRow.model_validate(json.loads(line.text)["row"])
        except (ValueError, LookupError, TypeError):
            raise StoreDamaged(
                f"{line.place} of {home} does not read; `council audit verify` says more."
            ) from None
        if (since is None or row.at >= since) and status in {None, row.status}:
            yield row


def verify(home: Path) -> AuditReport:
    """Return whether every row is chained to the one before it, and the first that is not."""
    end = Head(0, GENESIS)
    for line in _lines(home):
        found = _holds(line.text, end)
        if isinstance(found, str):
            return AuditReport(end.rows, f"{line.place} {found}")
        end = found
    return AuditReport(end.rows, _cut_off(_read_head(home), end))


def _line(end: Head, row: AuditRow) -> tuple[bytes, str]:
    body = {"seq": end.rows + 1, "previous_sha256": end.sha256, "row": row.model_dump(mode="json")}
    digest = hashlib.sha256(_canonical(body)).hexdigest()
    return _canonical({**body, "sha256": digest}) + b"\n", digest


def _holds(text: bytes, before: Head) -> Head | str:
    """Return the end of the chain with this line, or why it is not the next."""
    try:
        whole = json.loads(text)
        body = {key: whole[key] for key in ("seq", "previous_sha256", "row")}
        digest = whole["sha256"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return "does not read as a row"
    if body["seq"] != before.rows + 1:
        return f"is row {body['seq']} where row {before.rows + 1} is due: rows are missing or moved"
    if body["previous_sha256"] != before.sha256:
        return "is not chained to the row before it"
    if hashlib.sha256(_canonical(body)).hexdigest() != digest:
        return "was changed: its content does not have its hash"
    if _canonical({**body, "sha256": digest}) != text:
        return "was changed: it is not as it was written"
    return Head(body["seq"], digest)


def _cut_off(head: Head | None, end: Head) -> str | None:
    # A crash between the row and the head leaves the head one row behind, which is no damage.
    if head is None:
        return "audit.head is missing or does not read" if end.rows else None
    if head.rows > end.rows:
        return f"the last {head.rows - end.rows} of {head.rows} rows are missing"
    if head.rows == end.rows and head.sha256 != end.sha256:
        return f"row {end.rows} is not the one that audit.head knows"
    return None


def _end(home: Path) -> Head:
    head, last = _read_head(home), _last_line(home)
    if last is None:
        return head or Head(0, GENESIS)
    try:
        whole = json.loads(last)
        written = Head(int(whole["seq"]), str(whole["sha256"]))
    except (ValueError, LookupError, TypeError, RecursionError):
        if head is None:
            raise StoreDamaged(
                f"The last row of {home / 'audit.jsonl'} does not read. Move the file aside; "
                "`council audit verify` tells what is wrong with it."
            ) from None
        return head
    # Rows that were cut off stay visible: the chain goes on from what the head knows.
    return written if head is None or written.rows >= head.rows else head


def _lines(home: Path) -> Iterator[_Line]:
    for file in [*_closed(home), home / "audit.jsonl"]:
        if not file.exists():
            continue
        with file.open("rb") as lines:
            for number, text in enumerate(lines, start=1):
                if text.endswith(b"\n"):
                    yield _Line(f"{file.name} line {number}", text[:-1])


def _closed(home: Path) -> list[Path]:
    return sorted(home.glob("audit-[0-9][0-9][0-9][0-9][0-9][0-9].jsonl"))


def _last_line(home: Path) -> bytes | None:
    for file in [home / "audit.jsonl", *reversed(_closed(home))]:
        if file.exists() and file.stat().st_size:
            return _tail(file).removesuffix(b"\n").rsplit(b"\n", 1)[-1]
    return None


def _tail(file: Path) -> bytes:
    """Return the end of the file, from before the start of its last line on."""
    with file.open("rb") as lines:
        size, span = lines.seek(0, os.SEEK_END), 64 * 1024
        while True:
            lines.seek(max(0, size - span))
            data = lines.read()
            if span >= size or data.count(b"\n") > 1:
                return data
            span *= 2


def _drop_torn_line(file: Path) -> None:
    """Remove a row whose writer died in the middle of it: nobody was told that it was kept."""
    if not file.exists() or not file.stat().st_size:
        return
    tail = _tail(file)
    if not tail.endswith(b"\n"):
        os.truncate(file, file.stat().st_size - len(tail) + tail.rfind(b"\n") + 1)


def _read_head(home: Path) -> Head | None:
    try:
        fields = json.loads((home / "audit.head").read_bytes())
        return Head(int(fields["rows"]), str(fields["sha256"]))
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _write_head(home: Path, head: Head) -> None:
    scratch = home / "audit.head.new"
    with scratch.open("wb") as file:
        file.write(_canonical(head._asdict()))
        flush(file)
    scratch.replace(home / "audit.head")
    sync_directory(home)


def _canonical(value: dict[str, Any]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()
