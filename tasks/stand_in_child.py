"""The stand-in for a child: deterministic, no model, no network. It says so in every record.

By default it writes what the contract asks for, filled with placeholders that pass the checks it
understands. By script it does what real children do wrong.
"""

import asyncio
import json
from collections.abc import Sequence
from typing import Any, Literal

from contracts.checks import (
    CountAtLeast,
    FileCheck,
    FileContains,
    JsonKeys,
    JsonSchemaOk,
    RowsEachHave,
)
from contracts.delegation import DelegationContract, Deliverable
from contracts.errors import RateLimited
from tasks.children import ChildReply, Errand

Act = Literal[
    "works", "lies", "half", "talks", "breaks", "outside", "hangs", "rate_limited", "crashes"
]
MAX_DEPTH = 12
_PLACEHOLDER = "placeholder by the stand-in"


class StandInChild:
    """A child that follows a script: one act an attempt, the last one again and again.

    `works` writes everything; `lies` claims everything and writes nothing; `half` writes the first
    half and claims all; `talks` writes nothing and answers in prose; `breaks` writes files that
    are not as promised; `outside` also writes beside its folder; `hangs` writes and does not end
    in time; `rate_limited` cannot be reached; `crashes` writes and ends with 1.
    """

    name = "stand-in"

    def __init__(self, script: Sequence[Act] = ()) -> None:
        """Take the script; without one it works."""
        self.script = tuple(script) or ("works",)

    async def run(self, errand: Errand) -> ChildReply:
        """Play the act of this attempt.

        Raises:
            RateLimited: in the act of that name.
        """
        act = self.script[min(errand.attempt, len(self.script)) - 1]
        if act == "rate_limited":
            raise RateLimited("the stand-in plays a server that answers 429")
        await asyncio.to_thread(_write, errand, act)
        if act == "hangs":
            return ChildReply("", timed_out=True, tokens=0, cost_usd=0.0, simulated=True)
        claims = {"status": "completed", "artifacts": errand.contract.paths, "summary": "Done."}
        text = "I have written every file." if act == "talks" else json.dumps(claims)
        code = 1 if act == "crashes" else 0
        return ChildReply(text, code, tokens=0, cost_usd=0.0, simulated=True)


def _write(errand: Errand, act: Act) -> None:
    wanted = errand.contract.deliverables
    if act in {"lies", "talks"}:
        wanted = ()
    if act == "half":
        wanted = wanted[: (len(wanted) + 1) // 2]
    for deliverable in wanted:
        target = errand.folder / deliverable.path
        target.parent.mkdir(parents=True, exist_ok=True)
        content = " \n" if act == "breaks" else plausible(deliverable, errand.contract)
        target.write_text(content, encoding="utf-8")
    if act == "outside":
        (errand.folder.parent / "planted.txt").write_text("outside", encoding="utf-8")


def plausible(deliverable: Deliverable, contract: DelegationContract) -> str:
    """Return content that keeps the deliverable's promise and passes the checks understood here."""
    checks = [
        check
        for check in contract.checks
        if isinstance(check, FileCheck) and check.path == deliverable.path
    ]
    rows = max([check.count for check in checks if isinstance(check, CountAtLeast)], default=1)
    fields = [name for c in checks if isinstance(c, RowsEachHave) for name in c.fields]
    if deliverable.path.endswith(".csv") or deliverable.media_type == "text/csv":
        names = fields or ["item"]
        return "\n".join([",".join(names), *[",".join(["x"] * len(names))] * rows]) + "\n"
    if deliverable.is_json or any(isinstance(c, JsonKeys | JsonSchemaOk) for c in checks):
        return json.dumps(_document(deliverable, checks, rows, fields), indent=1) + "\n"
    lines = [f"# {deliverable.path}", _PLACEHOLDER, *[f"- item {i + 1}" for i in range(rows)]]
    for check in checks:
        if isinstance(check, FileContains):
            lines += [check.text] * check.times
    return "\n".join(lines) + "\n"


def _document(
    deliverable: Deliverable, checks: Sequence[FileCheck], rows: int, fields: Sequence[str]
) -> Any:
    schemas = [c.json_schema for c in checks if isinstance(c, JsonSchemaOk)]
    schema = deliverable.json_schema or (schemas[0] if schemas else None)
    keys = [key for c in checks if isinstance(c, JsonKeys) and not c.at for key in c.keys]
    row = dict.fromkeys(fields, "x")
    document = _instance(schema, rows) if schema else ({} if keys else [row or "x"] * rows)
    if isinstance(document, dict):
        document = {**dict.fromkeys(keys, "x"), **document}
    for check in checks:
        if isinstance(check, CountAtLeast | RowsEachHave) and check.at.count("/") == 1:
            filled = [row or "x"] * rows
            if isinstance(document, dict) and not document.get(check.at[1:]):
                document[check.at[1:]] = filled
    return document


def _instance(schema: Any, rows: int, depth: int = 0) -> Any:
    """Return a value that satisfies the common keywords of a schema."""
    if not isinstance(schema, dict) or depth > MAX_DEPTH:
        return None
    fixed = [schema["const"]] if "const" in schema else schema.get("enum")
    if fixed:
        return fixed[0]
    value: Any
    kind = schema.get("type", "object" if "properties" in schema else "string")
    match kind[0] if isinstance(kind, list) else kind:
        case "object":
            named = schema.get("properties", {})
            names = dict.fromkeys([*named, *schema.get("required", ())])
            value = {name: _instance(named.get(name, {}), rows, depth + 1) for name in names}
        case "array":
            count = max(schema.get("minItems", 1), rows if depth <= 1 else 1)
            value = [_instance(schema.get("items", {}), rows, depth + 1)] * count
        case "integer" | "number":
            value = max(1, schema.get("minimum", 1))
        case "boolean" | "null" as simple:
            value = True if simple == "boolean" else None
        case _:
            value = _PLACEHOLDER.ljust(schema.get("minLength", 0), ".")
    return value
