"""Reads a file of outcomes strictly: every row says what was right, or is a named fault."""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from contracts.base import MAX_CELL
from contracts.batch import Batch
from contracts.errors import ConfigError

COLUMNS = ("deliberation_id", "batch_id", "key", "right", "by", "note")
MAX_BYTES = 100_000_000


class OutcomeRow(NamedTuple):
    """One row: which deliberation, and what was right."""

    row: int
    """Line of the file, from 1."""
    deliberation_id: str
    right: str
    by: str | None
    note: str
    named: str
    """The deliberation as the row names it, for messages."""


class RowFault(NamedTuple):
    """A row that cannot be recorded, and why."""

    row: int
    why: str


def read_outcome_file(path: Path) -> tuple[tuple[OutcomeRow, ...], tuple[RowFault, ...]]:
    """Return the rows of a csv or jsonl file and those that do not read.

    Columns: `right`, and `deliberation_id` or `batch_id` and `key`; as wanted `by` and `note`.

    Raises:
        ConfigError: for a file that as a whole cannot be read: missing, empty, not UTF-8, of
            another kind, with columns that are not known.
    """
    readers = {".csv": _csv_rows, ".jsonl": _jsonl_rows, ".ndjson": _jsonl_rows}
    reader = readers.get(path.suffix.casefold())
    if reader is None:
        raise ConfigError(f"{path}: outcomes are csv or jsonl, by the file's ending")
    rows: list[OutcomeRow] = []
    faults: list[RowFault] = []
    for number, cells in reader(_text(path), path):
        found = cells if isinstance(cells, str) else _row(number, cells)
        if isinstance(found, str):
            faults.append(RowFault(number, found))
        else:
            rows.append(found)
    if not rows and not faults:
        raise ConfigError(f"{path}: no row in it")
    return tuple(rows), tuple(faults)


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ConfigError(f"{path}: larger than {MAX_BYTES:,} bytes; split it")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8 ({error.reason} at byte {error.start})") from error


def _row(number: int, cells: Mapping[str, Any]) -> OutcomeRow | str:
    """Return the row, or what is wrong with it."""
    if unknown := [name for name in cells if name not in COLUMNS]:
        return f"unknown column {', '.join(map(repr, unknown))}; known are {', '.join(COLUMNS)}"
    wrong = [name for name, value in cells.items() if not isinstance(value, str | int | None)]
    if wrong:
        return f"{wrong[0]}: text wanted, found {cells[wrong[0]]!r:.60}"
    said = {name: "" if value is None else str(value).strip() for name, value in cells.items()}
    own, batch, key = (said.get(name, "") for name in ("deliberation_id", "batch_id", "key"))
    if bool(own) == bool(batch and key):
        return "name the deliberation by `deliberation_id`, or by `batch_id` and `key`"
    if not said.get("right"):
        return "`right` is empty: the option that turned out right, or `other`"
    named = own or f"{batch} {key}"
    found = own or Batch.id_of(batch, key)
    by, note = said.get("by") or None, said.get("note", "")
    return OutcomeRow(number, found, said["right"], by, note, named)


def _csv_rows(text: str, path: Path) -> Iterator[tuple[int, Mapping[str, Any] | str]]:
    csv.field_size_limit(MAX_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] | None = None
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if header is None:
                header = _header(cells, path)
            elif len(cells) != len(header):
                yield reader.line_num, f"{len(cells)} cells where the header has {len(header)}"
            else:
                yield reader.line_num, dict(zip(header, cells, strict=True))
    except csv.Error as error:
        raise ConfigError(f"{path}, line {reader.line_num}: not CSV: {error}") from error


def _header(cells: list[str], path: Path) -> list[str]:
    names = [cell.strip().casefold() for cell in cells]
    unknown = [name for name in names if name not in COLUMNS]
    if unknown or "right" not in names or len(set(names)) < len(names):
        raise ConfigError(
            f"{path}: the header is {', '.join(cells)!r:.200}; columns are {', '.join(COLUMNS)}, "
            "each once, `right` among them"
        )
    return names


def _jsonl_rows(text: str, _path: Path) -> Iterator[tuple[int, Mapping[str, Any] | str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield number, f"not JSON: {error}"
            continue
        yield number, value if isinstance(value, dict) else "not a JSON object"
