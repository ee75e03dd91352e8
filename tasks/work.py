"""Contracts given away side by side, and a person asked where a contract wants one."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from contracts.delegation import DelegationContract, DelegationRecord, Origin, Purpose
from contracts.evidence import Decision
from data.journal import Journal
from tasks.hands import Hands, child_of

AT_ONCE = 10
"""Contracts under way side by side."""

Tell = Callable[[str, str, str], None]
"""Kind, subject and text of something that just happened."""


class Assignment(NamedTuple):
    """A contract under the name of its file."""

    name: str
    contract: DelegationContract


class WorkStages(NamedTuple):
    """What work is made of. An engine gives each its name and its place."""

    home: Path
    delegate: Callable[[Assignment, Origin, Hands, tuple[str, ...]], Awaitable[DelegationRecord]]
    """Assignment, origin, hands, and what a person says was wrong before."""
    escalate: Callable[[DelegationRecord], Awaitable[Decision | None]]
    """Asks a person; None where none can be asked or none answered."""
    report: Callable[[Sequence[DelegationRecord]], Awaitable[None]]


def load_work(files: Sequence[str], hands: Hands) -> tuple[Assignment, ...]:
    """Return the contracts in these files, each sure to be runnable.

    Raises:
        ContractError: naming the file and the field; nothing was run.
    """
    from tasks.verifying.contract_file import (  # noqa: PLC0415 - most questions bring no work
        check_runnable,
        load_contract,
    )

    loaded = [Assignment(Path(file).stem[:80], load_contract(Path(file))) for file in files]
    for one in loaded:
        check_runnable(one.contract, frozenset(hands.allow))
    return tuple(loaded)


def plain_work(home: Path) -> WorkStages:
    """Return the stages as plain functions: there is no person to ask."""
    return WorkStages(home, partial(delegate_stage, home), unanswered, unreported)


async def carry_out(
    assignments: Sequence[Assignment],
    hands: Hands,
    stages: WorkStages,
    tell: Tell,
    *,
    purpose: Purpose = "alone",
    deliberation_id: str | None = None,
) -> tuple[DelegationRecord, ...]:
    """Give all contracts away side by side, and return what came of each, in their order.

    A person is asked about one escalated contract after the other, once all have ended. What is
    returned is what holds then: accepted as partial or failed, where a person said so.

    Raises:
        ContractError: a contract can never be met.
        StoreError: a record cannot be kept.
    """
    room = asyncio.Semaphore(AT_ONCE)

    def origin() -> Origin:
        name = uuid4().hex
        return Origin(delegation_id=name, purpose=purpose, deliberation_id=deliberation_id)

    async def once(one: Assignment, notes: tuple[str, ...] = ()) -> DelegationRecord:
        async with room:
            tell("delegating", one.name, one.contract.goal)
            record = await stages.delegate(one, origin(), hands, notes)
        tell("delegated", one.name, outcome(record))
        return record

    async def settled(one: Assignment, record: DelegationRecord) -> DelegationRecord:
        while record.status == "escalated":
            tell("escalated", one.name, "; ".join(record.notes))
            decision = await stages.escalate(record)
            if decision is None:
                return record
            await asyncio.to_thread(_keep, stages.home, decision)
            if decision.choice != "retry_with_note":
                status = "partial" if decision.choice == "accept_partial" else "failed"
                told = f"a person chose: {decision.choice.replace('_', ' ')}. {decision.note}"
                notes = (*record.notes, told.strip())
                return record.model_copy(update={"status": status, "notes": notes})
            record = await once(one, (decision.note,) if decision.note else ())
        return record

    ended = await asyncio.gather(*(once(one) for one in assignments))
    pairs = zip(assignments, ended, strict=True)
    records = tuple([await settled(one, record) for one, record in pairs])
    if records:
        await stages.report(records)
    return records


def outcome(record: DelegationRecord) -> str:
    """Return in words what came of it: `partial, 1 of 2 files`."""
    wanted = len(record.contract.deliverables)
    return f"{record.status}, {len(record.artifacts)} of {wanted} files"


async def delegate_stage(
    home: Path, one: Assignment, origin: Origin, hands: Hands, notes: tuple[str, ...]
) -> DelegationRecord:
    """Delegate one contract."""
    from tasks.delegation import delegate  # noqa: PLC0415 - as above

    child, allowed = child_of(hands, home), frozenset(hands.allow)
    return await delegate(
        one.contract, child, home, origin=origin, allowed_commands=allowed, notes=notes
    )


async def unanswered(record: DelegationRecord) -> Decision | None:
    """Ask nobody: there is no dashboard on which a person could answer."""


async def unreported(records: Sequence[DelegationRecord]) -> None:
    """Report nothing: there is no dashboard."""


def _keep(home: Path, decision: Decision) -> None:
    Journal(home).put("escalation", decision.delegation_id, decision)
