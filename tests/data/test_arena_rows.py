"""Arenas in the store: rows of both kinds, and four questions against values counted by hand."""

from datetime import timedelta

import pytest

from contracts.bout import Arena, Attack, Contest, Rating, Ratings, Rebuttal, Score
from contracts.opinion import Usage
from contracts.verdict import Verdict
from data.store import Store
from tasks.judging.settle import after_reopening, settle
from tests.data.making import START, attacked, deliberation, keep, opinion, outcome
from tests.tasks.arena.making import bout, scores

SAID = {"A": "yes", "B": "yes", "C": "no"}
SPENT = Usage(calls=1, prompt_tokens=100, completion_tokens=10, cost_usd=0.01, latency_ms=5)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "home")


def ask(store, name, **parameters):
    return store.query(name, **parameters).records()


def priced(outcome_of="overturned", **more):
    return bout(
        outcome_of,
        attack=Attack(juror="A", claim="c", severity=4, option="no", usage=SPENT),
        rebuttal=Rebuttal(juror="B", answer="a", usage=SPENT, struck="it hides text"),
        scores=tuple(s.model_copy(update={"usage": SPENT}) for s in scores("C", "attack")),
        option="yes",
        **more,
    )


def test_a_deliberation_brings_its_arena_bouts_and_scores(store):
    whole = attacked(
        deliberation("one", SAID), priced(persona="attacker"), bout(None, option="yes")
    )
    keep(store.journal, whole)
    (arena,) = store.sql("from arenas").records()
    assert (arena["arena_id"], arena["deliberation_id"]) == ("one", "one")
    assert (arena["status_before"], arena["status_after"]) == ("majority", "contested")
    assert arena["confidence_after"] < arena["confidence_before"]
    assert (arena["bouts"], arena["overturned"], arena["void"]) == (2, 1, 1)
    assert (arena["calls"], arena["prompt_tokens"], arena["n_unpriced"]) == (4, 400, 0)
    assert arena["cost_usd"] == pytest.approx(0.04)
    fought, void = store.sql("from bouts order by outcome nulls last").records()
    assert (fought["persona"], fought["attacker"], fought["rebutter"]) == ("attacker", "A", "B")
    assert (fought["severity"], fought["struck_reason"]) == (4, "it hides text")
    assert (void["outcome"], void["void_reason"]) == (None, "it found no weakness")
    rows = store.sql("select attack_side, picked, stronger from bout_scores order by 1").rows
    assert rows == (("A", "A", "attack"), ("B", "B", "attack"))


def test_a_reopened_round_counts_as_the_arenas_calls_and_its_verdict_comes_after(store):
    held = attacked(deliberation("one", SAID), priced())
    again = tuple(opinion(juror, "no", 3, usage=SPENT) for juror in "ABC")
    other = deliberation("x", dict.fromkeys("ABC", "no")).verdict
    final = after_reopening(held.contest.settled, other)
    keep(
        store.journal,
        held.model_copy(update={"opinions": (*held.opinions, *again), "verdict": final}),
    )
    (arena,) = store.sql("from arenas").records()
    assert (arena["option_before"], arena["option_after"], arena["reopened"]) == ("yes", "no", True)
    assert arena["calls"] == 4 + 3
    assert arena["confidence_after"] == held.contest.settled.confidence


def later(whole, *bouts, arena_id="later"):
    settled = settle(whole.verdict, bouts, whole.policy)
    return Arena(
        arena_id=arena_id,
        deliberation_id=whole.deliberation_id,
        policy=whole.policy,
        contest=Contest(bouts=bouts, judged=whole.verdict, settled=settled),
        verdict=settled,
        engine="direct",
        started_at=START,
        finished_at=START + timedelta(days=3),
    )


def test_an_arena_held_later_is_a_document_of_its_own(store):
    whole = deliberation("one", SAID)
    keep(store.journal, whole)
    held = later(whole, priced())
    store.journal.put("arena", held.arena_id, held)
    (arena,) = store.sql("from arenas").records()
    assert (arena["arena_id"], arena["deliberation_id"]) == ("later", "one")
    assert store.sql("select status from verdicts").rows == (("majority",),)
    assert store.rebuild().documents == 2
    assert len(store.sql("from bouts").rows) == 1


def test_ratings_are_kept_as_each_refit_found_them(store):
    rating = Rating(
        role="persona", subject="attacker", strength=0.5, low=-0.1, high=1.1, n=9, won=5, drawn=1
    )
    kept = Ratings(computed_at=START, n_bouts=9, ratings=(rating,))
    store.journal.put("ratings", kept.sha256(), kept)
    assert store.sql("select role, subject, strength, n from ratings").rows == (
        ("persona", "attacker", 0.5, 9),
    )


def test_attack_success_by_persona_and_topic(store):
    """Attacker on art: overturned, weakened, upheld, draw: 2 of 4; on law a void one: 0 of 0."""
    art = [bout(o, 4, "attacker", topic="art") for o in ("overturned", "weakened")]
    art += [bout(o, None, "attacker", topic="art") for o in ("upheld", "draw")]
    keep(store.journal, attacked(deliberation("a", SAID, topic="art"), *art))
    law = bout(None, persona="attacker", topic="law")
    keep(store.journal, attacked(deliberation("l", SAID, topic="law"), law))
    found = {row["topic"]: row for row in ask(store, "attack_success")}
    one = found["art"]
    assert (one["n"], one["n_landed"], one["n_overturned"], one["n_draws"]) == (4, 2, 1, 1)
    assert (one["share_landed"], one["mean_severity"]) == (0.5, 4)
    assert (one["low"], one["high"]) == pytest.approx((0.15003, 0.84997), abs=1e-4)
    assert (found["law"]["n"], found["law"]["n_void"], found["law"]["share_landed"]) == (0, 1, None)
    assert (found["*"]["n"], found["*"]["n_void"]) == (4, 1)


