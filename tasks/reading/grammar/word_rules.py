"""What single words do to the sentence that is being read."""

from collections.abc import Callable, Sequence

from tasks.reading.grammar import cue_words as sets
from tasks.reading.grammar.clauses import Item
from tasks.reading.grammar.cue_rules import beside
from tasks.reading.grammar.cues import Cue
from tasks.reading.grammar.marks import COMPARED, FRAGMENT, GOVERNED, NAMED, NOTHING
from tasks.reading.grammar.sentence import Sentence, is_filler

_REACH, _BACK = 6, 24


def _from(s: Sentence, at: int) -> None:
    named = any(item.mention for item in s.items[at + 1 : at + 1 + _BACK // _REACH])
    if _leads_away(s, at):
        s.govern(at, -1, GOVERNED)
        s.clause.chain = "replace"
    elif named and s.clause.carried and s.clause.moved:
        s.govern(at, -s.clause.carried[0], GOVERNED)


def _auxiliary(s: Sentence, at: int) -> None:
    """Read `would`, `is`: an act named before is no governor any more; it is judged now."""
    if s.clause.gerund:
        s.clause.governor = None
    obliges = s.word(at) in {"should", "must"} and s.last is not None and s.last.item == at - 1
    if obliges and s.last is not None and s.last.strength == NAMED and s.last.sign > 0:
        s.last.strength, s.last.modal = s.weighed(COMPARED), True
    if s.word(at) == "had" and s.clause.hypothetical:
        s.unreal = True
        for mark in s.marks:
            mark.strength = NOTHING if mark.conditional else mark.strength


def _out(s: Sentence, at: int) -> None:
    """Read `keep the ledger out of` an option."""
    led = {item.word.split(" ")[0] for item in s.items[s.clause.start : at]}
    named = at + 2 < len(s.items) and s.items[at + 2].mention
    if s.word(at + 1) == "of" and named and led & {"keep", "stay", "move", "pull", "get", "take"}:
        s.govern(at, -1, GOVERNED)


def _about(s: Sentence, at: int) -> None:
    """Read `concerns about` an option."""
    if s.word(at - 1) in sets.CONCERNS and at + 1 < len(s.items) and s.items[at + 1].mention:
        s.govern(at, -1, COMPARED)


def _which(s: Sentence, at: int) -> None:
    """Read `Kafka, which unites` the others."""
    told = s.word(at + 1) in sets.CONCLUDING
    if s.items[at - 1].stop == "," and s.last is not None and not told:
        s.clause.beside = True


def _too(s: Sentence, at: int) -> None:
    """Read `too little time to`: what follows is turned down."""
    if any(item.word == "to" for item in s.items[at + 1 : at + _REACH]):
        s.govern(at, -1, GOVERNED)


def _enough(s: Sentence, at: int) -> None:
    """Read the end of `cannot recommend it enough` and of `could not agree more`."""
    ends = s.word(at) == "enough" or (s.last is not None and s.last.item == at - 1)
    if ends and s.last is not None and s.last.sign < 0 and s.clause.denials % 2:
        s.last.sign = 1


def after_option(s: Sentence, at: int) -> None:
    """Read the word that follows an option: a rank, or the way to what replaces it."""
    word, mark = s.word(at), s.marks[-1]
    if word in sets.RANKS_FIRST:
        mark.sign, mark.strength = 1, s.weighed(FRAGMENT)
    elif word == "in" and s.word(at + 1) == "for" and s.clause.chain == "replace":
        mark.sign, s.clause.chain = -mark.sign, "substitute"
    elif word in sets.RANKS_LATER:
        mark.strength = NOTHING


def _replaced(s: Sentence, at: int) -> None:
    word, clause = s.word(at), s.clause
    passive = s.settle_passive()
    if not (clause.carried or passive):
        return
    if clause.chain == "replace":
        s.govern(at, 1, GOVERNED)
    elif (clause.chain, word) in {("prefer", "to"), ("substitute", "for")}:
        clause.comparison = Cue.WIN


def _than(s: Sentence, at: int) -> None:
    """Read `than`: which way it compares hangs on the comparative before it."""
    start = max(at - _BACK, s.last.item + 1 if s.last is not None else s.clause.start)
    between: Sequence[Item] = [item for item in s.items[start:at] if not item.mention]
    if s.last is not None and all(item.word == "to" or is_filler(item) for item in between):
        between = s.items[s.clause.start : s.last.item]  # it costs more to build than to buy
    spoken = {word for item in between for word in item.word.split()}
    fewer = bool(spoken & {"less", "fewer"})
    down = bool(spoken & sets.DOWNWARD) or any(item.cue is Cue.BAD for item in between)
    cue = Cue.WIN if down == fewer else Cue.LOSE
    if s.last is None:
        s.govern(at, -1 if cue is Cue.WIN else 1, COMPARED)
    elif s.last.sign < 0 and s.last.strength == COMPARED and s.last is not s.subject:
        s.govern(at, -1, COMPARED)
    else:
        s.clause.comparison = cue


def _as(s: Sentence, at: int) -> None:
    """Read the second `as` of `not as good as`."""
    earlier = any(s.word(back) == "as" for back in range(max(s.clause.start, at - 4), at - 1))
    if earlier and s.clause.denials % 2 and s.last is not None:
        s.clause.denials += 1
        s.clause.comparison = Cue.LOSE


def _leads_away(s: Sentence, at: int) -> bool:
    """Tell whether `from` an option leads `to` another."""
    ahead = s.items[at + 1 : at + 1 + _REACH]
    named = next((i for i, item in enumerate(ahead) if item.mention), None)
    return named is not None and any(item.word in {"to", "onto"} for item in ahead[named:])


def link(s: Sentence, at: int) -> None:
    """Read `and` or `or`: the option that follows shares what governs the one before."""
    clause, last = s.clause, s.last
    ahead = s.items[at + 1 : at + 3]
    if clause.denials and any(item.cue is Cue.NOT for item in ahead):
        s.next_clause(at + 1)
        return
    following = any(item.mention for item in ahead)
    if last is not None and _turns_to_another_act(s, last.item, ahead):
        s.next_clause(at + 1)
        return
    if last is None or not following or last.item < clause.start:
        return
    if last.item != at - 1 and not clause.carried:
        s.next_clause(at + 1)
        return
    last.joint = last.item == at - 1 and last.sign > 0
    if s.word(at) in {"or", "/"} and last.sign > 0:
        last.strength = NOTHING
        beside(s, at)
    elif last.strength == NOTHING and last.sign == 0:
        clause.beside = True
    elif clause.carried:
        clause.governor, clause.governed_at = clause.carried, -1


def _turns_to_another_act(s: Sentence, last: int, ahead: Sequence[Item]) -> bool:
    """Tell whether `stop leasing and buy` goes on with a verb that is not governed."""
    named = next((item.word for item in ahead if item.mention), "")
    return bool(named) and s.word(last).endswith("ing") and not named.endswith("ing")


def _pronoun(s: Sentence, at: int) -> None:
    """Let `avoid it` mean the option that was named last, where only one was."""
    parts = any(item.mention and item.mention.level == "part" for item in s.items)
    if parts or s.clause.governor is None or s.clause.governed_at < s.clause.start:
        return
    ahead = s.items[at + 1 : at + 3]
    if any(item.mention for item in ahead):
        return
    before = s.marks or [m for m in s.said.marks if m.sentence == s.number - 1]
    if len({mark.option for mark in before}) == 1:
        sign, strength = s.clause.governor
        s.mark(at, before[0].option, sign * s.clause.parity, strength)


WORD_RULES: dict[str, Callable[[Sentence, int], None]] = {
    "than": _than,
    "as": _as,
    "from": _from,
    "enough": _enough,
    "too": _too,
    "out": _out,
    "which": _which,
    "about": _about,
    "more": _enough,
    **dict.fromkeys(sets.AUXILIARIES, _auxiliary),
    **dict.fromkeys(sets.LINKING, link),
    **dict.fromkeys(sets.PRONOUNS, _pronoun),
    **dict.fromkeys(sets.REPLACING, _replaced),
}
