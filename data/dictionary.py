"""The data dictionary: what `README.md` says of tables and queries, made from the SQL itself.

`python -m data.dictionary --write` brings it up to date; `--check` exits 1 when it is not. A column
without a comment in its migration is an error.
"""

import argparse
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from duckdb import DuckDBPyConnection

from contracts.errors import UsageError
from data.database import answer, snapshot
from data.queries import Query, queries
from data.schema import migrations

README = Path(__file__).parent / "README.md"
BEGIN, END = "<!-- generated: begin -->", "<!-- generated: end -->"

_CREATED = re.compile(
    r"((?:^-- [^\n]*\n)+)^create (table|view|macro) (\w+)(.*?);$", re.MULTILINE | re.DOTALL
)
_EXPLAINED = {
    "table": re.compile(r"^ +(\w+) [^,]+, +-- (.+)$", re.MULTILINE),
    "view": re.compile(r"^ +.*?(\w+), +-- (.+)$", re.MULTILINE),
    "macro": re.compile(r"(?!)"),
}
"""A column and what it holds, on one line: first word of a table's line, last of a view's."""


class Thing(NamedTuple):
    """A table, view or macro as its migration describes it."""

    kind: str
    name: str
    said: str
    columns: dict[str, str]
    """What each column holds, in words."""


def things() -> Iterable[Thing]:
    """Return everything that the migrations create, in order; what one makes anew, as it is now."""
    found: dict[str, Thing] = {}
    for migration in migrations():
        for comment, kind, name, body in _CREATED.findall(migration.text):
            said = " ".join(line.removeprefix("--").strip() for line in comment.splitlines())
            found[name] = Thing(kind, name, said, dict(_EXPLAINED[kind].findall(body)))
    return found.values()


def generated() -> str:
    """Return the part of the dictionary that the SQL dictates.

    Raises:
        UsageError: naming a column that its migration does not explain.
    """
    parts = ["## Tables and views\n"]
    macros = ["## Functions\n"]
    with snapshot(None) as connection:
        for thing in things():
            if thing.kind == "macro":
                macros.append(f"* `{thing.name}`: {thing.said}")
            else:
                parts.append(_section(connection, thing))
        named = [_query(connection, query) for query in queries().values()]
    return "\n".join([*parts, *macros, "\n## Named queries\n", *named])


def whole(text: str) -> str:
    """Return the README with its generated part brought up to date."""
    head, _, rest = text.partition(BEGIN)
    return f"{head}{BEGIN}\n\n{generated()}\n{END}{rest.partition(END)[2]}"


def _section(connection: DuckDBPyConnection, thing: Thing) -> str:
    found = answer(connection, f"describe {thing.name}", {}, 1000).records()
    lines = [f"### {thing.name}\n", f"{thing.said}\n", "| column | type | |", "| --- | --- | --- |"]
    for column in found:
        name, kind = column["column_name"], column["column_type"].lower()
        if name not in thing.columns:
            raise UsageError(f"The column {thing.name}.{name} has no comment in its migration.")
        kind = kind.replace("timestamp with time zone", "timestamptz")
        said = thing.columns[name].replace("|", "\\|")
        lines.append(f"| {name} | {kind} | {said} |")
    return "\n".join(lines) + "\n"


def _query(connection: DuckDBPyConnection, query: Query) -> str:
    columns = answer(connection, query.text, query.bound({}), 1).columns
    takes = ", ".join(f"`{name}`" for name in query.parameters)
    notes = f"{query.notes}\n\n" if query.notes else ""
    return (
        f"### {query.name}\n\n**{query.question}** {notes}".rstrip()
        + f"\n\nTakes {takes}. Columns: {', '.join(columns)}.\n"
    )


def main() -> int:
    """Check or write; return the exit code."""
    parser = argparse.ArgumentParser(description="The data dictionary in data/README.md.")
    wanted = parser.add_mutually_exclusive_group(required=True)
    wanted.add_argument("--check", action="store_true", help="exit 1 when it is out of date")
    wanted.add_argument("--write", action="store_true", help="bring it up to date")
    given = parser.parse_args()
    now = README.read_text(encoding="utf-8")
    due = whole(now)
    if given.write:
        README.write_text(due, encoding="utf-8")
    elif now != due:
        sys.stderr.write("data/README.md is out of date: run python -m data.dictionary --write\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
