"""An open question closed: positions of the first round, merged where they are surely the same."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from contracts.question import Option, Question
from tasks.reading.grammar.acts import act_of
from tasks.reading.grammar.clauses import sentences
from tasks.reading.grammar.cores import Core
from tasks.reading.grammar.cue_words import FILLERS
from tasks.reading.grammar.endorse import read_sentences
from tasks.reading.grammar.lexicon import PHRASES
from tasks.reading.grammar.plain import key_of, plain
from tasks.reading.grammar.sameness import Held, alike, held, one_name
from tasks.reading.grammar.tokens import Token, tokenise
from tasks.reading.grammar.verbs import ORDINARY, STOP
from tasks.reading.not_an_answer import why_no_answer
from tasks.reading.stance import Answer, read_stance

_MOST_NAMES = 12
_LONGEST_NAME = 80


class Slate(NamedTuple):
    """Distinct positions as options, and who holds which."""

    options: tuple[Option, ...]
    camp_of: Mapping[str, str | None]
    """Juror → name of its option; None where the juror gave no answer."""


def merge_positions(positions: Mapping[str, Answer], question: Question) -> Slate:
    """Return the slate of an open question from the answers of its first round.

    Two jurors share an option only where their positions are surely the same: the same text but
    for dressing, the same name under an alias, the same amount or date, the same act, or one that
    endorses what the other names. What is not sure stays apart.
    """
    asked = tokenise(plain(question.text))
    answers = [
        held(juror, text, asked)
        for juror, answer in positions.items()
        if (text := _text(answer)) and not why_no_answer(text, question)
    ]
    answers = [one for one in answers if one.text and not _withholds(one)]
    camps = _camps(answers, question)
    names = _names(camps)
    camp_of: dict[str, str | None] = dict.fromkeys(positions)
    for name, camp in zip(names, camps, strict=True):
        camp_of.update((one.juror, name) for one in camp)
    return Slate(tuple(Option(name=name) for name in names), camp_of)


def _text(answer: Answer) -> str:
    position = answer.position or ""
    return position if position.strip() else answer.choice or ""


def _withholds(one: Held) -> bool:
    """Tell whether a position takes none (`it depends`)."""
    bare = not one.core.name and not one.core.act and not one.core.quantity
    return bare and read_sentences(tokenise(one.text), []).unsure


def _camps(answers: Sequence[Held], question: Question) -> list[list[Held]]:
    at_issue = _at_issue(answers, question)
    camps: list[list[Held]] = []
    for one in answers:
        home = next((camp for camp in camps if any(alike(one, m, at_issue) for m in camp)), None)
        if home is None:
            camps.append([one])
        else:
            home.append(one)
    return _with_prose(camps, question)


def _at_issue(answers: Sequence[Held], question: Question) -> frozenset[str]:
    """Return the kinds of act that somebody would do, or that the question speaks of."""
    asked = [act_of(items) for items in sentences(tokenise(plain(question.text)), [])]
    acts = [*asked, *(one.core.act for one in answers)]
    return frozenset(act.kind for act in acts if act and act.sign > 0)


def _with_prose(camps: list[list[Held]], question: Question) -> list[list[Held]]:
    """Join those that speak in prose to the camp whose name they endorse, or to each other."""
    prose = [camp[0] for camp in camps if len(camp) == 1 and _is_prose(camp[0])]
    homes = {one.core.name: camp for camp in camps for one in camp if _names_it(one)}
    for name in _proper_names(prose):
        if not any(one_name(Core(name), Core(other)) for other in homes):
            homes[name] = []
    closed = question.model_copy(update={"options": tuple(Option(name=name) for name in homes)})
    for one in prose if homes else []:
        read = read_stance(Answer(None, one.text, ()), closed, lettered=False, closed=False)
        if read.stance in homes:
            camps.remove([one])
            home = homes[read.stance]
            home.append(one._replace(core=Core(read.stance)))
            if home not in camps:
                camps.append(home)
    return camps


def _is_prose(one: Held) -> bool:
    return not (one.core.name or one.core.act or one.core.quantity or one.told.factual)


def _names_it(one: Held) -> bool:
    return bool(one.core.name) and one.core.sign > 0


def _proper_names(prose: Sequence[Held]) -> list[str]:
    """Return the names in prose that at least two speak of, as candidates for what they endorse."""
    spoken = Counter(
        token.shown
        for one in prose
        for token in {token.word: token for token in tokenise(one.text)}.values()
        if token.kind == "word" and _is_proper(token)
    )
    return [name for name, count in spoken.items() if count > 1][:_MOST_NAMES]


def _is_proper(token: Token) -> bool:
    inner = any(character.isupper() or character.isdigit() for character in token.shown[1:])
    capital = token.shown[:1].isupper() and token.word not in STOP | FILLERS | ORDINARY
    return inner or (capital and token.word not in PHRASES)


def _names(camps: Sequence[Sequence[Held]]) -> list[str]:
    """Return a short, distinct name for each camp."""
    names: list[str] = []
    for camp in camps:
        shortest = min(
            ((one.core.name if _names_it(one) else one.text) for one in camp),
            key=lambda t: (len(t), t),
        )
        name = _cut(" ".join(shortest.split()).strip(" .;,")) or camp[0].juror
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
