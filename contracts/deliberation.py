"""The unit that is kept: one deliberation, whole."""

from datetime import datetime
from typing import Literal

from contracts.activation import Activation
from contracts.base import Record
from contracts.bout import Contest
from contracts.juror import Roster
from contracts.memory import Memory, Policy
from contracts.opinion import Opinion
from contracts.question import Question
from contracts.verdict import Verdict

SCHEMA = 1
"""Number of the document's form; a change that old readers cannot take raises it."""

Engine = Literal["direct", "prefect"]


class Deliberation(Record):
    """Question, opinions of every round, verdict, and what took part. Written once."""

    schema_number: int = SCHEMA
    deliberation_id: str
    question: Question
    """With the slate as its options where an open question was closed on the way."""
    roster: Roster
    policy: Policy
    memory: Memory
    opinions: tuple[Opinion, ...]
    verdict: Verdict
    contest: Contest | None = None
    """The Hyde arena's bouts and the verdicts before and after them, where it was held."""
    foreman_text: str
    """The verdict in words."""
    activations: tuple[Activation, ...] = ()
    engine: Engine
    flow_run_id: str | None = None
    batch_id: str | None = None
    replay_of: str | None = None
    started_at: datetime
    finished_at: datetime
