"""One deliverable: is it there, is it this attempt's work, and is it what was promised?"""

import hashlib
import unicodedata
from collections.abc import Callable, Mapping
from typing import NamedTuple

from contracts.checks import CheckResult
from contracts.delegation import DelegationContract, Deliverable
from tasks.verifying.checks import check_promise, result
from tasks.verifying.content import Content
from tasks.verifying.paths import Mark, NotTaken, Taken, names_in, take

CLOCK_SLACK_SECONDS = 2.0
"""File systems stamp by a coarser clock than the one that the attempt's start is read from."""

Listing = Callable[[tuple[str, ...]], frozenset[str]]


class Trouble(NamedTuple):
    """How a child ended that did not end well."""

    what: str
    recoverable: bool = True


class Scene(NamedTuple):
    """What is verified, and what was seen from outside while it was made."""

    root: int
    """Descriptor of the work folder, opened before the child ran."""
    contract: DelegationContract
    before: Mapping[str, Mark] = {}
    """What lay there before the child ran."""
    since: float | None = None
    """Start of the attempt, seconds since the epoch; None where that is not known."""
    outside: tuple[str, ...] | None = None
    """Files elsewhere that changed meanwhile; None where nobody watched."""
    trouble: Trouble | None = None
    attempt: int = 1


def deliver(scene: Scene, deliverable: Deliverable, listing: Listing) -> Content:
    """Return the deliverable's content, read once.

    Args:
        scene: Where to look.
        deliverable: What to look for.
        listing: Names in a folder of the work, as the disk spells them.

    Raises:
        NotTaken: it is not there, no ordinary file, not this attempt's work, or not as promised.
    """
    taken = _take_exactly(scene.root, deliverable, listing)
    content = Content(deliverable, taken.data, hashlib.sha256(taken.data).hexdigest())
    _refuse_stale(scene, taken, content)
    broken = check_promise(content)
    if broken:
        raise NotTaken(broken)
    return content


def listing_of(root: int) -> Listing:
    """Return a function that lists each folder below `root` once."""
    known: dict[tuple[str, ...], frozenset[str]] = {}

    def listing(parts: tuple[str, ...]) -> frozenset[str]:
        if parts not in known:
            known[parts] = names_in(root, parts)
        return known[parts]

    return listing


def delivered(content: Content) -> CheckResult:
    """Return the result for a deliverable that was taken."""
    found = f"is there, {len(content.data):,} bytes"
    return result(
        "delivered", content.deliverable.path, None, _wanted(content.deliverable), found=found
    )


def not_delivered(deliverable: Deliverable, problem: NotTaken) -> CheckResult:
    """Return the result for a deliverable that was not taken; an optional one may be absent."""
    excused = problem.absent and not deliverable.required
    return result(
        "delivered",
        deliverable.path,
        None if excused else str(problem),
        _wanted(deliverable),
        found="is not there, and need not be",
        absent=problem.absent,
        recoverable=deliverable.recoverable,
    )


def _take_exactly(root: int, deliverable: Deliverable, listing: Listing) -> Taken:
    *above, name = deliverable.path.split("/")
    names = listing(tuple(above))
    try:
        taken = take(root, deliverable.path, deliverable.max_bytes)
    except NotTaken as problem:
        twins = [
            other for other in sorted(names) if other != name and _folded(other) == _folded(name)
        ]
        if problem.absent and twins:
            raise NotTaken(
                f"is not there, but {twins[0]!r} is; the name must be exact", absent=True
            ) from None
        raise
    if name not in names:
        raise NotTaken("has another spelling on the disk; the name must be exact", absent=True)
    return taken


def _refuse_stale(scene: Scene, taken: Taken, content: Content) -> None:
    mark = scene.before.get(content.deliverable.path)
    if mark is not None and _is_unchanged(mark, taken, content):
        raise NotTaken("is what lay there before the attempt, not the child's work")
    if scene.since is not None and taken.mtime_ns / 1e9 < scene.since - CLOCK_SLACK_SECONDS:
        raise NotTaken("is older than the attempt")


def _is_unchanged(mark: Mark, taken: Taken, content: Content) -> bool:
    if mark.sha256 is not None:
        return mark.sha256 == content.sha256
    if (mark.inode, mark.size) != (taken.inode, len(taken.data)):
        return False
    # `touch` sets both times to one instant; a write leaves the time of the last reading alone.
    return taken.mtime_ns in {mark.mtime_ns, taken.atime_ns}


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def _wanted(deliverable: Deliverable) -> str:
    kind = deliverable.media_type or ("application/json" if deliverable.is_json else "a file")
    return f"{kind} of {deliverable.min_bytes:,} to {deliverable.max_bytes:,} bytes, newly written"
