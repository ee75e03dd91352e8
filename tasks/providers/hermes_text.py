"""Texts that Hermes prints: its own notices taken off, its failures told from answers. Pure.

The texts that are looked for are Hermes' own, read from its source and from runs against a server
that fails on purpose. Only a text that begins as Hermes' reports do is taken for one: a juror may
well write about rate limits or HTTP 401.
"""

import json
import re
from collections.abc import Sequence
from http import HTTPStatus

from contracts.errors import (
    ContextOverflow,
    EmptyReply,
    Misconfigured,
    ProviderError,
    ProviderTimeout,
    RateLimited,
    Refused,
    ServerFault,
    Truncated,
    Unreachable,
)
from tasks.providers.chat_errors import Fault, error_from, fault_in, tidy

READ = 4000
"""Characters of a text that are searched for a failure."""


def plain_text(text: str) -> str:
    """Return what a program printed without colours and control characters."""
    lines = _ESCAPES.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("", lines).strip()


def answer_text(printed: str) -> str:
    """Return the answer in what a chat screen printed: no frame, notices or session line."""
    shown = _ESCAPES.sub("", printed).split("\n")
    # a spinner goes back to the start of its line and writes over it
    last = "\n".join(line.rstrip("\r").rpartition("\r")[2] for line in shown)
    lines = [line for line in plain_text(last).split("\n") if not _NOTICE.match(line)]
    return "\n".join(_unframed(lines)).strip()


def failure_in(text: str, where: str) -> ProviderError | None:
    """Return the error that a text of Hermes reports, None when it reports none.

    Args:
        text: as `plain_text` returns it.
        where: the model and the provider, for the message.
    """
    lead = _LEAD.match(text)
    if lead or _STATUS.match(text):
        return _from_api(text[lead.end() if lead else 0 :][:READ], where)
    for pattern, kind, advice in _TEXTS:
        if pattern.match(text[:READ]):
            again = kind in (EmptyReply, Truncated)
            return kind(f"{where}: {advice.format(said=tidy(text))}", exhausted=again)
    if _CUT_OFF.search(text[-READ:]):
        return Truncated(f"{where}: the connection was lost before the answer was whole.")
    return None


def failure_on_screen(text: str, where: str) -> ProviderError | None:
    """Like `failure_in`, for a program that writes no usage report: its text is all there is."""
    late = next((line for line in text.split("\n")[:200] if _LEAD.match(line)), None)
    if late is not None:
        return failure_in(late, where)
    if _CRASH.search(text[:READ]):
        return ServerFault(f"{where} printed a crash in place of an answer: {tidy(text)}")
    fault = _fault_in(text)
    if fault is not None:
        return error_from(fault, where)
    error = _ERROR.match(text)
    return _from_api(text[error.end() :][:READ], where) if error else None


def _fault_in(text: str) -> Fault | None:
    """Read an API's error that was printed as it came."""
    if not text.startswith("{") or len(text) > READ:
        return None
    try:
        return fault_in(HTTPStatus.OK, json.loads(text))
    except (ValueError, RecursionError):
        return None


def _from_api(words: str, where: str) -> ProviderError:
    """Read the cause that follows `API call failed after N retries:`."""
    status = _STATUS.match(words)
    if status:
        said = words[status.end() :]
        return error_from(Fault(int(status[1]), "", said, structured=status[2] == ": "), where)
    kind = next((kind for pattern, kind in _CAUSES if pattern.search(words)), ServerFault)
    return kind(f"{where} failed: {tidy(words)}")


