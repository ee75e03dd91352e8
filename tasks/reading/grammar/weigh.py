"""From marks to one decision: the final and strongest statement, else what is left, else none."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tasks.reading.grammar.marks import (
    ALL_OF_THEM,
    COMPARED,
    FRAGMENT,
    GOVERNED,
    NAMED,
    NOTHING,
    PRAISED,
    Mark,
    Sayings,
)
from tasks.reading.grammar.names import SEVERAL

_CLEAR = 2
_PAIR = 2


class Decision(NamedTuple):
    """What a text amounts to."""

    option: int | None
    """Index of an option, `NONE_OF_THEM`, `ALL_OF_THEM`, or None when it decides nothing."""
    note: str
    strength: int = 0


def weigh(said: Sayings, options: int, opposites: Mapping[int, int]) -> Decision:
    """Return the decision of a text about a number of `options`.

    Whoever faults one of two `opposites` takes the other.
    """
    best = _strongest([m for m in said.marks if m.option >= SEVERAL or not opposites])
    if said.unsure or said.undecided:
        best = [mark for mark in best if mark.strength >= GOVERNED]
        if not best:
            return Decision(None, "it withholds a verdict")
    if not best:
        return _by_elimination(said, options, opposites)
    if said.otherwise and any(mark.conditional for mark in best):
        return Decision(None, "its choice hangs on a condition that is open")
    return _of_the_strongest(best)


def _of_the_strongest(best: Sequence[Mark]) -> Decision:
    winner = best[0]
    rivals = [mark for mark in best[1:] if _rivals(winner, mark)]
    if len({mark.option for mark in best if mark.conditional and mark.strength >= GOVERNED}) > 1:
        return Decision(None, "its choice hangs on a condition that is open")
    joined = winner.joint or any(mark.joint and mark.sentence == winner.sentence for mark in rivals)
    if rivals and joined and winner.strength >= GOVERNED:
        return Decision(ALL_OF_THEM, "it takes more than one option", winner.strength)
    if rivals:
        return Decision(None, "it speaks for more than one option")
    if winner.option == SEVERAL:
        return Decision(None, "its words fit more than one option")
    return Decision(winner.option, "", winner.strength)


def _strongest(marks: Sequence[Mark]) -> list[Mark]:
    """Return the strongest mark for each option that is still spoken for, strongest first."""
    best: dict[int, Mark] = {}
    for mark in marks:
        if mark.sign > 0 and mark.strength > NOTHING:
            held = best.get(mark.option)
            if held is None or mark.strength >= held.strength:
                best[mark.option] = mark
    kept = [mark for mark in best.values() if not _taken_back(mark, marks)]
    return sorted(kept, key=lambda mark: (-mark.strength, -mark.sentence, -mark.item))


def _taken_back(mark: Mark, marks: Sequence[Mark]) -> bool:
    """Tell whether the option is also turned down, more strongly or later and as strongly."""
    place = (mark.sentence, mark.item)
    for other in marks:
        if other.option == mark.option and other.sign < 0:
            later = (other.sentence, other.item) > place
            margin = 0 if later or mark.strength <= COMPARED else _CLEAR
            if other.strength >= mark.strength + margin:
                return True
    return False


def _rivals(winner: Mark, other: Mark) -> bool:
    """Tell whether `other` speaks against taking `winner` as the verdict."""
    listed = winner.sentence == other.sentence and winner.item < other.item and not other.argued
    if listed and winner.strength >= FRAGMENT and other.strength == NAMED and not winner.final:
        return True  # each with its own place: `Kafka now, NATS later`
    if winner.strength - other.strength >= _CLEAR:
        return False
    if winner.strength >= COMPARED and other.strength <= PRAISED:
        return False
    if winner.final and not other.final and winner.sentence >= other.sentence:
        return False
    changed = winner.sentence > other.sentence and winner.strength in {GOVERNED, GOVERNED + 1}
    return not changed


def _by_elimination(said: Sayings, options: int, opposites: Mapping[int, int]) -> Decision:
    faulted = {m.option for m in said.marks if m.sign < 0 and m.strength >= PRAISED}
    denied = {opposites[option] for option in faulted if option in opposites} - faulted
    if len(denied) == 1 and faulted <= opposites.keys():
        return Decision(denied.pop(), "it turns down the opposite", GOVERNED)
    against = {m.option for m in said.marks if m.sign < 0 and m.strength >= GOVERNED}
    left = set(range(options)) - against
    if said.elsewhere or SEVERAL in against:
        return Decision(None, "it names none of the options as its choice")
    if options == _PAIR and len(left) == 1 and not opposites:
        return Decision(left.pop(), "by elimination: it turns the other option down", GOVERNED)
    if not said.marks:
        only = "it tells the tally what to do" if said.orders else "it names none of the options"
        return Decision(None, only)
    return Decision(None, "it names options and endorses none")
