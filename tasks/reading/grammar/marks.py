"""What the grammar of endorsement finds: marks for and against options."""

from dataclasses import dataclass, field

FRAGMENT, ANNOUNCED, GOVERNED, COMPARED, PRAISED, NAMED, NOTHING = 6, 5, 4, 3, 2, 1, 0
"""Strength of a mark: the whole statement is the name; the name is announced as the verdict; a
verb or a denial governs it; it wins or loses a comparison; it is praised; it is named only."""

NONE_OF_THEM = -2
ALL_OF_THEM = -3
"""Stand in a mark for `neither` and `both`."""


@dataclass(slots=True)
class Mark:
    """What one mention of an option amounts to."""

    option: int
    sign: int
    """1 for, -1 against, 0 only named."""
    strength: int
    sentence: int
    item: int
    """Where in its sentence it stands."""
    base: int = 1
    """Sign that praise of it has: -1 for `skipping`, where the option is not to skip."""
    joint: bool = False
    """Whether `and` joins the next option to it."""
    act: bool = False
    """Whether it is the object of an act that is judged next (`choosing it would be …`)."""
    modal: bool = False
    """Whether it is what `should` be, so that a `not` after it denies it."""
    argued: bool = False
    """Whether it stands in a reason, or in what is said against it."""
    conditional: bool = False
    final: bool = False
    """Whether words of a verdict or of a change of mind lead to it."""


@dataclass(slots=True)
class Sayings:
    """What a whole text says: its marks in order, and what it says besides."""

    marks: list[Mark] = field(default_factory=list)
    unsure: bool = False
    """Withholds a verdict (`it depends`)."""
    undecided: bool = False
    """Says `either`."""
    orders: bool = False
    """Tells the tally what to do; such sentences are not read."""
    asked: Mark | None = None
    """Of the one option that the sentence before asks about."""
    asked_for: int = NOTHING
    """Strength that the question gives it: whether to take it, or what it is like."""
    otherwise: bool = False
    """Gives two branches of a condition."""
    elsewhere: tuple[int, int] | None = None
    """Tokens, first and last excluded, of what is taken although it is none of the options."""
