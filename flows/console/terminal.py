"""What every command shares: the two consoles, and foreign text made safe for a terminal."""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from contracts.base import canonical_json
from contracts.errors import UsageError

out = Console(highlight=False)
"""Results."""
err = Console(stderr=True, highlight=False)
"""Progress, hints and errors."""

_UNSAFE = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]+"
)


def plain(text: str) -> str:
    """Return foreign text on one line, without control, bidirectional or invisible characters."""
    return _UNSAFE.sub(" ", text)


def styled(text: str, style: str = "") -> Text:
    """Return foreign text for Rich, in which nothing is markup."""
    return Text(plain(text), style=style)


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    """Return a plain table of foreign values."""
    shown = Table(*columns, box=None, pad_edge=False, header_style="bold")
    for row in rows:
        shown.add_row(*(styled("" if cell is None else str(cell)) for cell in row))
    return shown


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Tell which file cannot be written, and why.

    Raises:
        UsageError: naming the file.
    """
    try:
        yield
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from error


def print_json(value: object) -> None:
    """Write one JSON value to stdout, for machines."""
    sys.stdout.write(canonical_json(value) + "\n")
