"""What past arenas teach: who attacks and rebuts well, and what an attack that landed is worth."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from contracts.bout import Bout, Contest, Ratings
from contracts.deliberation import Deliberation
from contracts.learning import Learned
from data.journal import Journal
from data.store import Store


def rate_arenas(home: Path, *, at: datetime) -> Ratings | None:
    """Rate personas and seats over all bouts of a home and keep the ratings; None without bouts."""
    from tasks.judging.rating import rate  # noqa: PLC0415 - imports numpy and choix

    bouts: list[Bout] = [bout for _, contest in _contests(home) for bout in contest.bouts]
    rated = rate(bouts)
    if not rated:
        return None
    ratings = Ratings(computed_at=at, n_bouts=len(bouts), ratings=rated)
    Journal(home).put("ratings", ratings.sha256(), ratings)
    return ratings


def with_arenas(home: Path, learned: Learned) -> Learned:
    """Return the learning with what attacks cost, measured on arenas whose outcome is known."""
    from tasks.judging.survival import learn_strength, past_arena  # noqa: PLC0415

    truths = dict(Store(home).sql("select deliberation_id, right_option from truths").rows)
    known = [
        past_arena(contest, truths[name]) for name, contest in _contests(home) if name in truths
    ]
    if not known:
        return learned
    strength = learn_strength(known)
    return learned.model_copy(
        update={"arena_strength": round(strength.nats, 6), "arena_outcomes": strength.n}
    )


def _contests(home: Path) -> Iterator[tuple[str, Contest]]:
    for document in Journal(home).iter("deliberation"):
        if document.body.get("contest"):
            done = document.record(Deliberation)
            if done.contest is not None:
                yield done.deliberation_id, done.contest
