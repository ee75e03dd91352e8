"""Which option a juror's answer endorses, in its own words."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from contracts.opinion import OTHER
from contracts.question import Question
from tasks.reading.grammar.endorse import read_sentences
from tasks.reading.grammar.marks import ALL_OF_THEM, GOVERNED, NONE_OF_THEM, PRAISED
from tasks.reading.grammar.mentions import Finder
from tasks.reading.grammar.names import SEVERAL, Mention
from tasks.reading.grammar.plain import bounded, key_of, plain
from tasks.reading.grammar.ranking import top_ranked
from tasks.reading.grammar.tokens import Token, tokenise
from tasks.reading.grammar.weigh import Decision, weigh
from tasks.reading.not_an_answer import why_no_answer

How = Literal["explicit", "alias", "position", "reasons"]

_MAX_REASONS = 12


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


def read_stance(answer: Answer, question: Question, *, lettered: bool = True) -> Reading:
    """Return the stance that `answer` takes on `question`. Total: never raises.

    The option picked counts unless the position clearly speaks for another one; a vague position
    leaves it to the reasons; and where nothing is sure it is an abstention.

    Args:
        answer: the option picked (a letter or a name), the position in prose, the reasons.
        question: with its options; an open question has no stance to read.
        lettered: whether the juror was shown the options with the letters A, B, C …
    """
    if not question.options:
        return _abstains("the question has no options to choose from")
    reader = _Reader(question, lettered=lettered)
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

    def __init__(self, question: Question, *, lettered: bool) -> None:
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
        why = why_no_answer(text, self._question.text)
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
        for form in (str, str.strip, key_of):
            hits = [name for name in self._names if form(name) == form(raw)]
            if len(hits) == 1:
                return hits[0]
        return None

    def _prose(self, tokens: list[Token]) -> _Read:
        read = _Read(_abstains("it names none of the options"), 0, silent=True)
        for mentions in self._finder.groups(tokens):
            read = self._with(tokens, mentions)
            if not read.silent:
                break
        return read

    def _with(self, tokens: list[Token], mentions: Sequence[Mention]) -> _Read:
        whole = _whole(tokens, mentions)
        if whole is not None:
            how: How = "explicit" if whole.level == "name" else "alias"
            reading = Reading(self._names[whole.option], how, "", None)
            return _Read(reading, GOVERNED + PRAISED, silent=False)
        said = read_sentences(tokens, mentions)
        decision = weigh(said, len(self._names))
        top = top_ranked(tokens, mentions)
        if top is not None and top >= 0:
            decision = Decision(top, "it ranks this option first", GOVERNED)
        vague = not mentions and not (said.unsure or said.undecided or said.marks)
        if decision.option is None:
            other = _elsewhere(tokens, said.elsewhere)
            if other:
                return _Read(Reading(OTHER, "position", "", other), GOVERNED, silent=False)
            return _Read(_abstains(decision.note), 0, silent=vague)
        return _Read(
            self._decided(decision, tokens, said.elsewhere), decision.strength, silent=False
        )

    def _decided(
        self, decision: Decision, tokens: list[Token], elsewhere: tuple[int, int] | None
    ) -> Reading:
        if decision.option == ALL_OF_THEM:
            return Reading(OTHER, "position", "it takes more than one option", "all of them")
        if decision.option == NONE_OF_THEM:
            other = _elsewhere(tokens, elsewhere)
            return Reading(OTHER, "position", "it takes none of the options", other)
        return Reading(self._names[decision.option or 0], "position", decision.note, None)


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
