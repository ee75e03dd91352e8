"""A small grammar of endorsement: what each sentence does to each option that it names.

A sentence is read left to right, once. Each option named becomes a `Mark`: for or against, and how
strongly. What governs a mark stands before it (`choose`, `rather than`, `not`), after it (`is
wrong`, `wins`), or between two (`beats`, `falls short of`, `from … to …`). Cue words and what they
do stand in `lexicon` and `cue_rules`.
"""

from collections.abc import Sequence

from tasks.reading.grammar import cue_words as sets
from tasks.reading.grammar.clauses import Item, sentences
from tasks.reading.grammar.cue_rules import RULES
from tasks.reading.grammar.cues import Cue
from tasks.reading.grammar.marks import (
    ALL_OF_THEM,
    COMPARED,
    FRAGMENT,
    GOVERNED,
    NAMED,
    NONE_OF_THEM,
    NOTHING,
    PRAISED,
    Sayings,
)
from tasks.reading.grammar.names import Mention
from tasks.reading.grammar.sentence import FINAL_BONUS, Sentence, is_filler
from tasks.reading.grammar.tokens import Token
from tasks.reading.grammar.word_rules import WORD_RULES, after_option, link

_REACH = 6
_TAIL = 2
_ENDS_FRAGMENT = {Cue.BECAUSE, Cue.IF, Cue.CONCEDE, Cue.BUT, Cue.SO, Cue.PLAIN}


def read_sentences(tokens: Sequence[Token], mentions: Sequence[Mention]) -> Sayings:
    """Return what the text says of the options mentioned in it."""
    said = Sayings()
    final = False
    for number, items in enumerate(sentences(tokens, mentions)):
        if any(item.cue is Cue.ORDER for item in items):
            said.orders = True
            continue
        sentence = Sentence(items, number, said, final=final)
        _read(sentence)
        final = sentence.final and not sentence.marks
    return said


def _read(s: Sentence) -> None:
    for at, item in enumerate(s.items):
        if item.mention:
            _mention(s, at, item.mention)
        elif item.stop:
            _stop(s, at)
        elif item.cue is Cue.AND:
            link(s, at)
        elif item.cue in {Cue.NEITHER, Cue.BOTH, Cue.EITHER}:
            _of_all(s, at)
        elif item.cue:
            RULES[item.cue](s, at)
        else:
            _word(s, at)
    if s.items[-1].stop == "?":
        for mark in s.marks:
            mark.strength = NOTHING
    s.said.marks.extend(s.marks)


def _mention(s: Sentence, at: int, mention: Mention) -> None:
    clause = s.clause
    if clause.comparison and s.last is not None:
        sign, strength = _compared(s, mention)
    elif clause.beside:
        sign, strength = 0, NOTHING
    elif clause.governor:
        sign, strength = clause.governor[0] * clause.parity, clause.governor[1]
        strength = max(strength, GOVERNED) if clause.parity < 0 and strength else strength
    else:
        sign, strength = clause.parity, GOVERNED if _is_stated(s, at) else NAMED
        if sign < 0:
            between = s.items[clause.denied_at + 1 : at]
            near = all(i.mention or i.cue or _light(i) for i in between)
            near = near and s.word(clause.denied_at) != "without"
            strength = GOVERNED if near else PRAISED
    if s.word(at + 1) == "that":
        sign, strength = 0, NOTHING
    if sign > 0 and _is_fragment(s, at):
        strength = FRAGMENT
    clause.gerund = clause.gerund or s.begins_with_act(at)
    base = mention.sign * (sign if clause.gerund else 1)
    s.mark(at, mention.option, sign * mention.sign, strength, base)


def _light(item: Item) -> bool:
    return is_filler(item) or item.word in sets.AUXILIARIES


def _is_stated(s: Sentence, at: int) -> bool:
    """Tell whether the option is what `I` or `we` do (`we should hire`)."""
    while at > s.clause.start and is_filler(s.items[at - 1]):
        at -= 1
        if s.word(at) in sets.WE:
            return True
    return False


def _compared(s: Sentence, mention: Mention) -> tuple[int, int]:
    """Weigh the option before a comparison against the one after it, which is returned."""
    first = s.last
    up = 1 if s.clause.comparison is Cue.WIN else -1
    direction = up * s.clause.parity
    if first is None or first.option == mention.option:
        return -up, COMPARED
    if first.strength <= COMPARED and s.weighed(COMPARED):
        first.sign, first.strength = direction, s.weighed(COMPARED) + FINAL_BONUS * first.final
    denied = s.clause.parity < 0
    return -direction, NAMED if denied else COMPARED


def _is_fragment(s: Sentence, at: int) -> bool:
    """Tell whether the clause is the option's name and hardly more."""
    lead = s.items[s.clause.start : at]
    leading = {None, Cue.FINAL, Cue.SO, Cue.PLAIN, Cue.BUT, Cue.PICK}
    if not all(
        item.cue in leading and not item.mention and (item.cue or item.stop or is_filler(item))
        for item in lead
    ):
        return False
    tail = s.items[at + 1 : at + 2 + _TAIL]
    if tail and (tail[0].cue in _ENDS_FRAGMENT or tail[0].word in sets.TAILS):
        adverb = tail[0].word in sets.ADVERBS
        return tail[0].word not in sets.HOLLOW and not (adverb and _is_verb(s.word(at + 2)))
    if len(tail) > 1 and tail[0].word in sets.AUXILIARIES and tail[1].stop:
        return True
    before = s.items[s.clause.start - 1] if s.clause.start else None
    opens = before is None or before.stop != ","
    for item in tail if opens or (tail and tail[0].stop) else []:
        if item.stop:
            return True
        if item.mention or item.cue not in {None, Cue.PLAIN} or _is_verb(item.word):
            return False
    return False


def _is_verb(word: str) -> bool:
    return word in sets.AUXILIARIES or word.endswith("s")


def _stop(s: Sentence, at: int) -> None:
    kept = s.clause.governor if s.clause.governed_at == at - 1 else None
    kept_at = s.clause.governed_at
    parity = s.clause.parity
    s.next_clause(at + 1)
    if s.items[at].stop == ":":
        s.subject = s.last = None
        s.after_colon = True
        s.asking = s.because = False
    if s.because_first:
        s.because = s.because_first = False
    if kept:
        s.clause.governor, s.clause.governed_at = (kept[0] * parity, kept[1]), kept_at


def _of_all(s: Sentence, at: int) -> None:
    """Read `neither`, `both` and `either`."""
    cue, after = s.items[at].cue, s.word(at + 1)
    if s.clause.comparison:
        return
    if cue is Cue.EITHER:
        s.said.undecided = True
        s.clause.beside = True
        return
    option = NONE_OF_THEM if cue is Cue.NEITHER else ALL_OF_THEM
    taken = s.clause.governor is not None and s.clause.governor[0] > 0
    bare = _is_fragment(s, at)
    listed = s.items[at + 1].mention is not None if at + 1 < len(s.items) else False
    counts = after not in sets.VERBS_OF_BOTH and s.clause.parity > 0 and s.word(at - 1) != "of"
    if counts and (taken or bare or listed):
        s.mark(at, option, 1, FRAGMENT if bare else GOVERNED)
    if cue is Cue.NEITHER:
        s.clause.denials += 1
    else:
        s.clause.beside = True


def _word(s: Sentence, at: int) -> None:
    """Read a word that is no cue: most mean nothing to the grammar."""
    rule = WORD_RULES.get(s.word(at))
    if rule is not None:
        rule(s, at)
    elif s.last is not None and s.last.item == at - 1:
        after_option(s, at)
