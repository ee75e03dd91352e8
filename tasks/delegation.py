"""Give work away and believe nothing: run a child, verify the disk, decide, until it ends.

<home>/delegations/<id>/attempt-1/           the child's working folder, fresh for each attempt
<home>/delegations/<id>/attempt-1.prompt.md  what the child was told
<home>/delegations/<id>/accepted/<sha256>    the verified bytes of what may be used
<home>/delegations/<id>/record.json          the record, once it has ended
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from contracts.delegation import (
    AskedFor,
    Attempt,
    ChildRun,
    DelegationContract,
    DelegationRecord,
    DelegationStatus,
    Origin,
    StepName,
    audit_row,
)
from contracts.errors import ContractError
from data import audit
from data.files import make_directory, replace
from data.journal import Journal
from tasks.children import Child, Errand
from tasks.verifying.attempt_folder import FINISHED, Watch, fresh_folder
from tasks.verifying.child_run import History, run_child
from tasks.verifying.contract_file import check_runnable
from tasks.verifying.deliver import Scene
from tasks.verifying.manifest import disagreements
from tasks.verifying.prompt import to_prompt
from tasks.verifying.tree import AskForArtifacts, NextStep, RetryWithNotes, narrowed, next_step
from tasks.verifying.vault import Kept, delegation_folder, keep
from tasks.verifying.verify import Verified, verify_and_run

STATUS: dict[StepName, DelegationStatus] = {
    "accept": "accepted",
    "partial": "partial",
    "escalate": "escalated",
    "fail": "failed",
}
"""Steps that end a delegation."""

N = TypeVar("N", int, float)


def new_origin() -> Origin:
    """Return the origin of a delegation that stands alone, under a name that is not taken."""
    return Origin(delegation_id=uuid4().hex)


async def delegate(
    contract: DelegationContract,
    child: Child,
    home: Path,
    *,
    origin: Origin | None = None,
    allowed_commands: frozenset[str] = frozenset(),
    notes: Sequence[str] = (),
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> DelegationRecord:
    """Have `child` fulfil `contract`, and return what came of it. Every attempt is audited.

    What the child did wrong is in the record, never an exception.

    Args:
        contract: What is wanted.
        child: Who is to do it.
        home: The council's home.
        origin: Name of the delegation, and for whom it is; None is one that stands alone.
        allowed_commands: Programs that `command_succeeds` checks may run.
        notes: For the first attempt: what a person says was wrong before.
        clock: For time stamps, UTC.

    Raises:
        ContractError: the contract can never be met, or the name is taken; nothing was run.
        StoreError: the record or an audit row cannot be kept.
    """
    check_runnable(contract, allowed_commands)
    work = _Delegation(contract, child, home, origin or new_origin(), clock)
    await asyncio.to_thread(work.begin)
    return await work.run(tuple(notes), allowed_commands)


class _Delegation:
    """One contract under way: what is still wanted, what is kept, what was tried."""

    def __init__(
        self,
        contract: DelegationContract,
        child: Child,
        home: Path,
        origin: Origin,
        clock: Callable[[], datetime],
    ) -> None:
        self.contract, self.wanted = contract, contract
        self.child, self.home, self.origin, self.clock = child, home.absolute(), origin, clock
        self.folder = delegation_folder(self.home, origin.delegation_id)
        self.kept: dict[str, Kept] = {}
        self.attempts: list[Attempt] = []

    def begin(self) -> None:
        make_directory(self.folder.parent)
        try:
            self.folder.mkdir(mode=0o700)
        except FileExistsError:
            raise ContractError(
                f"delegation_id: {self.origin.delegation_id!r} is taken; choose another"
            ) from None

    async def run(self, notes: tuple[str, ...], allowed: frozenset[str]) -> DelegationRecord:
        started, history = self.clock(), History()
        while True:
            step = await self._attempt(history, notes, allowed)
            await asyncio.to_thread(self._audit)
            if not isinstance(step, RetryWithNotes | AskForArtifacts):
                break
            last = self.attempts[-1]
            history, notes = history.after(last, _reason(step)), step.notes
            self.wanted = narrowed(self.wanted, last.verification)
        record = self._record(started, step)
        await asyncio.to_thread(self._keep, record)
        return record

    async def _attempt(
        self, history: History, notes: tuple[str, ...], allowed: frozenset[str]
    ) -> NextStep:
        number, seconds = len(self.attempts) + 1, self._seconds(history)
        done = {path: kept for path, kept in self.kept.items() if path not in self.wanted.paths}
        prompt = to_prompt(self.wanted, seconds=seconds, notes=notes, kept=tuple(done))
        with ExitStack() as stack:
            fresh = fresh_folder(self.folder / f"attempt-{number}", prompt, self._seeds(done))
            place = await asyncio.to_thread(stack.enter_context, fresh)
            watch = await asyncio.to_thread(Watch, self.home, place)
            since = time.time()
            errand = Errand(prompt, place.path, seconds, self.wanted, number)
            run, trouble = await run_child(self.child, errand, history, self.clock)
            outside = await asyncio.to_thread(watch.changes)
            scene = Scene(place.root, self.wanted, place.before, since, outside, trouble, number)
            verified = await verify_and_run(scene, allowed)
        step = next_step(run, verified.verification, self.wanted)
        self._note(run, verified, step)
        return step

    def _note(self, run: ChildRun, verified: Verified, step: NextStep) -> None:
        """Note the attempt, and keep what passed, unless something outside was touched."""
        found = verified.verification
        if not found.outside:
            for artifact in found.artifacts:
                self.kept[artifact.path] = Kept(artifact, verified.contents[artifact.path])
        claims = disagreements(run.manifest, self.contract.paths, tuple(self.kept))
        fields = {name: getattr(run, name) for name in ChildRun.model_fields}
        notes = (*(step.notes or found.notes), *claims)
        self.attempts.append(Attempt(**fields, verification=found, step=step.name, notes=notes))

    def _audit(self) -> None:
        row = audit_row(self.origin, self.contract, self.attempts[-1])
        Journal(self.home).put("audit", f"{row.delegation_id}/{row.attempt}", row)
        audit.append(self.home, row)

    def _record(self, started: datetime, step: NextStep) -> DelegationRecord:
        if step.name == "fail":
            self.kept.clear()
        last = self.attempts[-1]
        wanted = len(self.contract.deliverables)
        count = () if step.name == "accept" else (f"{len(self.kept)} of {wanted} files passed",)
        return DelegationRecord(
            **{name: getattr(self.origin, name) for name in Origin.model_fields},
            contract=self.contract,
            contract_sha256=self.contract.sha256(),
            status=STATUS[step.name],
            attempts=tuple(self.attempts),
            artifacts=tuple(found.artifact for found in self.kept.values()),
            notes=(*count, *last.notes),
            tokens=_sum([attempt.tokens for attempt in self.attempts]),
            cost_usd=_sum([attempt.cost_usd for attempt in self.attempts]),
            simulated=any(attempt.simulated for attempt in self.attempts),
            started_at=started,
            finished_at=self.clock(),
        )

    def _keep(self, record: DelegationRecord) -> None:
        keep(self.folder, self.kept)
        Journal(self.home).put("delegation", record.delegation_id, record)
        replace(self.folder / FINISHED, [record.canonical_json().encode()], self.folder)

    def _seconds(self, history: History) -> float:
        budget = self.contract.budget
        return min(budget.seconds_per_try or budget.seconds, budget.seconds - history.seconds)

    def _seeds(self, done: Mapping[str, Kept]) -> dict[str, bytes]:
        given = {item.path: (item.text or "").encode() for item in self.contract.inputs}
        return {**given, **{path: kept.data for path, kept in done.items()}}


def _reason(step: RetryWithNotes | AskForArtifacts) -> AskedFor:
    if isinstance(step, AskForArtifacts):
        return "artifacts"
    return "json" if step.json_wanted else "notes"


def _sum(numbers: Sequence[N | None]) -> N | None:
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None
