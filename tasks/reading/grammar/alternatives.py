"""The alternatives that a question names: `A or B for C`, `should we X or Y`, `X vs Y`."""

import re
from collections.abc import Sequence

from tasks.reading.grammar.tokens import wordset
from tasks.reading.grammar.verbs import ACTIONS, CHOOSING

AUXILIARIES = wordset("""
    should shall must ought can could may might will would do does did is are was were has have am
    shouldn't isn't aren't can't couldn't won't wouldn't don't doesn't mustn't
""")
WH = wordset("what which who whom whose when where why how")

_LONGEST_WORDS, _LONGEST_CHARS = 9, 120
_OR = re.compile(r",?\s+or\s+(?:else\s+|rather\s+|maybe\s+|perhaps\s+)?", re.IGNORECASE)
_VERSUS = re.compile(r"\s+(?:vs\.?|versus)\s+", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*")
_SLASHES = re.compile(r"\s+/\s+")
_IDIOMS = re.compile(
    r"\b(?:one|two|three|four|a|an|some) or (?:more|two|three|four|five|so|other|another|both)\b"
    r"|\bmore or less\b|\bsooner or later\b|\band/or\b|\bor (?:so|later|earlier|above|below|higher"
    r"|lower|older|newer|something|anything|similar|other|others|more|less|better|worse|not)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^(?:either|whether(?: to| we should)?|between|choose(?: between)?|to|use|using|go with"
    r"|with)\s+",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:a|an|the|to|be|being|use|using|go with)\s+", re.IGNORECASE)
_BETTER = re.compile(
    r"(?:what|which) is (?:better|best|right|preferable)(?: for \w{1,40})? ", re.IGNORECASE
)
_TAIL = wordset("""
    for in on at as by with under given since because if when before after during until from this
    next now today here please and as via across within
""")
_SUBJECTS = wordset("we i they you he she it one people there this that these those")
_BOUNDS = wordset("""
    a an the to be being on in at with for from into onto via of by as is are use using go our my
    your their his her its better best more either between than
""")
_OBJECTS = wordset("something nothing it this that more less a an the both")
_VERBS = ACTIONS | CHOOSING


def alternatives(sentence: str) -> tuple[str, ...]:
    """Return the two or more alternatives of one question; empty where they are not sure."""
    asked = sentence.strip().rstrip("?.! ")
    body = _after_mark(asked)
    if _IDIOMS.search(body) or len(body) > 4 * _LONGEST_CHARS:
        return ()
    parts = _split(body)
    if len(parts) < 2:  # noqa: PLR2004 - a choice takes two
        return ()
    first = parts[0].split()
    if _word(first, 0) in WH:
        return ()
    inner = _without_opening(first)
    cleaned = _trimmed(inner, parts[1:], opened=len(inner) < len(first))
    sure = all(_is_name(part) for part in cleaned)
    return (
        cleaned if cleaned and sure and len({c.casefold() for c in cleaned}) == len(cleaned) else ()
    )


def _after_mark(asked: str) -> str:
    """Return what stands after a colon, a dash, or the comma of `which X, A or B`."""
    for mark in (":", " — ", " – ", " - "):
        head, found, tail = asked.rpartition(mark)
        if found and _has_choice(tail):
            return tail.strip()
        del head
    words = asked.split(maxsplit=1)
    if _word(words, 0) in WH and "," in asked:
        tail = asked.split(",", 1)[1].strip()
        if _has_choice(tail):
            return tail
    better = _BETTER.match(asked)
    return asked[better.end() :] if better and _has_choice(asked) else asked


def _has_choice(text: str) -> bool:
    return bool(_OR.search(text) or _VERSUS.search(text) or _SLASHES.search(text))


def _split(body: str) -> list[str]:
    """Return the parts of `X, Y or Z`, `X vs Y`, `X / Y`; one part where there is no choice."""
    for pattern in (_VERSUS, _SLASHES):
        parts = pattern.split(body)
        if len(parts) > 1 and not _OR.search(body):
            return [part.strip() for part in parts]
    parts = _OR.split(body)
    if len(parts) < 2:  # noqa: PLR2004
        return [body]
    return [*_COMMA.split(parts[0]), *parts[1:]]


def _word(words: Sequence[str], at: int) -> str:
    return words[at].casefold().strip(",;") if at < len(words) else ""


def _without_opening(words: list[str]) -> list[str]:
    """Return the words after `should we`, `is it better to`."""
    at = 0
    acts = _word(words, 0) in {"do", "have"} and _word(words, 1) in _OBJECTS
    if _word(words, 0) in AUXILIARIES and not acts:
        at = 1
        at += _word(words, at) == "not"
        at += _word(words, at) in _SUBJECTS
        while _word(words, at) in {"rather", "better", "best", "be", "to", "still", "now"}:
            at += 1
    return words[at:]


def _trimmed(first: list[str], rest: list[str], *, opened: bool) -> tuple[str, ...]:
    """Return the alternatives without what stands before the first and after the last."""
    acts = _word(first, 0) in _VERBS | {"do"}
    rest = [part[3:] if part.casefold().startswith("to ") else part for part in rest]
    last = rest[-1].split()
    if acts and _word(last, 0) in _VERBS | {"do"}:
        return tuple(_capital(part) for part in (" ".join(first), *rest))
    bare = _cut_tail(last)
    names = [*rest[:-1], " ".join(bare)]
    head = _end_of(first, bare) if acts or opened else " ".join(first)
    return tuple(_named(part) for part in (head, *names))


def _cut_tail(words: list[str]) -> list[str]:
    """Return the last alternative without `for invoices` or `this quarter`."""
    for at in range(1, len(words)):
        if _word(words, at) in _TAIL:
            return words[:at]
    return words


def _end_of(first: list[str], last: list[str]) -> str:
    """Return the alternative with which `use Amazon Aurora` ends, by the shape of the last one."""
    if last and last[0][:1].isdigit():
        amounts = [at for at, word in enumerate(first) if word[:1].isdigit()]
        return " ".join(first[amounts[-1] :]) if amounts else ""
    if last and _is_proper(last[0]):
        at = len(first)
        begins_with_verb = _word(first, 0) in _VERBS and len(first) > 1
        while at > begins_with_verb and _is_proper(first[at - 1]):
            at -= 1
        return " ".join(first[at:])
    at = len(first) - 1
    while at > 0 and _word(first, at - 1) not in _BOUNDS | _VERBS:
        at -= 1
    if (
        len(last) == 1
        and len(first) > 1
        and not (at and _word(first, at - 1) in _VERBS | {"a", "an"})
    ):
        return first[-1]
    return " ".join(first[at:])


def _is_proper(word: str) -> bool:
    return word[:1].isupper() or word[:1].isdigit() or word[:1] in "+-$€£.@#"


def _named(part: str) -> str:
    part = part.strip(" ,;.\"'“”‘’")
    stripped = _LEAD.sub("", part)
    return _ARTICLE.sub("", stripped).strip(" ,;.\"'“”‘’")


def _capital(part: str) -> str:
    bare = (
        _LEAD.sub("", part.strip(" ,;\"'"))
        if part.casefold().startswith(("to ", "either "))
        else part
    )
    bare = bare.strip(" ,;\"'")
    return bare[:1].upper() + bare[1:]


def _is_name(part: str) -> bool:
    words = part.split()
    return bool(
        words
        and len(words) <= _LONGEST_WORDS
        and len(part) <= _LONGEST_CHARS
        and any(character.isalnum() for character in part)
        and not {word.casefold() for word in words} & (WH | {"or", "if"})
    )
