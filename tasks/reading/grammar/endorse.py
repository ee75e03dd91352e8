"""A small grammar of endorsement: what each sentence does to each option that it names.

A sentence is read left to right, once. Each option named becomes a `Mark`: for or against, and how
strongly. What governs a mark stands before it (`choose`, `rather than`, `not`), after it (`is
wrong`, `wins`), or between two (`beats`, `falls short of`, `from … to …`). Cue words and what they
do stand in `lexicon` and `cue_rules`.
"""

from collections.abc import Sequence
from itertools import takewhile

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
from tasks.reading.grammar.yes_no import answered

_TAIL = 2
_JUDGES = {"is", "are", "was", "were", "does", "do", "did", "has", "have"}
_ENDS_FRAGMENT = {Cue.BECAUSE, Cue.IF, Cue.CONCEDE, Cue.BUT, Cue.SO, Cue.PLAIN}


def read_sentences(
    tokens: Sequence[Token], mentions: Sequence[Mention], topic: frozenset[str] = frozenset()
) -> Sayings:
    """Return what the text says of the options mentioned in it, on a `topic` of these words."""
    said = Sayings()
    final = False
    for number, items in enumerate(sentences(tokens, mentions, topic)):
        if any(item.cue is Cue.ORDER for item in items):
            said.orders = True
            continue
        sentence = Sentence(items, number, said, final=final)
        _read(sentence)
        _reply(said, items)
        _ask(said, sentence)
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
    s.said.marks.extend(s.marks)


def _ask(said: Sayings, s: Sentence) -> None:
    """Let what a question asks of the one option in it (`Kafka?`) count for nothing by itself."""
    asks = s.items[-1].stop == "?"
    said.asked = s.marks[0] if asks and len(s.marks) == 1 and s.marks[0].sign else None
    said.asked_for = said.asked.strength if said.asked else NOTHING
    if s.word(0) in _JUDGES and said.asked_for != COMPARED:
        said.asked_for = NOTHING  # `is Kafka fast?` is not whether to take it
    for mark in s.marks if asks else ():
        mark.strength = NOTHING


def _reply(said: Sayings, items: Sequence[Item]) -> None:
    """Read the `absolutely not` that follows `Kafka?`."""
    told = takewhile(lambda item: not item.stop, items)
    sign = answered([word for item in told for word in item.word.split(" ")])
    if said.asked is not None and sign:
        said.asked.sign *= sign
        praised = PRAISED if said.asked_for == COMPARED else NOTHING
        said.asked.strength = GOVERNED if said.asked_for >= GOVERNED else praised


def _mention(s: Sentence, at: int, mention: Mention) -> None:
    clause = s.clause
    if clause.comparison and s.last is not None:
        sign, strength = _compared(s, mention)
    elif clause.beside or _is_part_of_another(s, at):
        sign, strength = 0, NOTHING
    elif clause.governor:
        sign, strength = clause.governor[0] * clause.parity, clause.governor[1]
        strength = max(strength, GOVERNED) if clause.parity < 0 and strength else strength
    else:
        sign = clause.parity
        strength = _denied(s, at) if sign < 0 else GOVERNED if _is_stated(s, at) else NAMED
    if mention.sign < 0 < sign and strength:
        strength = max(strength, GOVERNED)  # `untrue` is a denial
    if s.word(at + 1) == "that":
        sign, strength = 0, NOTHING
    if sign > 0 and _is_fragment(s, at):
        strength = FRAGMENT
    clause.gerund = clause.gerund or s.begins_with_act(at)
    base = mention.sign * (sign if clause.gerund else 1)
    s.mark(at, mention.option, sign * mention.sign, strength, base)


def _is_part_of_another(s: Sentence, at: int) -> bool:
    """Tell whether the option only says what another is made of (`a hybrid of office and`)."""
    return at > 1 and s.word(at - 1) in {"of", "between"} and bool(s.items[at - 2].mention)


def _denied(s: Sentence, at: int) -> int:
    """Return how strongly `not` turns down the option: less where other words stand between."""
    denied_at = s.clause.denied_at
    between = s.items[denied_at + 1 : at]
    light = (
        item.mention or item.cue or is_filler(item) or item.word in sets.AUXILIARIES
        for item in between
    )
    return GOVERNED if s.word(denied_at) != "without" and all(light) else PRAISED


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
    return all(map(_may_lead, lead)) and _is_tail(s, s.items[at + 1 : at + 2 + _TAIL], at + 2)


def _may_lead(item: Item) -> bool:
    leads = item.cue in {None, Cue.FINAL, Cue.SO, Cue.PLAIN, Cue.BUT, Cue.PICK}
    return leads and not item.mention and bool(item.cue or item.stop or is_filler(item))


def _is_tail(s: Sentence, tail: Sequence[Item], after: int) -> bool:
    """Tell whether what follows a name ends its clause, or adds no more than a word or two."""
    first = tail[0] if tail else None
    if first is None:
        return False
    if first.cue in _ENDS_FRAGMENT or first.word in sets.TAILS:
        goes_on = first.word in sets.ADVERBS and _is_verb(s.word(after))
        return first.word not in sets.HOLLOW and not goes_on
    if first.stop:
        return True
    if first.word in sets.AUXILIARIES and len(tail) > 1 and tail[1].stop not in {"", ","}:
        return True
    start = s.clause.start
    words = list(takewhile(lambda item: not item.stop, tail))
    noun = all(
        not item.mention and item.cue in {None, Cue.PLAIN} and not _is_verb(item.word)
        for item in words
    )
    opens = start == 0 or s.items[start - 1].stop != ","
    return opens and noun and len(words) < len(tail)


def _is_verb(word: str) -> bool:
    return word in sets.AUXILIARIES or word.endswith("s")


def _stop(s: Sentence, at: int) -> None:
    blamed = s.items[at - 1].cue is Cue.BAD and s.items[at].stop == ","
    kept = s.clause.governor if s.clause.governed_at == at - 1 and not blamed else None
    kept_at = s.clause.governed_at
    parity = s.clause.parity
    s.next_clause(at + 1)
    if s.items[at].stop == ":":
        _answer(s, at)
        s.subject = s.last = None
        s.asking = s.because = False
    if s.because_first:
        s.because = s.because_first = False
    if kept:
        s.clause.governor, s.clause.governed_at = (kept[0] * parity, kept[1]), kept_at


def _answer(s: Sentence, at: int) -> None:
    """Read `Kafka: no`."""
    told = takewhile(lambda item: not item.stop, s.items[at + 1 :])
    sign = answered([word for item in told for word in item.word.split(" ")])
    if sign and s.last is not None and s.last.item == at - 1:
        s.last.sign, s.last.strength = sign, GOVERNED


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
