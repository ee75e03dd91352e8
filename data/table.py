"""Rows that came back, and the forms they leave in."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pandas import DataFrame


class Table(NamedTuple):
    """The answer to one query."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    types: tuple[str, ...] = ()
    """DuckDB's name for the type of each column."""
    cut: bool = False
    """True when there were more rows than were asked for."""

    def records(self) -> list[dict[str, Any]]:
        """Return each row by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def frame(self) -> "DataFrame":
        """Return the rows as a frame of pandas, for a gate or a plot."""
        from pandas import DataFrame  # noqa: PLC0415 - slow to import

        return DataFrame(list(self.rows), columns=list(self.columns))

    def write_parquet(self, path: Path) -> None:
        """Write the rows to a Parquet file, with the types they have in the database.

        Raises:
            StoreError: when the file cannot be written.
        """
        from data.database import write_parquet  # noqa: PLC0415 - imports DuckDB

        write_parquet(path, self.columns, self.types, self.rows)
