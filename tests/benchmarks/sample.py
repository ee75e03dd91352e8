"""A small history to look back on: forty verdicts of three jurors, most with what turned out right.

    python -m tests.benchmarks.sample HOME      then:  COUNCIL_HOME=HOME council reflect

What is planted in it, and all that a reflection may find:
* security: the local juror was right on 11 of 12, most of them against the other two;
* hiring: the fast juror was wrong on 11 of 12, against the other two;
* product: the cloud juror did not go along three times of five, and nothing is recorded;
* databases: all three erred now and then, alike; operations: one dissent, which is too few.
"""

import argparse
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from contracts.base import sha256_text
from contracts.deliberation import Deliberation
from contracts.juror import JurorSpec, Roster
from contracts.memory import Memory, Policy
from contracts.opinion import Opinion, Usage
from contracts.outcome import Outcome
from contracts.question import Option, Question
from data.journal import Journal
from tasks.foreman import word_verdict
from tasks.judging.decide import decide

CLOUD, FAST, LOCAL = SEATS = ("Cloud Juror", "Fast Juror", "Local Juror")
ROSTER = Roster(
    name="sample",
    jurors=tuple(JurorSpec(name=name, provider="offline", model="sample") for name in SEATS),
)

QUESTIONS = {
    "security": (
        "session cookies or JWT for the admin console",
        "argon2 or bcrypt for password hashes",
        "a vault or environment variables for secrets",
        "short or long lifetimes for access tokens",
        "mTLS or network policy between services",
        "one login provider or one per product",
        "block or allow by default at the egress proxy",
        "hardware keys or authenticator apps for staff",
        "encrypt the audit log in the app or in the database",
        "rotate keys monthly or yearly",
        "a bug bounty or a yearly pen test",
        "sign images in CI or at deploy",
    ),
    "hiring": (
        "a generalist or a specialist as the fourth engineer",
        "a paid trial week or a take-home task",
        "one or two interview rounds for seniors",
        "a contractor or an employee for the migration",
        "hire for support now or after the launch",
        "a recruiter or referrals only",
        "remote or on site for the data role",
        "publish salary bands or not",
        "a team lead from inside or from outside",
        "interns this summer or not",
        "a fixed or a negotiable offer",
        "a designer or a second frontend engineer",
    ),
    "databases": (
        "Postgres or Mongo for invoices",
        "one database or one per service",
        "partition the ledger now or later",
        "UUIDs or sequences as keys",
        "an index or a materialised view for the report",
        "read replicas or a cache",
        "soft or hard deletes for orders",
        "JSON columns or side tables for attributes",
    ),
    "product": (
        "launch the beta in May or in June",
        "free tier or free trial",
        "dark mode first or search first",
        "annual or monthly plans by default",
        "invite-only or open sign-up",
    ),
    "operations": (
        "deploy on Fridays or not",
        "page on symptoms or on causes",
        "blue-green or rolling deploys",
    ),
}


class Past(NamedTuple):
    """One question of the history."""

    topic: str
    text: str
    stances: dict[str, int]
    """Option by juror: 0 or 1."""
    right: int | None


def past() -> Iterator[Past]:
    """Yield the history, topic by topic."""
    for topic, questions in QUESTIONS.items():
        for i, text in enumerate(questions):
            yield Past(topic, text, *_said(topic, i))


def _said(topic: str, i: int) -> tuple[dict[str, int], int | None]:
    """Return who said what and what was right, on question `i` of a topic."""
    right = i % 2
    wrong = 1 - right
    if topic == "security":
        herd = right if i in (2, 7, 10) else wrong
        return {CLOUD: herd, FAST: herd, LOCAL: wrong if i == 7 else right}, right
    if topic == "hiring":
        lone = right if i == 4 else wrong
        return {CLOUD: right, FAST: lone, LOCAL: right}, right
    if topic == "databases":
        errs = SEATS[i % 3]
        return {name: wrong if name == errs and i < 6 else right for name in SEATS}, right
    apart = i % 2 == 0 if topic == "product" else i == 1
    lone = wrong if apart else right
    return {CLOUD: lone, FAST: right, LOCAL: right}, None


def write_sample(home: Path, *, until: datetime) -> int:
    """Write the history into a home's journal, one verdict a day up to `until`; return how many."""
    journal, history = Journal(home), list(past())
    for day, one in enumerate(history):
        at = until - timedelta(days=len(history) - day)
        made = _deliberation(one, at)
        journal.put("deliberation", made.deliberation_id, made)
        if one.right is not None:
            outcome = Outcome(
                deliberation_id=made.deliberation_id,
                right_option=made.question.option_names[one.right],
                by="sample",
                note="planted",
                recorded_at=at + timedelta(hours=12),
            )
            journal.put("outcome", outcome.outcome_id, outcome)
    lines = ['name = "sample"', *(_seat(seat) for seat in ROSTER.jurors)]
    (home / "roster.toml").write_text("\n".join(lines), encoding="utf-8")
    return len(history)


def _deliberation(one: Past, at: datetime) -> Deliberation:
    first, _, second = one.text.partition(" or ")
    names = (first[:60], second[:60])
    question = Question(
        text=f"{one.text[0].upper()}{one.text[1:]}?",
        options=tuple(Option(name=name) for name in names),
        options_source="text",
        topic=one.topic,
    )
    opinions = tuple(
        Opinion(
            juror=juror,
            stance=names[stance],
            stance_reading="explicit",
            position=names[stance],
            reasons=(f"It suits a team of our size better on {one.topic}.",),
            via="offline",
            model="sample",
            simulated=True,
            usage=Usage(latency_ms=1.0, calls=1),
        )
        for juror, stance in one.stances.items()
    )
    policy = Policy()
    verdict = decide(question, opinions, Memory(), policy)
    return Deliberation(
        deliberation_id=sha256_text(f"sample {one.text}")[:16],
        question=question,
        roster=ROSTER,
        policy=policy,
        memory=Memory(),
        opinions=opinions,
        verdict=verdict,
        foreman_text=word_verdict(verdict),
        engine="direct",
        started_at=at - timedelta(seconds=9),
        finished_at=at,
    )


def _seat(seat: JurorSpec) -> str:
    return f'\n[[juror]]\nname = "{seat.name}"\nprovider = "offline"\nmodel = "stand-in/prudent"'


def main() -> int:
    """Write the sample history into a home."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("home", type=Path)
    given = parser.parse_args()
    given.home.mkdir(parents=True, exist_ok=True)
    count = write_sample(given.home.absolute(), until=datetime.now(UTC))
    sys.stdout.write(f"{count} verdicts written to {given.home}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
