"""What each kind of cue does to the sentence that is being read."""

from collections.abc import Callable, Mapping
from itertools import pairwise

from tasks.reading.grammar import cue_words as sets
from tasks.reading.grammar.cues import Cue
from tasks.reading.grammar.forms import inflected
from tasks.reading.grammar.marks import ANNOUNCED, COMPARED, GOVERNED, NAMED, NOTHING, PRAISED
from tasks.reading.grammar.sentence import Sentence
from tasks.reading.grammar.verbs import ACTIONS, CHOOSING

_VERBS = {form for verb in ACTIONS | CHOOSING for form in (verb, *inflected(verb, nouns=False))}
_EVEN = {
    *("versus", "vs", "v", "vs .", "as good as", "on par with", "on a par with", "equivalent to"),
    "no different from",
}


def pick(s: Sentence, at: int) -> None:
    """`choose`, `go with`, `the answer is`."""
    s.clause.quiet = s.clause.quiet or _is_hearsay(s, at)
    strength = s.lead_strength(at)
    if s.clause.parity > 0 and any(
        item.word in sets.PERHAPS for item in s.items[s.clause.start : at]
    ):
        strength = min(strength, PRAISED)  # `we could use`
    s.govern(at, _over_governor(s), strength)
    s.clause.moved = s.word(at).endswith(" to")
    s.clause.chain = "prefer" if s.word(at).startswith(("prefer", "favo")) else ""
    if s.word(at).startswith("substitut"):
        s.clause.chain = "substitute"


def drop(s: Sentence, at: int) -> None:
    """`avoid`, `replace`, `would be a mistake to`."""
    s.clause.quiet = s.clause.quiet or _is_hearsay(s, at)
    s.govern(at, -_over_governor(s), GOVERNED)
    s.clause.chain = "replace"


def _is_hearsay(s: Sentence, at: int) -> bool:
    """Tell whether the verb says what others take (`many would pick`)."""
    before = [word for item in s.items[s.clause.start : at] for word in item.word.split(" ")]
    verb = s.items[at].word.split(" ")[0] in _VERBS
    others = any(
        word in sets.OTHERS or (word in {"many", "some"} and after in sets.AFTER_MANY)
        for word, after in pairwise([*before, "would"])
    )
    return verb and others and not sets.OWN.intersection(before)


def _over_governor(s: Sentence) -> int:
    """Return the sign of a governor that waits still, and so governs this one (`refuse to use`)."""
    governor = s.clause.governor
    waits = governor is not None and governor[0] and s.clause.governed_at >= s.clause.start
    return governor[0] if governor and waits else 1


def compare(s: Sentence, at: int) -> None:
    """`beats`, `rather than`, `falls short of`: between two options, or before the only one."""
    up = s.items[at].cue is Cue.WIN
    if s.last is None:
        s.govern(at, -1 if up else 1, COMPARED)
    elif s.last.sign < 0 and s.last.strength == COMPARED:
        s.govern(at, -1, COMPARED)
    else:
        s.clause.comparison = s.items[at].cue


def beside(s: Sentence, at: int) -> None:
    """`compared with`, `unlike`, `between`."""
    if s.word(at) == "as good as" and s.clause.denials % 2 and s.last is not None:
        s.clause.denials += 1
        s.clause.comparison = Cue.LOSE
        return
    if s.word(at) in _EVEN and s.last is not None:
        s.last.strength = NOTHING
    s.clause.beside = True


def praise(s: Sentence, at: int) -> None:
    """`is better`, `wins`, `is my choice`."""
    if any(item.word in sets.PERHAPS for item in s.items[s.clause.start : at]):
        return  # it may be good
    named = sets.CALLED.intersection(s.word(at).split())
    faint = s.word(at) in sets.FAINT or s.word(at).startswith("i ")
    _predicate(s, at, 1, ANNOUNCED if named else PRAISED if faint else COMPARED)


def fault(s: Sentence, at: int) -> None:
    """`is wrong`, `lacks`, `would be overkill`."""
    _predicate(s, at, -1, COMPARED)


def _predicate(s: Sentence, at: int, sign: int, strength: int) -> None:
    clause = s.clause
    clause.dangling = False
    subject = s.subject
    if clause.governor and clause.governor[0] < 0 and subject and clause.governed_at > subject.item:
        sign = -sign  # it avoids what is named
        clause.governor = None
    but_one = s.word(clause.denied_at) in sets.EXCEPTIVE
    if but_one and subject is not None and subject.item > clause.denied_at:
        subject.sign, subject.strength = -sign, s.weighed(GOVERNED)
        return
    acts = [mark for mark in s.marks if mark.act and mark.item >= clause.start]
    if acts and not clause.quiet:
        for mark in acts:
            mark.sign, mark.strength = sign * clause.parity * mark.base, s.weighed(GOVERNED)
        return
    own = subject is not None and subject.item >= clause.start and subject.sign
    announces = s.word(at + 1) in sets.COPULAS and not (own and s.word(at + 1) == ":")
    if subject is None or announces:
        if clause.governor is None or s.word(clause.governed_at).startswith("it "):
            s.govern(at, sign, min(strength + 1, ANNOUNCED))
        return
    verb_first = (
        s.word(clause.start).split(" ")[0] in sets.AUXILIARIES and clause.start > subject.item
    )
    open_to_it = (subject.strength <= COMPARED or verb_first) and not clause.quiet
    if open_to_it and (subject.strength > NOTHING or subject.sign):
        subject.sign = sign * clause.parity * subject.base
        subject.strength = max(NAMED, s.weighed(strength))


