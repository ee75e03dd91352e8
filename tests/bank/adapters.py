"""The bank's adapters: each calls the product's own code and nothing else (see harness.py)."""

import asyncio
import json
import os
import stat
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

from contracts.delegation import ChildRun
from contracts.errors import ContractError, ProviderError
from contracts.juror import Endpoint
from contracts.opinion import OTHER
from contracts.question import Option, Question
from tasks.providers.base import Completion, Request
from tasks.providers.hermes import Hermes
from tasks.providers.limits import turn
from tasks.providers.policy import RetryPolicy, with_retries
from tasks.providers.registry import ask_once
from tasks.reading.reply import read_reply
from tasks.reading.slate import merge_positions
from tasks.reading.stance import Answer, read_stance
from tasks.verifying.contract_file import check_runnable, parse_contract
from tasks.verifying.deliver import Scene
from tasks.verifying.folder import changes, files_below
from tasks.verifying.manifest import read_manifest
from tasks.verifying.paths import Mark, NotTaken, open_root
from tasks.verifying.tree import next_step
from tasks.verifying.verify import verify as verify_files

KEY = "BANK_API_KEY"
"""The variable that the seats of the bank name for their key."""


def provider(case, env):
    """Ask the seat that `env` describes, with the product's turns and retries."""
    if case["kind"] == "cli":
        return _provider_cli(env)
    with patch.dict(os.environ, {**env["environ"], KEY: env["api_key"]}):
        return asyncio.run(_heard(_http_seat(env), env))


def _provider_cli(env):
    """Ask through the program that the case wrote in the place of `hermes`."""
    program = Path(env["cli"])
    hermes = Hermes(program.parent / "home", program, passed_on=tuple(env["environ"]))
    seat = Endpoint(
        provider="hermes",
        model=env["model"],
        hermes_provider="bank",
        timeout_seconds=env["deadline_s"],
    )

    async def ask(endpoint, request, *, max_wait_seconds):
        async with turn(endpoint, max_wait_seconds):
            return await hermes.complete(endpoint, request)

    with patch.dict(os.environ, env["environ"]):
        return asyncio.run(_heard(seat, env, ask))


def _http_seat(env):
    return Endpoint(
        provider="openai_compatible",
        model=env["model"],
        base_url=env["base_url"],
        api_key_env=KEY,
        stream=env["stream"],
        timeout_seconds=env["deadline_s"],
    )


async def _heard(seat, env, ask=ask_once):
    attempts = 0
    request = Request(system="", user=env["prompt"])
    policy = RetryPolicy(
        attempts=env["max_attempts"],
        backoff_seconds=env["backoff_s"],
        max_wait_seconds=2 * env["deadline_s"],
        deadline_seconds=2 * env["deadline_s"],
    )

    async def call() -> Completion:
        nonlocal attempts
        attempts += 1
        return await ask(seat, request, max_wait_seconds=policy.max_wait_seconds)

    try:
        completion = await with_retries(call, policy)
    except ProviderError as error:
        return {"outcome": "error", "kind": error.kind, "attempts": attempts}
    return {
        "outcome": "ok",
        "answer": completion.text,
        "flags": list(completion.flags),
        "attempts": attempts,
    }


FORMATS = {"json": "application/json", "jsonl": "application/x-ndjson", "csv": "text/csv"}
STATUS = {
    "accept": "accepted",
    "retry_with_notes": "retry",
    "ask_for_artifacts": "retry",
    "fail": "failed",
}


def verify(root, contract, reply, run):
    """Put the case's contract into the product's form, verify the folder, decide the next step."""
    artifacts = contract.get("artifacts") or []
    spelled = [artifact.get("path") for artifact in artifacts]
    try:
        asked = parse_contract(json.dumps(_contract(contract, artifacts)), yaml_allowed=False)
        check_runnable(asked)
        with open_root(root) as descriptor:
            outside = _outside(run) if run["watch"] else None
            scene = Scene(descriptor, asked, _marks(root, run), run["started_at"], outside)
            found = verify_files(scene).verification
    except (ContractError, NotTaken) as error:
        rejected = {str(path): str(error) for path in spelled}
        return {"ok": False, "accepted": [], "rejected": rejected, "status": "rejected"}
    step = next_step(_attempt(reply, asked), found, asked)
    names = dict(zip(asked.paths, spelled, strict=True))
    return {
        "ok": found.ok,
        "accepted": [names[artifact.path] for artifact in found.artifacts],
        "rejected": {names[path]: why for path, why in found.rejected.items()},
        "status": STATUS.get(step.name, step.name),
    }