def _unframed(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines inside the last frame that Hermes drew; all of them where it drew none."""
    tops = [i for i, line in enumerate(lines) if _TOP.match(line) and (i == 0 or "Hermes" in line)]
    if not tops:
        return lines
    inside = lines[tops[-1] + 1 :]
    end = next((i for i, line in enumerate(inside) if _BOTTOM.match(line)), len(inside))
    return [_unsided(line) for line in inside[:end]]


def _unsided(line: str) -> str:
    bare = line.strip()
    if bare[:1] not in _SIDES or not bare:
        return line
    return bare[1:].removeprefix(" ").rstrip(_SIDES).rstrip()


_ESCAPES = re.compile(
    r"\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]"  # colours, cursor
    r"|\x1b\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)"  # titles, links
    r"|\x1b[@-_]"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_NOTICE = re.compile(
    r"\s{0,8}(?:session_id: ?\S{1,80}\s{0,8}$|┊|[⠁-⣿] |⏳ Retrying|↻ |↩ Background|💡|🔌|🌐|📝|⏱"
    r"|⚠️? {0,4}[^\n]{0,200}\(attempt \d{1,3}/\d{1,3}\)|⚠️? {0,4}(?:Reached maximum iter|tirith))"
)
_TOP = re.compile(r"\s{0,8}[╭┌╔].{0,400}[─━═╮┐╗]\s{0,8}$")
_BOTTOM = re.compile(r"\s{0,8}[╰└╚].{0,400}[─━═╯┘╝]\s{0,8}$")
_SIDES = "│┃║"
_CRASH = re.compile(r"^Traceback \(most recent call last\):", re.MULTILINE)
_ERROR = re.compile(r"(?:❌ {0,4}|✗ {0,4}|(?:fatal )?error: ?|fatal: ?)", re.IGNORECASE)
_CUT_OFF = re.compile(r"\n\n⚠️ No reply: streaming stopped early")
_LEAD = re.compile(
    r"(?:API call failed after \d{1,3} retr(?:ies|y)|Invalid API response after \d{1,3} retries"
    r"|Billing or credits exhausted): ?"
)
_STATUS = re.compile(r"(?:Error code: |HTTP )([45]\d\d)(: | — | - |$)")
_CAUSES: tuple[tuple[re.Pattern[str], type[ProviderError]], ...] = (
    (
        re.compile(r"(?i)connection (?:error|refused|reset)|name or service|certificate"),
        Unreachable,
    ),
    (re.compile(r"(?i)timed? ?out|timeout"), ProviderTimeout),
    # "likely rate limited" is Hermes' guess from a quick reply, not the server's word
    (re.compile(r"(?i)(?<!likely )rate.?limit|\b429\b|too many requests"), RateLimited),
)
_CUT = "the answer stopped before it was whole; raise the seat's max_tokens."
_SHORTER = "the prompt is longer than the model's window. Shorten the question or its context."
_SIGN = r"⚠️? {0,4}"
_TEXTS: tuple[tuple[re.Pattern[str], type[ProviderError], str], ...] = (
    (re.compile(_SIGN + r"No reply: all API retries"), ServerFault, "{said}"),
    (
        re.compile(_SIGN + r"No reply: (?:the request was interrupted|an error)"),
        ServerFault,
        "{said}",
    ),
    (
        re.compile(_SIGN + r"No reply: (?:streaming stopped|the maximum|the per-turn)"),
        Truncated,
        "{said}",
    ),
    (re.compile(_SIGN + r"No reply: the local model's context"), ContextOverflow, _SHORTER),
    (re.compile(_SIGN + r"No reply:|\(empty\)$"), EmptyReply, "the model answered with nothing."),
    (re.compile(_SIGN + r"The model (?:declined to|provider's safety)"), Refused, "{said}"),
    (re.compile(_SIGN + r"\*\*Thinking Budget Exhausted"), Truncated, _CUT),
    (re.compile(r"(?:First r|R)esponse (?:remained )?truncated"), Truncated, _CUT),
    (
        re.compile(r"Context length exceeded|Context overflow|Request payload too large"),
        ContextOverflow,
        _SHORTER,
    ),
    (re.compile(r"max_tokens exceeds the provider's"), Misconfigured, "{said}"),
    (
        re.compile(
            r"(?:hermes -z: agent failed: )?"
            r"(?:Model .{1,200} has a context window of [\d,]{1,12} tokens, which is below"
            r"|.{0,300}but Hermes needs at least [\d,]{4,9})",
            re.DOTALL,
        ),
        Misconfigured,
        "{said} Seat a larger model, or ask this one with provider openai_compatible.",
    ),
    (
        re.compile(
            r"(?:hermes -z: agent failed: )?(?:Unknown provider|No inference provider configured)"
        ),
        Misconfigured,
        "{said} Give the seat a base_url, or a hermes_provider that Hermes knows.",
    ),
    (
        re.compile(r"hermes -z: (?:ignoring unknown )?--(?:provider|toolsets) "),
        Misconfigured,
        "{said}",
    ),
    (
        re.compile(
            r"I apologize, but I encountered (?:an error|repeated errors)|Stream repeatedly dropped"
            r"|Codex response remained incomplete|Incomplete REASONING_SCRATCHPAD"
            r"|Model generated invalid tool call|Operation interrupted"
        ),
        ServerFault,
        "{said}",
    ),
    (re.compile(r"⏳ "), RateLimited, "{said}"),
)