def rank_first(s: Sentence, at: int) -> None:
    """`is my first choice`, `top pick:`."""
    if s.subject is not None and s.subject.item >= s.clause.start:
        s.subject.sign, s.subject.strength = s.clause.parity, s.weighed(ANNOUNCED)
    else:
        s.govern(at, 1, ANNOUNCED)


def rank_later(s: Sentence, at: int) -> None:
    """`comes second`, `then`, `as a fallback`."""
    if s.subject is not None and s.subject.item >= s.clause.start and s.word(at) != "then":
        s.subject.strength = NOTHING
    else:
        s.govern(at, 0, NOTHING)


def deny(s: Sentence, at: int) -> None:
    """`not`, `never`, `far from`, `no reason to`."""
    following = s.items[at + 1] if at + 1 < len(s.items) else None
    if s.word(at) == "lack of" and at and (s.items[at - 1].mention or s.word(at - 1) == "'s"):
        return  # what is said of the lack is said of the option
    if s.word(at) in {"no", "nope", "never"} and following is not None and following.stop:
        directly = at - 2 if s.word(at) == "never" and s.items[at - 1].stop == "," else at - 1
        if s.last is not None and s.last.item == directly:
            s.last.sign, s.last.strength = -1, s.weighed(GOVERNED)  # `Kafka no`
            return
    if s.word(at) in {"no", "nope"} and following is not None and following.stop:
        s.final = s.final or s.number > 0 or bool(s.marks)
        return
    if s.word(at) == "nothing" and s.last is not None and s.last.item == at - 1:
        s.last.sign, s.last.strength = -s.last.sign, max(s.last.strength, GOVERNED)
        return
    if s.last is not None and s.last.modal and s.last.item >= s.clause.start:
        s.last.sign, s.last.modal = -s.last.sign, False
        s.clause.denials += 1
        return
    s.clause.denials += 1
    s.clause.denied_at = at
    s.clause.dangling = True


def but(s: Sentence, at: int) -> None:
    """`but`, `yet`, `however`: what was only praised or named before counts less."""
    following = s.items[at + 1] if at + 1 < len(s.items) else None
    if s.word(at) == "however" and not s.marks and following and not following.stop:
        concede(s, at)  # however good it is
        return
    s.next_clause(at)
    s.because, s.contrasted = False, True
    if any(item.word in {"not only", "not just", "not merely"} for item in s.items[:at]):
        return
    for mark in s.marks:
        if NOTHING < mark.strength <= COMPARED:
            mark.strength = max(NOTHING, mark.strength - 2)


def concede(s: Sentence, at: int) -> None:
    """`although`, `despite`; and, after the option, `would be nice`."""
    if s.word(at) in sets.HOLLOW:
        _hush(s)
    else:
        s.next_clause(at)
    s.clause.quiet = True


def past(s: Sentence, at: int) -> None:
    """`used to`, `at first`, `was`."""
    if s.clause.hypothetical and s.word(at) in {"was", "were", "had been"}:
        s.unreal = True
        return
    if s.word(at) in {"was", "were"}:
        _hush(s)
    s.clause.quiet = True


def _hush(s: Sentence) -> None:
    """Let what the clause has named so far count for nothing."""
    for mark in s.marks:
        if mark.item >= s.clause.start and mark.strength <= PRAISED:
            mark.strength = NOTHING


def because(s: Sentence, at: int) -> None:
    """`because`, `given that`."""
    s.next_clause(at)
    s.because = True
    s.because_first = not s.marks


def conclude(s: Sentence, at: int) -> None:
    """`so`, `hence`, `therefore`."""
    s.next_clause(at)
    s.because = False
    s.final = True


def announce(s: Sentence, at: int) -> None:
    """`final verdict`, `on reflection`, `no wait`."""
    del at
    s.final = True
    s.clause.quiet = False
    s.clause.denials = 0


def condition(s: Sentence, at: int) -> None:
    """`if`, `unless`, `provided that`."""
    limits = s.word(at).split(" ")[0] in {"only", "just"}
    if limits and s.last is not None and s.last.item == at - 1:
        s.last.strength = min(s.last.strength, NAMED)  # `Redis only as a cache`
    for mark in s.marks:
        mark.conditional = mark.conditional or mark.item >= s.clause.start
    s.next_clause(at)
    s.clause.quiet = s.clause.hypothetical = True
    s.conditional = not s.marks


def otherwise(s: Sentence, at: int) -> None:
    """`otherwise`, `if not`."""
    s.next_clause(at)
    s.conditional = True
    s.said.otherwise = True


def ask(s: Sentence, at: int) -> None:
    """`you ask whether`."""
    del at
    s.asking = True


def withhold(s: Sentence, at: int) -> None:
    """`it depends`, `not enough information`."""
    del at
    if not s.clause.quiet:
        s.said.unsure = True


def nothing(s: Sentence, at: int) -> None:
    """Idioms that look like a denial or a comparison and are none."""
    del s, at


RULES: Mapping[Cue, Callable[[Sentence, int], None]] = {
    Cue.PICK: pick,
    Cue.DROP: drop,
    Cue.WIN: compare,
    Cue.LOSE: compare,
    Cue.BESIDE: beside,
    Cue.GOOD: praise,
    Cue.BAD: fault,
    Cue.FIRST: rank_first,
    Cue.LATER: rank_later,
    Cue.NOT: deny,
    Cue.BUT: but,
    Cue.CONCEDE: concede,
    Cue.PAST: past,
    Cue.BECAUSE: because,
    Cue.SO: conclude,
    Cue.FINAL: announce,
    Cue.IF: condition,
    Cue.ELSE: otherwise,
    Cue.ASK: ask,
    Cue.UNSURE: withhold,
    Cue.PLAIN: nothing,
}
