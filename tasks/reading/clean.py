"""A raw reply made safe and plain: bounded, printable, without thoughts and wrapping."""

import re
from typing import NamedTuple

from tasks.reading.objects import OBJECT_START, object_end

MAX_CHARS = 3_000_000
"""Longer replies keep their first and last halves of this."""

_ANSI = re.compile(r"\x1b(?:\[[0-9;?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b]{0,500}(?:\x07|\x1b\\))")
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufffe\uffff]"
)
_MOST_OBJECTS = 100
_FENCE_LINE = re.compile(r"^[ \t]{0,8}(?:`{3,}|~{3,})[\w+-]{0,20}[ \t]{0,8}$", re.MULTILINE)
_LINE_ENDS = re.compile("[\x85\u2028\u2029]")
_THOUGHT_NAMES = (
    "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis|inner_monologue"
    "|internal_monologue|antthinking|begin_of_thought"
)
_OPEN = rf"<\|?(?:\w{{1,20}}:)?(?:{_THOUGHT_NAMES})\b[^<>\n]{{0,80}}>|\[THINK\]|◁think▷"
_OPEN += r"|<details\b[^<>\n]{0,80}>\s{0,20}<summary>[^<\n]{0,60}(?:think|thought|reason)"
_OPEN += r"|^[ \t]{0,8}Thinking\.\.\.[ \t]{0,8}$"
_CLOSE = (
    rf"</(?:\w{{1,20}}:)?(?:{_THOUGHT_NAMES})\s{{0,8}}>|<\|end_of_thought\|>|\[/THINK\]|◁/think▷"
)
_CLOSE += r"|</details>|^[ \t]{0,8}\.{3}done thinking\.?"
_MARK = re.compile(
    rf"(?P<open>{_OPEN})|(?P<close>{_CLOSE})|(?P<object>{OBJECT_START.pattern})",
    re.IGNORECASE | re.MULTILINE,
)
_EDGE = re.compile(rf"(?P<open>{_OPEN})|(?P<close>{_CLOSE})", re.IGNORECASE | re.MULTILINE)
_NAME = re.compile(r"[a-z:_]+", re.IGNORECASE)

_TURN_END = r"<\|(?:im_end|eot_id|eom_id|endoftext|end|return|end_of_text)\|>|</s>|<end_of_turn>"
_TURN_END += r"|<eos>|<EOS_TOKEN>|<｜end▁of▁sentence｜>"
_LAST_TURN = re.compile(rf"(?:{_TURN_END})(?=\s*(?:$|<))")
_CHAT = r"(?:<\|[\w/ -]{1,40}\|>|<｜[^<>｜]{1,40}｜>|</?s>|<(?:bos|eos|pad|unk|EOS_TOKEN)>"
_CHAT += r"|<(?:start|end)_of_turn>|\[/?(?:INST|OUT)\])"
_LEADING = re.compile(
    rf"\s*(?:{_CHAT}\s*)+(?:(?:assistant|model)\b[ \t]*(?:\n|{_CHAT}|$)\s*)?(?:{_CHAT}\s*)*"
)
_SPEAKER = re.compile(r"\s{0,40}(?:assistant|ai|bot|model)[ \t]?:[ \t]*", re.IGNORECASE)
_TRAILING = re.compile(rf"(?:\s*{_CHAT})+\s*$")
_HARMONY_FINAL = "<|channel|>final<|message|>"
_HARMONY_OTHER = re.compile(r"<\|channel\|>(?:analysis|commentary)\b[^<]{0,80}<\|message\|>")

_BOX_TOP = re.compile(r"\s{0,20}[╭┌╔┏][^\n]*")
_BOX_END = re.compile(r"\s{0,20}[╰└╚┗]")
_BOX_SIDES = re.compile(r"^\s{0,20}[│║┃]\s?|\s?[│║┃]\s*$")
_BOX_OF_THOUGHT = re.compile(r"reasoning|thinking|thoughts", re.IGNORECASE)
_SESSION_LINE = re.compile(r"\s*(?:session[_ ]id|session|resume):?\s+\S{1,120}\s*", re.IGNORECASE)


