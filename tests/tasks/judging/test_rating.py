"""Bradley–Terry strengths and what they speak for: known values, laws, edges."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts.bout import Attack, Rebuttal
from tasks.judging.rating import Game, bradley_terry, propose_casting, rate
from tests.tasks.arena.making import bout

JOURNALS = ("Biometrika", "Comm Statist", "JASA", "JRSS-B")
CITED = {
    (0, 1): (730, 33),
    (0, 2): (498, 320),
    (0, 3): (221, 284),
    (1, 2): (68, 813),
    (1, 3): (17, 276),
    (2, 3): (142, 325),
}
"""Stigler 1994 by way of Agresti 2002, p. 448: times that one journal was cited by the other."""


def games(counts, names):
    return [
        Game(("persona", names[i]), ("persona", names[j]), float(won))
        for (i, j), pair in counts.items()
        for won, n in zip((1, 0), pair, strict=True)
        for _ in range(n)
    ]


@pytest.mark.slow
def test_the_journals_of_statistics():
    """Turner & Firth 2012, BradleyTerry2: Comm Statist -2.9491, JASA -0.4796, JRSS-B 0.2690."""
    found = bradley_terry(games(CITED, JOURNALS), variance=1e6)
    assert [name for _, name in found.names] == list(JOURNALS)
    relative = found.mean - found.mean[0]
    assert relative == pytest.approx([0, -2.9491, -0.4796, 0.2690], abs=5e-5)
    errors = [
        np.sqrt(found.covariance[i, i] + found.covariance[0, 0] - 2 * found.covariance[i, 0])
        for i in (1, 2, 3)
    ]
    assert errors == pytest.approx([0.1026, 0.0606, 0.0708], abs=1e-4)


def test_two_players_under_the_prior():
    """3 wins to 1, prior N(0, 1) each: the difference d solves 4 σ(d) = 3 - d / 2."""
    one, other = ("persona", "a"), ("rebutter", "b")
    found = bradley_terry([Game(one, other, 1.0)] * 3 + [Game(one, other, 0.0)])
    d = found.mean[0] - found.mean[1]
    assert 4 / (1 + np.exp(-d)) == pytest.approx(3 - d / 2, abs=1e-5)
    assert found.mean[0] == pytest.approx(-found.mean[1], abs=1e-6)


def test_a_draw_is_half_a_win_for_each():
    one, other = ("persona", "a"), ("rebutter", "b")
    drawn = bradley_terry([Game(one, other, 0.5)] * 2)
    split = bradley_terry([Game(one, other, 1.0), Game(one, other, 0.0)])
    assert drawn.mean == pytest.approx([0, 0], abs=1e-9)
    assert drawn.covariance == pytest.approx(split.covariance)


def held(outcome, persona="attacker", by="Ada", rebutted="Bob", **more):
    return bout(
        outcome,
        persona=persona,
        attack=Attack(juror=by, claim="c", severity=4),
        rebuttal=Rebuttal(juror=rebutted, answer="a"),
        **more,
    )


def test_personas_attackers_and_rebutters_are_rated_apart():
    bouts = [
        held("overturned", "attacker", "Ada", "Bob"),
        held("weakened", "attacker", "Cyd", "Bob"),
        held("upheld", "newcomer", "Cyd", "Ada"),
        held("draw", "newcomer", "Bob", "Ada"),
        held(None, "newcomer", "Bob", "Ada"),
    ]
    found = {(r.role, r.subject): r for r in rate(bouts)}
    assert set(found) == {
        *(("persona", name) for name in ("attacker", "newcomer")),
        *(("attacker", name) for name in ("Ada", "Bob", "Cyd")),
        *(("rebutter", name) for name in ("Ada", "Bob")),
    }
    best, worst = found["persona", "attacker"], found["persona", "newcomer"]
    assert best.strength > 0 > worst.strength
    assert (best.n, best.won, best.drawn) == (2, 2, 0)
    assert (worst.n, worst.won, worst.drawn) == (2, 0, 1)
    assert found["rebutter", "Ada"].strength > found["rebutter", "Bob"].strength
    assert (found["rebutter", "Ada"].won, found["rebutter", "Ada"].drawn) == (1, 1)


def test_the_interval_holds_the_strength_and_narrows_with_the_bouts():
    few = rate([held("overturned"), held("upheld")])[0]
    many = rate([held("overturned"), held("upheld")] * 30)[0]
    for rating in (few, many):
        assert rating.low < rating.strength < rating.high
    assert many.high - many.low < (few.high - few.low) / 2


def test_an_attacker_that_never_lost_has_a_finite_strength():
    (rating, *_) = rate([held("overturned")] * 20)
    assert 0 < rating.strength < 5


@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["upheld", "weakened", "overturned", "draw", None]),
            st.sampled_from(["attacker", "newcomer"]),
            st.sampled_from(["Ada", "Cyd"]),
        ),
        min_size=1,
        max_size=8,
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_of_the_bouts_never_matters(drawn, random):
    bouts = [held(*one) for one in drawn]
    assert rate(bouts) == rate(random.sample(bouts, len(bouts)))


def test_without_bouts_there_are_no_ratings():
    assert rate([]) == ()
    assert rate([held(None)]) == ()


def test_a_persona_whose_attacks_never_land_is_proposed_for_retirement():
    """0 of 20: the upper Wilson bound is 0.161."""
    (proposal,) = propose_casting([held("upheld", "newcomer")] * 20)
    assert (proposal.persona, proposal.topic, proposal.cast) == ("newcomer", "*", "never")
    assert (proposal.landed, proposal.n) == (0, 20)
    assert proposal.evidence == "0 of 20 attacks landed (0%–16%) on all topics"


@pytest.mark.parametrize(("landed", "n"), [(0, 19), (1, 20), (10, 40)])
def test_too_little_speaks_for_no_retirement(landed, n):
    bouts = [held("weakened")] * landed + [held("upheld")] * (n - landed)
    assert not [p for p in propose_casting(bouts) if p.cast == "never"]


def test_a_persona_that_lands_often_on_a_topic_is_proposed_for_all_of_it():
    """8 of 8 on security: the lower bound is 0.676; on art it made two attacks."""
    bouts = [held("overturned", topic="security")] * 8 + [held("weakened", topic="art")] * 2
    (proposal,) = propose_casting(bouts)
    assert (proposal.topic, proposal.cast, proposal.landed) == ("security", "always", 8)


def test_draws_and_void_bouts_do_not_land():
    bouts = [held("draw", topic="art")] * 6 + [held("overturned", topic="art")] * 6
    assert propose_casting(bouts) == ()
    assert propose_casting([held(None)] * 50) == ()
