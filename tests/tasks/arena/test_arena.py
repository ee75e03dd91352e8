"""The arena within a deliberation, against a real HTTP server."""

import asyncio
import re
from collections import Counter

import pytest

from contracts.base import canonical_json
from contracts.errors import SkillError, UsageError
from contracts.settings import Settings
from data.journal import Journal
from tasks.arena.casting import arena_policy
from tasks.arena.stored import as_attacked, attack_again
from tasks.arena.words import arena_lines
from tasks.judging.settle import rejudge
from tasks.providers.scripted_server import ScriptedServer
from tasks.skills import skill_path
from tasks.stages import plain_stages
from tests.tasks.arena.making import (
    Seat,
    always,
    answer,
    convene,
    roster,
    sides_of,
    stage_of,
    weighing,
)

ATTACK = "ATTACK"


def attack(claim="ATTACK: it does not scale", severity=5, **more):
    return {"opinion": {"claim": claim, "severity": severity, **more}}


def own(claim="ATTACK", severity=5):
    """An attack in the persona's own words, so that no two are copies."""

    def made(body):
        user = body["messages"][-1]["content"]
        name = re.search(r"You are this critic: the (.+?)\. You hunt", user).group(1)
        return attack(f"{claim} by one that hunts other things: {name} {name[::-1]}", severity)

    return made


def council(score, severity=5, **stages):
    """Three seats of one mind; `score` is how all of them weigh."""
    seat = Seat("A", attack=own(severity=severity), score=score, **stages)
    return dict.fromkeys(("ada", "bob", "cyd"), seat)


def stages_asked(server):
    return Counter(stage_of(seen.body) for seen in server.asked())


# The four outcomes ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "severity", "outcome", "status"),
    [
        (weighing("REPLY"), 5, "upheld", "unanimous"),
        (weighing(ATTACK, weight=3), 5, "weakened", "unanimous"),
        (weighing(ATTACK, weight=5), 2, "weakened", "unanimous"),
        (weighing(ATTACK, weight=5), 5, "overturned", "contested"),
        (always("A"), 5, "draw", "unanimous"),
        (always("neither"), 5, "draw", "unanimous"),
    ],
)
def test_what_the_scorers_find_is_what_becomes_of_the_verdict(score, severity, outcome, status):
    with ScriptedServer(council(score, severity)) as server:
        done = convene(server)
    assert [bout.outcome for bout in done.contest.bouts] == [outcome] * 3
    assert (done.verdict.status, done.verdict.option) == (status, "Postgres")
    judged = done.contest.judged
    assert (done.verdict.confidence < judged.confidence) == (outcome in ("weakened", "overturned"))


def test_each_persona_that_was_cast_is_an_activation_and_says_what_it_changed():
    def only_ada_attacks_well(body):
        return weighing("by one that hunts other things: attacker")(body)

    with ScriptedServer(council(only_ada_attacks_well)) as server:
        done = convene(server, personas=("attacker", "newcomer", "historian"))
    acts = {act.subject: act for act in done.activations if act.kind == "persona"}
    assert set(acts) == {"attacker", "newcomer", "historian"}
    assert acts["attacker"].turned
    assert acts["attacker"].effect.startswith("overturned: ATTACK")
    assert not acts["newcomer"].turned
    assert done.verdict.status == "contested"


# The calls ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "arena", "bouts", "scorers"),
    [
        ("ada bob cyd", {}, 3, 1),
        ("ada bob cyd dan eve", {}, 3, 3),
        ("ada bob", {}, 3, 1),
        ("ada bob cyd", {"bouts": 1}, 1, 1),
        ("ada bob cyd dan", {"rounds": 2, "max_calls": 100}, 6, 2),
        ("ada bob cyd", {"max_calls": 9}, 2, 1),
    ],
)
def test_the_calls_made_are_those_of_the_formula(names, arena, bouts, scorers):
    names = names.split()
    seat = Seat("A", attack=own(), score=weighing("REPLY"))
    with ScriptedServer(dict.fromkeys(names, seat)) as server:
        done = convene(server, *names, **arena)
        asked = stages_asked(server)
    assert asked == {
        "ask": len(names),
        "attack": bouts,
        "rebut": bouts,
        "score": bouts * scorers * 2,
    }
    assert asked.total() - len(names) == bouts * (2 + 2 * scorers)
    spent = sum(plea.usage.calls for bout in done.contest.bouts for plea in bout.pleas)
    assert spent == bouts * (2 + 2 * scorers)


