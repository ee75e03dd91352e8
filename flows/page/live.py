"""A run that is not over, as a page shows it that comes to it late."""

from typing import Any, NamedTuple

from flows.page.card import via_line
from flows.page.runs import Run


class Chip(NamedTuple):
    """A juror's chip so far."""

    juror: str
    via: str
    said: str
    mark: str
    camp: int | None
    state: str
    """`waiting`, `heard` or `silent`."""


class Live(NamedTuple):
    """What is known so far."""

    chips: tuple[Chip, ...]
    failed: dict[str, Any] | None


def live_of(run: Run) -> Live:
    """Return what the run's happenings come to."""
    said: dict[str, dict[str, Any]] = {}
    for happening in run.happenings:
        if happening.kind == "opinion":
            said[happening.data["juror"]] = dict(happening.data)
    options = run.plan.question.option_names
    chips = tuple(
        _chip(seat.name, via_line(seat.model, seat.provider), said.get(seat.name), options)
        for seat in run.plan.roster.jurors
    )
    failed = run.failed.problem.model_dump(exclude_none=True) if run.failed else None
    return Live(chips, failed)


def _chip(juror: str, via: str, said: dict[str, Any] | None, options: tuple[str, ...]) -> Chip:
    if said is None:
        return Chip(juror, via, "has not answered yet", "·", None, "waiting")
    if said["stance"] is None:
        return Chip(juror, via, said["silent"], "–", None, "silent")
    camp = options.index(said["stance"]) if said["stance"] in options else None
    return Chip(juror, via, said["stance"], said["letter"] or "∗", camp, "heard")
