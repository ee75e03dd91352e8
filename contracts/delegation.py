"""Work given away, and what came back: contract, attempts, verification, audit."""

from collections import Counter
from datetime import datetime
from typing import Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from contracts.base import Record
from contracts.checks import Artifact, Check, FileCheck, RelativePath, Verification

OnFail = Literal["partial", "escalate", "fail"]
Risk = Literal["low", "medium", "high"]
Purpose = Literal["evidence", "action", "alone"]
AskedFor = Literal["first", "json", "artifacts", "notes"]
"""Why an attempt was made: the first; the reply was no JSON; files were missing; checks failed."""
StepName = Literal["accept", "retry_with_notes", "ask_for_artifacts", "partial", "escalate", "fail"]
DelegationStatus = Literal["accepted", "partial", "escalated", "failed"]
ReplyForm = Literal["json", "repaired", "prose", "empty"]

MEBIBYTE = 1024 * 1024
MAX_INPUT_CHARS = MEBIBYTE


class Deliverable(Record):
    """A file that the child must leave behind."""

    path: RelativePath
    media_type: str | None = Field(default=None, pattern=r"^[\w.+-]+/[\w.+-]+$", max_length=100)
    """A promise that is held to: text is UTF-8 and not blank, JSON parses, JSON Lines, CSV and TSV
    read as rows. None promises bytes."""
    json_schema: dict[str, Any] | None = None
    """Of the document; of JSON Lines, of each line."""
    required: bool = True
    recoverable: bool = True
    """Whether the child may try again when this file is missing or not as promised."""
    min_bytes: int = Field(default=1, ge=0)
    max_bytes: int = Field(default=16 * MEBIBYTE, ge=1, le=1024 * MEBIBYTE)

    @model_validator(mode="after")
    def _sizes_can_be_met(self) -> Self:
        if self.min_bytes > self.max_bytes:
            raise ValueError(f"min_bytes {self.min_bytes} is more than max_bytes {self.max_bytes}")
        return self

    @property
    def is_json(self) -> bool:
        """Whether the file must be one JSON document."""
        kind = self.media_type or ""
        promised = self.json_schema is not None or kind == "application/json"
        return (promised or kind.endswith("+json")) and not self.is_rows

    @property
    def is_rows(self) -> bool:
        """Whether the file must be JSON Lines or a table."""
        return self.media_type in {
            *("application/x-ndjson", "application/jsonl", "text/csv", "text/tab-separated-values")
        }

    @property
    def is_text(self) -> bool:
        """Whether the file must be UTF-8 text that is not blank."""
        kind = self.media_type or ""
        texts = {"application/yaml", "application/xml"}
        return self.is_json or self.is_rows or kind.startswith("text/") or kind in texts


class Input(Record):
    """A file that the child finds in its work folder. It is data, and no deliverable by itself."""

    path: RelativePath
    text: str | None = Field(default=None, max_length=MAX_INPUT_CHARS)
    source: RelativePath | None = None
    """In a contract file: a file beside the contract to take the text from."""

    @model_validator(mode="after")
    def _has_content(self) -> Self:
        if self.text is None and self.source is None:
            raise ValueError("an input needs 'text', or 'source' with a file beside the contract")
        return self


class Budget(Record):
    """What the whole work may cost."""

    seconds: float = Field(default=600.0, gt=0, le=86_400)
    """Of all tries together, without verification."""
    seconds_per_try: float | None = Field(default=None, gt=0)
    """Of one try; None gives each try what is left."""
    tokens: int | None = Field(default=None, gt=0)
    """Of all tries together: no further try is made beyond it."""
    tries: int = Field(default=3, ge=1, le=10)
    max_bytes: int = Field(default=256 * MEBIBYTE, ge=1, le=2048 * MEBIBYTE)
    """Of all accepted files together."""

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        if self.seconds_per_try is not None and self.seconds_per_try > self.seconds:
            raise ValueError(
                f"seconds_per_try {self.seconds_per_try:g} is more than seconds {self.seconds:g}"
            )
        return self


class DelegationContract(Record):
    """What is wanted, and how it will be known to be done."""

    goal: str = Field(min_length=1, max_length=20_000)
    deliverables: tuple[Deliverable, ...] = Field(min_length=1, max_length=1000)
    checks: tuple[Check, ...] = Field(default=(), max_length=1000)
    inputs: tuple[Input, ...] = Field(default=(), max_length=200)
    budget: Budget = Budget()
    on_fail: OnFail = "partial"
    risk: Risk = "low"

    @field_validator("goal")
    @classmethod
    def _goal_says_something(cls, goal: str) -> str:
        if not goal.strip():
            raise ValueError("the goal is blank")
        return goal

    @field_validator("deliverables")
    @classmethod
    def _deliverables_can_coexist(
        cls, deliverables: tuple[Deliverable, ...]
    ) -> tuple[Deliverable, ...]:
        _paths_can_coexist([deliverable.path for deliverable in deliverables])
        return deliverables

    @field_validator("inputs")
    @classmethod
    def _inputs_can_coexist(cls, inputs: tuple[Input, ...]) -> tuple[Input, ...]:
        _paths_can_coexist([given.path for given in inputs])
        return inputs

    @model_validator(mode="after")
    def _checks_are_about_deliverables(self) -> Self:
        declared = set(self.paths)
        for index, check in enumerate(self.checks):
            if isinstance(check, FileCheck) and check.path not in declared:
                raise ValueError(
                    f"checks[{index}].path: {check.path!r} is not declared; "
                    f"the deliverables are {', '.join(sorted(declared))}"
                )
        return self

    @property
    def paths(self) -> tuple[str, ...]:
        """Paths of the deliverables, in order."""
        return tuple(deliverable.path for deliverable in self.deliverables)


