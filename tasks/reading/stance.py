"""Which option a juror's answer endorses, in its own words."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from contracts.opinion import OTHER
from contracts.question import Question
from tasks.reading.grammar.endorse import read_sentences
from tasks.reading.grammar.marks import ALL_OF_THEM, COMPARED, GOVERNED, NAMED, PRAISED, Sayings
from tasks.reading.grammar.mentions import Finder, Group
from tasks.reading.grammar.names import SEVERAL, Mention
from tasks.reading.grammar.naming import Level, content_of
from tasks.reading.grammar.plain import bounded, key_of, plain
from tasks.reading.grammar.ranking import top_ranked
from tasks.reading.grammar.tokens import Token, tokenise, wordset
from tasks.reading.grammar.weigh import Decision, weigh
from tasks.reading.not_an_answer import why_no_answer

Form = Callable[[str], str]
"""How a spelling is brought to the form in which two are compared."""
How = Literal["explicit", "alias", "position", "reasons"]

_AS_WHOLE: dict[Level, tuple[How, str]] = {
    "name": ("explicit", "it names the option"),
    "alias": ("alias", "it names the option by another name"),
    "part": ("position", "it is the option in short"),
}
_DEGREES = wordset("""
    partly partially somewhat half nearly almost mostly slightly conditionally rather fairly
""")
_MAX_REASONS = 12
_MAX_OTHER = 200
_FEW_WORDS = 4
_NONE = {"none", "none of these", "none of them", "none of the above", "other"}
_ARTICLES = {"a", "an", "the"}
_TURNING = {"?", "-1", "❌", "✗", "✘", "👎", "🚫"}
"""What stands beside a name that is not taken."""
_STEM = 5
_AGAIN = "it answers in the question's own words"


class Answer(NamedTuple):
    """What a reply was taken apart into: the option picked, the position, the reasons."""

    choice: str | None
    position: str | None
    reasons: tuple[str, ...]


class Reading(NamedTuple):
    """A stance with how it was read; `stance` is None for an abstention."""

    stance: str | None
    """An option's name, `other`, or None."""
    how: How | None
    note: str
    """Why it abstained or how it was read, for people."""
    other: str | None
    """What it chose outside the options."""


class _Read(NamedTuple):
    """A reading with what the next step needs to know of it."""

    reading: Reading
    strength: int
    silent: bool
    """Whether the text says nothing of the options, so that the reasons may."""
    withholds: bool = False
    """Whether it says that it gives no verdict."""


def read_stance(
    answer: Answer, question: Question, *, lettered: bool = True, closed: bool = True
) -> Reading:
    """Return the stance that `answer` takes on `question`. Total: never raises.

    The option picked counts unless the position clearly speaks for another one; a vague position
    leaves it to the reasons; and where nothing is sure it is an abstention.

    Args:
        answer: the option picked (a letter or a name), the position in prose, the reasons.
        question: with its options; an open question has no stance to read.
        lettered: whether the juror was shown the options with the letters A, B, C …
        closed: whether turning down one of two options is taking the other.
    """
    if not question.options:
        return _abstains("the question has no options to choose from")
    reader = _Reader(question, lettered=lettered, closed=closed)
    said = reader.read(answer.position)
    if key_of(bounded(answer.choice or "")) in _NONE - reader.keys:
        return _none_of_them(answer, said)
    picked = reader.read(answer.choice)
    if picked.reading.stance is None:
        return _unpicked(answer, picked, said, reader)
    clashes = said.reading.stance not in {None, picked.reading.stance}
    if clashes and said.strength >= COMPARED:
        return _abstains(
            f"it picks {picked.reading.stance!r} and argues for {said.reading.stance!r}"
        )
    how = "explicit" if picked.reading.how == "position" else picked.reading.how
    return picked.reading._replace(how=how)


