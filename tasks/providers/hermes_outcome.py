"""What a Hermes run came to. Pure: exit code, usage report and text in, an answer or an error out.

Hermes 0.19 exits with 0 when the provider failed and prints the failure where the answer belongs;
its usage report tells more, and is silent in other cases. So an answer is taken only when all
three agree.
"""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from contracts.errors import (
    EmptyReply,
    Misconfigured,
    ProviderError,
    ProviderTimeout,
    ServerFault,
    Truncated,
)
from tasks.providers.chat_errors import tidy
from tasks.providers.hermes_text import answer_text, failure_in, failure_on_screen, plain_text
from tasks.providers.process import Finished

MAX_REPORT_BYTES = 1_000_000
USAGE_EXIT = 2


class Report(BaseModel):
    """The usage report (`--usage-file`). Newer versions write more; what is unknown is left out."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    completed: bool | None = None
    failed: bool = False
    failure: str | None = None
    partial: bool | None = None
    interrupted: bool | None = None
    turn_exit_reason: str | None = None
    session_id: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    estimated_cost_usd: float | None = None
    cost_status: str | None = None
    api_calls: int | None = None


def read_report(file: Path) -> Report | None:
    """Return the usage report, None when it is not there or is no report."""
    try:
        if file.stat().st_size > MAX_REPORT_BYTES:
            return None
        return Report.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        return None


def answer_of(end: Finished, report: Report | None, where: str) -> str:
    """Return the answer of a run that has one.

    Args:
        end: how the process ended.
        report: its usage report; None for a program or a mode that writes none.
        where: the model and the provider, for messages.

    Raises:
        ProviderError: with the true cause, when exit code, report and text do not all say that
            the turn was completed.
    """
    if end.timed_out:
        raise ProviderTimeout(f"{where} did not answer within {end.seconds:.0f} s.")
    if end.truncated:
        raise ServerFault(f"{where} printed more than {len(end.stdout):,} characters.")
    text = answer_text(end.stdout) if report is None else plain_text(end.stdout)
    error = _from_report(report, text, where) or _from_exit(end, text, where)
    error = error or failure_in(text, where)
    if report is None:
        error = error or failure_on_screen(text, where)
    if error is not None:
        raise error
    if not text:
        raise EmptyReply(f"{where} ended without an answer.")
    return text


def _from_report(report: Report | None, text: str, where: str) -> ProviderError | None:
    if report is None:
        return None
    words = report.failure or text
    if report.failed:
        return failure_in(words, where) or ServerFault(f"{where} failed: {tidy(words)}")
    if report.interrupted:
        return ServerFault(f"{where} was interrupted before it had answered.")
    if report.partial or report.completed is False:
        why = f" ({report.turn_exit_reason})" if report.turn_exit_reason else ""
        return Truncated(f"{where} stopped before its answer was whole{why}.", exhausted=True)
    return None


def _from_exit(end: Finished, text: str, where: str) -> ProviderError | None:
    if end.returncode == 0:
        return None
    said = plain_text(end.stderr) or text
    if end.returncode < 0:
        return ServerFault(f"{where}: Hermes was ended by signal {-end.returncode}. {tidy(said)}")
    known = failure_in(said, where) or failure_in(text, where)
    if known is not None:
        return known
    if end.returncode == USAGE_EXIT and said.startswith("usage:"):
        return Misconfigured(f"{where}: this Hermes does not take the call: {tidy(said)}")
    return ProviderError(f"{where}: Hermes exited with {end.returncode}: {tidy(said) or 'silent'}")