class Manifest(Record):
    """What the child says it did. Never a reason to accept anything."""

    form: ReplyForm
    """How the reply was read; `repaired` had faults in its JSON."""
    status: str = ""
    artifacts: tuple[str, ...] = ()
    summary: str = ""


class ChildRun(Record):
    """One attempt as far as the child goes: asked, run, answered. Not yet verified."""

    number: int = Field(ge=1)
    asked_for: tuple[AskedFor, ...]
    """Why this attempt and each before it was made, in order; the last is this one's reason."""
    child: str
    """Who was given the work: `command`, `hermes`, `stand-in` …"""
    child_session: str | None = None
    prompt_sha256: str
    started_at: datetime
    finished_at: datetime
    exit_code: int | None = None
    timed_out: bool = False
    error: str | None = None
    """A `ProviderError.kind` when the child could not be run or reached."""
    error_detail: str = ""
    reply: str = ""
    """As it came, capped."""
    reply_chars: int = 0
    """Length before the cap."""
    manifest: Manifest
    tokens: int | None = None
    cost_usd: float | None = None
    simulated: bool = False
    """True for the stand-in."""
    spent_seconds: float = Field(default=0.0, ge=0)
    """By this attempt and all before it."""
    spent_tokens: int = Field(default=0, ge=0)


class Attempt(ChildRun):
    """One attempt with what was found and what followed from it."""

    verification: Verification
    step: StepName
    notes: tuple[str, ...] = ()


class Origin(Record):
    """Which delegation, and for whom."""

    delegation_id: str = Field(pattern=r"^[\w-]{1,64}$")
    """Also the name of its folder."""
    purpose: Purpose = "alone"
    deliberation_id: str | None = None
    parent_session: str | None = None


class DelegationRecord(Origin):
    """One contract from start to end. Written once."""

    schema_number: int = 1
    contract: DelegationContract
    contract_sha256: str
    status: DelegationStatus
    attempts: tuple[Attempt, ...]
    artifacts: tuple[Artifact, ...] = ()
    """All that may be used, from whichever attempt it came."""
    notes: tuple[str, ...] = ()
    """What a reader must know: what is missing, what failed, what changed outside."""
    tokens: int | None = None
    """None where no child said."""
    cost_usd: float | None = None
    simulated: bool = False
    started_at: datetime
    finished_at: datetime

    @property
    def usable(self) -> bool:
        """Whether there is anything to use."""
        return bool(self.artifacts)


class AuditRow(Origin):
    """One attempt as the audit trail keeps it."""

    at: datetime
    attempt: int
    child: str
    child_session: str | None = None
    goal: str
    deliverables: tuple[str, ...]
    status: StepName
    notes: tuple[str, ...] = ()
    reply_chars: int
    tokens: int | None = None
    cost_usd: float | None = None
    artifacts: dict[str, str] = Field(default_factory=dict)
    """Path → SHA-256 of what this attempt brought and passed."""


def audit_row(origin: Origin, contract: DelegationContract, attempt: Attempt) -> AuditRow:
    """Return the audit row of one attempt at `contract`."""
    return AuditRow(
        **{name: getattr(origin, name) for name in Origin.model_fields},
        at=attempt.finished_at,
        attempt=attempt.number,
        child=attempt.child,
        child_session=attempt.child_session,
        goal=contract.goal[:500],
        deliverables=contract.paths,
        status=attempt.step,
        notes=attempt.notes,
        reply_chars=attempt.reply_chars,
        tokens=attempt.tokens,
        cost_usd=attempt.cost_usd,
        artifacts={a.path: a.content_sha256 for a in attempt.verification.artifacts},
    )


def _paths_can_coexist(paths: list[str]) -> None:
    declared = Counter(paths)
    for path, times in declared.items():
        if times > 1:
            raise ValueError(f"{path!r} is declared twice")
        parents = path.split("/")[:-1]
        above = {"/".join(parents[: depth + 1]) for depth in range(len(parents))}
        above &= declared.keys()
        if above:
            raise ValueError(f"{above.pop()!r} cannot be a file and the folder of {path!r}")
