"""Learns from the store whom to trust, and keeps what was learned."""

from datetime import datetime
from pathlib import Path
from typing import Any

from contracts.fit import PastVote
from contracts.learning import Learned, Refit
from data.journal import Journal
from data.past_votes import past_votes
from data.store import Store
from tasks.arena_learning import rate_arenas, with_arenas
from tasks.fit_files import write_learned


def read_votes(home: Path) -> list[PastVote]:
    """Return the votes of the past, oldest first."""
    return past_votes(Store(home))


def learn_from(votes: list[PastVote]) -> Learned:
    """Return what the votes teach: a pure function of them."""
    from tasks.judging.learn import learn  # noqa: PLC0415 - imports numpy

    return learn(votes)


def learn_home(home: Path) -> Learned:
    """Return what votes and arenas of a home teach."""
    return with_arenas(home, learn_from(read_votes(home)))


def keep_learned(home: Path, learned: Learned, *, at: datetime) -> Learned:
    """Make what was learned the memory of the next deliberations, and return it.

    The journal keeps each learning once, however often it comes out the same.

    Raises:
        StoreError: when the disk does not take it.
    """
    refit = Refit(memory_id=learned.memory_id, learned_at=at, learned=learned)
    Journal(home).put("refit", refit.memory_id, refit)
    write_learned(home, learned)
    rate_arenas(home, at=at)
    return learned


def refit_home(home: Path, *, at: datetime) -> Learned:
    """Learn from everything that the store of a home holds. Nothing is kept of an empty one."""
    learned = learn_home(home)
    return keep_learned(home, learned, at=at) if learned.taught else learned


def posteriors(learned: Learned) -> list[dict[str, Any]]:
    """Return the posteriors as rows for people: by topic, all topics first, best jurors first."""
    stages = (stage for stage in (learned.fit.alone, learned.fit.debated) if stage is not None)
    rows = [
        {
            "stage": stage.stage,
            "topic": row.topic,
            "juror": row.juror,
            "right": row.right,
            "of": row.answered,
            "mean": round(row.mean, 3),
            "95 %": f"{row.low:.2f}–{row.high:.2f}",
        }
        for stage in stages
        for row in stage.reliability
    ]
    return sorted(rows, key=lambda r: (r["stage"], r["topic"], -r["mean"], r["juror"]))


def told(learned: Learned) -> str:
    """Return in a sentence what a learning rests on."""
    if not learned.taught:
        return "there is nothing to learn from: no deliberation is kept"
    if learned.fit.source == "agreement":
        rest = "no outcome is recorded: agreement alone was learned, which only breaks ties"
        return f"{rest} (`council outcome ID --right OPTION`)"
    stages = (stage for stage in (learned.fit.alone, learned.fit.debated) if stage is not None)
    counts = (f"{stage.n_outcomes} outcomes {_WHEN[stage.stage]}" for stage in stages)
    return f"learned from {' and '.join(counts)}"


_WHEN = {"alone": "of votes before debate", "debated": "of votes after debate"}
