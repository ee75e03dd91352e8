"""What a short position does to what: `do not split the monolith`, `prices should go up`."""

from collections.abc import Sequence
from typing import NamedTuple

from tasks.reading.grammar import forms
from tasks.reading.grammar.clauses import Item
from tasks.reading.grammar.cues import Cue
from tasks.reading.grammar.quantities import DIGITS
from tasks.reading.grammar.tokens import wordset
from tasks.reading.grammar.verbs import ACTIONS, ORDINARY, STOP

HOLD = "hold"
_CLASSES = {
    "up": "raise increase hike rise grow lift expand",
    "down": "lower cut reduce decrease drop trim shrink",
    HOLD: "keep hold maintain leave retain freeze stay preserve remain",
    "split": "split break divide decompose separate partition",
    "merge": "merge combine unify consolidate join",
    "buy": "buy purchase acquire",
    "sell": "sell divest",
    "hire": "hire recruit",
    "fire": "fire dismiss",
    "stop": "stop end discontinue cease halt quit",
    "start": "start begin launch",
    "wait": "delay postpone defer wait",
    "accept": "approve accept",
    "reject": "reject decline refuse",
    "allow": "allow permit legalise legalize",
    "ban": "ban forbid prohibit block",
    "move": "migrate move relocate",
    "rewrite": "rewrite rebuild",
    "build": "build develop",
    "remove": "remove delete retire deprecate",
    "change": "change alter modify",
    "ship": "ship release",
    "rent": "rent lease",
    "repair": "repair fix mend",
}
_VERBS = {
    form: name
    for name, verbs in _CLASSES.items()
    for verb in verbs.split(" ")
    for form in (verb, *forms.inflected(verb, nouns=False))
}
_OTHER_VERBS = {
    form: verb
    for verb in sorted(ACTIONS - ORDINARY)
    for form in (verb, *forms.inflected(verb, nouns=False))
    if form not in _VERBS
}
_PARTICLES = {
    ("go", "up"): "up",
    ("goes", "up"): "up",
    ("going", "up"): "up",
    ("go", "down"): "down",
    ("goes", "down"): "down",
    ("come", "down"): "down",
    ("hold", "off"): "wait",
    ("put", "off"): "wait",
    ("stand", "still"): HOLD,
}
_DETERMINERS = {"the", "a", "an", "our", "this", "that", "your", "my", "its", "their", "any"}
_LEADING = wordset("should must not to will would could can please and we i be do don't let us")
_GOES_ON = {"keep", "continue", "go"}
_QUALIFYING = wordset("""
    next later year month week quarter after before until if only gradually first partially half
    partly slowly immediately soon eventually temporarily permanently except without some few
""")
_CONTRARY = {"allow": "ban", "ban": "allow", "accept": "reject", "reject": "accept"}
_WEAK = {
    "up",
    "down",
    "off",
    "apart",
    "out",
    "go",
    "goes",
    "going",
    "come",
    "now",
    "still",
    "where",
}


class Act(NamedTuple):
    """A kind of act, whether it is to be done, and the words of what it is done to."""

    kind: str
    sign: int
    objects: frozenset[str]


def act_of(items: Sequence[Item]) -> Act | None:
    """Return the one act that a sentence is about; None where it is about none, or several."""
    words = [word for item in items for word in item.word.split(" ")]
    named = {item.word for item in items[1:] if item.shown[:1].isupper() and item.word != "i"}
    kinds: list[str] = []
    objects: set[str] = set()
    denials = sum(item.cue is Cue.NOT for item in items)
    for at, word in enumerate(words):
        kind = _kind(words, at)
        if kind:
            kinds.append(kind)
        elif word[:1].isalnum() and (word in named or word not in STOP | _WEAK):
            objects.add(DIGITS.get(word) or min(word, *forms.numbered(word), key=len))
    sign = -1 if denials % 2 else 1
    if len(kinds) > 1 and kinds[0] in {HOLD, "stop"}:
        if words[0] in _GOES_ON:
            kinds = kinds[:1]
        else:
            kinds, sign = [kind for kind in kinds if kind != kinds[0]], -sign
    if len(set(kinds)) != 1:
        return None
    return Act(kinds[0], sign, frozenset(objects))


def _kind(words: Sequence[str], at: int) -> str | None:
    """Return the kind of the act that word `at` names; None for a noun or another word."""
    word, before = words[at], words[at - 1] if at else ""
    pair = _PARTICLES.get((word, words[at + 1] if at + 1 < len(words) else ""))
    if pair or before in _DETERMINERS:
        return pair
    led = not before or before in _LEADING
    return _VERBS.get(word) or (_OTHER_VERBS.get(word) if led else None)


def same_act(one: Act, other: Act, at_issue: frozenset[str]) -> bool:
    """Tell whether the two acts come to the same; not to do what is `at_issue` is to hold.

    Another amount, or a time or part that only one names, makes them two.
    """
    if not one.objects & other.objects and one.objects and other.objects:
        return False
    unlike = one.objects ^ other.objects
    numbers = [{word for word in act.objects if word[0].isdigit()} for act in (one, other)]
    if unlike & _QUALIFYING or (all(numbers) and numbers[0] != numbers[1]):
        return False
    return _meant(one, at_issue) == _meant(other, at_issue)


def _meant(act: Act, at_issue: frozenset[str]) -> tuple[str, int]:
    if act.sign < 0 and act.kind in _CONTRARY:
        return _CONTRARY[act.kind], 1
    if act.sign < 0 and act.kind in at_issue:
        return HOLD, 1
    return act.kind, act.sign
