"""The named queries: one question each, a file each."""

import re
from difflib import get_close_matches
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

from contracts.errors import NotFound, UsageError

DIRECTORY = Path(__file__).parent / "queries"
_PARAMETER = re.compile(r"\$([a-z_]+)")


class Query(NamedTuple):
    """A question and the SQL that answers it."""

    name: str
    text: str

    @property
    def question(self) -> str:
        """The first comment line."""
        return self.text.partition("\n")[0].removeprefix("--").strip()

    @property
    def notes(self) -> str:
        """The comment lines after the first: how it counts, and by which method."""
        lines = takewhile(lambda line: line.startswith("--"), self.text.splitlines()[1:])
        return " ".join(line.removeprefix("--").strip() for line in lines)

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters, each of which may be null."""
        return tuple(sorted(set(_PARAMETER.findall(self.text))))

    def bound(self, given: dict[str, Any]) -> dict[str, Any]:
        """Return a value for each parameter.

        Raises:
            UsageError: naming a parameter that the query does not take.
        """
        for name, value in given.items():
            if value is not None and name not in self.parameters:
                takes = ", ".join(self.parameters) or "none"
                raise UsageError(f"The query {self.name} takes no {name}; it takes: {takes}.")
        return {name: given.get(name) for name in self.parameters}


@cache
def queries() -> dict[str, Query]:
    """Return all named queries, by name."""
    return {
        path.stem: Query(path.stem, path.read_text(encoding="utf-8"))
        for path in sorted(DIRECTORY.glob("*.sql"))
    }


def query(name: str) -> Query:
    """Return a named query.

    Raises:
        NotFound: with the nearest names.
    """
    known = queries()
    if name not in known:
        near = get_close_matches(name, known) or sorted(known)
        raise NotFound(f"There is no query {name!r}. Try: {', '.join(near)}.")
    return known[name]
