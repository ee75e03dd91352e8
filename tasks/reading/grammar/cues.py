"""What a word or a phrase does to the options named around it."""

from enum import StrEnum


class Cue(StrEnum):
    """What a word or a phrase does to the options named around it."""

    PICK = "takes the option that follows"
    DROP = "turns down the option that follows"
    WIN = "puts the option before it above the one after it"
    LOSE = "puts the option before it below the one after it"
    BESIDE = "names the option that follows only for comparison"
    GOOD = "praises the option before it"
    BAD = "faults the option before it"
    FIRST = "ranks the option before it, or the next, first"
    LATER = "ranks the option before it, or the next, behind another"
    NOT = "turns the clause around"
    FINAL = "announces the verdict"
    SO = "draws the conclusion"
    BUT = "takes back what stood before"
    CONCEDE = "grants a point against the verdict until the clause ends"
    BECAUSE = "gives a reason until the clause ends"
    PAST = "tells of an earlier view"
    IF = "makes the clause conditional"
    ELSE = "gives the other branch of a condition"
    ASK = "repeats the question"
    UNSURE = "withholds a verdict"
    AND = "joins the option that follows to the one before"
    NEITHER = "turns down all that are named"
    BOTH = "takes all that are named"
    EITHER = "leaves open which"
    ORDER = "tells the tally what to do"
    PLAIN = "means nothing here"
