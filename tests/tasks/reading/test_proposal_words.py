"""A model orders the proposals and words them; it adds nothing."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.proposal import Counterfactual, RuleProposal
from tasks.reading.proposal_words import in_own_words, worded


def proposal(juror, topic="security", **more):
    return RuleProposal(
        juror=juror,
        topic=topic,
        weight=1.5,
        basis="outcomes",
        n_dissents=3,
        counterfactual=Counterfactual(replayed=12),
        expires_at=datetime(2026, 5, 1, tzinfo=UTC),
        words=f"On {topic}, {juror} was right in 10 of 12, the others in 4.5 of the same.",
        **more,
    )


ADA, BOB = proposal("Ada"), proposal("Bob", "hiring")
TABLE = (ADA, BOB)


def reply(*rows):
    return json.dumps({"proposals": [{"id": name, "words": words} for name, words in rows]})


def said(text):
    return worded(TABLE, text)


def test_order_and_words_are_taken():
    text = "Bob knows hiring: 10 of 12."
    first, second = said(f"Sure!\n```json\n{reply((BOB.proposal_id, text))}\n```")
    assert (first.proposal, first.words) == (BOB, text)
    assert (second.proposal, second.words) == (ADA, ADA.words)


def test_the_example_of_the_skill_parroted_is_no_proposal():
    parrot = 'Approved rule: "Local Juror | security | 1.5" (dissented twice)'
    assert said(parrot) == in_own_words(TABLE)
    assert said(reply(("Local Juror | security | 1.5", parrot))) == in_own_words(TABLE)
    assert worded((), reply(("abc", parrot))) == ()


def test_an_invented_juror_yields_nothing():
    assert said(reply(("0123456789ab", "Mallory was right in 10 of 12."))) == in_own_words(TABLE)


WORDS = {
    "another number": "Ada was right in 11 of 12 on security.",
    "another weight": "Ada deserves 5.0 on security.",
    "a quantity in words": "Ada was always right on security.",
    "another juror of the table": "Ada beats Bob on security.",
    "an invented juror": "Ada beats Mallory on security.",
    "no juror at all": "Right in 10 of 12.",
    "a rule": "Ada | security | 1.5",
    "a control character": "Ada was right\x1b[31m in 10 of 12.",
    "too long": "Ada " + "was right " * 60,
    "nothing": "",
    "no text": None,
}


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_words_that_say_more_than_the_row_are_dropped_for_its_own(words):
    (first, second) = said(reply((BOB.proposal_id, None), (ADA.proposal_id, words)))
    assert (first.proposal, second.proposal) == (BOB, ADA)
    assert (first.words, second.words) == (BOB.words, ADA.words)


def test_a_row_named_twice_counts_once():
    rows = [(ADA.proposal_id, "Ada: 10 of 12."), (ADA.proposal_id, "Ada: 4.5 for the others.")]
    assert [one.proposal for one in said(reply(*rows))] == [ADA, BOB]
    assert said(reply(*rows))[0].words == "Ada: 10 of 12."


@given(st.text(max_size=300) | st.lists(st.tuples(st.text(), st.text())).map(lambda r: reply(*r)))
def test_whatever_comes_the_proposals_are_those_of_the_table(text):
    found = said(text)
    assert sorted(one.proposal.juror for one in found) == ["Ada", "Bob"]
    assert all(one.proposal in TABLE for one in found)
