"""What one file of the journal holds: a kind, an id and a record, on one line of JSON."""

import hashlib
import json
import re
from typing import Any, NamedTuple, NoReturn, TypeVar

from pydantic import ValidationError

from contracts.base import Record
from contracts.errors import StoreDamaged, StoreError

R = TypeVar("R", bound=Record)

MAX_BYTES = 64 * 1024 * 1024
"""Of one document; a deliberation of ordinary length has some 10 kB."""

_KIND = re.compile(r"[a-z][a-z0-9_]{0,39}")
_NAME = re.compile(rf"({_KIND.pattern})-([0-9a-f]{{64}})\.json")


class Unreadable(ValueError):
    """These bytes are not a document of the journal. The message says why."""


class Document(NamedTuple):
    """A document as it stands in the journal."""

    kind: str
    document_id: str
    body: dict[str, Any]
    """The record as JSON values."""

    @property
    def name(self) -> str:
        """Name of its file."""
        return document_name(self.kind, self.document_id)

    @property
    def schema_number(self) -> int:
        """Number of the form that it was written in; 1 where it does not say."""
        number = self.body.get("schema_number", 1)
        return number if isinstance(number, int) else 1

    def record(self, model: type[R]) -> R:
        """Return the body as a record.

        Raises:
            StoreDamaged: when it does not read as one.
        """
        try:
            return model.model_validate(self.body)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"]) or "the document"
            raise StoreDamaged(
                f"The {self.kind} {self.document_id!r} does not read: {where}: {first['msg']}."
            ) from None


def document_name(kind: str, document_id: str) -> str:
    """Return the file name of a document: its kind and the SHA-256 of kind and id.

    Raises:
        StoreError: when `kind` is not a lowercase word of at most 40 letters, or the id is empty.
    """
    if not _KIND.fullmatch(kind):
        raise StoreError(f"{kind!r} is no kind of document: use a lowercase word like 'outcome'.")
    if not document_id:
        raise StoreError(f"A {kind} needs an id to be kept under.")
    identity = f"{kind}\n{document_id}".encode("utf-8", "surrogatepass")
    return f"{kind}-{hashlib.sha256(identity).hexdigest()}.json"


def kind_of(name: str) -> str | None:
    """Return the kind that a file name tells; None when it is not a document's name."""
    match = _NAME.fullmatch(name)
    return match[1] if match else None


def digest_of(name: str) -> bytes:
    """Return the 32 bytes of the hash in a document's name."""
    return bytes.fromhex(name[-69:-5])


def encode(kind: str, document_id: str, record: Record) -> bytes:
    """Return the document as one line.

    A lone surrogate, which a model may well send and UTF-8 has no bytes for, is kept as an escape.

    Raises:
        StoreError: for NaN or infinity, and for a document beyond `MAX_BYTES`.
    """
    whole = {"kind": kind, "id": document_id, "document": record.model_dump(mode="json")}
    try:
        line = _dumps(whole, ascii_only=False).encode()
    except UnicodeEncodeError:
        line = _dumps(whole, ascii_only=True).encode()
    except ValueError:
        raise StoreError(
            f"The {kind} {document_id!r} holds a number that is not finite and cannot be kept."
        ) from None
    if len(line) > MAX_BYTES:
        raise StoreError(
            f"The {kind} {document_id!r} has {len(line):,} bytes; {MAX_BYTES:,} can be kept."
        )
    return line + b"\n"


def decode(data: bytes) -> Document:
    """Return the document in `data`.

    Raises:
        Unreadable: saying what is wrong.
    """
    try:
        whole = json.loads(data, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"no JSON: {error}") from None
    fields = whole if isinstance(whole, dict) else {}
    kind, document_id, body = (fields.get(key) for key in ("kind", "id", "document"))
    if not (isinstance(kind, str) and isinstance(document_id, str) and isinstance(body, dict)):
        raise Unreadable("not of the form {kind, id, document}")
    if not document_id or not _KIND.fullmatch(kind):
        raise Unreadable("its kind or its id is no name")
    return Document(kind, document_id, body)


def _dumps(value: Any, *, ascii_only: bool) -> str:
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=ascii_only, allow_nan=False
    )


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number of JSON")
