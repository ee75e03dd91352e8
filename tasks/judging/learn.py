"""From the votes of the past to what the council has learned."""

from collections.abc import Sequence

from contracts.fit import PastVote
from contracts.learning import Learned
from tasks.judging.drift import find_drifts, since_changes
from tasks.judging.fit import fit_agreement, fit_memory


def learn(rows: Sequence[PastVote], *, seed: int = 0) -> Learned:
    """Return what the votes teach. The same votes in the same order give the same bytes.

    Args:
        rows: in the order in which they were cast; the right option is None while not known.
        seed: of the folds by which calibrators are chosen.

    A juror that changed is judged by what it did since. While nothing has turned out, agreement
    alone is learned from: a weak prior that only breaks ties and says so (`source`).
    """
    if all(row.right is None for row in rows):
        return Learned(fit=fit_agreement(rows))
    drifts = find_drifts(rows)
    return Learned(fit=fit_memory(since_changes(rows, drifts), seed=seed), drifts=drifts)
