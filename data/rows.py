"""From a document to the rows of each table. A kind that is not named here is kept as JSON."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from contracts.base import Record, sha256_text
from contracts.batch import Batch
from contracts.bout import Arena, Ratings
from contracts.delegation import AuditRow, DelegationRecord
from contracts.deliberation import SCHEMA, Deliberation
from contracts.gate import GateResult
from contracts.juror import JurorSpec
from contracts.learning import Refit
from contracts.opinion import Opinion
from contracts.outcome import Outcome
from contracts.persona import CastingChange, CastingDecision, PersonaProposal
from contracts.proposal import RuleDecision, RuleProposal
from contracts.skill import RuleChange
from data.arena_rows import arena_rows, deliberation_arena_rows, rating_rows
from data.delegation_rows import attempt_rows, delegation_rows
from data.documents import Document
from data.learning_rows import (
    casting_rows,
    decision_rows,
    persona_decision_rows,
    persona_proposal_rows,
    proposal_rows,
    refit_rows,
    rule_rows,
)

Rows = Iterator[tuple[str, dict[str, Any]]]
"""Pairs of a table and one row of it, by column."""


class Reading(NamedTuple):
    """How the documents of one kind are read."""

    model: type[Record]
    rows: Callable[[Any], Rows]
    schema: int = 1
    """Newest form that this program knows."""
    upgrades: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = MappingProxyType({})
    """From the body in form n to the body in form n + 1, where old ones do not read as they are."""


class TooNew(ValueError):
    """A newer Council wrote the document; it waits for that one."""


def rows_of(document: Document) -> Rows:
    """Yield the rows that a document stands for.

    Raises:
        TooNew: when its form is newer than this program.
        StoreDamaged: when it does not read as its record.
    """
    if reading := READINGS.get(document.kind):
        yield from reading.rows(record_of(document, reading))


def record_of(document: Document, reading: Reading) -> Record:
    """Return the record in a document, brought to the newest form.

    Raises:
        TooNew: when its form is newer than this program.
        StoreDamaged: when it does not read as its record.
    """
    if document.schema_number > reading.schema:
        raise TooNew(f"form {document.schema_number}, and {reading.schema} is known")
    body = document.body
    for number in range(document.schema_number, reading.schema):
        body = reading.upgrades[number](body) if number in reading.upgrades else body
    return document._replace(body=body).record(reading.model)


def deliberation_rows(deliberation: Deliberation) -> Rows:
    """Yield everything that one deliberation is in the tables."""
    key = {"deliberation_id": deliberation.deliberation_id}
    yield "questions", _question(deliberation)
    yield "deliberations", key | _deliberation(deliberation)
    yield "verdicts", key | _verdict(deliberation)
    seats = {juror.name: juror for juror in deliberation.roster.jurors}
    for opinion in deliberation.opinions:
        yield "opinions", key | _opinion(opinion, seats.get(opinion.juror))
    for table, row in _decision_parts(deliberation):
        yield table, key | row
    for place, activation in enumerate(deliberation.activations, start=1):
        row = _taken(activation, "kind", "subject", "effect", "turned")
        yield "activations", key | {"place": place, **row}
    yield from deliberation_arena_rows(deliberation)


def outcome_rows(outcome: Outcome) -> Rows:
    """Yield the one row of an outcome."""
    row = _taken(outcome, "outcome_id", "deliberation_id", "right_option", "note", "recorded_at")
    yield "outcomes", {**row, "recorded_by": outcome.by}


def _question(deliberation: Deliberation) -> dict[str, Any]:
    """Only what the id is made of, so that it does not matter who asked it first."""
    question = deliberation.question
    own = () if question.options_source == "slate" else question.option_names
    context = question.context
    return {
        "question_id": question.question_id,
        "text": question.text,
        "topic": question.topic,
        "options": list(own),
        "context_sha256": None if context is None else sha256_text(context),
        "context_chars": len(context or ""),
    }


def _deliberation(deliberation: Deliberation) -> dict[str, Any]:
    question = deliberation.question
    taken = deliberation.finished_at - deliberation.started_at
    same = ("engine", "flow_run_id", "batch_id", "replay_of", "foreman_text", "schema_number")
    times = ("started_at", "finished_at")
    return {
        "question_id": question.question_id,
        "topic": question.topic,
        "options": list(question.option_names),
        "options_source": question.options_source,
        "tags": list(question.tags),
        "roster": deliberation.roster.name,
        "seats": len(deliberation.roster.jurors),
        "quorum": deliberation.policy.quorum,
        "debate": deliberation.policy.debate,
        "duration_ms": taken.total_seconds() * 1000,
        **_taken(deliberation, *same, *times),
    }


_SAID = (
    "juror",
    "round",
    "stance",
    "stance_reading",
    "abstain_reason",
    "abstain_detail",
    "position",
    "reasons",
    "confidence",
    "changed_by",
    "flags",
    "via",
    "model",
    "family",
    "provider_version",
    "session_id",
    "simulated",
    "prompt_sha256",
)
_SPENT = ("prompt_tokens", "completion_tokens", "cost_usd", "latency_ms", "calls")


def _opinion(opinion: Opinion, seat: JurorSpec | None) -> dict[str, Any]:
    return {
        **_taken(opinion, *_SAID),
        **_taken(opinion.usage, *_SPENT),
        "provider": seat.provider if seat else None,
        "locality": seat.locality if seat else None,
        "raw_chars": len(opinion.raw),
    }


_DECIDED = (
    "status",
    "option",
    "split",
    "confidence",
    "calibrated",
    "basis",
    "n_outcomes",
    "seats",
    "effective_jurors",
    "rules_applied",
    "precedents",
    "warnings",
    "simulated",
    "memory_sha256",
    "policy_sha256",
)


def _verdict(deliberation: Deliberation) -> dict[str, Any]:
    verdict, before = deliberation.verdict, deliberation.verdict.before_debate
    return {
        **_taken(verdict, *_DECIDED),
        "n_failed_seats": len(verdict.failed_seats),
        "n_dissents": len(verdict.dissents),
        "n_changed_minds": len(verdict.changed_minds),
        "status_before": before.status if before else None,
        "option_before": before.option if before else None,
        "split_before": before.split if before else None,
        "confidence_before": before.confidence if before else None,
    }


def _decision_parts(deliberation: Deliberation) -> Rows:
    verdict = deliberation.verdict
    for ballot in verdict.ballots:
        row = _taken(ballot, "option", "weight", "share")
        yield "ballots", {**row, "votes": len(ballot.votes)}
        for vote in ballot.votes:
            yield "votes", {**_taken(vote, "juror", "weight", "why"), "option": ballot.option}
    for dissent in verdict.dissents:
        yield "dissents", _taken(dissent, "juror", "option", "reason", "reading")
    for mind in verdict.changed_minds:
        row = _taken(mind, "juror", "moved_by")
        yield "changed_minds", {**row, "stance_before": mind.before, "stance_after": mind.after}
    for rule in deliberation.memory.rules:
        if f"{rule.juror} | {rule.topic} | {rule.weight:g}" in verdict.rules_applied:
            named = ("juror", "topic", "weight", "evidence", "approved_by", "approved_at")
            yield "applied_rules", _taken(rule, *named)


def _taken(record: Record, *names: str) -> dict[str, Any]:
    """Return these fields by name; a field that a contract gains later needs a column first."""
    return {name: getattr(record, name) for name in names}


def batch_rows(batch: Batch) -> Rows:
    """Yield the one row of a batch; its questions are in the journal."""
    row = _taken(batch, "batch_id", "source", "reuse", "started_at")
    yield "batches", {**row, "items": len(batch.items), "roster": batch.roster.name}


def gate_rows(result: GateResult) -> Rows:
    """Yield the run of a gate and its expectations."""
    row = _taken(result, "gate_id", "gate", "batch_id", "passed", "ran_at")
    yield "gate_results", {**row, "n_rows": result.rows}
    for check in result.checks:
        named = ("expectation", "passed", "severity", "unexpected", "detail")
        found = {"on_column": check.column, "examples": list(check.examples)}
        yield "gate_checks", {"gate_id": result.gate_id, **_taken(check, *named), **found}


READINGS: Mapping[str, Reading] = MappingProxyType(
    {
        "deliberation": Reading(Deliberation, deliberation_rows, SCHEMA),
        "outcome": Reading(Outcome, outcome_rows),
        "batch": Reading(Batch, batch_rows),
        "gate": Reading(GateResult, gate_rows),
        "refit": Reading(Refit, refit_rows),
        "rule": Reading(RuleChange, rule_rows),
        "rule_proposal": Reading(RuleProposal, proposal_rows),
        "rule_decision": Reading(RuleDecision, decision_rows),
        "persona_proposal": Reading(PersonaProposal, persona_proposal_rows),
        "persona_decision": Reading(CastingDecision, persona_decision_rows),
        "casting": Reading(CastingChange, casting_rows),
        "arena": Reading(Arena, arena_rows),
        "ratings": Reading(Ratings, rating_rows),
        "delegation": Reading(DelegationRecord, delegation_rows),
        "audit": Reading(AuditRow, attempt_rows),
    }
)
"""Kinds with tables of their own; a later stage adds a line here and a migration."""
