"""Texts that stand where an answer should be and are none: error messages, error pages, blanks."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from unicodedata import category

from contracts.question import Question
from tasks.reading.failure_signs import CODES, MACHINE, PHRASES
from tasks.reading.signs import any_of

_HEAD = 400
_LOOKED_AT = 4_000
_SHORT_ERROR = 600
_BAD = range(400, 600)


class Failure(NamedTuple):
    """Why a text is no answer."""

    kind: str
    """As a `ProviderError.kind`, where the text tells; else `failed`."""
    detail: str
    """What it says, on one line."""


_STATUS_LINE = re.compile(r"[45]\d\d[ :,.-]{1,4}(?=[a-z])")
_EXCEPTION = re.compile(r"[\w.]{0,80}[a-z.](?:Error|Exception|Timeout|Exhausted)(?:\s*[:(\[]|$)")
_CODE = re.compile(r"(?<![\w.])([45]\d\d)(?![\w%]|\.\d)")
_LEAD = re.compile(r"[^\w<]{0,20}")
_PAGE = re.compile(r"\s{0,99}<(?:!doctype html|html|head|body|\?xml)\b", re.IGNORECASE)
_TITLE = re.compile(r"<(?:title|h1|message|code)>([^<]{1,120})", re.IGNORECASE)
_SPACES = re.compile(r"\s+")
_SENTINELS = frozenset(
    """
    empty|no response|no reply|no content|no output|no answer|no text|no message|none|null|nil|nul|
    undefined|nan|n/a|na|response|answer|output|done|task completed|object object|tbd|todo|
    placeholder|not available|not applicable|no data
    """.translate({10: None})
    .replace("    ", "")
    .split("|")
)
_ERROR_KEYS = ("error", "errors", "fault", "exception", "error_message", "errormessage", "err")
_MESSAGES = (
    "message",
    "detail",
    "error",
    "type",
    "code",
    "status",
    "msg",
    "title",
    "reason",
    "result",
)
_NO_ERROR = ("", "none", "null", "false", "no", "0", "[]", "{}", "n/a")


def failure_in_text(text: str, question: Question) -> Failure | None:
    """Return the failure that `text` words, None when it may be an answer.

    A text that begins with an option's name is an answer. Plain phrases count only in short texts
    that name no option and that the question itself does not speak of.
    """
    page = _PAGE.match(text)
    if page:
        title = _TITLE.search(text[:20_000])
        return Failure(_kind_of(title[1] if title else ""), _line(title[1] if title else text))
    head = _LEAD.sub("", text[:_HEAD], count=1)
    low = head.casefold()
    if any(_begins(low, name) for name in question.option_names):
        return None
    if any_of(MACHINE).match(low) or _EXCEPTION.match(head):
        return Failure(_kind_of(low), _line(text))
    return _plain_failure(text, low, question)


def _plain_failure(text: str, low: str, question: Question) -> Failure | None:
    asked = " ".join((question.text, *question.option_names)).casefold()
    if len(text) > _SHORT_ERROR or any(_names(low, name) for name in question.option_names):
        return None
    after_code = _STATUS_LINE.sub("", low, count=1) if _STATUS_LINE.match(low) else low
    for kind, block in PHRASES.items():
        found = any_of(block).match(after_code)
        if found and found.group().strip() not in asked:
            return Failure(_by_code(low) or kind, _line(text))
    return None


def failure_in_object(value: Mapping[str, Any], question: Question) -> Failure | None:
    """Return the failure that a decoded object reports, None when it reports none."""
    low = {str(key).casefold(): item for key, item in value.items()}
    for key in _ERROR_KEYS:
        item = low.get(key)
        if item and str(item).strip().casefold() not in _NO_ERROR:
            return _reported(item, low)
    status = low.get("status_code", low.get("statuscode", low.get("code", low.get("status"))))
    is_bad = isinstance(status, int) and status in _BAD
    flagged = low.get("is_error") is True or low.get("success") is False
    named = (
        low.get("type") == "error" or low.get("object") == "error" or low.get("status") == "error"
    )
    if is_bad or flagged or named or "__type" in low:
        return _reported(low, low)
    message = low.get("message") or low.get("detail")
    told = failure_in_text(message, question) if isinstance(message, str) else None
    return told or (_reported(message, low) if isinstance(low.get("detail"), list) else None)


def is_sentinel(text: str, question: Question) -> bool:
    """Whether `text` is a word that programs put where there is no answer."""
    shown = text.strip()
    if len(shown) > 40 or _is_option(shown, question):  # noqa: PLR2004
        return False
    bare = shown.strip(" \t\n()[]{}<>.,:;!?*_`\"'-–—…").casefold()
    return not says_something(shown) or bare in _SENTINELS


def says_something(text: str) -> bool:
    """Whether there is a letter, a digit or a symbol such as a thumb among the first characters."""
    return any(shown.isalnum() or category(shown) == "So" for shown in text[:_LOOKED_AT])


def _is_option(shown: str, question: Question) -> bool:
    known = [*question.option_names, *(alias for o in question.options for alias in o.aliases)]
    return shown.casefold() in {name.casefold() for name in known}


def _begins(low: str, name: str) -> bool:
    return re.match(rf"{re.escape(name.casefold())}(?!\w)", low) is not None


def _names(low: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", low) is not None


def _reported(item: Any, low: Mapping[str, Any]) -> Failure:
    words = " ".join(_words(item, 0)) or "an error without a message"
    codes = " ".join(
        str(low.get(key, "")) for key in ("status", "status_code", "statuscode", "code", "type")
    )
    return Failure(_kind_of(f"{words} {codes}".casefold()), _line(words))


def _words(item: Any, depth: int) -> list[str]:
    if isinstance(item, Mapping) and depth < 3:  # noqa: PLR2004
        return [w for key in _MESSAGES if key in item for w in _words(item[key], depth + 1)]
    if isinstance(item, list) and depth < 3:  # noqa: PLR2004
        return [word for part in item[:3] for word in _words(part, depth + 1)]
    return [str(item)[:_HEAD]] if isinstance(item, str | int) and not isinstance(item, bool) else []


def _kind_of(words: str) -> str:
    by_code = _by_code(words)
    if by_code:
        return by_code
    low = words.casefold().replace("_", " ")
    for kind, block in PHRASES.items():
        if any_of(block).search(low) or any_of(block).search(words.casefold()):
            return kind
    return "failed"


def _by_code(words: str) -> str | None:
    found = _CODE.search(words)
    return kind_of_status(int(found[1])) if found else None


def kind_of_status(status: int) -> str:
    """Return the kind of a failed HTTP status."""
    return CODES.get(status, "bad_request" if status < 500 else "server_error")  # noqa: PLR2004


def _line(text: str) -> str:
    return _SPACES.sub(" ", text[:_HEAD]).strip()[:200]
