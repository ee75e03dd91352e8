"""Which option a juror's answer endorses, in its own words."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from contracts.opinion import OTHER
from contracts.question import Question
from tasks.reading.grammar.endorse import read_sentences
from tasks.reading.grammar.marks import ALL_OF_THEM, GOVERNED, NAMED, PRAISED, Sayings
from tasks.reading.grammar.mentions import Finder, Group
from tasks.reading.grammar.names import SEVERAL, Mention
from tasks.reading.grammar.naming import content_of
from tasks.reading.grammar.plain import bounded, key_of, plain
from tasks.reading.grammar.ranking import top_ranked
from tasks.reading.grammar.tokens import Token, tokenise
from tasks.reading.grammar.weigh import Decision, weigh
from tasks.reading.not_an_answer import why_no_answer

How = Literal["explicit", "alias", "position", "reasons"]

_MAX_REASONS = 12
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
    picked = reader.read(answer.choice)
    said = reader.read(answer.position)
    if picked.reading.stance is None:
        if said.silent and picked.silent:
            return reader.from_reasons(answer.reasons) or said.reading
        return said.reading if said.reading.stance or said.reading.note else picked.reading
    clashes = said.reading.stance not in {None, picked.reading.stance}
    if clashes and said.strength >= GOVERNED:
        return _abstains(
            f"it picks {picked.reading.stance!r} and argues for {said.reading.stance!r}"
        )
    return picked.reading


class _Reader:
    """Reads texts about one question."""

    def __init__(self, question: Question, *, lettered: bool, closed: bool) -> None:
        self._closed = closed
        self._question = question
        self._names = question.option_names
        self._finder = Finder(question, lettered=lettered)

    def read(self, text: str | None) -> _Read:
        """Return what one text says."""
        if text is None or not text.strip():
            return _Read(_abstains("it gives no position"), 0, silent=True)
        exact = self._exact(text)
        if exact is not None:
            return _Read(Reading(exact, "explicit", "", None), GOVERNED + GOVERNED, silent=False)
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
        raw = bounded(text)
        for form in (str, str.strip, key_of, _bare):
            hits = [name for name in self._names if form(name) == form(raw)]
            if len(hits) == 1:
                return hits[0]
        return None

    def _prose(self, tokens: list[Token]) -> _Read:
        """Return what the surest group of mentions gives that the text speaks about at all."""
        outside: _Read | None = None
        note = "it names none of the options"
        for group in self._finder.groups(tokens):
            read = self._with(tokens, group)
            if read.reading.stance == OTHER and not group.mentions:
                outside = outside or read
            elif not read.silent:
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
            how: How = "explicit" if whole.level == "name" else "alias"
            reading = Reading(self._names[whole.option], how, "", None)
            return _Read(reading, GOVERNED + PRAISED, silent=False)
        said = read_sentences(tokens, mentions)
        count = len(self._names) if self._closed else 0
        decision = weigh(said, count, exhaustive=self._finder.exhaustive)
        top = top_ranked(tokens, mentions)
        if top is not None and top >= 0:
            decision = Decision(top, "it ranks this option first", GOVERNED)
        if decision.option is not None and decision.strength >= group.least:
            return self._decided(decision, tokens, said)
        other = _elsewhere(tokens, said.elsewhere)
        if other and not mentions:
            return _Read(Reading(OTHER, "position", "", other), GOVERNED, silent=False)
        speaks = group.least == NAMED and (mentions or said.unsure or said.undecided)
        return _Read(_abstains(decision.note), 0, silent=not speaks)

    def _decided(self, decision: Decision, tokens: list[Token], said: Sayings) -> _Read:
        option = decision.option or 0
        if option >= 0:
            option = self._wider(option, tokens)
            if option < 0:
                return _Read(_abstains("its words fit more than one option"), 0, silent=False)
            reading = Reading(self._names[option], "position", decision.note, None)
        elif self._finder.exhaustive:
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
        token.word in {"a", "an", "the"} or (token.kind != "word" and token.word != "?")
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
