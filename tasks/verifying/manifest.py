"""Read a child's reply: what it says it did. Pure; and never a reason to accept anything."""

import json
import re
from typing import Any

from contracts.delegation import Manifest

MAX_CHARS = 200_000
"""Of a reply; the end is kept, where the manifest is asked for."""
MAX_REPAIR_CHARS = 8_000
"""json-repair takes quadratic time on some texts."""
MAX_SUMMARY_CHARS = 2_000
MAX_ARTIFACTS = 1_000
MAX_TRIES = 2_000
"""Opening braces that are looked at."""

_THOUGHT_ENDS = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_KEYS = {"status", "artifacts", "summary"}


def read_manifest(reply: str, declared: tuple[str, ...] = ()) -> Manifest:
    """Return what the reply claims.

    An object with `status`, `artifacts` or `summary` is looked for: the whole reply, then the last
    one inside it (prose and fences around it are fine), then a faulty one that can be repaired.
    Else the reply is prose: its text is the summary, and the `declared` paths that it names are
    the claim.
    """
    text = _THOUGHT_ENDS.split(reply[-MAX_CHARS:])[-1].strip()
    if not text:
        return Manifest(form="empty")
    whole = _as_manifest(_loads(text))
    if whole is None:
        whole = _last_object(text)
    if whole is not None:
        return _manifest("json", whole)
    repaired = _repair(text)
    if repaired is not None:
        return _manifest("repaired", repaired)
    named = tuple(path for path in declared if path in text)
    return Manifest(form="prose", artifacts=named, summary=_clean(text))


def disagreements(
    manifest: Manifest, declared: tuple[str, ...], accepted: tuple[str, ...]
) -> tuple[str, ...]:
    """Return where the claim and the disk differ, in sentences for the notes."""
    claimed = set(manifest.artifacts)
    notes = []
    untrue = [path for path in declared if path in claimed and path not in accepted]
    if untrue:
        notes.append(f"the child claims {', '.join(untrue)}, which did not pass")
    unclaimed = [path for path in accepted if path not in claimed]
    if unclaimed and manifest.form in {"json", "repaired"}:
        notes.append(f"the child does not mention {', '.join(unclaimed)}, which passed")
    undeclared = sorted(claimed - set(declared))
    if undeclared:
        notes.append(f"the child claims {len(undeclared)} files that the contract does not name")
    return tuple(notes)


def _last_object(text: str) -> dict[str, Any] | None:
    """Return the last object of the text that is a manifest."""
    decoder = json.JSONDecoder(strict=False)
    found, position, tries = None, text.find("{"), 0
    while position >= 0 and tries < MAX_TRIES:
        tries += 1
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            end = position + 1
        else:
            found = _as_manifest(value) or found
        position = text.find("{", end)
    return found


def _repair(text: str) -> dict[str, Any] | None:
    from json_repair import repair_json  # noqa: PLC0415 (only for a reply with faults)

    start = text.find("{", max(0, len(text) - MAX_REPAIR_CHARS))
    if start < 0:
        return None
    try:
        return _as_manifest(repair_json(text[start:], return_objects=True))
    except (ValueError, RecursionError):
        return None


def _loads(text: str) -> Any:
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _as_manifest(value: Any) -> dict[str, Any] | None:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value if isinstance(value, dict) and _KEYS & value.keys() else None


def _manifest(form: Any, fields: dict[str, Any]) -> Manifest:
    artifacts = fields.get("artifacts")
    listed = artifacts if isinstance(artifacts, list) else [artifacts]
    return Manifest(
        form=form,
        status=_clean(fields.get("status"))[:60],
        artifacts=tuple(path for path in map(_path, listed[:MAX_ARTIFACTS]) if path),
        summary=_clean(fields.get("summary")),
    )


def _path(item: Any) -> str:
    named = item.get("path") if isinstance(item, dict) else item
    return _clean(named).removeprefix("./") if isinstance(named, str) else ""


def _clean(value: Any) -> str:
    text = value if isinstance(value, str) else "" if value is None else json.dumps(value)
    return text.encode("utf-8", "replace").decode()[:MAX_SUMMARY_CHARS]
