"""The check that runs something: allow-listed, on copies, never in the child's own folder."""

import asyncio
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from contracts.checks import CheckResult, CommandSucceeds
from contracts.delegation import Input
from contracts.errors import ProviderError
from tasks.providers.process import Finished, child_environment, run_process
from tasks.verifying.checks import result


def commands_are_off(check: CommandSucceeds) -> CheckResult:
    """Return the result of a command that nobody allowed to be run."""
    problem = f"was not tried by {check.argv[0]!r}: it is not on the allow-list"
    return result(check.check, None, problem, check.describe(), recoverable=False)


async def run_command(
    check: CommandSucceeds,
    contents: Mapping[str, bytes],
    inputs: Sequence[Input],
    allowed: frozenset[str],
) -> CheckResult:
    """Run one command in a fresh folder that holds the files that passed and the inputs.

    Args:
        check: The command.
        contents: Verified bytes by path.
        inputs: The contract's inputs.
        allowed: Programs that may be run.
    """
    if check.argv[0] not in allowed:
        return commands_are_off(check)
    with tempfile.TemporaryDirectory(prefix="council-check-") as name:
        folder = Path(name)
        given = {item.path: (item.text or "").encode() for item in inputs}
        await asyncio.to_thread(_fill, folder, {**given, **contents})
        try:
            ended = await run_process(
                check.argv,
                cwd=folder,
                env=child_environment({"HOME": name}),
                timeout_seconds=check.seconds,
            )
        except ProviderError as error:
            return result(check.check, None, str(error), check.describe(), recoverable=False)
    problem = _problem(ended)
    return result(check.check, None, problem, check.describe(), recoverable=check.recoverable)


def _fill(folder: Path, contents: Mapping[str, bytes]) -> None:
    for path, data in contents.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def _problem(ended: Finished) -> str | None:
    if ended.timed_out:
        return "made the command run out of time"
    if ended.returncode:
        last = (ended.stderr or ended.stdout).strip()[-160:]
        return f"makes the command end with {ended.returncode}: {last}"
    return None
