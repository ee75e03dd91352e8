"""The votes and bouts of the past: what the council learns from."""

from pathlib import Path

from contracts.bout import Bout
from contracts.fit import PastVote
from data.store import Store

SQL = Path(__file__).with_suffix(".sql")
SECONDS = 600.0
_AT_ONCE = 50_000


def past_votes(store: Store) -> list[PastVote]:
    """Return every vote and abstention that counts for a juror, oldest first.

    `question_id` is that of the deliberation: the same question asked again is another one, for
    what is right may have changed.

    Raises:
        StoreDamaged: when the database cannot be read.
    """
    from data.database import limited  # noqa: PLC0415 - imports DuckDB

    votes: list[PastVote] = []
    with store.connection() as connection, limited(connection, SECONDS):
        found = connection.execute(SQL.read_text(encoding="utf-8"))
        while rows := found.fetchmany(_AT_ONCE):
            votes += [
                PastVote(
                    question_id=deliberation_id,
                    topic=topic,
                    juror=juror,
                    option=stance,
                    right=right,
                    n_options=n_options,
                    stage=stage,
                )
                for deliberation_id, topic, juror, stance, right, n_options, stage in rows
            ]
    return votes


def known_outcomes(store: Store) -> dict[str, str]:
    """Return the right option of every deliberation of which it is known, as last recorded."""
    with store.connection() as connection:
        found = connection.execute("select deliberation_id, right_option from truths").fetchall()
    return dict(found)


def past_bouts(store: Store) -> list[Bout]:
    """Return every bout that counts, without what was said in it; of arenas held later too.

    Raises:
        StoreDamaged: when the database cannot be read.
    """
    from data.database import limited  # noqa: PLC0415 - imports DuckDB

    columns = ("bout_id", "persona", "topic", "option", "outcome")
    asked = f"select {', '.join(columns)} from bouts where outcome is not null order by bout_id"  # noqa: S608 - our own
    with store.connection() as connection, limited(connection, SECONDS):
        found = connection.execute(asked).fetchall()
    return [Bout.model_validate(dict(zip(columns, row, strict=True))) for row in found]
