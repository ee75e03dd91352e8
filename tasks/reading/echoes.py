"""Whether a text only gives back what the juror was shown: the prompt, the question, the format."""

import re

from contracts.question import Question, letter

_WORD = re.compile(r"\w+")
_LEAST_WORDS = 4
_LONGEST = 200_000
_HOLDER = re.compile(
    r"[<\[{(]{1,3}[^<>\[\]{}]{0,200}\b"
    r"(?:your|answer|option|position|letter|choice|insert|text|here|name"
    r"|string|reason|stance|value|fill|one of|sentence)\b[^<>\[\]{}]{0,200}[>\]})]{1,3}"
    r"|\$\{\w{1,40}\}|\$[a-z_]\w{0,40}|%\(?\w{0,20}\)?s|_{3,}"
    r"|[\s.…_*-]{0,8}|x{3,}|(?:string|str|text|enum|number|your|answer|position|option|letter|choice|value|todo"
    r"|placeholder|reason\W?\d?|(?:first|second|another|third) reason|lorem ipsum\b.{0,200})",
    re.IGNORECASE | re.DOTALL,
)
_TEMPLATE = re.compile(
    r"\b(?:your|the) (?:answer|position|choice|stance|reason|final answer|opinion)(?: here"
    r"| goes here| in (?:one|a|your|\d))|answer in one sentence"
    r"|\b(?:a |the )?letter of (?:an|the|your|one)\b"
    r"|\b(?:one|name) of the (?:options|choices|letters)\b|fill in\b|^(?:string|str|text)\b[,:(]"
    r"|^your (?:answer|position|choice|reason|stance)\b.{0,20}$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*(?:[|/,;]|\bor\b|\boder\b|\bou\b)\s*", re.IGNORECASE)


def is_placeholder(text: str, question: Question) -> bool:
    """Whether a decision is the blank of a form (`<your answer>`, `A|B|C`) and not filled in."""
    shown = text.strip(" \t\n\"'`*")
    known = _known(question)
    if shown.casefold() in known:
        return False
    if _HOLDER.fullmatch(shown) or (len(shown) < 200 and _TEMPLATE.search(shown)):  # noqa: PLR2004
        return True
    parts = [part.casefold().strip(" \"'`") for part in _BETWEEN.split(shown[:2_000])]
    return len(parts) > 1 and len(parts) >= len(question.options) and set(parts) <= known


def stands_in(text: str, prompt: str | None, question: Question) -> bool:
    """Whether `text` is a part of the prompt that speaks to the juror, word for word.

    That is one with the question in it, or one from the prompt's beginning or to its end: a juror
    that is shown its earlier position and those of others may say one of them again.
    """
    told, shown = _words(text), _words(prompt or "")
    if len(told.split()) < _LEAST_WORDS or told not in shown:
        return False
    asked = _words(question.text)
    asks = len(asked.split()) >= _LEAST_WORDS and asked in told
    return asks or shown.startswith(told) or shown.endswith(told)


def is_question(text: str, question: Question) -> bool:
    """Whether `text` is nothing but the question and its options."""
    told, asked = _words(text), _words(question.text)
    named = [name for name in question.option_names if _words(name) and _words(name) in told]
    if told == asked and len(named) == 1 and "?" not in text and "?" in question.text:
        return False  # `Ship it?` - `Ship it.`
    if told == asked or (len(asked.split()) < _LEAST_WORDS or asked not in told):
        return bool(asked) and told == asked
    left = told.replace(asked, " ", 1)
    for name in sorted(map(_words, question.option_names), key=len, reverse=True):
        left = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", left) if name else left
    letters = {letter(index).casefold() for index in range(len(question.options))}
    return set(left.split()) <= _FORM | letters


_FORM = frozenset(
    [
        "question",
        "options",
        "option",
        "choices",
        "choice",
        "answer",
        "context",
        "topic",
        "the",
        "is",
        "of",
        "and",
        "or",
        "a",
        "an",
        "your",
        "reply",
        "with",
        "json",
        "only",
        "one",
        "letter",
        "please",
        "respond",
        "in",
        "pick",
        "choose",
        "between",
        "which",
        "none",
        "data",
        "user",
        "assistant",
    ]
)


def without_prompt(text: str, prompt: str | None) -> str:
    """Return what `text` adds to a prompt that it begins with; all of it where it adds nothing."""
    shown = (prompt or "").strip()
    added = text.lstrip()[len(shown) :] if text.lstrip().startswith(shown) else ""
    return added if shown and added.strip() else text


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text[:_LONGEST].casefold()))


def _known(question: Question) -> frozenset[str]:
    letters = (letter(index) for index in range(len(question.options)))
    return frozenset(name.casefold().strip() for name in (*question.option_names, *letters))
