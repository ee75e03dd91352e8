"""What verification costs beyond reading and hashing: 1,000 artifacts of 1 MB.

    python -m tests.benchmarks.verify [--json] [--artifacts 1000]

All sides read the same files in one run, in turns of 100 files, from the page cache; what else runs
on the machine slows single turns, so the best of five counts.

    plain    `read_bytes` and SHA-256, and each file's bytes are dropped
    kept     the same, and the bytes are kept, as whoever uses the work needs them
    bytes    verification of files that promise nothing but to be there; it keeps the bytes
    text     … of files that must be UTF-8 and not blank, in a folder without other files
    search   … and that must contain a line, for which every byte is read once more

Target: bytes and text ≤ 1.5 × plain. The others are reported.
"""

import argparse
import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from contracts.checks import FileContains, NoExtraFiles
from contracts.delegation import DelegationContract, Deliverable
from tasks.verifying.deliver import Scene
from tasks.verifying.paths import open_root
from tasks.verifying.verify import verify

TARGET = 1.5
BATCH = 100
SIZE = 1_000_000
ROUNDS = 5
MARK = "# Findings"
VERIFIED = ("bytes", "text", "search")
BOUND = ("bytes", "text")


def make(folder: Path, count: int) -> list[str]:
    """Write `count` files of text that no two of them share; return their names."""
    folder.mkdir()
    names = [f"artifact-{number:04}.md" for number in range(count)]
    for name in names:
        body = os.urandom(SIZE // 2).hex()[: SIZE - len(MARK) - 1]
        (folder / name).write_text(f"{body}\n{MARK}", encoding="ascii")
    return names


def plain(folder: Path, names: list[str]) -> None:
    """Read and hash."""
    for name in names:
        hashlib.sha256((folder / name).read_bytes()).hexdigest()


def kept(folder: Path, names: list[str]) -> None:
    """Read, hash and keep."""
    contents = {name: (folder / name).read_bytes() for name in names}
    for data in contents.values():
        hashlib.sha256(data).hexdigest()


def contract(names: list[str], side: str) -> DelegationContract:
    """Return the contract that the files of one folder fulfil."""
    kind = None if side == "bytes" else "text/markdown"
    searches = [FileContains(path=name, text=MARK) for name in names] if side == "search" else []
    return DelegationContract(
        goal="benchmark",
        deliverables=tuple(Deliverable(path=name, media_type=kind) for name in names),
        checks=() if side == "bytes" else (*searches, NoExtraFiles()),
    )


def verified(folder: Path, asked: DelegationContract) -> None:
    """Verify, and make sure that everything passed."""
    with open_root(folder) as root:
        record = verify(Scene(root, asked, since=0.0)).verification
    if not record.ok:
        sys.exit(f"the benchmark's own files did not pass: {record.notes[:1]}")


def timed(act: Callable[[], None]) -> float:
    """Return the wall seconds of one call."""
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def measure(root: Path, count: int) -> dict[str, float]:
    """Return the seconds of each side: the sum over folders of the best of some rounds."""
    total = dict.fromkeys(("plain", "kept", *VERIFIED), 0.0)
    for start in range(0, count, BATCH):
        folder = root / f"work-{start}"
        names = make(folder, min(BATCH, count - start))
        sides: dict[str, Callable[[], None]] = {
            "plain": partial(plain, folder, names),
            "kept": partial(kept, folder, names),
        }
        for side in VERIFIED:
            sides[side] = partial(verified, folder, contract(names, side))
        walls: dict[str, list[float]] = {side: [] for side in sides}
        for _ in range(ROUNDS):
            for side, act in sides.items():
                walls[side].append(timed(act))
        for side, seconds in walls.items():
            total[side] += min(seconds)
        for name in names:
            (folder / name).unlink()
    return total


def main() -> None:
    """Measure, print, and exit 1 where the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print the JSON line only")
    parser.add_argument("--artifacts", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="council-benchmark-") as name:
        seconds = measure(Path(name), options.artifacts)
    ratios = {side: seconds[side] / seconds["plain"] for side in ("kept", *VERIFIED)}
    if not options.json:
        table = Table("side", "seconds", "MB/s", "× plain")
        for side, spent in seconds.items():
            ratio = f"{ratios[side]:.2f}" if side in ratios else ""
            table.add_row(side, f"{spent:.2f}", f"{options.artifacts / spent:.0f}", ratio)
        Console().print(table)
    missed = [side for side, ratio in ratios.items() if side in BOUND and ratio > TARGET]
    rounded = {side: round(ratio, 3) for side, ratio in ratios.items()}
    print(
        json.dumps(
            {
                "benchmark": "verify",
                "artifacts": options.artifacts,
                "seconds": {side: round(spent, 3) for side, spent in seconds.items()},
                "ratios": rounded,
                "target": TARGET,
                "missed": missed,
            }
        )
    )
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
