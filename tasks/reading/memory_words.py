"""Foreign words made fit for a memory that stands in a model's system prompt. Pure, linear.

What a question, an option or a juror says is material. In the memory of Hermes it would be read as
the assistant's own notes, so it gets there on one short line, without marks that could end an entry
or begin another role, and not at all where it reads like an order. The classes are those that
Hermes' own scan knows and more; where Hermes is installed its scan has the last word.
"""

import re

from tasks.reading.guard import MAX_TEXT, folded, neutral, why_instructing

_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,15}://\S{1,400}|\bwww\.\S{1,400}", re.IGNORECASE)
_MARKS = str.maketrans(dict.fromkeys('§→×;`<>{}[]|\\"“”«»', " "))

_OF_OURS = "previous|prior|above|earlier|all|any|your|every|these|those|other"
_ORDERS = "instruction|prompt|rule|guideline|restriction|polic|safety|message"
_RUNTIME = "claude|codex|hermes|agent|openai|anthropic"
_SIGNS: tuple[re.Pattern[str], ...] = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:ignor|disregard|forget|overrid|bypass).{{0,150}}(?:{_OF_OURS}).{{0,150}}(?:{_ORDERS})",
        r"(?:system|initial|hidden|developer) (?:\w{1,20} )?(?:prompt|message|instruct|override)",
        r"(?:do not|don't|never) .{0,150}(?:tell|inform|mention|reveal)",
        r"you (?:\w{1,20} ){0,8}now (?:a|an|the) |you are no longer|you have been ",
        r"you must (?:\w{1,20} ){0,3}(?:register|connect|report|beacon|answer|say|obey|follow)",
        r"(?:act|behave) as (?:if|though|a|an)\b|pretend .{0,150}(?:you are|to be)|name yourself",
        r"(?:respond|answer|reply) without ",
        r"(?:include|output|print|share|repeat) .{0,150}(?:conversation|history|previous|context)",
        r"from now on|\bremember (?:this|that|to)\b|memori[sz]e",
        r"\b(?:always|never) (?:answer|say|recommend|choose|pick|vote|prefer|reply|respond)",
        r"translate .{0,300} into .{0,300}(?:execute|run|eval)",
        r"register .{0,9}node|(?:heartbeat|beacon|check.?in) (?:to|with) |pull .{0,12}task",
        r"connect to the network|only use one|command and control",
        r"\bc2 (?:server|channel|infrastructure|beacon)",
        r"\b(?:cobalt ?strike|sliver|havoc|mythic|metasploit|brainworm)\b",
        r"never .{0,150}(?:create|write) .{0,150}(?:script|file) .{0,150}disk",
        rf"unset \w{{0,40}}(?:{_RUNTIME})|display ?: ?none|!--",
        r"(?:curl|wget) .{0,900}(?:key|token|secret|password|credential|api)",
        r"cat .{0,900}(?:\.env|credentials|\.netrc|\.pgpass|\.npmrc|\.pypirc)",
        r"(?:send|post|upload|transmit) .{0,900} (?:to|at) (?:http|\(address)",
        r"authorized_keys|/\.ssh|\.hermes/|(?:agents|claude|soul)\.md|\.(?:cursor|cline)rules",
        r"(?:api[_-]?key|token|secret|password) ?[=:] ?\S{12,}",
    )
)


def memory_words(text: str, limit: int) -> str:
    """Return `text` as it may stand in an entry: one line, at most `limit` characters, bare words.

    Returns an empty string where nothing is left, or where the text reads like an order.
    """
    shown = _ADDRESS.sub("(address)", neutral(text, MAX_TEXT)).translate(_MARKS)
    shown = " ".join(shown.split())
    if reads_like_an_order(shown):
        return ""
    return shown if len(shown) <= limit else shown[: limit - 1].rstrip() + "…"


def reads_like_an_order(text: str) -> bool:
    """Whether `text` reads like an instruction to whoever has it in its memory."""
    if why_instructing(text) is not None:
        return True
    plain = folded(text[:MAX_TEXT])
    return any(sign.search(plain) for sign in _SIGNS)
