"""Which partial evidence a verdict leans on. Pure."""

from collections.abc import Mapping

from contracts.evidence import PARTIAL, Evidence
from contracts.opinion import Opinion
from contracts.question import Question

NOTES = 3
"""Of one delegation that a warning repeats."""


def partial_evidence(question: Question, final: Mapping[str, Opinion]) -> dict[str, str]:
    """Return delegation id → warning, of partial evidence that a counted opinion had before it.

    Args:
        question: with the evidence that was shown.
        final: juror → the opinion that counts.
    """
    saw = [juror for juror, said in sorted(final.items()) if said.stance and PARTIAL in said.flags]
    if not saw:
        return {}
    return {one.delegation_id: _warning(one, saw) for one in question.evidence if one.partial}


def _warning(evidence: Evidence, saw: list[str]) -> str:
    notes = [" ".join(note.split())[:200] for note in evidence.notes[:NOTES]]
    more = len(evidence.notes) - len(notes)
    told = "; ".join([*notes, *([f"and {more} more"] if more > 0 else [])]) or "less than wanted"
    return f"partial evidence {evidence.name!r} was before {', '.join(saw)}: {told}"
