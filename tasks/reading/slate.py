"""An open question closed: positions of the first round, merged where they are surely the same."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from contracts.question import Option, Question
from tasks.reading.grammar.acts import act_of, same_act
from tasks.reading.grammar.clauses import sentences
from tasks.reading.grammar.cores import Core, core_of
from tasks.reading.grammar.names import Namebook
from tasks.reading.grammar.plain import key_of, plain
from tasks.reading.grammar.quantities import same
from tasks.reading.grammar.tokens import Token, tokenise
from tasks.reading.not_an_answer import why_no_answer
from tasks.reading.stance import Answer, read_stance

_LONGEST_NAME = 80


class Slate(NamedTuple):
    """Distinct positions as options, and who holds which."""

    options: tuple[Option, ...]
    camp_of: Mapping[str, str | None]
    """Juror → name of its option; None where the juror gave no answer."""


class _Position(NamedTuple):
    juror: str
    text: str
    tokens: Sequence[Token]
    core: Core


def merge_positions(positions: Mapping[str, Answer], question: Question) -> Slate:
    """Return the slate of an open question from the answers of its first round.

    Two jurors share an option only where their positions are surely the same: the same text but
    for dressing, the same name under an alias, the same amount or date, the same act, or one that
    endorses what the other names. What is not sure stays apart.
    """
    held = [_position(juror, answer) for juror, answer in positions.items()]
    answers = [one for one in held if not _is_empty(one, question)]
    camps = _camps(answers, question)
    names = _names(camps)
    camp_of: dict[str, str | None] = dict.fromkeys(positions)
    for name, camp in zip(names, camps, strict=True):
        camp_of.update((one.juror, name) for one in camp)
    return Slate(tuple(Option(name=name) for name in names), camp_of)


def _position(juror: str, answer: Answer) -> _Position:
    text = answer.position if answer.position and answer.position.strip() else answer.choice or ""
    tokens = tokenise(plain(text))
    return _Position(juror, text, tokens, core_of(tokens))


def _is_empty(one: _Position, question: Question) -> bool:
    return not one.tokens or why_no_answer(one.text, question.text) is not None


def _camps(answers: Sequence[_Position], question: Question) -> list[list[_Position]]:
    at_issue = _at_issue(answers, question)
    camps: list[list[_Position]] = []
    for one in answers:
        home = next((camp for camp in camps if any(_same(one, m, at_issue) for m in camp)), None)
        if home is None:
            camps.append([one])
        else:
            home.append(one)
    return _with_prose(camps, question)


def _at_issue(answers: Sequence[_Position], question: Question) -> frozenset[str]:
    """Return the kinds of act that somebody would do, or that the question speaks of."""
    asked = [act_of(items) for items in sentences(tokenise(plain(question.text)), [])]
    acts = [*asked, *(one.core.act for one in answers)]
    return frozenset(act.kind for act in acts if act and act.sign > 0)


def _same(one: _Position, other: _Position, at_issue: frozenset[str]) -> bool:
    if key_of(plain(one.text)) == key_of(plain(other.text)):
        return True
    if one.core.quantity and other.core.quantity:
        return same(one.core.quantity, other.core.quantity)
    if one.core.act and other.core.act:
        return same_act(one.core.act, other.core.act, at_issue)
    return bool(one.core.name and other.core.name and _one_name(one.core.name, other.core.name))


def _one_name(one: str, other: str) -> bool:
    """Tell whether the two are one name: spelling, number, article, well-known short form."""
    for name, text in ((one, other), (other, one)):
        tokens = tokenise(plain(text))
        found = Namebook([Option(name=name[:500])]).mentions(tokens)
        if len(found) == 1 and (found[0].start, found[0].end) == (0, len(tokens)):
            return found[0].sign > 0 and found[0].level != "part"
    return False


def _with_prose(camps: list[list[_Position]], question: Question) -> list[list[_Position]]:
    """Move those that speak in prose to the camp whose name they endorse."""
    named = {one.core.name: camp for camp in camps for one in camp if one.core.name}
    closed = question.model_copy(update={"options": tuple(Option(name=name) for name in named)})
    for camp in list(camps):
        if len(camp) == 1 and not camp[0].core.name and not camp[0].core.act and named:
            answer = Answer(None, camp[0].text, ())
            stance = read_stance(answer, closed, lettered=False).stance
            if stance in named:
                named[stance].extend(camp)
                camps.remove(camp)
    return camps


def _names(camps: Sequence[Sequence[_Position]]) -> list[str]:
    """Return a short, distinct name for each camp."""
    names: list[str] = []
    for camp in camps:
        shortest = min(
            (one.core.name or plain(one.text) for one in camp), key=lambda t: (len(t), t)
        )
        name = _cut(" ".join(shortest.split()).strip(" .;,"))
        taken = {key_of(other) for other in names}
        number = 2
        base = name
        while key_of(name) in taken:
            name, number = f"{base} ({number})", number + 1
        names.append(name)
    return names


def _cut(name: str) -> str:
    if len(name) <= _LONGEST_NAME:
        return name
    return name[:_LONGEST_NAME].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