def _unpicked(answer: Answer, picked: _Read, said: _Read, reader: "_Reader") -> Reading:
    """Return the stance of a juror whose pick names no option: from its words."""
    if not (said.silent and picked.silent):
        return said.reading if not said.silent else picked.reading
    outside = (answer.choice or "").strip()
    if outside[:1].isupper() and len(outside.split()) <= _FEW_WORDS:
        return Reading(OTHER, "explicit", "it picks none of the options", outside[:_MAX_OTHER])
    return reader.from_reasons(answer.reasons) or said.reading


def _none_of_them(answer: Answer, said: _Read) -> Reading:
    """Return the stance of a juror that picked none of the options and said what instead."""
    if said.reading.stance not in {None, OTHER}:
        return said.reading
    own = " ".join(plain(answer.position or "").split())
    if said.withholds or (said.reading.stance is None and not said.silent and not own):
        return said.reading
    other = said.reading.other or own[:_MAX_OTHER] or None
    return Reading(OTHER, "explicit", "it picks none of the options", other)


@lru_cache(maxsize=64)
def _spelled(names: tuple[str, ...]) -> dict[Form, dict[str, str | None]]:
    """Return, for each way to compare spellings, the one name under each; None for several."""
    known: dict[Form, dict[str, str | None]] = {}
    for form in (str, str.strip, key_of, _bare):
        keys = [form(name) for name in names]
        times = Counter(keys)
        known[form] = {
            key: name if times[key] == 1 else None for key, name in zip(keys, names, strict=True)
        }
    return known


@lru_cache(maxsize=64)
def _finder(question: Question, *, lettered: bool) -> Finder:
    """Learn a question's names once: every juror of every round is read with them."""
    return Finder(question, lettered=lettered)