def test_reopening_costs_one_call_a_seat_more():
    with ScriptedServer(council(weighing(ATTACK, 5))) as server:
        convene(server, reopen=True)
        assert stages_asked(server) == {
            "ask": 3,
            "attack": 3,
            "rebut": 3,
            "score": 6,
            "reopen": 3,
        }


def test_with_the_arena_off_nobody_is_asked_anything_more():
    with ScriptedServer(council(weighing(ATTACK))) as server:
        done = convene(server, mode="off")
        assert stages_asked(server) == {"ask": 3}
    assert done.contest is None
    assert done.verdict.arena is None


def test_auto_leaves_a_unanimous_verdict_in_peace():
    with ScriptedServer(council(weighing(ATTACK))) as server:
        assert convene(server, mode="auto").contest is None


# Blind ----------------------------------------------------------------------------------------


def test_a_scorer_sees_two_sides_and_no_name_no_persona_and_no_verdict():
    claim = "As the attacker, I say with Bob and gpt-9000 that it leaks."
    script = council(
        weighing("REPLY"),
        rebut={"opinion": {"answer": "REPLY: Cyd and I disagree."}},
    )
    script = {
        name: Seat("A", **(seat.stages | {"attack": attack(claim)}))
        for name, seat in script.items()
    }
    with ScriptedServer({"*": script["ada"]}) as server:
        seats = roster(server, "adalbert", "roberta", "cynthia")
        convene(server, seats=seats, personas=("attacker",))
        prompts = [
            seen.body["messages"][-1]["content"]
            for seen in server.asked()
            if stage_of(seen.body) == "score"
        ]
    assert len(prompts) == 2
    for prompt in prompts:
        for secret in ("Adalbert", "Roberta", "Cynthia", "attacker", "verdict", "unanimous"):
            assert secret not in prompt
        assert "it leaks" in prompt


def test_both_orders_are_asked_with_the_sides_swapped():
    with ScriptedServer(council(weighing("REPLY"))) as server:
        convene(server, bouts=1)
        one, other = (
            sides_of(seen.body) for seen in server.asked() if stage_of(seen.body) == "score"
        )
    assert one == other[::-1]
    assert one[0] != one[1]


def test_the_seats_of_a_bout_are_three_different_ones():
    with ScriptedServer(council(weighing("REPLY"))) as server:
        done = convene(server)
    for bout in done.contest.bouts:
        scorers = {score.juror for score in bout.scores}
        assert len({bout.attack.juror, bout.rebuttal.juror, *scorers}) == 3
        assert not bout.self_scored


def test_with_two_seats_the_score_is_self_scored_and_cannot_overturn():
    with ScriptedServer(council(weighing(ATTACK, 5))) as server:
        done = convene(server, "ada", "bob")
    assert all(bout.self_scored for bout in done.contest.bouts)
    assert {bout.outcome for bout in done.contest.bouts} == {"weakened"}
    assert done.verdict.status == "unanimous"
    assert any("self-scored" in warning for warning in done.verdict.warnings)


# Failures -------------------------------------------------------------------------------------


def test_a_seat_that_fails_makes_its_bout_void_and_ends_nothing():
    broken = Seat("A", attack={"fault": "auth"}, rebut={"fault": "auth"}, score={"fault": "auth"})
    sound = Seat("A", attack=own(), score=weighing("REPLY"))
    with ScriptedServer({"ada": broken, "bob": sound, "cyd": sound}) as server:
        done = convene(server)
    reasons = [bout.void for bout in done.contest.bouts if bout.void]
    assert reasons
    assert all("auth" in reason for reason in reasons)
    assert done.verdict.option == "Postgres"
    assert done.verdict.arena.void == len(reasons)


def test_what_may_pass_is_tried_again():
    busy = [{"fault": "overloaded"}, attack()]
    played = Counter()

    def attacks(_):
        played["n"] += 1
        return busy[min(played["n"] - 1, 1)]

    seat = Seat("A", attack=attacks, score=weighing("REPLY"))
    with ScriptedServer({"*": seat}) as server:
        done = convene(server, bouts=1)
        assert stages_asked(server)["attack"] == 2
    assert done.contest.bouts[0].outcome == "upheld"


