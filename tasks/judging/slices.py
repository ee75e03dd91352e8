"""The part of what was learned that one verdict can depend on."""

from collections.abc import Iterable

from contracts.fit import Fit, StageFit
from contracts.skill import ANY_TOPIC


def slice_for(fit: Fit, jurors: Iterable[str], topic: str) -> Fit:
    """Return what the fit says of these jurors on this topic.

    The judge decides a question of the topic, before these jurors, by the slice as by the whole:
    every row that it looks up is there, and so are the numbers that stand in for missing ones.
    """
    seats = frozenset(jurors)
    alone, debated = (
        None if stage is None else _stage(stage, seats, topic) for stage in (fit.alone, fit.debated)
    )
    return fit.model_copy(update={"alone": alone, "debated": debated})


def _stage(stage: StageFit, seats: frozenset[str], topic: str) -> StageFit:
    own = {name: part for name, part in stage.coefficients.juror.items() if name in seats}
    shifts = {name: shift for name, shift in stage.calibrator.topics.items() if name == topic}
    topics = {topic, ANY_TOPIC}
    return StageFit(
        stage=stage.stage,
        n_outcomes=stage.n_outcomes,
        roster_rate=stage.roster_rate,
        juror_strength=stage.juror_strength,
        topic_strength=stage.topic_strength,
        reliability=tuple(r for r in stage.reliability if r.juror in seats and r.topic in topics),
        overlaps=tuple(o for o in stage.overlaps if o.one in seats and o.other in seats),
        mean_overlap=stage.mean_overlap,
        coefficients=stage.coefficients.model_copy(update={"juror": own}),
        calibrator=stage.calibrator.model_copy(update={"topics": shifts}),
    )