def test_position_bias_per_juror(store):
    """Cyd took the first side twice in 3 of 4 bouts and the second once: bias (3 - 1) / 5."""
    second = [Score(juror="Cyd", attack_side=side, picked="B", weight=3) for side in ("A", "B")]
    half = [
        Score(juror="Cyd", attack_side="A", picked="neither", weight=1),
        Score(juror="Cyd", attack_side="B", picked="B", weight=3),
    ]
    lost = [
        Score(juror="Cyd", attack_side="A", picked="A", weight=3),
        Score(juror="Cyd", attack_side="B", fault="timeout"),
    ]
    every = [*(scores("Cyd", "place") for _ in range(3)), second, half, lost]
    fought = [bout("draw", scores=tuple(mine)) for mine in every]
    fought.append(bout("upheld", scores=tuple(scores("Dan", "rebuttal"))))
    keep(store.journal, attacked(deliberation("one", SAID), *fought))
    cyd, dan = ask(store, "position_bias")
    assert (cyd["juror"], cyd["n"], cyd["n_first"], cyd["n_second"]) == ("Cyd", 5, 3, 1)
    assert (cyd["n_half_decided"], cyd["bias"], cyd["share_by_place"]) == (1, 0.4, 0.8)
    assert (cyd["low"], cyd["high"]) == pytest.approx((0.37553, 0.96380), abs=1e-4)
    assert (dan["n"], dan["n_first"], dan["n_second"], dan["bias"]) == (1, 0, 0, 0)


def fated(store, name, right, *fates, **more):
    whole = deliberation(name, SAID, **more)
    keep(store.journal, attacked(whole, *(bout(fate) for fate in fates)), outcome(name, right))
    return whole.verdict.confidence


def test_arena_predicts_outcome(store):
    """Survived: right, right, wrong; overturned: wrong. The verdict says yes at 0.6 each time."""
    for name, right in (("a", "yes"), ("b", "yes"), ("c", "no")):
        fated(store, name, right, "upheld", "draw")
    fated(store, "d", "no", "overturned", "upheld")
    fated(store, "e", "no", "draw")
    keep(store.journal, deliberation("no arena", SAID), outcome("no arena", "yes"))
    found = {row["result"]: row for row in ask(store, "arena_predicts_outcome", topic="general")}
    assert set(found) == {"survived", "overturned", "undecided"}
    survived, overturned = found["survived"], found["overturned"]
    assert (survived["n"], survived["n_right"]) == (3, 2)
    assert survived["share_right"] == pytest.approx(2 / 3)
    assert survived["brier_before"] == pytest.approx((2 * 0.4**2 + 0.6**2) / 3)
    assert survived["brier_after"] == survived["brier_before"]
    assert (overturned["n"], overturned["n_right"]) == (1, 0)
    assert overturned["mean_confidence_before"] == pytest.approx(0.6)
    assert overturned["brier_after"] == pytest.approx(overturned["mean_confidence_after"] ** 2)
    assert overturned["brier_after"] < overturned["brier_before"]


def test_the_cost_of_a_verdict_holds_its_arena_and_no_call_twice(store):
    """Two opinions of 10 cents, one of a reopened round that the arena counts, one heard before."""
    paid = Usage(calls=1, cost_usd=0.1)
    own = [opinion(juror, "yes", usage=paid) for juror in ("A", "B")]
    earlier = opinion("C", "yes", usage=paid, flags=("reused",))
    again = opinion("A", "yes", 3, usage=paid)
    held = attacked(deliberation("a", SAID), priced("overturned"))
    keep(store.journal, held.model_copy(update={"opinions": (*own, earlier, again)}))
    arena, verdict = ask(store, "arena_cost")[0], ask(store, "cost_per_verdict")[0]
    assert (arena["n_calls"], verdict["mean_calls"]) == (5, 7)
    assert arena["total_usd"] == pytest.approx(0.14)
    assert verdict["total_usd"] == pytest.approx(0.34)


def test_a_verdict_whose_opinions_were_all_heard_earlier_cost_nothing(store):
    earlier = opinion("A", "yes", usage=Usage(calls=1), flags=("reused",))
    keep(store.journal, deliberation("a", {"A": ""}, opinions=(earlier,)))
    row = ask(store, "cost_per_verdict")[0]
    assert (row["mean_usd"], row["mean_calls"], row["n_unpriced"]) == (0, 0, 0)


def test_arena_cost_and_what_it_bought(store):
    """Two arenas of 4 cents and 4 calls; one was reopened and turned from wrong to right."""
    keep(store.journal, attacked(deliberation("a", SAID), priced("upheld")))
    held = attacked(deliberation("b", SAID), priced("overturned"))
    other = Verdict(**{**dict(held.verdict), "option": "no", "status": "majority"})
    turned = after_reopening(held.contest.settled, other)
    keep(store.journal, held.model_copy(update={"verdict": turned}), outcome("b", "no"))
    row = ask(store, "arena_cost")[0]
    assert (row["topic"], row["n"], row["n_bouts"], row["n_calls"]) == ("*", 2, 2, 8)
    assert row["mean_calls"] == 4
    assert (row["total_usd"], row["mean_usd"]) == pytest.approx((0.08, 0.04))
    assert (row["n_contested"], row["n_turned"], row["n_won"], row["n_lost"]) == (1, 1, 1, 0)