@pytest.mark.parametrize(
    ("reply", "void"),
    [
        ("I'm sorry, but I can't help with that.", "no attack was made (refused)"),
        ({"opinion": {"choice": "A"}}, "no attack was made (unreadable)"),
        (attack(None), "it found no weakness"),
    ],
)
def test_a_reply_that_is_no_attack_is_void_and_goes_no_further(reply, void):
    with ScriptedServer({"*": Seat("A", attack=reply)}) as server:
        done = convene(server, bouts=1)
        assert stages_asked(server) == {"ask": 3, "attack": 1}
    assert done.contest.bouts[0].void == void
    assert done.verdict.confidence == done.contest.judged.confidence


def test_two_personas_that_make_the_same_attack_made_one():
    with ScriptedServer({"*": Seat("A", score=weighing(ATTACK, 5))}) as server:
        done = convene(server)
    assert [bout.outcome for bout in done.contest.bouts] == ["overturned", None, None]
    assert "made the same attack" in done.contest.bouts[1].void


def test_a_second_round_is_told_what_was_said_in_the_first():
    seen = []

    def attacks(body):
        seen.append(body["messages"][-1]["content"])
        return attack(f"ATTACK number {len(seen)}: {'x' * len(seen)} is missing {len(seen)}")

    with ScriptedServer({"*": Seat("A", attack=attacks)}) as server:
        done = convene(server, bouts=1, rounds=2)
    assert "ATTACK number 1" not in seen[0]
    assert "ATTACK number 1" in seen[1]
    assert [bout.round for bout in done.contest.bouts] == [1, 2]


# Reopening ------------------------------------------------------------------------------------


def moved(choice):
    return {
        "opinion": {
            "choice": choice,
            "position": choice,
            "reasons": ["it does not scale"],
            "changed": True,
            "moved_by": "the attack",
        }
    }


def test_an_overturned_verdict_is_debated_once_more_and_judged_again_with_both_kept():
    with ScriptedServer(council(weighing(ATTACK, 5), reopen=moved("B"))) as server:
        done = convene(server, reopen=True)
        shown = next(
            seen.body["messages"][-1]["content"]
            for seen in server.asked()
            if stage_of(seen.body) == "reopen"
        )
    assert ATTACK in shown
    assert "REPLY" in shown
    assert (done.contest.judged.option, done.contest.settled.status) == ("Postgres", "contested")
    assert (done.verdict.option, done.verdict.status) == ("Mongo", "unanimous")
    assert done.verdict.arena.reopened
    assert {o.round for o in done.opinions} == {1, 3}
    assert len(done.verdict.changed_minds) == 3
    (act,) = [act for act in done.activations if act.subject == "round 3"]
    assert act.turned
    assert any(act.kind == "persona" and act.turned for act in done.activations)


def test_a_verdict_that_was_not_overturned_is_not_reopened():
    with ScriptedServer(council(weighing(ATTACK, 3))) as server:
        done = convene(server, reopen=True)
        assert stages_asked(server)["reopen"] == 0
    assert not done.verdict.arena.reopened


def test_a_seat_that_fails_in_the_reopened_round_keeps_its_opinion():
    with ScriptedServer(council(weighing(ATTACK, 5), reopen={"fault": "auth"})) as server:
        done = convene(server, reopen=True)
    assert (done.verdict.option, done.verdict.status) == ("Postgres", "unanimous")
    assert [o.abstain_reason for o in done.opinions if o.round == 3] == ["auth"] * 3


# The record -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arena", [{}, {"reopen": True}, {"mode": "off"}, {"rounds": 2, "max_calls": 100}]
)
def test_opinions_memory_and_bouts_give_the_verdict_again_byte_for_byte(home, arena):
    with ScriptedServer(council(weighing(ATTACK, 5), reopen=moved("B"))) as server:
        done = convene(server, **arena)
    kept = Journal(home).get("deliberation", done.deliberation_id).record(type(done))
    assert kept == done
    assert canonical_json(rejudge(kept).model_dump(mode="json")) == canonical_json(
        kept.verdict.model_dump(mode="json")
    )


def test_whoever_watches_sees_the_bouts():
    events = []
    with ScriptedServer(council(weighing("REPLY"))) as server:
        convene(server, events=events)
    kinds = [event.kind for event in events]
    assert kinds.index("verdict") < kinds.index("arena") < kinds.index("bout")
    assert kinds.count("bout") == 3
    assert kinds[-1] == "recorded"


