"""The options of a question: read from its text where it surely names them, and checked."""

import re
from collections.abc import Iterable

from contracts.errors import QuestionError
from contracts.question import Option
from tasks.reading.grammar.alternatives import AUXILIARIES, WH, alternatives
from tasks.reading.grammar.plain import key_of, plain
from tasks.reading.grammar.tokens import wordset
from tasks.reading.grammar.verbs import ACTIONS

YES_NO = (Option(name="Yes", aliases=("Y",)), Option(name="No", aliases=("N",)))

_MAX_CHARS, _MAX_OPTIONS = 500, 26
_READ_CHARS = 4_000
_LISTED = re.compile(
    r"^[ \t]*(?:\(?([A-Za-z]|\d{1,2})[.):]|[-*•])[ \t]+(\S.{0,199})$", re.MULTILINE
)
_SENTENCE = re.compile(r"(?:[^.!?\n]|\.(?=\S))*[.!?\n]?")
_OPENING = re.compile(
    r"^(?:so|well|ok|okay|now|and|but|question|please decide|decide|quick question)\b[,:]?\s+",
    re.IGNORECASE,
)
_ASKED_FOR = wordset("""
    recommend suggest tell explain help list describe compare name give write provide show
    summarise summarize outline think know advise say guess estimate propose
""")
_ENDED = re.compile(r"\n|[.!]\s+\S")
_YOU = {"you", "anyone", "somebody", "someone"}


def options_in(text: str) -> tuple[Option, ...]:
    """Return the options that the question's text names; empty for an open question.

    Alternatives (`A or B`) become options; a question that can only be answered by yes or no gets
    these two. Where it is not sure, the question stays open.
    """
    asked = plain(text[:_READ_CHARS]).replace("vs.", "vs")
    listed = _listed(text[:_READ_CHARS])
    if listed:
        return listed
    questions = [s.strip() for s in _SENTENCE.findall(asked) if s.strip().endswith("?")]
    if not questions and _is_one_phrase(asked):
        questions = [asked]
    found = {names for names in map(alternatives, map(_opened, questions)) if names}
    if len(found) == 1:
        return _as_options(found.pop())
    if found or not questions or not all(map(_is_yes_no, map(_opened, questions[-1:]))):
        return ()
    return YES_NO


def check_options(names: Iterable[str]) -> tuple[Option, ...]:
    """Return the names as options, surrounding white space removed.

    Raises:
        QuestionError: for one option only or more than 26, a blank or overlong one, or two that
            differ only in case, width, accents, kinds of dash, or characters that nobody sees.
    """
    shown = [name.strip() for name in names]
    if len(shown) == 1:
        raise QuestionError(f"a question needs two options or none; only {shown[0]!r} was given")
    if len(shown) > _MAX_OPTIONS:
        raise QuestionError(f"{len(shown)} options are too many; give {_MAX_OPTIONS} at most")
    seen: dict[str, str] = {}
    for name in shown:
        key = _same_key(name)
        if not key:
            raise QuestionError("an option is blank; give every option a name")
        if len(name) > _MAX_CHARS:
            raise QuestionError(
                f"the option {name[:40]!r}… has {len(name)} characters; {_MAX_CHARS} at most"
            )
        if key in seen:
            raise QuestionError(f"the options {seen[key]!r} and {name!r} read the same; drop one")
        seen[key] = name
    return tuple(Option(name=name) for name in shown)


def _same_key(name: str) -> str:
    key = key_of(name)
    return key.strip(" .,;:!?\"'") or key


def _as_options(names: tuple[str, ...]) -> tuple[Option, ...]:
    try:
        return check_options(names)
    except QuestionError:
        return ()


def _listed(text: str) -> tuple[Option, ...]:
    """Return the options of a list `A) …` or `1. …` on lines of its own."""
    rows = _LISTED.findall(text)
    marks = [mark.upper() for mark, _ in rows if mark]
    first = "1" if marks[:1] == ["1"] else "A"
    counted = [str(n) if first == "1" else chr(ord("A") + n - 1) for n in range(1, len(marks) + 1)]
    if len(marks) < 2 or marks != counted:  # noqa: PLR2004 - one line is no list
        return ()
    return _as_options(tuple(name.strip().rstrip(" .;,") for mark, name in rows if mark))


def _is_one_phrase(asked: str) -> bool:
    """Tell whether the text is a bare `A or B`, no sentence that asks for something else."""
    words = set(asked.casefold().split())
    return not _ENDED.search(asked) and not words & (_ASKED_FOR | {"me", "us"})


def _opened(sentence: str) -> str:
    return _OPENING.sub("", sentence.strip())


def _is_yes_no(question: str) -> bool:
    """Tell whether nothing but yes or no answers the question."""
    words = [word.strip(",;:\"'()").casefold() for word in question.rstrip("? ").split()]
    chooses = {"or", "vs", "versus"} & set(words) and words[-2:] != ["or", "not"]
    if not words or chooses:
        return False
    if set(words) & (WH - {"which", "when", "where"}):
        return False
    if words[0] in AUXILIARIES:
        asks_for_text = len(words) > 2 and words[1] in _YOU and set(words[2:4]) & _ASKED_FOR  # noqa: PLR2004
        return len(words) > 2 and not asks_for_text  # noqa: PLR2004
    return question.endswith("?") and words[0] in ACTIONS and len(words) > 1
