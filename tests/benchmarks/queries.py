"""Every named query at a million opinions, and the same question in SQLite.

    python -m tests.benchmarks.queries [--json] [--opinions N] [--only NAME]

Twelve jurors, forty topics, two rounds (`million.sql`). `asked` is `Store.query` as `council sql`
runs it: look for something to drain, open the snapshot, seal it, answer, fetch. `DuckDB` and
`SQLite` are the answer alone on an open connection. SQLite holds the same tables with an index on
every `deliberation_id` and fresh statistics; `sqlite/NAME.sql` asks the same of every query over
opinions, and its rows must be the same. Times are the best of three; SQLite is stopped after a
minute a query.
Targets: each query asked in at most 2 s, and faster than SQLite.
"""

import argparse
import json
import math
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from data.database import answer, draft
from data.queries import queries
from data.schema import fingerprint, migrate
from data.snapshots import Snapshots
from data.store import MAX_ROWS, Store

HERE = Path(__file__).parent
OPINIONS_EACH = 24
SECONDS = 2.0
PATIENCE = 60.0
SCOPE = """scoped as (
    select * from deliberations
    where (:since is null or finished_at >= :since)
      and (:topic is null or topic = :topic)
      and (:batch is null or batch_id = :batch)
)"""
VIEWS = """
create view truths as
select deliberation_id, right_option, recorded_at from (
    select *, row_number() over (
        partition by deliberation_id order by recorded_at desc, outcome_id desc
    ) as place from outcomes
) where place = 1;
create view costs as
select deliberation_id, sum(calls) as calls, sum(prompt_tokens) as prompt_tokens,
    sum(completion_tokens) as completion_tokens, sum(cost_usd) as cost_usd,
    sum(n_unpriced) as n_unpriced
from (
    select deliberation_id, calls, prompt_tokens, completion_tokens, cost_usd,
        cost_usd is null as n_unpriced
    from opinions where round < 3 and flags not like '%"reused"%'
    union all
    select deliberation_id, 0, null, null, 0, 0 from opinions where flags like '%"reused"%'
    union all
    select deliberation_id, calls, prompt_tokens, completion_tokens, cost_usd, n_unpriced
    from arenas
) group by deliberation_id;
analyze;
"""
Rows = Sequence[Sequence[Any]]

ARENA = {"arena_cost", "arena_predicts_outcome", "attack_success", "position_bias"}
DELEGATED = {"audit", "delegation_check_failures", "delegation_outcomes"}
ELSEWHERE = {"gate_history", *ARENA, *DELEGATED}
"""Queries that are not over opinions; the generator makes no rows for them."""
OVER_OPINIONS = sorted(set(queries()) - ELSEWHERE)


class Timed(NamedTuple):
    """One query on both sides."""

    name: str
    rows: int
    asked: float
    duckdb: float
    sqlite: float
    stopped: bool
    """Whether SQLite was stopped before it had an answer."""
    same: bool

    @property
    def good(self) -> bool:
        """Whether both targets are met."""
        return self.same and self.asked <= SECONDS and self.duckdb < self.sqlite


def ported() -> list[str]:
    """Return the names of the queries that are asked of SQLite too."""
    return sorted(path.stem for path in (HERE / "sqlite").glob("*.sql"))


def make_home(home: Path, opinions: int) -> Store:
    """Publish a snapshot with so many opinions."""
    snapshots = Snapshots(home)
    with snapshots.draft(None) as path:
        with draft(path) as connection:
            migrate(connection)
            connection.execute(f"set variable n = {math.ceil(opinions / OPINIONS_EACH)}")
            connection.execute((HERE / "million.sql").read_text(encoding="utf-8"))
        snapshots.publish(path, fingerprint())
    return Store(home)


def copy_to_sqlite(store: Store, path: Path) -> sqlite3.Connection:
    """Copy all tables; lists become JSON, times text."""
    lite = sqlite3.connect(path)
    lite.executescript("pragma journal_mode = off; pragma synchronous = off;")
    with store.connection() as connection:
        found = connection.execute("select table_name from duckdb_tables()").fetchall()
        for (table,) in found:
            rows = connection.execute(f"from {table}")
            names = [name for name, *_ in rows.description]
            lite.execute(f"create table {table} ({', '.join(names)})")
            marks = ", ".join("?" * len(names))
            while some := rows.fetchmany(50_000):
                lite.executemany(f"insert into {table} values ({marks})", map(plain, some))
            key = "deliberation_id" if "deliberation_id" in names else names[0]
            lite.execute(f"create index {table}_key on {table} ({key})")
    lite.commit()
    lite.executescript(VIEWS)
    lite.create_function("wilson_low", 2, lambda k, n: wilson(k, n, -1), deterministic=True)
    lite.create_function("wilson_high", 2, lambda k, n: wilson(k, n, 1), deterministic=True)
    return lite


