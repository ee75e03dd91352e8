"""Work around a verdict: evidence before the jurors are asked, actions once it stands."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from contracts.activation import Activation
from contracts.base import canonical_json
from contracts.checks import Artifact
from contracts.delegation import DelegationContract, DelegationRecord, Input
from contracts.deliberation import Deliberation
from contracts.errors import EvidenceMissing
from contracts.evidence import Evidence, EvidenceFile
from contracts.juror import Roster
from contracts.memory import Policy
from contracts.question import Question
from contracts.verdict import Verdict
from tasks.hands import Hands, hands_of
from tasks.work import Assignment, Tell, WorkStages, carry_out, load_work, outcome

SHOWN_CHARS = 60_000
"""Of all evidence together; a file that does not fit is cut, which makes its evidence partial."""

VERDICT_FILE = "verdict.json"
"""What the child of an action finds in its folder, unless the contract has a file of that name."""


class Work(NamedTuple):
    """What is delegated around one deliberation."""

    evidence: tuple[Assignment, ...] = ()
    actions: tuple[Assignment, ...] = ()
    hands: Hands = Hands()
    forced: bool = False
    """Whether actions follow also a verdict that does not stand."""


NO_WORK = Work()


def work_of(
    evidence: Sequence[str],
    actions: Sequence[str],
    child: str,
    roster: Roster,
    *,
    allow: Sequence[str] = (),
    forced: bool = False,
) -> Work:
    """Return the work in contract files; nothing is asked of `child` where there are none.

    Raises:
        ConfigError: `child` names none.
        ContractError: naming the file and the field.
    """
    if not evidence and not actions:
        return NO_WORK
    hands = hands_of(child, roster, allow)
    return Work(load_work(evidence, hands), load_work(actions, hands), hands, forced)


async def gather_evidence(
    question: Question,
    work: Work,
    policy: Policy,
    stages: Callable[[], WorkStages],
    name: str,
    tell: Tell,
) -> Question:
    """Return the question with the evidence that delegated work brought, verified.

    Args:
        question: may hold evidence already, where it is deliberated again.
        work: its `evidence` is delegated.
        policy: `partial_evidence` says whether less than all will do.
        stages: of an engine; made only where there is work.
        name: id of the deliberation.
        tell: is told what happens.

    Raises:
        EvidenceMissing: a contract failed or is left to a person, or partial evidence came and
            the policy forbids it. No juror was asked.
    """
    evidence = question.evidence
    if work.evidence:
        evidence = (*evidence, *await _gathered(work, stages(), name, tell))
    for one in evidence:
        if one.partial and policy.partial_evidence == "forbid":
            raise EvidenceMissing(
                _refused(one.name, "partial, which the policy forbids", one.notes)
            )
    return question.model_copy(update={"evidence": evidence}) if evidence else question


def activations(question: Question, verdict: Verdict, work: Work) -> list[Activation]:
    """Return what delegated work took part: evidence that was shown, actions that follow or not."""
    acts = [
        Activation(
            kind="delegation",
            subject=one.name,
            effect=f"{len(one.files)} files of evidence shown{_partly(one)} ({one.delegation_id})",
        )
        for one in question.evidence
    ]
    follows = stands(verdict) or work.forced
    status = verdict.status.replace("_", " ")
    effect = f"{'released by' if follows else 'held back:'} a verdict that is {status}"
    acts += [Activation(kind="delegation", subject=a.name, effect=effect) for a in work.actions]
    return acts


async def act_on(
    deliberation: Deliberation, work: Work, stages: Callable[[], WorkStages], tell: Tell
) -> tuple[DelegationRecord, ...]:
    """Have the actions done that follow the verdict, where it stands or they are forced."""
    if not work.actions:
        return ()
    if not (stands(deliberation.verdict) or work.forced):
        status = deliberation.verdict.status.replace("_", " ")
        for one in work.actions:
            tell("held_back", one.name, f"not done: the verdict is {status}")
        return ()
    told = [one._replace(contract=_told(one.contract, deliberation)) for one in work.actions]
    name = deliberation.deliberation_id
    records = await carry_out(
        told, work.hands, stages(), tell, purpose="action", deliberation_id=name
    )
    for one, record in zip(told, records, strict=True):
        tell("acted", one.name, record.status)
    return records


def stands(verdict: Verdict) -> bool:
    """Whether something may be done upon a verdict: it decides, and the arena did not shake it."""
    return verdict.decided and verdict.status != "contested"


async def _gathered(work: Work, stages: WorkStages, name: str, tell: Tell) -> tuple[Evidence, ...]:
    records = await carry_out(
        work.evidence, work.hands, stages, tell, purpose="evidence", deliberation_id=name
    )
    named = list(zip([one.name for one in work.evidence], records, strict=True))
    for given, record in named:
        if record.status not in {"accepted", "partial"}:
            raise EvidenceMissing(_refused(given, outcome(record), record.notes))
    return await asyncio.to_thread(lambda: tuple(_evidence(stages.home, named)))


def _evidence(home: Path, named: Sequence[tuple[str, DelegationRecord]]) -> Iterator[Evidence]:
    left = SHOWN_CHARS
    for name, record in named:
        files = []
        for artifact in record.artifacts:
            files.append(_file(home, record, artifact, left))
            left -= len(files[-1].text or "")
        unseen = [f"{f.path} is no text and cannot be shown" for f in files if f.text is None]
        unseen += [f"{f.path} is cut: only its beginning is shown" for f in files if f.cut]
        yield Evidence(
            name=name,
            delegation_id=record.delegation_id,
            goal=record.contract.goal,
            status="accepted" if record.status == "accepted" else "partial",
            files=tuple(files),
            notes=(*record.notes, *unseen),
        )


def _file(home: Path, record: DelegationRecord, artifact: Artifact, room: int) -> EvidenceFile:
    from tasks.verifying.vault import read_artifact  # noqa: PLC0415 - most questions bring none

    data = read_artifact(home, record.delegation_id, artifact)
    text: str | None = None
    if b"\x00" not in data:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = None
    return EvidenceFile(
        path=artifact.path,
        content_sha256=artifact.content_sha256,
        text=None if text is None else text[: max(room, 0)],
        cut=text is not None and len(text) > max(room, 0),
    )


def _told(contract: DelegationContract, deliberation: Deliberation) -> DelegationContract:
    """Return the contract with the verdict among its inputs."""
    if VERDICT_FILE in {*contract.paths, *(given.path for given in contract.inputs)}:
        return contract
    verdict = deliberation.verdict
    fields = {"option", "status", "split", "confidence", "dissents", "warnings"}
    said = {
        "question": deliberation.question.text,
        "in_words": deliberation.foreman_text,
        **verdict.model_dump(mode="json", include=fields),
    }
    given = Input(path=VERDICT_FILE, text=canonical_json(said))
    return contract.model_copy(update={"inputs": (*contract.inputs, given)})


def _partly(evidence: Evidence) -> str:
    return ", partial" if evidence.partial else ""


def _refused(name: str, what: str, notes: Sequence[str]) -> str:
    told = "; ".join(" ".join(note.split())[:300] for note in notes[:5])
    return (
        f"evidence {name!r}: {what}: {told}. No juror was asked; `council audit` has the attempts"
    )
