"""The phrases of decisions as a table that the grammar looks words up in."""

from collections.abc import Iterator

from tasks.reading.grammar.cue_words import FAINT
from tasks.reading.grammar.cues import Cue
from tasks.reading.grammar.forms import inflected
from tasks.reading.grammar.phrases import LINES
from tasks.reading.grammar.tokens import tokenise
from tasks.reading.grammar.verbs import ACTIONS, CHOOSING


def _phrases() -> dict[str, list[tuple[tuple[str, ...], Cue]]]:
    table: dict[str, list[tuple[tuple[str, ...], Cue]]] = {}
    lines = [*LINES.items(), (Cue.GOOD, "|".join(sorted(FAINT)))]
    for cue, phrases in lines:
        for phrase in "|".join(phrases.split("\n")).split("|"):
            for form in _forms(phrase.strip(), cue):
                words = tuple(token.word for token in tokenise(form))
                if words:
                    table.setdefault(words[0], []).append((words, cue))
    for rivals in table.values():
        rivals.sort(key=lambda pair: -len(pair[0]))
    return table


def _forms(phrase: str, cue: Cue) -> Iterator[str]:
    """Yield the phrase and, of a verb that takes or turns down, its tenses."""
    yield phrase
    verb, _, rest = phrase.partition(" ")
    if cue in {Cue.PICK, Cue.DROP} and verb.isalpha() and verb in ACTIONS | CHOOSING:
        yield from (f"{form} {rest}".strip() for form in inflected(verb, nouns=False))


PHRASES = _phrases()
"""First word → phrases that begin with it and their cue, longest first."""