class Cleaned(NamedTuple):
    """What is left of a reply to be read, and what was found on the way."""

    text: str
    unclosed: bool
    """A thought was opened and never closed: what follows it was not meant as the answer."""
    thought: bool
    """Thoughts were taken out."""


def clean(raw: str) -> Cleaned:
    """Return the reply without unprintable characters, chat tokens, thoughts and terminal boxes.

    Tags inside the strings of an answer object are its author's words and stay.
    """
    text = printable(raw)
    if _HARMONY_FINAL not in text and _HARMONY_OTHER.search(text):
        return Cleaned("", unclosed=True, thought=True)
    text = _without_turns(text.rpartition(_HARMONY_FINAL)[2])
    text, unclosed, thought = _without_thoughts(_without_boxes(text))
    return Cleaned(text.strip(), unclosed=unclosed, thought=thought)


def printable(raw: str) -> str:
    """Return `raw` bounded, encodable as UTF-8, with plain line ends and no control characters."""
    if len(raw) > MAX_CHARS:
        raw = raw[: MAX_CHARS // 2] + "\n" + raw[-MAX_CHARS // 2 :]
    text = _ANSI.sub("", encodable(raw)).replace("\r\n", "\n").replace("\r", "\n")
    return _UNSEEN.sub("", _LINE_ENDS.sub("\n", text))


def without_fences(text: str) -> str:
    """Return `text` without the lines that open or close a code block."""
    return _FENCE_LINE.sub("", text)


def encodable(text: str) -> str:
    """Return `text` with surrogate pairs joined and lone surrogates replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _without_turns(text: str) -> str:
    leading = _LEADING.match(text)
    if leading:
        text = text[leading.end() :]
    speaker = _SPEAKER.match(text)
    if speaker:
        text = text[speaker.end() :]
    for end in _LAST_TURN.finditer(text):
        if text[: end.start()].strip():
            text = text[: end.start()]
            break
    return _TRAILING.sub("", text[-400:]) if len(text) <= 400 else _trimmed(text)  # noqa: PLR2004


def _trimmed(text: str) -> str:
    # the pattern is tried at every blank: only the end of a long text is worth it
    return text[:-400] + _TRAILING.sub("", text[-400:])


def _without_boxes(text: str) -> str:
    if not any(corner in text for corner in "╭┌╔┏"):
        return text
    kept: list[str] = []
    hidden = False
    for line in text.split("\n"):
        if _BOX_TOP.match(line):
            hidden = _BOX_OF_THOUGHT.search(line) is not None
        elif _BOX_END.match(line):
            hidden = False
        elif not hidden and not _SESSION_LINE.fullmatch(line):
            kept.append(_BOX_SIDES.sub("", line))
    return "\n".join(kept)


def _without_thoughts(text: str) -> tuple[str, bool, bool]:
    kept: list[str] = []
    start = at = tried = 0
    thought = False
    marks = _MARK if _EDGE.search(text) else _EDGE
    while mark := marks.search(text, at):
        if "object" in mark.re.groupindex and mark["object"]:
            tried += 1
            at = object_end(text, mark.start()) or mark.end()
            marks = _MARK if tried < _MOST_OBJECTS else _EDGE
        elif mark["open"]:
            kept.append(text[start : mark.start()])
            start = at = _thought_end(text, mark)
            thought = True
            if at > len(text):
                return "\n".join(kept), True, True
        else:
            # a closing tag alone: the template had opened the thought before the reply began
            kept, start, at, thought = [], mark.end(), mark.end(), True
    return "\n".join([*kept, text[start:]]), False, thought


def _thought_end(text: str, opened: re.Match[str]) -> int:
    name = _named(opened)
    depth = 1
    for edge in _EDGE.finditer(text, opened.end()):
        if name in ("", _named(edge)):
            depth += 1 if edge["open"] else -1
        if not depth:
            return edge.end()
    return len(text) + 1


def _named(mark: re.Match[str]) -> str:
    found = _NAME.search(mark.group())
    name = found.group().casefold().replace("begin_of", "end_of") if found else ""
    return "thinking" if name == "done" else name
