"""Reads a file of questions strictly: every row is either a question or a named fault."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from contracts.base import MAX_CELL
from contracts.batch import BatchItem
from contracts.errors import ConfigError, QuestionError
from contracts.question import Question
from contracts.skill import Topic
from tasks.asking import make_question

COLUMNS = ("question", "options", "topic", "context", "id", "tags")
FORMATS = ("csv", "jsonl", "parquet")
MAX_ID = 200

Raw = tuple[int, Mapping[str, Any]]
"""A row's number as a person counts (lines of the file, or rows from 1) and its cells."""


class Fault(NamedTuple):
    """A row that is no question, and why."""

    row: int
    why: str


class BatchFile(NamedTuple):
    """What a file holds."""

    items: tuple[BatchItem, ...]
    faults: tuple[Fault, ...]


def read_batch_file(path: Path, topics: tuple[Topic, ...] = ()) -> BatchFile:
    """Return the questions of a csv, jsonl or parquet file, and the rows that are none.

    Columns: `question`, and as wanted `options` and `tags` (lists, or text with `|` between),
    `topic`, `context`, `id`.

    Raises:
        ConfigError: for a file that as a whole cannot be read: missing, empty, of another kind,
            without a `question` column, with columns that are not known.
    """
    suffix = path.suffix.casefold().lstrip(".")
    reader = {"csv": _csv_rows, "jsonl": _jsonl_rows, "ndjson": _jsonl_rows, "parquet": _parquet}
    if suffix not in reader:
        raise ConfigError(f"{path}: a batch is one of {', '.join(FORMATS)}, by its ending")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from error
    if not data.strip():
        raise ConfigError(f"{path}: the file is empty")
    items: list[BatchItem] = []
    faults: list[Fault] = []
    seen: Counter[str] = Counter()
    for number, cells in reader[suffix](data, path):
        found = _item(cells, topics, seen)
        if isinstance(found, str):
            faults.append(Fault(number, found))
        else:
            items.append(found)
    if not items and not faults:
        raise ConfigError(f"{path}: no row below the header")
    return BatchFile(tuple(items), tuple(faults))


def explain(path: Path, faults: Iterable[Fault]) -> str:
    """Return one report that names every bad row."""
    return "\n".join(f"{path.name}, row {fault.row}: {fault.why}" for fault in faults)


def _item(
    cells: Mapping[str, Any], topics: tuple[Topic, ...], seen: Counter[str]
) -> BatchItem | str:
    """Return the row as an item, or what is wrong with it."""
    if "fault" in cells:
        return str(cells["fault"])
    try:
        question = _question(cells, topics)
        own = _text(cells, "id")
    except (QuestionError, TypeError, ValueError) as error:
        return str(error)
    if own and len(own) > MAX_ID:
        return f"id: {len(own)} characters; at most {MAX_ID}"
    key = own or question.question_id
    seen[key] += 1
    if own and seen[key] > 1:
        return f"id {own!r} stands in an earlier row already"
    return BatchItem(key=key if seen[key] == 1 else f"{key}#{seen[key]}", question=question)


def _question(cells: Mapping[str, Any], topics: tuple[Topic, ...]) -> Question:
    return make_question(
        _text(cells, "question") or "",
        options=_list(cells, "options"),
        topic=_text(cells, "topic"),
        context=_text(cells, "context"),
        tags=_list(cells, "tags"),
        topics=topics,
    )


def _text(cells: Mapping[str, Any], column: str) -> str | None:
    value = cells.get(column)
    if value is None or value == "":
        return None
    if column == "id" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise TypeError(f"{column}: text wanted, found {type(value).__name__} {value!r:.60}")
    if "\x00" in value:
        raise ValueError(f"{column}: holds a NUL character")
    return value


def _list(cells: Mapping[str, Any], column: str) -> tuple[str, ...]:
    value = cells.get(column)
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split("|")) if value.strip() else ()
    if value is None:
        return ()
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return tuple(value)
    raise TypeError(f"{column}: a list of texts wanted, found {value!r:.60}")


def _csv_rows(data: bytes, path: Path) -> Iterator[Raw]:
    text = _decoded(data, path)
    csv.field_size_limit(MAX_CELL)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    header: list[str] | None = None
    try:
        for cells in reader:
            if not cells:
                continue
            if header is None:
                header = _header(cells, path)
            elif len(cells) != len(header):
                why = f"{len(cells)} cells where the header has {len(header)}"
                yield reader.line_num, {"fault": why}
            else:
                yield reader.line_num, dict(zip(header, cells, strict=True))
    except csv.Error as error:
        raise ConfigError(f"{path}, line {reader.line_num}: not CSV: {error}") from error


def _jsonl_rows(data: bytes, path: Path) -> Iterator[Raw]:
    for number, line in enumerate(_decoded(data, path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line, object_pairs_hook=_once)
        except (ValueError, RecursionError) as error:
            yield number, {"fault": f"not JSON: {error}"}
            continue
        if not isinstance(value, dict):
            yield number, {"fault": "not a JSON object"}
        elif unknown := [name for name in value if name not in COLUMNS]:
            yield number, {"fault": f"unknown column {', '.join(unknown)}"}
        else:
            yield number, value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = Counter(name for name, _ in pairs)
    doubled = [name for name, count in names.items() if count > 1]
    if doubled:
        raise ValueError(f"{', '.join(doubled)} given twice")
    return dict(pairs)


def _parquet(data: bytes, path: Path) -> Iterator[Raw]:
    import pyarrow as pa  # noqa: PLC0415 - only this format needs it
    import pyarrow.parquet as pq  # noqa: PLC0415

    try:
        table = pq.read_table(pa.BufferReader(data))
    except (pa.ArrowException, OSError) as error:
        raise ConfigError(f"{path}: not Parquet: {error}") from error
    _header(table.column_names, path)
    yield from enumerate(table.to_pylist(), 1)


def _header(cells: list[str], path: Path) -> list[str]:
    names = [cell.strip().casefold() for cell in cells]
    doubled = sorted(name for name, count in Counter(names).items() if count > 1)
    unknown = [name for name in names if name not in COLUMNS]
    if "question" not in names:
        raise ConfigError(f"{path}: no `question` column; the header is {', '.join(cells)!r:.200}")
    if unknown or doubled:
        what = f"unknown column {', '.join(unknown)}" if unknown else f"{doubled} given twice"
        raise ConfigError(f"{path}: {what}; known are {', '.join(COLUMNS)}")
    return names


def _decoded(data: bytes, path: Path) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ConfigError(f"{path}, line {line}: not UTF-8; save the file as UTF-8") from error