def plain(row: Sequence[Any]) -> list[Any]:
    """Return the row in the types that SQLite has."""
    return [
        json.dumps(value)
        if isinstance(value, list)
        else (str(value) if isinstance(value, date) else value)
        for value in row
    ]


def wilson(k: int, n: int, side: int) -> float | None:
    """Return one bound of the Wilson interval at 95 % for `k` of `n`."""
    if not n:
        return None
    z = 1.9599639845
    bound = (k + z * z / 2 + side * z * math.sqrt(k * (n - k) / n + z * z / 4)) / (n + z * z)
    return min(1.0, max(0.0, bound))


def best(ask: Callable[[], Rows]) -> tuple[float, Rows]:
    """Return the best wall seconds of three, or of one that takes more than five, and the rows."""
    walls: list[float] = []
    rows: Rows = ()
    while len(walls) < 3 and sum(walls) < 5:
        began = time.perf_counter()
        rows = ask()
        walls.append(time.perf_counter() - began)
    return min(walls), rows


def ask_sqlite(lite: sqlite3.Connection, name: str) -> Rows:
    """Answer a query in SQLite, within `PATIENCE` seconds."""
    text = (HERE / "sqlite" / f"{name}.sql").read_text(encoding="utf-8")
    end = time.perf_counter() + PATIENCE
    lite.set_progress_handler(lambda: int(time.perf_counter() > end), 1_000_000)
    bound = dict.fromkeys(("since", "topic", "batch", "limit"))
    return lite.execute(text.replace("/*scope*/", SCOPE), bound).fetchall()


def same(mine: Rows, theirs: Rows) -> bool:
    """Whether both have the same rows, floats within a part in a billion, in any order."""
    pairs = zip(sorted(map(plain, mine), key=words), sorted(theirs, key=words), strict=False)
    return len(mine) == len(theirs) and all(
        len(a) == len(b) and all(map(alike, a, b)) for a, b in pairs
    )


def words(row: Sequence[Any]) -> list[str]:
    """Return what a row is sorted by: everything that is not a float."""
    return [str(value) for value in row if isinstance(value, str)]


def alike(a: Any, b: Any) -> bool:
    """Whether two values are the same for both databases."""
    if isinstance(a, float) or isinstance(b, float):
        return a is not None and b is not None and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
    if isinstance(a, str) and isinstance(b, str) and a.startswith("["):
        return json.loads(a) == json.loads(b)
    return bool(a == b)


def compare(store: Store, lite: sqlite3.Connection, name: str) -> Timed:
    """Time one query on both sides."""
    asked, mine = best(lambda: store.query(name).rows)
    query = queries()[name]
    with store.connection() as connection:
        wall, _ = best(lambda: answer(connection, query.text, query.bound({}), MAX_ROWS).rows)
    try:
        theirs_wall, theirs = best(lambda: ask_sqlite(lite, name))
    except sqlite3.OperationalError as error:
        if "interrupted" not in str(error):
            raise
        return Timed(name, len(mine), asked, wall, PATIENCE, stopped=True, same=True)
    agreed = same(mine, theirs)
    return Timed(name, len(mine), asked, wall, theirs_wall, stopped=False, same=agreed)


def run(opinions: int, names: Sequence[str]) -> Iterator[Timed]:
    """Make both databases and time the queries."""
    with tempfile.TemporaryDirectory() as folder:
        store = make_home(Path(folder) / "home", opinions)
        with closing(copy_to_sqlite(store, Path(folder) / "lite.db")) as lite:
            for name in names:
                yield compare(store, lite, name)


def show(results: Sequence[Timed]) -> None:
    """Print the table."""
    table = Table("query", "rows", "asked s", "DuckDB s", "SQLite s", "ratio", "same rows", "")
    for r in results:
        more = ">" if r.stopped else ""
        table.add_row(
            r.name,
            f"{r.rows:,}",
            f"{r.asked:.3f}",
            f"{r.duckdb:.3f}",
            f"{more}{r.sqlite:.2f}",
            f"{more}{r.sqlite / r.duckdb:.1f} ×",
            "not known" if r.stopped else str(r.same),
            "" if r.good else "MISSED",
        )
    Console().print(table)


def main() -> int:
    """Run, print, and return 1 when a target is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="the JSON line alone")
    parser.add_argument("--opinions", type=int, default=1_000_000)
    parser.add_argument("--only", action="append", choices=ported())
    given = parser.parse_args()
    results = list(run(given.opinions, given.only or ported()))
    if not given.json:
        show(results)
    line = {
        "benchmark": "queries",
        "opinions": given.opinions,
        "slowest_s": round(max(r.asked for r in results), 3),
        "least_ratio": round(min(r.sqlite / r.duckdb for r in results), 2),
        "not_compared": sorted(set(queries()) - set(ported())),
        "missed": [r.name for r in results if not r.good],
        "queries": {r.name: [round(s, 3) for s in (r.asked, r.duckdb, r.sqlite)] for r in results},
    }
    print(json.dumps(line))
    return 1 if line["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