def test_one_line_says_how_much_was_survived_and_one_whether_the_strongest_attack_held():
    with ScriptedServer(council(weighing(ATTACK, 5))) as server:
        done = convene(server, bouts=1, personas=("attacker",))
    survived, strongest = arena_lines(done.contest, done.verdict)
    assert survived.startswith("survived 0 of 1 attacks, 1 overturned it; confidence 80% → ")
    assert strongest.startswith("strongest, the attacker (severity 5 of 5): ATTACK")
    assert strongest.endswith("→ the verdict did not hold")


def test_a_mistake_in_the_personas_costs_no_call(home):
    path = skill_path(home, "hyde")
    path.parent.mkdir(parents=True)
    path.write_text("# nothing\n")
    with ScriptedServer(council(weighing("REPLY"))) as server:
        with pytest.raises(SkillError):
            convene(server, mode="auto")
        assert server.asked() == []
        assert convene(server, mode="off").verdict.decided


def test_an_unknown_persona_costs_no_call():
    with ScriptedServer(council(weighing("REPLY"))) as server:
        with pytest.raises(UsageError, match="dentist"):
            convene(server, personas=("dentist",))
        assert server.asked() == []


# A kept verdict -------------------------------------------------------------------------------


def attack_kept(old, home, **given):
    told = []
    stages = plain_stages(Settings(attempts=2)).arena()
    policy = arena_policy("always", **given)
    held = asyncio.run(
        attack_again(
            old, policy, stages, lambda *what: told.append(what), engine="direct", run_id="r"
        )
    )
    return held, told


def test_a_kept_verdict_is_attacked_by_its_own_seats_and_stays_as_it_is(home):
    with ScriptedServer(council(weighing(ATTACK, 5), reopen=moved("B"))) as server:
        old = convene(server, mode="off")
        held, told = attack_kept(old, home, reopen=True)
        assert stages_asked(server)["reopen"] == 3
    assert Journal(home).get("deliberation", old.deliberation_id).record(type(old)) == old
    assert Journal(home).get("arena", held.arena_id).record(type(held)) == held
    assert held.contest.judged == old.verdict
    assert held.contest.settled.status == "contested"
    assert (held.verdict.option, len(held.opinions)) == ("Mongo", 3)
    assert [kind for kind, *_ in told].count("bout") == 3
    shown = as_attacked(old, held)
    assert (shown.verdict, shown.contest) == (held.verdict, held.contest)


def test_an_arena_after_an_arena_attacks_the_judges_own_verdict_again(home):
    with ScriptedServer(council(weighing(ATTACK, 5))) as server:
        old = convene(server)
        held, _ = attack_kept(old, home, personas=["newcomer"], rounds=1)
    assert old.verdict.status == "contested"
    assert held.contest.judged == old.contest.judged
    assert [bout.persona for bout in held.contest.bouts] == ["newcomer"]
    assert {bout.bout_id for bout in held.contest.bouts}.isdisjoint(
        bout.bout_id for bout in old.contest.bouts
    )


def test_a_debate_that_was_reopened_once_is_not_reopened_again(home):
    with ScriptedServer(council(weighing(ATTACK, 5))) as server:
        old = convene(server, reopen=True)
        before = stages_asked(server)["reopen"]
        held, _ = attack_kept(old, home, reopen=True)
        assert stages_asked(server)["reopen"] == before
    assert held.verdict.status == "contested"
    assert held.opinions == ()


def test_without_a_verdict_there_is_nothing_to_attack(home):
    with ScriptedServer({"ada": Seat("A"), "bob": Seat("B")}) as server:
        old = convene(server, "ada", "bob", mode="off")
        assert old.verdict.status == "hung"
        with pytest.raises(UsageError, match="no verdict to attack: it is hung"):
            attack_kept(old, home)


def test_a_seat_is_asked_through_the_endpoint_that_had_answered(home):
    dead = {"status": 404, "error": "no such model"}
    sound = Seat("A", attack=own(), score=lambda body: answer(body, stronger="neither", weight=1))
    with ScriptedServer({"ada": dead, "*": sound}) as server:
        seats = roster(server, "ada", "bob", "cyd")
        other = roster(server, "zoe").jurors[0].endpoint
        ada = seats.jurors[0].model_copy(update={"alternates": (other,)})
        seats = seats.model_copy(update={"jurors": (ada, *seats.jurors[1:])})
        old = convene(server, seats=seats, mode="off")
        asked = len(server.asked("ada"))
        held, _ = attack_kept(old, home)
        assert len(server.asked("ada")) == asked
    models = {plea.model for bout in held.contest.bouts for plea in bout.pleas}
    assert models == {"zoe", "bob", "cyd"}
