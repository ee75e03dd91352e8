"""Records what turned out to be right."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from contracts.deliberation import Deliberation
from contracts.errors import ConfigError, NotFound, UsageError
from contracts.opinion import OTHER
from contracts.outcome import Outcome
from data.journal import Journal
from data.past_votes import known_outcomes
from data.store import Store
from tasks.judging.rules import same_name
from tasks.outcome_file import OutcomeRow, RowFault, read_outcome_file

SHOWN_FAULTS = 20


class Imported(NamedTuple):
    """What became of a file of outcomes."""

    recorded: int
    """Deliberations of which nothing was known before."""
    corrected: int
    """Deliberations of which something else was recorded before."""
    unchanged: int
    """Rows that say what is recorded already."""
    faults: tuple[RowFault, ...]
    """Rows that were passed over."""


def record_outcome(
    home: Path, deliberation_id: str, right: str, *, by: str, note: str = "", at: datetime
) -> tuple[Outcome, Deliberation]:
    """Record the option that turned out right; a later record corrects an earlier one.

    `deliberation_id` may be the first characters of an id.

    Raises:
        NotFound: when there is no such deliberation, with the nearest.
        UsageError: when `right` is none of its options, nor `other`.
        StoreError: when it cannot be kept.
    """
    found = Store(home).deliberation(deliberation_id)
    outcome = Outcome(
        deliberation_id=found.deliberation_id,
        right_option=right_option(found, right),
        by=by,
        note=note,
        recorded_at=at,
    )
    Journal(home).put("outcome", outcome.outcome_id, outcome)
    return outcome, found


def right_option(deliberation: Deliberation, said: str) -> str:
    """Return the option that a person means: its name or an alias in any case, or `other`.

    Raises:
        UsageError: naming the options.
    """
    wanted, options = said.strip(), deliberation.question.options
    exact = [option.name for option in options if option.name == wanted]
    named = [
        option.name
        for option in options
        if any(same_name(name, wanted) for name in (option.name, *option.aliases))
    ]
    if exact or len(named) == 1:
        return (exact or named)[0]
    if same_name(wanted, OTHER):
        return OTHER
    names = [option.name for option in options]
    near = get_close_matches(wanted, names, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    raise UsageError(
        f"{wanted!r} is no option of {deliberation.deliberation_id}: "
        f"{', '.join([*names, OTHER])}.{hint}"
    )


def import_outcomes(
    home: Path, path: Path, *, by: str, at: datetime, skip_bad: bool = False
) -> Imported:
    """Record a file of outcomes. Of two rows on one deliberation the later one counts.

    Raises:
        ConfigError: for a file that does not read, or, without `skip_bad`, for any bad row; then
            nothing is recorded.
        StoreError: when one cannot be kept.
    """
    rows, faults = read_outcome_file(path)
    good, bad = _checked(home, rows)
    faults = tuple(sorted((*faults, *bad)))
    if faults and not skip_bad:
        raise ConfigError(
            f"{len(faults)} bad rows, nothing was recorded; --skip-bad records the others\n"
            + explain(path, faults)
        )
    before = known_outcomes(Store(home)) if good else {}
    fresh = {name: row for name, row in good.items() if before.get(name) != row.right}
    journal = Journal(home)
    for place, (name, row) in enumerate(fresh.items()):
        moment = at + timedelta(microseconds=place)
        outcome = Outcome(
            deliberation_id=name,
            right_option=row.right,
            by=row.by or by,
            note=row.note,
            recorded_at=moment,
        )
        journal.put("outcome", outcome.outcome_id, outcome)
    corrected = sum(name in before for name in fresh)
    return Imported(len(fresh) - corrected, corrected, len(rows) - len(bad) - len(fresh), faults)


def explain(path: Path, faults: Sequence[RowFault]) -> str:
    """Return the bad rows in words, the first ones where there are many."""
    told = [f"{path.name}, row {fault.row}: {fault.why}" for fault in faults[:SHOWN_FAULTS]]
    rest = len(faults) - len(told)
    return "\n".join([*told, *([f"… and {rest} more"] if rest else [])])


def _checked(
    home: Path, rows: Sequence[OutcomeRow]
) -> tuple[dict[str, OutcomeRow], list[RowFault]]:
    """Return the last good row of each deliberation, with the option's own name."""
    good: dict[str, OutcomeRow] = {}
    faults: list[RowFault] = []
    store = Store(home)
    for row in rows:
        try:
            found = _deliberation(store, row)
            option = right_option(found, row.right)
        except (NotFound, UsageError) as error:
            faults.append(RowFault(row.row, str(error)))
        else:
            good[found.deliberation_id] = row._replace(right=option)
    return good, faults


def _deliberation(store: Store, row: OutcomeRow) -> Deliberation:
    document = store.journal.get("deliberation", row.deliberation_id)
    if document is not None:
        return document.record(Deliberation)
    if row.named != row.deliberation_id:
        raise NotFound(f"no deliberation of the batch and row {row.named!r} is kept")
    return store.deliberation(row.deliberation_id)
