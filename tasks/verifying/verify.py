"""The whole verification of one attempt: every deliverable, every check, one record.

What the child said takes no part. Each file is opened once, judged and hashed as it was read; the
bytes that passed are returned, and whoever uses the work uses those, never the path.
"""

import asyncio
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

from contracts.checks import (
    Artifact,
    CheckResult,
    CommandSucceeds,
    FileCheck,
    NoExtraFiles,
    Verification,
)
from contracts.delegation import DelegationContract, Deliverable
from tasks.verifying.checks import result, run_check
from tasks.verifying.commands import commands_are_off, run_command
from tasks.verifying.content import Content
from tasks.verifying.deliver import Listing, Scene, deliver, delivered, listing_of, not_delivered
from tasks.verifying.folder import TooMany, files_below
from tasks.verifying.paths import NotTaken

THREADS = 4
"""Files under way at once. Reading and hashing leave the interpreter to others."""
MAX_NAMED = 5
"""Paths that one sentence names."""


class Verified(NamedTuple):
    """The record, and the bytes of the artifacts by path."""

    verification: Verification
    contents: Mapping[str, bytes]


def verify(scene: Scene) -> Verified:
    """Return what stands in the work folder. What a child did is a result, never an exception.

    Commands are off: a `command_succeeds` check fails. `verify_and_run` runs them.
    """
    files, artifacts, contents = _inspect_files(scene)
    results = [*_circumstances(scene), *files, *_inspect_folder(scene)]
    return Verified(_conclude(scene, results, artifacts), contents)


async def verify_and_run(scene: Scene, allowed: frozenset[str] = frozenset()) -> Verified:
    """Return the verification, in a thread, then run the contract's commands on what passed.

    Args:
        scene: What is verified.
        allowed: Programs that a command of a contract may start with.
    """
    verified = await asyncio.to_thread(verify, scene)
    commands = [check for check in scene.contract.checks if isinstance(check, CommandSucceeds)]
    if not commands or not allowed:
        return verified
    first, contents = verified
    inputs = scene.contract.inputs
    tried = [await run_command(check, contents, inputs, allowed) for check in commands]
    others = [found for found in first.results if found.check != "command_succeeds"]
    return Verified(_conclude(scene, [*others, *tried], first.artifacts), contents)


class _Inspected(NamedTuple):
    """What was found of one deliverable; `content` where all of it is as it should be."""

    results: list[CheckResult]
    content: Content | None = None


def _inspect_files(
    scene: Scene,
) -> tuple[list[CheckResult], tuple[Artifact, ...], dict[str, bytes]]:
    limit = room = scene.contract.budget.max_bytes
    results: list[CheckResult] = []
    artifacts: list[Artifact] = []
    contents: dict[str, bytes] = {}
    for deliverable, (own, content) in _inspect_ahead(scene):
        if content is None:
            results.extend(own)
        elif len(content.data) > room:
            problem = NotTaken(f"takes all files together beyond {limit:,} bytes")
            results.append(not_delivered(deliverable, problem))
        else:
            results.extend(own)
            artifacts.append(_artifact(content, scene.attempt))
            contents[deliverable.path] = content.data
            room -= len(content.data)
    return results, tuple(artifacts), contents


def _inspect_ahead(scene: Scene) -> Iterator[tuple[Deliverable, _Inspected]]:
    """Yield each deliverable with what was found, in order; the next are being read meanwhile."""
    listing, checks = listing_of(scene.root), _checks_by_path(scene.contract)
    waiting: deque[tuple[Deliverable, Future[_Inspected]]] = deque()
    with ThreadPoolExecutor(THREADS) as pool:
        for deliverable in scene.contract.deliverables:
            own = checks.get(deliverable.path, [])
            found = pool.submit(_inspect_one, scene, deliverable, own, listing)
            waiting.append((deliverable, found))
            if len(waiting) > THREADS:
                earliest, done = waiting.popleft()
                yield earliest, done.result()
        for deliverable, found in waiting:
            yield deliverable, found.result()


def _inspect_one(
    scene: Scene, deliverable: Deliverable, checks: Sequence[FileCheck], listing: Listing
) -> _Inspected:
    try:
        content = deliver(scene, deliverable, listing)
    except NotTaken as problem:
        return _Inspected([not_delivered(deliverable, problem)])
    own = [run_check(check, content) for check in checks]
    passed = all(found.ok for found in own)
    return _Inspected([delivered(content), *own], content if passed else None)


def _checks_by_path(contract: DelegationContract) -> dict[str, list[FileCheck]]:
    by_path: dict[str, list[FileCheck]] = {}
    for check in contract.checks:
        if not isinstance(check, NoExtraFiles | CommandSucceeds):
            by_path.setdefault(check.path, []).append(check)
    return by_path


def _inspect_folder(scene: Scene) -> list[CheckResult]:
    results = []
    for check in scene.contract.checks:
        if isinstance(check, NoExtraFiles):
            results.append(_no_extra_files(check, scene))
        elif isinstance(check, CommandSucceeds):
            results.append(commands_are_off(check))
    return results


def _circumstances(scene: Scene) -> list[CheckResult]:
    results = []
    if scene.outside is not None:
        results.append(_nothing_outside(scene.outside))
    if scene.trouble is not None:
        what, recoverable = scene.trouble
        expected = "the child ends by itself and well"
        results.append(result("child_finished", None, what, expected, recoverable=recoverable))
    return results


def _no_extra_files(check: NoExtraFiles, scene: Scene) -> CheckResult:
    contract = scene.contract
    expected = {*contract.paths, *(given.path for given in contract.inputs), *scene.before}
    try:
        extra = [
            entry.path
            for entry in files_below(scene.root)
            if entry.path not in expected and not _allowed(entry.path, check.allow)
        ]
        problem = f"has files that nobody asked for: {_named(extra)}" if extra else None
    except TooMany as error:
        problem = f"has {error}"
    return result(check.check, None, problem, check.describe(), recoverable=check.recoverable)


def _nothing_outside(outside: Sequence[str]) -> CheckResult:
    problem = f"came with changes outside its folder: {_named(outside)}" if outside else None
    expected = "nothing outside the work folder changes while the child runs"
    return result("nothing_outside", None, problem, expected, recoverable=False)


def _conclude(
    scene: Scene, results: Sequence[CheckResult], artifacts: tuple[Artifact, ...]
) -> Verification:
    required = {wanted.path for wanted in scene.contract.deliverables if wanted.required}
    have = {artifact.path for artifact in artifacts}
    whole = all(found.ok for found in results if found.path is None)
    return Verification(
        ok=whole and required <= have,
        results=tuple(results),
        artifacts=artifacts,
        missing=tuple(found.path for found in results if found.path in required and found.absent),
        outside=scene.outside or (),
    )


def _artifact(content: Content, attempt: int) -> Artifact:
    return Artifact(
        path=content.deliverable.path,
        content_sha256=content.sha256,
        size_bytes=len(content.data),
        media_type=content.deliverable.media_type,
        attempt=attempt,
    )


def _allowed(path: str, allow: Sequence[str]) -> bool:
    return any(path == name or path.startswith(f"{name}/") for name in allow)


def _named(paths: Sequence[str]) -> str:
    more = f" and {len(paths) - MAX_NAMED} more" if len(paths) > MAX_NAMED else ""
    return ", ".join(paths[:MAX_NAMED]) + more
