"""What a delegated file must be: the declarative checks, and what one check found."""

import unicodedata
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from contracts.base import Record, canonical_json

MAX_PATH_CHARS = 512
MAX_NAME_BYTES = 255
MAX_DEPTH = 32


def relative_path(path: str) -> str:
    r"""Return `path` in its one spelling: POSIX, relative, `./` and `//` folded away.

    Nothing is expanded or decoded: `~`, `$HOME`, `%2e` and `\` are letters of a name.

    Raises:
        ValueError: for a path that is absolute, climbs with `..`, names no file, holds control
            characters, or is longer or deeper than a file system takes.
    """
    parts = [part for part in path.split("/") if part not in {"", "."}]
    if path.startswith("/"):
        raise ValueError(f"{path!r} is an absolute path; name a file relative to the work folder")
    if ".." in parts:
        raise ValueError(f"{path!r} climbs out of the work folder with '..'")
    if not parts or path.endswith(("/", "/.")):
        raise ValueError(f"{path!r} names no file")
    if any(unicodedata.category(char) in {"Cc", "Cs"} for char in path):
        raise ValueError(f"{path!r} holds a control character")
    if len(path) > MAX_PATH_CHARS or len(parts) > MAX_DEPTH:
        raise ValueError(
            f"{path[:40]!r}… is longer than {MAX_PATH_CHARS} or deeper than {MAX_DEPTH}"
        )
    if any(len(part.encode()) > MAX_NAME_BYTES for part in parts):
        raise ValueError(f"{path[:40]!r}… has a name of more than {MAX_NAME_BYTES} bytes")
    return "/".join(parts)


RelativePath = Annotated[str, Field(min_length=1), AfterValidator(relative_path)]
Pointer = Annotated[str, Field(pattern=r"^(/[^/]*)*$", max_length=500)]
"""RFC 6901: where in a JSON document, `/items/0`; empty for the whole."""


class _Check(Record):
    recoverable: bool = True
    """Whether a child that is told of the fault may try again."""


class _FileCheck(_Check):
    path: RelativePath


class FileExists(_FileCheck):
    """The file is there."""

    check: Literal["file_exists"] = "file_exists"

    def describe(self) -> str:
        """Say what is expected."""
        return "exists"


class FileContains(_FileCheck):
    """The text occurs in the file, letter for letter."""

    check: Literal["file_contains"] = "file_contains"
    text: str = Field(min_length=1, max_length=10_000)
    times: int = Field(default=1, ge=1)

    def describe(self) -> str:
        """Say what is expected."""
        often = "" if self.times == 1 else f" at least {self.times} times"
        return f"contains {canonical_json(self.text)}{often}"


class FileMatches(_FileCheck):
    """The pattern is found somewhere in the file. It gets a second of time, then counts as not."""

    check: Literal["file_matches"] = "file_matches"
    pattern: str = Field(min_length=1, max_length=500)

    def describe(self) -> str:
        """Say what is expected."""
        return f"matches the regular expression {self.pattern}"


class JsonSchemaOk(_FileCheck):
    """The file is one JSON document that satisfies the schema (draft 2020-12, local `$ref`s)."""

    check: Literal["json_schema_ok"] = "json_schema_ok"
    json_schema: dict[str, Any]

    def describe(self) -> str:
        """Say what is expected."""
        return f"is JSON that satisfies the schema {canonical_json(self.json_schema)}"


class JsonKeys(_FileCheck):
    """The JSON object at `at` has these keys."""

    check: Literal["json_keys"] = "json_keys"
    keys: tuple[str, ...] = Field(min_length=1)
    at: Pointer = ""

    def describe(self) -> str:
        """Say what is expected."""
        return f"has the JSON keys {', '.join(self.keys)}{_at(self.at)}"


