"""What follows from one attempt. Pure: the same attempt, verification and contract, the same step.

    changes outside the folder        → escalate where the contract says so, else fail
    everything passed                 → accept, whatever the child says
    a fault that cannot be mended     → give up
    no tries, time or tokens left     → give up
    the child did not end well        → retry with the notes
    the reply is no JSON              → retry once, saying so; afterwards it is read as prose
    required files are missing        → ask for them once; missing again → give up
    faults that can be mended         → retry with the notes, for what did not pass

Giving up is what `on_fail` says: partial, escalate or fail.
"""

from typing import ClassVar

from contracts.base import Record
from contracts.checks import CheckResult, Verification
from contracts.delegation import ChildRun, DelegationContract, OnFail, StepName


class Step(Record):
    """What to do next. `notes` say why: to the child where it tries again, else to people."""

    name: ClassVar[StepName]
    notes: tuple[str, ...] = ()


class Accept(Step):
    """Use the work."""

    name = "accept"


class RetryWithNotes(Step):
    """Try again, with what was wrong."""

    name = "retry_with_notes"
    json_wanted: bool = False
    """The reply was no JSON: say that one is wanted."""


class AskForArtifacts(Step):
    """Try again, asking for the files that are not there."""

    name = "ask_for_artifacts"
    missing: tuple[str, ...]


class Partial(Step):
    """Use what passed, marked as partial. That may be nothing."""

    name = "partial"


class Escalate(Step):
    """Let a person decide."""

    name = "escalate"


class Fail(Step):
    """Use nothing."""

    name = "fail"


NextStep = Accept | RetryWithNotes | AskForArtifacts | Partial | Escalate | Fail

NOT_JSON = "the reply was no JSON object; answer with one JSON object and nothing else"


def next_step(
    attempt: ChildRun, verification: Verification, contract: DelegationContract
) -> NextStep:
    """Return what follows from `attempt`, as drawn on top of this module."""
    notes = verification.notes
    if verification.outside:
        return Escalate(notes=notes) if contract.on_fail == "escalate" else Fail(notes=notes)
    if verification.ok:
        return Accept()
    end = _end_of_budget(attempt, contract)
    if end or not all(failure.recoverable for failure in _blocking(verification, contract)):
        return _give_up(contract, (*notes, *end))
    return _try_again(attempt, verification, contract)


def _try_again(
    attempt: ChildRun, verification: Verification, contract: DelegationContract
) -> NextStep:
    notes = verification.notes
    if attempt.error or attempt.timed_out or attempt.exit_code:
        return RetryWithNotes(notes=notes)
    if attempt.manifest.form in {"prose", "empty"} and "json" not in attempt.asked_for:
        return RetryWithNotes(notes=(*notes, NOT_JSON), json_wanted=True)
    if not verification.missing:
        return RetryWithNotes(notes=notes)
    if "artifacts" in attempt.asked_for:
        return _give_up(contract, (*notes, "the missing files were asked for once already"))
    return AskForArtifacts(notes=notes, missing=verification.missing)


def narrowed(contract: DelegationContract, verification: Verification) -> DelegationContract:
    """Return the contract for the next try: only the deliverables that did not pass.

    Where a check about the whole work failed, nothing can be left out.
    """
    passed = {artifact.path for artifact in verification.artifacts}
    left = tuple(wanted for wanted in contract.deliverables if wanted.path not in passed)
    whole = all(found.ok for found in verification.results if found.path is None)
    if not whole or not left:
        return contract
    checks = tuple(check for check in contract.checks if getattr(check, "path", None) not in passed)
    room = contract.budget.max_bytes - sum(found.size_bytes for found in verification.artifacts)
    budget = contract.budget.model_copy(update={"max_bytes": max(1, room)})
    update = {"deliverables": left, "checks": checks, "budget": budget}
    return contract.model_copy(update=update)


def _blocking(verification: Verification, contract: DelegationContract) -> tuple[CheckResult, ...]:
    required = {wanted.path for wanted in contract.deliverables if wanted.required}
    return tuple(
        failure
        for failure in verification.failures
        if failure.path is None or failure.path in required
    )


def _end_of_budget(attempt: ChildRun, contract: DelegationContract) -> tuple[str, ...]:
    budget = contract.budget
    if attempt.number >= budget.tries:
        return (f"all {budget.tries} tries are used up",)
    if attempt.spent_seconds >= budget.seconds:
        return (f"the {budget.seconds:g} s of the budget are used up",)
    if budget.tokens is not None and attempt.spent_tokens >= budget.tokens:
        return (f"the {budget.tokens:,} tokens of the budget are used up",)
    return ()


def _give_up(contract: DelegationContract, notes: tuple[str, ...]) -> NextStep:
    steps: dict[OnFail, type[Partial | Escalate | Fail]] = {
        "partial": Partial,
        "escalate": Escalate,
        "fail": Fail,
    }
    return steps[contract.on_fail](notes=notes)
