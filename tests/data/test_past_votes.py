"""What the council learns from: each vote once, for the juror that gave it, in order."""

import pytest

from contracts.activation import Activation
from data.past_votes import known_outcomes, past_votes
from data.store import Store
from tests.data.making import deliberation, keep, opinion, outcome


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "home")


def said(store, *records):
    keep(store.journal, *records)
    return [(v.question_id, v.stage, v.juror, v.option, v.right) for v in past_votes(store)]


def test_an_empty_store_has_no_votes(store):
    assert past_votes(store) == []


def test_votes_come_alone_and_after_the_debate_with_what_was_right(store):
    found = said(
        store,
        deliberation("d1", {"A": ("yes", "no"), "B": ("no", "no"), "C": None}),
        outcome("d1", "no"),
    )
    assert found == [
        ("d1", "alone", "A", "yes", "no"),
        ("d1", "alone", "B", "no", "no"),
        ("d1", "alone", "C", None, "no"),
        ("d1", "debated", "A", "no", "no"),
        ("d1", "debated", "B", "no", "no"),
        ("d1", "debated", "C", None, "no"),
    ]


def test_without_a_debate_there_are_no_debated_votes_and_without_an_outcome_nothing_is_right(store):
    assert said(store, deliberation("d1", {"A": "yes"})) == [("d1", "alone", "A", "yes", None)]


def test_a_juror_that_could_not_be_heard_again_keeps_its_first_opinion(store):
    found = said(store, deliberation("d1", {"A": ("yes", None), "B": ("no", "yes")}))
    assert ("d1", "debated", "A", "yes", None) in found


def test_a_juror_that_took_its_answer_back_abstained(store):
    opinions = (
        opinion("A", "yes"),
        opinion("A", None, 2, abstain_reason="declined"),
        opinion("B", "no"),
        opinion("B", "no", 2),
    )
    found = said(store, deliberation("d1", {"A": "yes", "B": "no"}, opinions=opinions))
    assert ("d1", "debated", "A", None, None) in found


def test_the_latest_outcome_holds(store):
    said(store, deliberation("d1", {"A": "yes"}), outcome("d1", "no", days=1))
    assert said(store, outcome("d1", "yes", days=2))[0][-1] == "yes"
    assert known_outcomes(store) == {"d1": "yes"}


def test_another_model_that_stood_in_for_a_seat_is_not_the_juror(store):
    fell = Activation(kind="fallback", subject="A", effect="asked offline instead")
    found = said(store, deliberation("d1", {"A": "yes", "B": "no"}, activations=(fell,)))
    assert [juror for _, _, juror, _, _ in found] == ["B"]


def test_an_opinion_that_was_used_again_counts_once(store):
    again = (opinion("A", "yes", flags=("reused",)), opinion("B", "no"))
    found = said(
        store,
        deliberation("d1", {"A": "yes", "B": "no"}),
        deliberation("d2", {"A": "yes", "B": "no"}, opinions=again, days=1),
    )
    assert [(name, juror) for name, _, juror, _, _ in found] == [
        ("d1", "A"),
        ("d1", "B"),
        ("d2", "B"),
    ]


def test_a_replay_takes_the_place_of_what_it_replayed(store):
    again = (opinion("A", "yes", flags=("reused",)), opinion("B", "no"))
    old = deliberation("d1", {"A": "yes", "B": None})
    new = deliberation("d2", {"A": "yes", "B": "no"}, opinions=again, replay_of="d1", days=1)
    assert {name for name, *_ in said(store, old, new)} == {"d2"}
    assert {name for name, *_ in said(store, outcome("d1", "yes"))} == {"d1", "d2"}
    assert {name for name, *_ in said(store, outcome("d2", "yes"))} == {"d2"}


def test_options_are_counted_only_where_they_were_given(store):
    keep(
        store.journal,
        deliberation("d1", {"A": "yes"}, options=("yes", "no", "later")),
        deliberation("d2", {"A": "yes"}, options=(), days=1),
    )
    assert [vote.n_options for vote in past_votes(store)] == [3, None]


def test_votes_come_in_the_order_in_which_they_were_cast(store):
    late, early = (deliberation(name, {"A": "yes"}, days=at) for name, at in (("a", 9), ("b", 1)))
    assert [name for name, *_ in said(store, late, early)] == ["b", "a"]


def test_the_votes_of_a_rebuilt_store_are_the_same(store):
    keep(
        store.journal,
        *(deliberation(f"d{i}", {"A": "yes", "B": ("no", "yes")}, days=i) for i in range(5)),
        *(outcome(f"d{i}", "yes") for i in range(4)),
    )
    before = past_votes(store)
    store.rebuild()
    assert past_votes(store) == before
