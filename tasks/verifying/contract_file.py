"""A delegation contract as a file: read strictly, refused with the name of the field."""

import json
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from contracts.checks import CommandSucceeds, FileCheck, FileMatches, JsonSchemaOk, NoExtraFiles
from contracts.delegation import MAX_INPUT_CHARS, DelegationContract
from contracts.errors import ContractError
from tasks.verifying.json_text import BadJson, read_json
from tasks.verifying.paths import NotTaken, open_root, take
from tasks.verifying.patterns import pattern_fault
from tasks.verifying.schema import BadSchema, check_schema

MAX_BYTES = 1024 * 1024
"""Of a contract file."""


def load_contract(file: Path) -> DelegationContract:
    """Return the contract in a `.yaml`, `.yml` or `.json` file; `source` inputs lie beside it.

    Raises:
        ContractError: it cannot be read or run; the message names the field.
    """
    try:
        contract = parse_contract(_read(file), yaml_allowed=file.suffix.lower() != ".json")
        return _with_sources(contract, file.parent)
    except ContractError as error:
        raise ContractError(f"{file}: {error}") from None


def parse_contract(text: str, *, yaml_allowed: bool = True) -> DelegationContract:
    """Return the contract in `text`: YAML (of which JSON is a part), or JSON only.

    Raises:
        ContractError: naming the field.
    """
    from tasks.verifying.yaml_text import BadYaml, read_yaml  # noqa: PLC0415 (only for a file)

    try:
        data = read_yaml(text) if yaml_allowed else read_json(text)
        document = json.dumps(data, allow_nan=False)
    except (BadYaml, BadJson) as error:
        raise ContractError(f"the contract does not read: {error}") from None
    except (TypeError, ValueError) as error:
        raise ContractError(f"the contract has a value that JSON has not: {error}") from None
    try:
        return DelegationContract.model_validate_json(document, strict=True)
    except ValidationError as error:
        raise ContractError(_named(error)) from None


def check_runnable(contract: DelegationContract, allowed: frozenset[str] = frozenset()) -> None:
    """Refuse a contract that can never be met.

    A schema or pattern that is none, a command that is not on the allow-list, an input whose text
    was not loaded.

    Raises:
        ContractError: naming the field.
    """
    for field, problem in _problems(contract, allowed):
        raise ContractError(f"{field}: {problem}")


def contract_schema() -> dict[str, Any]:
    """Return the JSON Schema of a contract file."""
    return DelegationContract.model_json_schema()


def _read(file: Path) -> str:
    try:
        if file.stat().st_size <= MAX_BYTES:
            return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ContractError(f"the file cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ContractError("the file is not UTF-8 text; save it as UTF-8") from None
    raise ContractError(f"the file is larger than {MAX_BYTES:,} bytes")


def _problems(contract: DelegationContract, allowed: frozenset[str]) -> list[tuple[str, str]]:
    found: list[tuple[str, str | None]] = []
    for index, wanted in enumerate(contract.deliverables):
        if wanted.json_schema is not None:
            field = f"deliverables[{index}].json_schema"
            found.append((field, _schema_fault(wanted.json_schema)))
    for index, check in enumerate(contract.checks):
        field = f"checks[{index}]"
        if isinstance(check, JsonSchemaOk):
            found.append((f"{field}.json_schema", _schema_fault(check.json_schema)))
        elif isinstance(check, FileMatches):
            found.append((f"{field}.pattern", pattern_fault(check.pattern)))
        elif isinstance(check, CommandSucceeds) and check.argv[0] not in allowed:
            problem = f"{check.argv[0]!r} is not on the allow-list of commands"
            found.append((f"{field}.argv", problem))
    for index, given in enumerate(contract.inputs):
        if given.text is None:
            found.append(
                (f"inputs[{index}].source", "was not read; load the contract from its file")
            )
    return [(field, problem) for field, problem in found if problem is not None]


def _schema_fault(schema: dict[str, Any]) -> str | None:
    try:
        check_schema(schema)
    except BadSchema as error:
        return str(error)
    return None


def _with_sources(contract: DelegationContract, folder: Path) -> DelegationContract:
    inputs = list(contract.inputs)
    for index, given in enumerate(inputs):
        if given.text is not None or given.source is None:
            continue
        try:
            with open_root(folder) as root:
                text = take(root, given.source, MAX_INPUT_CHARS).data.decode()
        except (NotTaken, UnicodeDecodeError) as problem:
            raise ContractError(f"inputs[{index}].source: {given.source} {problem}") from None
        inputs[index] = given.model_copy(update={"text": text})
    return contract.model_copy(update={"inputs": tuple(inputs)})


def _named(error: ValidationError) -> str:
    first = error.errors()[0]
    field, kind, value = _field(first["loc"]), first["type"], first.get("ctx", {}).get("tag")
    if kind == "union_tag_invalid":
        return f"{field}.check: {value!r} is no check; there are {', '.join(_CHECKS)}"
    if kind == "union_tag_not_found":
        return f"{field}.check: is missing; there are {', '.join(_CHECKS)}"
    if kind == "missing":
        return f"{field}: is missing"
    if kind == "extra_forbidden":
        return f"{field}: is no field of a contract"
    message = first["msg"].removeprefix("Value error, ")
    return f"{field}: {message}" if field else message


def _field(location: tuple[int | str, ...]) -> str:
    """Return `checks[0].path` for ("checks", 0, "file_exists", "path")."""
    parts: list[str] = []
    for index, part in enumerate(location):
        if isinstance(part, int):
            parts[-1] += f"[{part}]"
        elif index != _TAG or location[0] != "checks":
            parts.append(part)
    return ".".join(parts)


_CHECKS = [
    check.model_fields["check"].default
    for check in get_args(FileCheck | NoExtraFiles | CommandSucceeds)
]
_TAG = 2
"""Place of the union's tag in a location below `checks`."""
