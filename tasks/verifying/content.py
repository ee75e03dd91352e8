"""A file's bytes and its readings: text, JSON, rows. Made when first needed, once. Pure."""

import csv
import io
import unicodedata
from collections import Counter
from functools import cached_property
from typing import Any

from contracts.base import MAX_CELL
from contracts.delegation import Deliverable
from tasks.verifying.json_text import BadJson, at, read_json

_UNSEEN = {"Cc", "Cf"}


class Failed(Exception):
    """A check that did not pass. The message is what was found, as the end of a sentence."""


class Content:
    """A file's bytes, and its readings: made when first needed, once."""

    def __init__(self, deliverable: Deliverable, data: bytes, sha256: str) -> None:
        """Keep the bytes that were read and their hash."""
        self.deliverable = deliverable
        self.data = data
        self.sha256 = sha256

    def check_text(self) -> None:
        """Pass if the bytes are UTF-8 text. Most text is ASCII, which need not be decoded for it.

        Raises:
            Failed: they are not.
        """
        if not self.data.isascii():
            self._decoded()
        if b"\0" in self.data:
            raise Failed("is not text: it holds NUL characters")

    @cached_property
    def text(self) -> str:
        """The bytes as UTF-8, a byte order mark at the start left out.

        Raises:
            Failed: they are no UTF-8 text.
        """
        self.check_text()
        return self._decoded().removeprefix("\ufeff")

    @property
    def is_blank(self) -> bool:
        """Whether the text is white space, and what nobody sees, only."""
        starts_visibly = self.data[:1].isascii() and self.data[:1].strip().isalnum()
        unseen = (char.isspace() or unicodedata.category(char) in _UNSEEN for char in self.text)
        return not starts_visibly and all(unseen)

    def _decoded(self) -> str:
        try:
            return self.data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Failed(f"is not UTF-8 text (byte {error.start})") from None

    @cached_property
    def document(self) -> Any:
        """The bytes as one JSON document.

        Raises:
            Failed: they are none that everyone reads alike.
        """
        try:
            return read_json(self.text)
        except BadJson as error:
            raise Failed(str(error)) from None

    def rows(self, pointer: str) -> list[Any]:
        """Return the rows of CSV, TSV, JSON Lines, or of the JSON array at `pointer`.

        Raises:
            Failed: the file does not read as such.
        """
        kind = self.deliverable.media_type or ""
        suffix = self.deliverable.path.rsplit(".", 1)[-1].lower()
        if kind == "text/csv" or suffix == "csv":
            return self._table(",")
        if kind == "text/tab-separated-values" or suffix == "tsv":
            return self._table("\t")
        if kind in {"application/x-ndjson", "application/jsonl"} or suffix in {"jsonl", "ndjson"}:
            return self._json_lines()
        value = self.value_at(pointer)
        if not isinstance(value, list):
            raise Failed(f"has {kind_of(value)} where an array of rows is wanted")
        return value

    def value_at(self, pointer: str) -> Any:
        """Return the JSON value at `pointer`.

        Raises:
            Failed: nothing is there.
        """
        try:
            return at(self.document, pointer)
        except BadJson as error:
            raise Failed(str(error)) from None

    def _table(self, delimiter: str) -> list[Any]:
        csv.field_size_limit(MAX_CELL)
        try:
            reader = csv.DictReader(io.StringIO(self.text, newline=""), delimiter=delimiter)
            names = Counter(reader.fieldnames or ())
            rows = list(reader)
        except csv.Error as error:
            raise Failed(f"does not read as a table: {error}") from None
        twice = [name for name, times in names.items() if times > 1]
        if twice:
            raise Failed(f"has the column {twice[0][:60]!r} twice")
        for number, row in enumerate(rows, start=1):
            if None in row:
                raise Failed(f"has more cells in row {number} than its {len(names)} columns")
        return rows

    def _json_lines(self) -> list[Any]:
        rows = []
        for number, line in enumerate(self.text.split("\n"), start=1):
            if line.strip():
                try:
                    rows.append(read_json(line))
                except BadJson as error:
                    raise Failed(f"line {number} {error}") from None
        return rows


def kind_of(value: Any) -> str:
    """Return what a JSON value is, in words."""
    names = {dict: "an object", list: "an array", str: "a text", bool: "true or false"}
    return names.get(type(value), "null" if value is None else "a number")
