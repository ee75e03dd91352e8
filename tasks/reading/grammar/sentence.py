"""Where the grammar of endorsement stands within one sentence."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tasks.reading.grammar.clauses import Item
from tasks.reading.grammar.cue_words import ANNOUNCING, FILLERS, HABITUAL, NOT_ACTS
from tasks.reading.grammar.cues import Cue
from tasks.reading.grammar.marks import ANNOUNCED, COMPARED, GOVERNED, NAMED, NOTHING, Mark, Sayings

_OPENING = 8
FINAL_BONUS = 3
"""Strength that words of a verdict (`final answer`) add."""


@dataclass(slots=True)
class Clause:
    """What holds until the clause ends."""

    start: int = 0
    denials: int = 0
    """Denials that act on what follows; an even number is none."""
    denied_at: int = -1
    """Item of the last denial."""
    dangling: bool = False
    """Whether a denial found nothing yet to act on."""
    governor: tuple[int, int] | None = None
    """Sign and strength for the next option."""
    governed_at: int = -1
    """Item of the governor."""
    carried: tuple[int, int] | None = None
    """Governor of the last option, for one that is joined to it by `and`."""
    comparison: Cue | None = None
    moved: bool = False
    """Whether the governor is a verb of moving `to` something, which may go on with `from`."""
    chain: str = ""
    """`replace` after a verb whose `with`, `by` or `for` names the winner, `prefer` after one
    whose `to` names the loser."""
    beside: bool = False
    """Whether what follows is named for comparison only."""
    quiet: bool = False
    """Whether the clause grants, asks or looks back, so that its options do not count."""
    gerund: bool = False
    """Whether the governor is an act that the clause goes on to judge."""
    hypothetical: bool = False
    """Whether the clause is the condition itself."""

    @property
    def parity(self) -> int:
        """-1 where what follows is denied."""
        return -1 if self.denials % 2 else 1


@dataclass(slots=True)
class Sentence:
    """The state of reading one sentence."""

    items: Sequence[Item]
    number: int
    said: Sayings
    final: bool = False
    """Whether words of a verdict have been met."""
    marks: list[Mark] = field(default_factory=list)
    clause: Clause = field(default_factory=Clause)
    subject: Mark | None = None
    """The option that a predicate would be about."""
    last: Mark | None = None
    """The option named last, that a comparison would start from."""
    asking: bool = False
    because: bool = False
    because_first: bool = False
    contrasted: bool = False
    """Whether `but` has been met."""
    conditional: bool = False
    unreal: bool = False
    """Whether the condition is contrary to fact."""

    def word(self, at: int) -> str:
        """Return the word of item `at`, or nothing outside the sentence."""
        return self.items[at].word if 0 <= at < len(self.items) else ""

    def govern(self, at: int, sign: int, strength: int) -> None:
        """Let the cue at item `at` govern the next option."""
        clause = self.clause
        clause.governor = (sign, strength)
        clause.governed_at = at
        clause.gerund = clause.gerund or self.begins_with_act(at)

    def begins_with_act(self, at: int) -> bool:
        """Tell whether the clause, which reaches to item `at`, opens with an act (`choosing`)."""
        for item in self.items[self.clause.start : min(at + 1, self.clause.start + _OPENING)]:
            first = item.word.split(" ")[0]
            if first.endswith("ing") and first not in NOT_ACTS:
                return True
            if item.word not in FILLERS and item.cue is not Cue.NOT:
                return False
        return False

    def lead_strength(self, at: int) -> int:
        """Return how strongly the cue at item `at` governs: verdicts more than verbs."""
        if self.word(at - 1) == "only":
            return NAMED
        spoken = ANNOUNCING.intersection(self.word(at).split())
        return ANNOUNCED if spoken else GOVERNED

    def next_clause(self, at: int) -> None:
        """Close the clause that ends before item `at` and begin another there."""
        self.close_clause(at)
        self.clause = Clause(start=at)

    def close_clause(self, at: int) -> None:
        """Settle what the clause left open about its subject."""
        clause, subject = self.clause, self.subject
        self._note_elsewhere(at)
        if subject is None or clause.quiet:
            return
        mine = subject.item >= clause.start
        if clause.dangling and mine and subject.strength == NAMED and clause.denials % 2:
            subject.strength = NOTHING
        self.settle_passive()

    def settle_passive(self) -> bool:
        """Apply a participle that governs nothing after it to the subject (`should be avoided`)."""
        clause, subject = self.clause, self.subject
        if clause.governor and subject and subject.strength <= COMPARED and self._is_passive():
            sign, strength = clause.governor
            spoken = {item.word for item in self.items[clause.start : clause.governed_at]}
            strength = NOTHING if HABITUAL & spoken else strength
            subject.sign, subject.strength = sign * clause.parity, self.weighed(strength)
            clause.governor = None
            return True
        return False

    def _note_elsewhere(self, at: int) -> None:
        """Note what is taken (`use SQLite`) where it is none of the options."""
        clause = self.clause
        first = clause.governed_at + 1
        if not clause.governor or clause.governor[0] * clause.parity < 1 or clause.quiet:
            return
        while self.word(first) in {"a", "an", "the", "for", "with"}:
            first += 1
        last = first
        while last < at and not self.items[last].stop and self.items[last].cue is None:
            last += 1
        if last > first and clause.governed_at >= clause.start:
            self.said.elsewhere = (self.items[first].at, self.items[last].at)

    def _is_passive(self) -> bool:
        """Tell whether the governor is a participle about the subject (`should be avoided`)."""
        verb = self.word(self.clause.governed_at).split(" ")[0]
        before = self.subject is not None and self.subject.item < self.clause.governed_at
        return before and (verb.endswith("ed") or verb in {"chosen", "ruled", "voted", "turned"})

    def weighed(self, strength: int) -> int:
        """Return `strength` as far as the clause lets it count."""
        if self.clause.quiet or self.asking:
            return NOTHING
        return min(strength, NAMED) if self.because else strength

    def mark(self, at: int, option: int, sign: int, strength: int, base: int = 1) -> None:
        """Add a mark for the option at item `at`; what governed it is used up."""
        clause = self.clause
        strength = self.weighed(strength)
        if self.final and strength > NOTHING and sign > 0 and not self.conditional:
            strength += FINAL_BONUS
        act = clause.gerund
        strength = min(strength, COMPARED) if act else strength
        made = Mark(
            option,
            sign,
            strength,
            self.number,
            at,
            base=base,
            act=act,
            argued=self.because or self.contrasted,
        )
        made.conditional, made.final = self.conditional, self.final
        if self.conditional and self.unreal:
            made.strength = NOTHING
        self.marks.append(made)
        held = clause.governor or ((1, GOVERNED) if clause.parity < 0 else None)
        # The denials of an act end with it, so what is carried on has to hold them.
        clause.carried = (held[0] * clause.parity, held[1]) if act and held else held
        if clause.comparison is None and not clause.beside:
            self.subject = made
        self.last = made
        clause.governor = clause.comparison = None
        clause.beside = clause.dangling = False
        clause.denials *= not act


def is_filler(item: Item) -> bool:
    """Tell whether the item may stand before a name without making a sentence of it."""
    adverb = item.word.endswith("ly") and len(item.word) > len("early")
    return adverb or item.word in FILLERS or not item.word[:1].isalpha()