def _contract(contract, artifacts):
    """What the product has no word for is passed on as it is, so that it is refused by name."""
    deliverables, checks = [], []
    for artifact in artifacts:
        rest = dict(artifact)
        wanted = {"path": rest.pop("path", None)}
        if "max_bytes" in contract:
            wanted["max_bytes"] = contract["max_bytes"]
        if str(rest.get("encoding")).lower() in {"utf-8", "utf8"}:
            wanted["media_type"] = "text/plain"
            del rest["encoding"]
        if rest.pop("non_blank", False):
            wanted["media_type"] = "text/plain"
        if "format" in rest:
            wanted["media_type"] = FORMATS.get(rest["format"], "text/plain")
            del rest["format"]
        if "schema" in rest:
            wanted["json_schema"] = rest.pop("schema")
        checks += [
            {"check": "file_contains", "path": wanted["path"], "text": text}
            for text in _listed(rest.pop("must_contain", []))
        ]
        deliverables.append({**wanted, **rest})
    return {"goal": "a case of the bank", "deliverables": deliverables, "checks": checks}


def _listed(value):
    return value if isinstance(value, list) else [value]


def _marks(root, run):
    below = root.resolve().relative_to(run["base"].resolve())
    return {
        str(Path(path).relative_to(below)): Mark(inode, size, mtime_ns)
        for path, (inode, size, mtime_ns, _) in run["before"].items()
        if Path(path).is_relative_to(below)
    }


def _outside(run):
    found = []
    for folder in run["watch"]:
        below = folder.relative_to(run["base"])
        before = {
            str(Path(path).relative_to(below)): state
            for path, state in run["before"].items()
            if Path(path).is_relative_to(below)
        }
        with open_root(folder) as descriptor:
            after = {path: _state(status) for path, status in files_below(descriptor)}
        found.extend(changes(before, after))
    return tuple(found)


def _state(status):
    return status.st_ino, status.st_size, status.st_mtime_ns, stat.S_IFMT(status.st_mode)


def _attempt(reply, contract):
    moment = datetime.now(UTC)
    return ChildRun(
        number=1,
        asked_for=("first",),
        child="bank",
        prompt_sha256="",
        started_at=moment,
        finished_at=moment,
        manifest=read_manifest(reply or "", contract.paths),
    )


def stance(question, options, answers, aliases, lettered):
    """Read each answer's stance on the options; without options, merge answers into camps."""
    named = tuple(Option(name=name, aliases=(aliases or {}).get(name, ())) for name in options)
    asked = Question(text=question, options=named)
    said = {
        one["juror"]: Answer(one.get("choice"), one["position"], tuple(one["reasons"]))
        for one in answers
    }
    if not named:
        return dict(merge_positions(said, asked).camp_of)
    read = {juror: read_stance(one, asked, lettered=lettered) for juror, one in said.items()}
    return {juror: _label(one, asked.option_names) for juror, one in read.items()}


def _label(reading, names):
    return "__other__" if reading.stance == OTHER and OTHER not in names else reading.stance


UNHEARD = {"refused": "abstain", "declined": "abstain"}
"""Statuses of a reply that are a juror's own will; the others are faults."""


def parse(raw, meta, question, options):
    """Read a raw reply as the product does: into parts, then into a stance on the options."""
    named = tuple(Option(name=name) for name in options or ())
    asked = Question(text=question, options=named, options_source="given" if named else "open")
    reply = read_reply(
        raw,
        asked,
        finish_reason=meta.get("finish_reason"),
        refusal=meta.get("refusal"),
        http_status=meta.get("http_status"),
    )
    status, option = UNHEARD.get(reply.status, "failed"), None
    if reply.status == "ok":
        answer = Answer(reply.choice, reply.position, reply.reasons)
        found = read_stance(answer, asked).stance
        option = found if found in asked.option_names else None
        status = "ok" if found or not named else "abstain"
    return {
        "status": status,
        "option": option,
        "position": reply.position,
        "reasons": list(reply.reasons),
        "confidence": reply.confidence,
        "flags": list(reply.flags),
        "kind": reply.kind,
    }
