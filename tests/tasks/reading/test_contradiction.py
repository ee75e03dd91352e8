"""A model's words for a verdict are taken only where the record says the same."""

import pytest

from contracts.memory import Memory, Policy
from contracts.opinion import Opinion
from contracts.question import Option, Question
from tasks.foreman import word_verdict
from tasks.judging.decide import decide
from tasks.reading.contradiction import OnRecord, contradiction

QUESTION = Question(
    text="Postgres or Mongo for invoices of a 3-person startup?",
    options=(Option(name="Postgres"), Option(name="Mongo"), Option(name="SQLite")),
    options_source="text",
)


def say(juror, stance, *reasons, at=1, **more):
    if stance is None:
        return Opinion(juror=juror, round=at, abstain_reason="timeout", **more)
    return Opinion(
        juror=juror, round=at, stance=stance, position=stance, reasons=reasons, raw="x", **more
    )


def on_record(*opinions):
    verdict = decide(QUESTION, opinions, Memory(), Policy())
    return OnRecord(QUESTION, verdict, opinions)


MAJORITY = on_record(
    say("Ada", "Mongo", "documents fit 99.9% of the invoices"),
    say("Bob", "Mongo", "fast start"),
    say("Local Juror", "Postgres", "transactions"),
    say("Ada", "Mongo", "documents fit 99.9% of the invoices", at=2),
    say("Bob", "Postgres", "transactions matter", at=2, changed_by="invoices need transactions"),
    say("Local Juror", "Postgres", "transactions", at=2),
)
UNANIMOUS = on_record(say("Ada", "Postgres", "joins"), say("Bob", "Postgres", "joins"))
HUNG = on_record(say("Ada", "Postgres", "joins"), say("Bob", "Mongo", "documents"))

GOOD = (
    "The council decided for Postgres, 2–1. What carried it: invoices need transactions. Ada "
    "dissents for Mongo, because documents fit 99.9% of the invoices. Bob moved from Mongo to "
    "Postgres, swayed by the need for transactions. Confidence is 50%, not calibrated."
)
TOLD = (
    "By two to one the jury chose Postgres. Ada holds out for Mongo and warns that documents fit "
    "better. The confidence is 50 percent and it is not yet calibrated."
)
BEFORE = (
    "Before the debate it stood 2–1 for Mongo. Bob changed his mind and the council now says "
    "Postgres, 2–1, over the dissent of Ada."
)


def check(text, record=MAJORITY):
    return contradiction(text, record)


def test_the_record_of_the_example_is_what_the_texts_say():
    assert (MAJORITY.verdict.option, MAJORITY.verdict.split) == ("Postgres", "2–1")
    assert f"{MAJORITY.verdict.confidence:.0%}" == "50%"


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        TOLD,
        "Postgres carries the day, 2 to 1. The dissent comes from Ada: Mongo fits documents.",
        "Two of three jurors back Postgres; Ada dissents for Mongo. Confidence 0.50, uncalibrated.",
        "Postgres, 2-1.\nAda's dissent: Mongo.\nFor a 3-person startup that is worth hearing.",
        BEFORE,
    ],
)
def test_words_that_agree_with_the_record_are_taken(text):
    assert check(text) is None


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("Postgres, 2–1", "Mongo, 2–1"), "it endorses Mongo"),
        (("2–1", "3–0"), "it says 3–0"),
        (("2–1", "3 to 0"), "it says 3 to 0"),
        (("2–1", "three to one"), "it says three to one"),
        (("50%", "95%"), "it says 95%"),
        (("50%", "99.9%"), "it says 99.9%"),
        (("not calibrated", "well calibrated"), "wrong about the calibration"),
        (("Ada dissents", "One juror dissents"), "leaves out the dissent of Ada"),
        (("for Postgres, 2–1", "for Postgres, unanimously"), "it says unanimous"),
        (("Bob moved", "Ada moved"), "it says that Ada changed"),
        (("Ada dissents for Mongo", "Ada and Bob say so. Bob dissents for Mongo"), "Bob dissents"),
        (("Ada dissents for Mongo", "Ada dissents for SQLite"), "SQLite of Ada"),
        (("Confidence is", "In truth you should use Mongo. Confidence is"), "sides with Mongo"),
        (("Confidence is", "Ada is right: Mongo is better. Confidence is"), "sides with Mongo"),
        (("Confidence is", "The dissent is correct that Mongo fits. Confidence is"), "sides with"),
        (("Confidence is", "Mongo is the safer choice here. Confidence is"), "endorses Mongo"),
        (("Confidence is", "Go with SQLite. Confidence is"), "endorses SQLite"),
        (("Confidence is", "It saves 40% of the cost. Confidence is"), "it says 40%"),
        (("Confidence is", "All 7 experts agree. Confidence is"), "it says 7"),
        (("Confidence is", "Five jurors were asked. Confidence is"), "it counts five"),
        (("Confidence is", "Nobody dissents. Confidence is"), "nobody dissents"),
        (("Confidence is", "There is no verdict. Confidence is"), "there is no verdict"),
        (("Confidence is", "See https://evil.example. Confidence is"), "names an address"),
        (("The council decided", "x" * 3000 + " The council decided"), "characters"),
    ],
)
def test_words_that_contradict_the_record_are_rejected_with_the_reason(change, why):
    text = GOOD.replace(*change)
    assert text != GOOD
    assert why in check(text)


def test_an_option_that_is_not_named_is_missed():
    assert "does not name Postgres" in check(
        "The council decided, 2–1, against the dissent of Ada."
    )


def test_a_hung_council_has_no_option():
    assert check("The council is hung, 1–1, between Postgres and Mongo.", HUNG) is None
    why = check("The council is hung, 1–1. Postgres would be the better choice.", HUNG)
    assert "sides with Postgres" in why
    assert "no verdict" in check("Ada wants Postgres and Bob wants Mongo.", HUNG)


def test_a_juror_may_be_quoted_with_the_confidence_that_it_stated():
    record = on_record(
        say("Ada", "Postgres", "joins", confidence=0.9), say("Bob", "Postgres", "joins")
    )
    assert check("Postgres, unanimously. Ada is 90% sure.", record) is None
    assert "it says 91%" in check("Postgres, unanimously. Ada is 91% sure.", record)


@pytest.mark.parametrize("record", [MAJORITY, UNANIMOUS, HUNG])
def test_the_template_agrees_with_every_record(record):
    assert check(word_verdict(record.verdict, "transactions matter"), record) is None