class _Reader:
    """Reads texts about one question."""

    def __init__(self, question: Question, *, lettered: bool, closed: bool) -> None:
        self._closed = closed
        self._question = question
        self._names = question.option_names
        self._spelled = _spelled(self._names)
        self.keys = frozenset(self._spelled[key_of])
        self._finder = _finder(question, lettered=lettered)

    def read(self, text: str | None) -> _Read:
        """Return what one text says."""
        if text is None or not text.strip():
            return _Read(_abstains("it gives no position"), 0, silent=True)
        text = bounded(text)
        exact = self._exact(text)
        if exact is not None:
            return _Read(
                Reading(exact, "explicit", "it names the option", None),
                GOVERNED + GOVERNED,
                silent=False,
            )
        why = why_no_answer(text, self._question)
        if why:
            return _Read(_abstains(f"its position {why}"), 0, silent=False)
        return self._prose(tokenise(plain(text)))

    def from_reasons(self, reasons: Sequence[str]) -> Reading | None:
        """Return the one stance that reasons argue for; None where none does or they differ."""
        found: set[str] = set()
        for reason in reasons[:_MAX_REASONS]:
            read = self._prose(tokenise(plain(reason)))
            if read.reading.stance and read.strength >= PRAISED:
                found.add(read.reading.stance)
        if len(found) != 1:
            return None
        return Reading(found.pop(), "reasons", "its position is vague; its reasons decide", None)

    def _exact(self, text: str) -> str | None:
        for form, names in self._spelled.items():
            if exact := names.get(form(text)):
                return exact
        return None

    def _prose(self, tokens: list[Token]) -> _Read:
        """Return what the surest group of mentions gives that the text speaks about at all."""
        outside: _Read | None = None
        note = "it names none of the options"
        for group in self._finder.groups(tokens):
            read = self._with(tokens, group)
            if read.reading.stance == OTHER and not group.mentions:
                outside = outside or read
            elif not read.silent and (read.reading.stance or read.withholds or not group.followed):
                return read
            elif read.reading.note:
                note = read.reading.note
        return outside or _Read(_abstains(note), 0, silent=True)

    def _with(self, tokens: list[Token], group: Group) -> _Read:
        mentions = group.mentions
        if group.option is not None:
            reading = Reading(self._names[group.option], "position", _AGAIN, None)
            return _Read(reading, GOVERNED, silent=False)
        whole = _whole(tokens, mentions)
        if whole is not None:
            how, note = _AS_WHOLE[whole.level]
            reading = Reading(self._names[whole.option], how, note, None)
            return _Read(reading, GOVERNED + PRAISED, silent=False)
        said = read_sentences(tokens, mentions, self._finder.topic)
        count = len(self._names) if self._closed else 0
        decision = weigh(said, count, self._finder.opposites)
        top = top_ranked(tokens, mentions)
        if top is not None and top >= 0:
            decision = Decision(top, "it ranks this option first", GOVERNED)
        if decision.option is not None and decision.strength >= group.least:
            return self._decided(decision, tokens, said)
        other = _elsewhere(tokens, said.elsewhere)
        if other and not mentions and not self._finder.opposites:
            return _Read(
                Reading(OTHER, "position", "it takes something else", other), GOVERNED, silent=False
            )
        speaks = group.least == NAMED and (mentions or said.unsure or said.undecided)
        withholds = said.unsure or said.undecided
        return _Read(_abstains(decision.note), 0, silent=not speaks, withholds=withholds)

    def _decided(self, decision: Decision, tokens: list[Token], said: Sayings) -> _Read:
        option = decision.option or 0
        if option >= 0:
            option = self._wider(option, tokens)
            if option < 0:
                return _Read(_abstains("its words fit more than one option"), 0, silent=False)
            note = decision.note or "its position speaks for it"
            reading = Reading(self._names[option], "position", note, None)
        elif self._finder.opposites:
            return _Read(_abstains("it takes neither side alone"), 0, silent=False)
        elif option == ALL_OF_THEM:
            reading = Reading(OTHER, "position", "it takes more than one option", "all of them")
        else:
            other = _elsewhere(tokens, said.elsewhere)
            reading = Reading(OTHER, "position", "it takes none of the options", other)
        return _Read(reading, decision.strength, silent=False)

    def _wider(self, option: int, tokens: list[Token]) -> int:
        """Return the option whose name holds that of `option` and more, where the text has it too.

        `Approval, subject to conditions` is not `Approve` where there is `Approve with conditions`.
        """
        stems = {token.word[:_STEM] for token in tokens}
        mine = content_of(self._names[option])
        for index, name in enumerate(self._names):
            more = content_of(name) - mine
            if mine and more and mine < content_of(name):
                if _DEGREES & {token.word for token in tokens} - more:
                    return SEVERAL
                met = {word for word in more if word[:_STEM] in stems}
                denied = {"without", "no", "not"} & {token.word for token in tokens}
                if met:
                    return option if denied else index if met == more else SEVERAL
        return option


def _bare(text: str) -> str:
    return key_of(text).strip(" .,;:!*`\"'")


def _abstains(note: str) -> Reading:
    return Reading(None, None, note, None)


def _whole(tokens: Sequence[Token], mentions: Sequence[Mention]) -> Mention | None:
    """Return the mention that the text consists of, articles and marks aside."""
    if len(mentions) != 1 or mentions[0].option == SEVERAL or mentions[0].sign < 0:
        return None
    only = mentions[0]
    rest = [*tokens[: only.start], *tokens[only.end :]]
    bare = all(
        token.word in _ARTICLES or (token.kind != "word" and token.word not in _TURNING)
        for token in rest
    )
    return only if bare else None


def _elsewhere(tokens: Sequence[Token], span: tuple[int, int] | None) -> str | None:
    """Return what is taken outside the options, where it is written as a name."""
    if span is None:
        return None
    words = [token.shown for token in tokens[span[0] : span[1]]]
    named = words and not words[0].islower() and words[0].casefold() not in {"i", "it"}
    return " ".join(words) if named else None