class CountAtLeast(_FileCheck):
    """The file has so many JSON items (at `at`), rows (CSV or JSON Lines) or non-blank lines."""

    check: Literal["count_at_least"] = "count_at_least"
    count: int = Field(ge=1)
    of: Literal["items", "rows", "lines"] = "items"
    at: Pointer = ""

    def describe(self) -> str:
        """Say what is expected."""
        return f"has at least {self.count} {self.of}{_at(self.at)}"


class RowsEachHave(_FileCheck):
    """There are rows (JSON array at `at`, JSON Lines, CSV), and each fills these fields."""

    check: Literal["rows_each_have"] = "rows_each_have"
    fields: tuple[str, ...] = Field(min_length=1)
    at: Pointer = ""

    def describe(self) -> str:
        """Say what is expected."""
        return f"has rows that each fill {', '.join(self.fields)}{_at(self.at)}"


class Sha256Is(_FileCheck):
    """The file has exactly this content."""

    check: Literal["sha256_is"] = "sha256_is"
    content_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")

    def describe(self) -> str:
        """Say what is expected."""
        return f"has the SHA-256 {self.content_sha256}"


class NoExtraFiles(_Check):
    """Nothing lies in the work folder but deliverables, inputs and what is allowed by name."""

    check: Literal["no_extra_files"] = "no_extra_files"
    allow: tuple[RelativePath, ...] = ()
    """Files, or folders with all that is below them."""

    def describe(self) -> str:
        """Say what is expected."""
        also = f", beside {', '.join(self.allow)}" if self.allow else ""
        return f"holds no files but the deliverables and the inputs{also}"


class CommandSucceeds(_Check):
    """The command ends with 0 in a fresh folder that holds the verified files and the inputs.

    Only programs on the caller's allow-list are run; by default none is.
    """

    check: Literal["command_succeeds"] = "command_succeeds"
    argv: tuple[str, ...] = Field(min_length=1, max_length=100)
    seconds: float = Field(default=60.0, gt=0, le=3600)

    def describe(self) -> str:
        """Say what is expected."""
        return f"makes `{' '.join(self.argv)}` end with 0 within {self.seconds:g} s"


FileCheck = (
    FileExists
    | FileContains
    | FileMatches
    | JsonSchemaOk
    | JsonKeys
    | CountAtLeast
    | RowsEachHave
    | Sha256Is
)
Check = Annotated[FileCheck | NoExtraFiles | CommandSucceeds, Field(discriminator="check")]


class CheckResult(Record):
    """What one check found."""

    check: str
    """A check of the contract, or `delivered`, `child_finished`, `nothing_outside`."""
    path: str | None = None
    """None where the check is about the whole work."""
    ok: bool
    expected: str
    found: str
    sentence: str
    """For people, and for the child's next try."""
    absent: bool = False
    """Whether nothing is at that path."""
    recoverable: bool = True


class Artifact(Record):
    """A deliverable that passed. Its bytes are kept by hash, out of the child's reach."""

    path: str
    content_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    size_bytes: int
    media_type: str | None = None
    attempt: int = Field(default=1, ge=1)


class Verification(Record):
    """What was found on the disk after one attempt."""

    ok: bool
    """Every required deliverable passed, and every check about the whole work."""
    results: tuple[CheckResult, ...]
    artifacts: tuple[Artifact, ...] = ()
    """Deliverables whose own results are all ok, also where `ok` is False."""
    missing: tuple[str, ...] = ()
    """Required deliverables that are not there."""
    outside: tuple[str, ...] = ()
    """Files outside the work folder that changed while the child ran."""

    @property
    def failures(self) -> tuple[CheckResult, ...]:
        """Results that are not ok."""
        return tuple(result for result in self.results if not result.ok)

    @property
    def rejected(self) -> dict[str, str]:
        """Path → first reason, of the deliverables that did not pass."""
        failed = reversed(self.failures)
        return {result.path: result.sentence for result in failed if result.path is not None}

    @property
    def notes(self) -> tuple[str, ...]:
        """What is wrong, in sentences."""
        return tuple(result.sentence for result in self.failures)


def _at(pointer: str) -> str:
    return f" at {pointer}" if pointer else ""
