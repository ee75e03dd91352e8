"""Rows of what was learned, and of the rules that were proposed, decided on and written."""

from collections.abc import Iterator
from typing import Any

from contracts.learning import Refit
from contracts.persona import CastingChange, CastingDecision, PersonaProposal
from contracts.proposal import RuleDecision, RuleProposal
from contracts.skill import RuleChange

Rows = Iterator[tuple[str, dict[str, Any]]]


def refit_rows(refit: Refit) -> Rows:
    """Yield the posteriors, calibrators and drifts of one learning."""
    key = {"memory_id": refit.memory_id}
    learned, dated = refit.learned, {**key, "learned_at": refit.learned_at}
    for stage in (learned.fit.alone, learned.fit.debated):
        if stage is None:
            continue
        calibrator = stage.calibrator
        yield (
            "calibrations",
            {
                **dated,
                "source": learned.fit.source,
                "stage": stage.stage,
                "n_outcomes": stage.n_outcomes,
                "kind": calibrator.kind,
                "log_loss": calibrator.log_loss,
                "log_loss_uncalibrated": calibrator.log_loss_uncalibrated,
                "roster_rate": stage.roster_rate,
                "mean_overlap": stage.mean_overlap,
            },
        )
        for row in stage.reliability:
            named = {"juror": row.juror, "topic": row.topic, "answered": row.answered}
            figures = {"n_right": row.right, "mean": row.mean, "low": row.low, "high": row.high}
            yield "reliability", {**dated, "stage": stage.stage, **named, **figures}
    for drift in learned.drifts:
        same = drift.model_dump(exclude={"since", "noticed", "right"})
        ends = {"since_deliberation_id": drift.since, "noticed_deliberation_id": drift.noticed}
        yield "drifts", {**key, **same, **ends, "n_right": drift.right}


def proposal_rows(proposal: RuleProposal) -> Rows:
    """Yield the one row of a proposal."""
    same = {"juror", "topic", "weight", "replaces", "basis", "n_dissents", "answered"}
    same |= {"others_right", "expires_at", "words"}
    replay = proposal.counterfactual
    yield (
        "rule_proposals",
        {
            **proposal.model_dump(include=same),
            "proposal_id": proposal.proposal_id,
            "n_right": proposal.right,
            "n_replayed": replay.replayed,
            "n_turned": len(replay.turned),
            "n_better": replay.better,
            "n_worse": replay.worse,
            "evidence": [row.key for row in proposal.evidence],
        },
    )


def decision_rows(decision: RuleDecision) -> Rows:
    """Yield the one row of a decision."""
    row = decision.model_dump(exclude={"schema_number", "evidence", "by"})
    yield (
        "rule_decisions",
        {**row, "decision_id": decision.decision_id, "decided_by": decision.by},
    )


def rule_rows(change: RuleChange) -> Rows:
    """Yield the one row of a rule that was written."""
    yield (
        "rules",
        {
            **change.rule.model_dump(),
            "replaced_weight": change.replaced.weight if change.replaced else None,
            **change.model_dump(include={"source", "written_at", "skill_sha256"}),
        },
    )


def persona_proposal_rows(proposal: PersonaProposal) -> Rows:
    """Yield the one row of a proposed casting rule."""
    row = proposal.model_dump(exclude={"schema_number", "cast", "evidence", "bouts"})
    named = {"proposal_id": proposal.proposal_id, "casting": proposal.cast}
    yield "persona_proposals", {**row, **named}


def persona_decision_rows(decision: CastingDecision) -> Rows:
    """Yield the one row of a decision on a casting rule."""
    row = decision.model_dump(exclude={"schema_number", "cast", "evidence", "by"})
    named = {"decision_id": decision.decision_id, "casting": decision.cast}
    yield "persona_decisions", {**row, **named, "decided_by": decision.by}


def casting_rows(change: CastingChange) -> Rows:
    """Yield the one row of a casting rule that was written."""
    yield (
        "castings",
        {
            **change.rule.model_dump(exclude={"cast"}),
            "casting": change.rule.cast,
            "replaced": change.replaced.cast if change.replaced else None,
            **change.model_dump(include={"source", "written_at", "skill_sha256"}),
        },
    )
