"""Deliberations made by hand, for the tests of the store."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from contracts.activation import Activation
from contracts.bout import Bout, Contest
from contracts.deliberation import Deliberation
from contracts.juror import JurorSpec, Roster
from contracts.memory import Memory, Policy
from contracts.opinion import Opinion, Usage
from contracts.outcome import Outcome
from contracts.question import Option, Question
from data.journal import Journal
from data.store import Store
from tasks.judging.decide import decide
from tasks.judging.settle import settle

START = datetime(2026, 1, 5, 12, tzinfo=UTC)
"""A Monday."""


def opinion(juror: str, stance: str | None, at: int = 1, **more: Any) -> Opinion:
    fields = {"confidence": 0.8, "reasons": ("because",), "via": "offline", **more}
    if stance is None:
        fields = {"abstain_reason": "timeout", **more}
    return Opinion(juror=juror, stance=stance, round=at, **fields)


def deliberation(
    name: str,
    stances: Mapping[str, str | Sequence[str | None] | None],
    *,
    options: Sequence[str] = ("yes", "no"),
    topic: str = "general",
    days: float = 0.0,
    **more: Any,
) -> Deliberation:
    """One deliberation: a stance per juror, or one per round. None is a seat that timed out."""
    said = {j: (s,) if s is None or isinstance(s, str) else s for j, s in stances.items()}
    question = Question(
        text=more.pop("text", f"Question {name}?"),
        options=tuple(Option(name=option) for option in options),
        options_source="given" if options else "open",
        topic=topic,
        context=more.pop("context", None),
    )
    opinions = more.pop("opinions", None) or tuple(
        opinion(juror, stance, at, usage=Usage(latency_ms=100.0, calls=1))
        for juror, rounds in said.items()
        for at, stance in enumerate(rounds, start=1)
    )
    memory, policy = more.pop("memory", Memory()), Policy()
    began = START + timedelta(days=days)
    seats = tuple(JurorSpec(name=juror, provider="offline", model="m") for juror in said)
    return Deliberation(
        deliberation_id=name,
        question=question,
        roster=Roster(jurors=seats),
        policy=policy,
        memory=memory,
        opinions=opinions,
        verdict=more.pop("verdict", None) or decide(question, opinions, memory, policy),
        foreman_text=more.pop("foreman_text", "So it is."),
        activations=more.pop(
            "activations", (Activation(kind="skill", subject="council", effect="was read"),)
        ),
        engine="direct",
        started_at=began,
        finished_at=began + timedelta(seconds=more.pop("seconds", 1)),
        **more,
    )


def attacked(whole: Deliberation, *bouts: Bout) -> Deliberation:
    """The deliberation with an arena over its verdict."""
    settled = settle(whole.verdict, bouts, whole.policy)
    contest = Contest(bouts=bouts, judged=whole.verdict, settled=settled)
    return whole.model_copy(update={"contest": contest, "verdict": settled})


def outcome(name: str, right: str, *, days: float = 1.0, by: str = "Ada") -> Outcome:
    return Outcome(
        deliberation_id=name, right_option=right, by=by, recorded_at=START + timedelta(days=days)
    )


def keep(journal: Journal, *records: Deliberation | Outcome) -> None:
    """Put records under their own ids."""
    for record in records:
        if isinstance(record, Outcome):
            journal.put("outcome", record.outcome_id, record)
        else:
            journal.put("deliberation", record.deliberation_id, record)


def contents(store: Store) -> dict[str, list[str]]:
    """Every row of every table, in an order of their own."""
    with store.connection() as connection:
        names = connection.execute("select table_name from duckdb_tables() order by 1").fetchall()
        return {
            name: sorted(map(repr, connection.execute(f"from {name}").fetchall()))
            for (name,) in names
        }
