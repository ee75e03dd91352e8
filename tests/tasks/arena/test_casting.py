"""Whether, who and how many: by rule, within the budget."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.errors import UsageError
from contracts.juror import JurorSpec, Roster
from contracts.memory import ArenaPolicy, Memory, Policy
from contracts.persona import CastingRule, Hyde, Persona
from contracts.question import Question
from tasks.arena.case import Case, heard_seats
from tasks.arena.casting import (
    applying,
    arena_policy,
    called_for,
    cast,
    check_personas,
    conditions,
    lead,
    plan,
    reopening_calls,
)
from tasks.judging.decide import decide
from tasks.reading.personas import read_hyde
from tasks.skills import seed
from tests.tasks.arena.making import QUESTION, decided, opinion

HYDE = read_hyde(seed("hyde"))


def case(stances=("Postgres", "Postgres", "Mongo"), question=QUESTION, provider="offline", **arena):
    names = [f"J{i}" for i in range(len(stances))]
    said = tuple(opinion(name, stance) for name, stance in zip(names, stances, strict=True))
    roster = Roster(
        jurors=tuple(JurorSpec(name=name, provider=provider, model="m") for name in names)
    )
    policy = Policy(arena=ArenaPolicy(**({"mode": "always"} | arena)))
    return Case(
        arena_id="a",
        question=question,
        roster=roster,
        verdict=decide(question, said, Memory(), policy),
        opinions=said,
        policy=policy,
        memory=Memory(),
        seats=heard_seats(roster, said, {}),
    )


def hyde(*personas, casting=()):
    return Hyde(name="h", description="d", version="1", body="", personas=personas, casting=casting)


def persona(name, *when, topics=()):
    return Persona(name=name, topics=topics, when=when, hunts="flaws")


# Whether --------------------------------------------------------------------------------------

UNANIMOUS, SPLIT = ("Postgres",) * 3, ("Postgres", "Postgres", "Mongo")
RISKY = QUESTION.model_copy(update={"tags": ("Risky",)})


@pytest.mark.parametrize(
    ("text", "stances", "question", "held"),
    [
        ("off", SPLIT, RISKY, False),
        ("auto", SPLIT, QUESTION, True),
        ("auto", UNANIMOUS, QUESTION, False),
        ("auto", UNANIMOUS, RISKY, True),
        ("contested-only", SPLIT, QUESTION, True),
        ("contested-only", UNANIMOUS, RISKY, False),
        ("always", UNANIMOUS, QUESTION, True),
        ("margin<0.5", SPLIT, QUESTION, True),
        ("margin<0.3", SPLIT, QUESTION, False),
        ("margin < 1.0", UNANIMOUS, QUESTION, False),
    ],
)
def test_when_the_arena_is_held(text, stances, question, held):
    assert called_for(question, decided(stances, question), arena_policy(text)) == held


@pytest.mark.parametrize("text", ["off", "auto", "contested-only", "always", "margin<0.9"])
def test_without_a_verdict_there_is_no_arena(text):
    hung = decided(("Postgres", "Mongo"))
    assert not called_for(RISKY, hung, arena_policy(text))


@pytest.mark.parametrize("text", ["", "on", "margin", "margin>0.2", "margin<2", "margin<-1"])
def test_any_other_word_is_a_usage_error_that_lists_them(text):
    with pytest.raises(UsageError, match="contested-only"):
        arena_policy(text)


def test_personas_that_are_named_are_all_cast_each_once():
    policy = arena_policy("always", personas=["a", "b", "a", "c", "d"])
    assert policy.personas == ("a", "b", "c", "d")
    assert policy.bouts == 4
    with pytest.raises(UsageError, match="rounds"):
        arena_policy("always", rounds=11)


def test_a_policy_of_judging_has_no_arena_unless_it_is_asked_for():
    assert Policy().arena.mode == "off"


# Which personas -------------------------------------------------------------------------------


def test_conditions_hold_by_the_verdict_and_the_question():
    assert conditions(QUESTION, decided(SPLIT)) == {"always", "split", "thin"}
    assert conditions(RISKY, decided(UNANIMOUS)) == {"always", "unanimous", "risky"}
    wide = decided(("Postgres",) * 5 + ("Mongo",) * 2)
    assert conditions(QUESTION, wide) == {"always", "split"}


def test_a_juror_that_changed_its_mind_calls_the_historian():
    said = [opinion("A", "Mongo"), opinion("A", "Postgres", at=2), opinion("B", "Postgres")]
    verdict = decide(QUESTION, said, Memory(), Policy())
    assert "moved" in conditions(QUESTION, verdict)


def test_topic_goes_before_condition_before_always_and_the_rest_stays_away():
    question = QUESTION.model_copy(update={"topic": "Security"})
    found = applying(
        hyde(
            persona("all", "always"),
            persona("split", "split", "always"),
            persona("topic", topics=("security",)),
            persona("other", topics=("art",)),
            persona("calm", "unanimous"),
        ),
        question,
        decided(SPLIT),
        ArenaPolicy(),
    )
    assert [p.name for p in found] == ["topic", "split", "all"]


def test_of_equals_each_gets_its_turn_over_the_questions():
    personas = hyde(*(persona(name, "always") for name in "abcd"))
    firsts = Counter(
        applying(personas, Question(text=f"{n}?"), decided(), ArenaPolicy())[0].name
        for n in range(200)
    )
    assert set(firsts) == set("abcd")
    assert min(firsts.values()) > 25


def test_a_casting_rule_brings_a_persona_first_or_never_and_the_topics_own_goes_first():
    def rule(name, topic, how):
        return CastingRule(persona=name, topic=topic, cast=how)

    personas = hyde(
        persona("kept", "always"),
        persona("retired", "always"),
        persona("promoted", topics=("art",)),
        persona("spared", "always"),
        casting=(
            rule("RETIRED", "*", "never"),
            rule("promoted", "general", "always"),
            rule("spared", "*", "never"),
            rule("spared", "general", "always"),
        ),
    )
    found = [p.name for p in applying(personas, QUESTION, decided(), ArenaPolicy())]
    assert set(found[:2]) == {"promoted", "spared"}
    assert found[2:] == ["kept"]


def test_named_personas_come_in_their_order_whatever_applies():
    policy = ArenaPolicy(personas=("Newcomer", "attacker"))
    found = applying(HYDE, QUESTION, decided(), policy)
    assert [p.name for p in found] == ["newcomer", "attacker"]


def test_a_persona_that_there_is_not_is_told_before_anybody_is_asked():
    with pytest.raises(UsageError, match=r"'dentist'; there are contrarian, attacker"):
        check_personas(HYDE, ArenaPolicy(personas=("dentist",)))


def test_at_least_three_shipped_personas_apply_to_any_verdict():
    for stances in (SPLIT, UNANIMOUS):
        assert len(applying(HYDE, QUESTION, decided(stances), ArenaPolicy())) >= 3


# How many -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "arena", "calls"),
    [
        (3, {}, 3 * 4),
        (4, {}, 3 * 6),
        (5, {}, 3 * 8),
        (9, {}, 3 * 8),
        (1, {}, 3 * 4),
        (2, {}, 3 * 4),
        (3, {"bouts": 5, "rounds": 2}, 2 * 5 * 4),
        (5, {"scorers": 1}, 3 * 4),
        (5, {"max_calls": 20}, 2 * 8),
        (5, {"max_calls": 7}, 1 * 6),
        (5, {"max_calls": 4}, 1 * 4),
        (3, {"rounds": 9, "max_calls": 12}, 3 * 1 * 4),
        (3, {"reopen": True, "max_calls": 14}, 2 * 4),
        (3, {"reopen": True, "max_calls": 6}, 1 * 4),
    ],
)
def test_the_formula(seats, arena, calls):
    stances = ("Postgres",) * seats
    assert plan(case(stances, **arena), len(HYDE.personas)).calls == calls


@given(
    st.integers(1, 12),
    st.integers(1, 12),
    st.integers(1, 9),
    st.integers(1, 10),
    st.integers(1, 32),
    st.integers(4, 200),
    st.booleans(),
)
def test_the_budget_is_never_passed_and_one_bout_always_fits(
    seats, personas, scorers, rounds, bouts, most, reopen
):
    given_case = case(
        ("Postgres",) * seats,
        scorers=scorers,
        rounds=rounds,
        bouts=bouts,
        max_calls=most,
        reopen=reopen,
    )
    planned = plan(given_case, personas)
    kept = reopening_calls(seats, given_case.policy.arena)
    assert 0 < planned.calls <= planned.calls + kept <= most
    assert planned.bouts <= min(bouts, personas)
    assert kept in (0, seats)


# Who does what --------------------------------------------------------------------------------


@given(
    st.lists(st.sampled_from(["Postgres", "Mongo"]), min_size=1, max_size=9).map(
        lambda more: ["Postgres"] * (len(more) + 1) + more
    ),
    st.integers(1, 6),
    st.integers(1, 3),
    st.text(min_size=1, max_size=8),
)
def test_nobody_scores_its_own_bout_and_a_holder_of_the_verdict_rebuts(
    stances, bouts, rounds, text
):
    question = QUESTION.model_copy(update={"text": f"{text}?"})
    held = case(tuple(stances), question, bouts=bouts, rounds=rounds, max_calls=500)
    everything = [casting for number in cast(held, HYDE) for casting in number]
    assert everything
    for one in everything:
        assert one.rebutter.name in held.supporters()
        assert one.attacker != one.rebutter
        if not one.self_scored:
            assert one.attacker not in one.scorers
            assert one.rebutter not in one.scorers
            assert len(set(one.scorers)) == len(one.scorers)


def test_with_two_seats_or_one_the_attacker_scores_and_the_bout_says_so():
    for n in (1, 2):
        for one in cast(case(("Postgres",) * n), HYDE)[0]:
            assert one.self_scored
            assert one.scorers == (one.attacker,)


def test_roles_go_round_so_that_each_seat_gets_its_share():
    castings = cast(case(("Postgres",) * 3, bouts=6, max_calls=200), HYDE)[0]
    done = [
        Counter(seat.name for one in castings for seat in seats(one))
        for seats in (lambda o: [o.attacker], lambda o: [o.rebutter], lambda o: o.scorers)
    ]
    for counts in done:
        assert set(counts) == {"J0", "J1", "J2"}
        assert max(counts.values()) - min(counts.values()) <= 1


def test_the_casting_does_not_depend_on_the_order_of_the_roster():
    held = case(("Postgres",) * 4)
    turned = held.model_copy(update={"seats": held.seats[::-1]})
    assert cast(held, HYDE) == cast(turned, HYDE)


def test_each_persona_knows_who_attacks_before_it_in_the_round():
    first, second, third = cast(case(), HYDE)[0]
    assert first.before == ()
    assert third.before == (first.persona.name, second.persona.name)


def test_seats_that_only_choose_options_take_no_part():
    assert cast(case(provider="local"), HYDE) == ()


def test_silent_seats_are_not_cast():
    held = case(("Postgres", "Postgres", None, "Mongo"))
    names = {seat.name for one in cast(held, HYDE)[0] for seat in (one.attacker, *one.scorers)}
    assert "J2" not in names


def test_the_lead_is_a_share_of_all_weight():
    assert lead(decided(SPLIT)) == pytest.approx(1 / 3)
    assert lead(decided(UNANIMOUS)) == 1
