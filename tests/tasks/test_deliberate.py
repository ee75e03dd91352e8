"""The graph over the plain stages, against a real HTTP server."""

import asyncio

import pytest

from contracts.juror import JurorSpec, Roster
from contracts.memory import Policy
from contracts.settings import Settings
from data.journal import Journal
from tasks.asking import make_question
from tasks.deliberate import deliberate, new_session
from tasks.providers.script import FAULTS
from tasks.providers.scripted_server import ScriptedServer
from tasks.stages import plain_stages

QUESTION = make_question("Postgres or Mongo for invoices?", options=["Postgres", "Mongo"])


def opinion(choice, reason, **more):
    return {"opinion": {"choice": choice, "position": choice, "reasons": [reason], **more}}


A, B = opinion("A", "ACID"), opinion("B", "flexible documents")


def seat(server, model, **more):
    fields = {
        "name": model.title(),
        "provider": "openai_compatible",
        "model": model,
        "base_url": server.base_url,
        "timeout_seconds": 2,
    }
    return JurorSpec(**(fields | more))


def convene(server, *seats, question=QUESTION, policy=None, allow_stand_in=False, events=None):
    roster = Roster(
        jurors=seats or tuple(seat(server, m) for m in ("ada", "bob", "cyd")),
        allow_stand_in=allow_stand_in,
    )
    stages = plain_stages(Settings(attempts=2))
    watch = (events if events is not None else []).append
    return asyncio.run(
        deliberate(question, roster, policy or Policy(), stages, new_session("direct"), watch)
    )


def test_a_unanimous_council_costs_three_calls_and_no_second_round():
    with ScriptedServer({"*": A}) as server:
        done = convene(server)
        assert len(server.asked()) == 3
    assert (done.verdict.status, done.verdict.option) == ("unanimous", "Postgres")
    assert {o.round for o in done.opinions} == {1}


def test_a_split_council_costs_six_calls_and_shows_the_others_without_names():
    with ScriptedServer({"ada": A, "bob": A, "cyd": B}) as server:
        done = convene(server)
        assert len(server.asked()) == 6
        second = server.asked("cyd")[1].body["messages"][-1]["content"]
    assert (done.verdict.status, done.verdict.split) == ("majority", "2–1")
    assert "ACID" in second
    assert "JUROR A" in second
    assert "Ada" not in second


def test_jurors_are_isolated_in_round_one():
    with ScriptedServer({"ada": A, "bob": A, "cyd": B}) as server:
        convene(server)
        firsts = [server.asked(model)[0].body["messages"] for model in ("ada", "bob", "cyd")]
    assert firsts[0] == firsts[1] == firsts[2]
    assert "ACID" not in str(firsts)


def test_a_changed_mind_is_kept_with_its_argument_and_the_verdict_before():
    moved = opinion("A", "ACID", changed=True, moved_by="invoices need transactions")
    with ScriptedServer({"ada": A, "bob": A, "cyd": [B, moved]}) as server:
        done = convene(server)
    verdict = done.verdict
    assert (verdict.status, verdict.before_debate.split) == ("unanimous", "2–1")
    assert verdict.changed_minds[0].moved_by == "invoices need transactions"
    assert any(act.kind == "debate" for act in done.activations)


def test_debate_off_stops_after_round_one():
    with ScriptedServer({"ada": A, "bob": A, "cyd": B}) as server:
        done = convene(server, policy=Policy(debate=False))
        assert len(server.asked()) == 3
    assert done.verdict.before_debate is None


@pytest.mark.parametrize("fault", sorted(set(FAULTS)))
def test_one_seat_that_fails_in_any_way_is_an_abstention_with_its_cause(fault):
    steps = {"fault": fault}
    if fault == "rate_limited":
        steps["retry_after"] = 0.1
    with ScriptedServer({"ada": A, "bob": A, "cyd": steps}) as server:
        done = convene(server)
    verdict = done.verdict
    assert (verdict.status, verdict.option, verdict.split) == ("majority", "Postgres", "2")
    (failed,) = verdict.failed_seats
    assert failed.juror == "Cyd"
    assert failed.reason
    assert verdict.seats == 3


@pytest.mark.parametrize("text", ["", "   ", "lorem ipsum dolor", "<html>502</html>", "{}"])
def test_three_empty_or_garbage_jurors_are_no_quorum(text):
    with ScriptedServer({"*": text}) as server:
        done = convene(server)
    assert (done.verdict.status, done.verdict.option) == ("no_quorum", None)
    assert len(done.verdict.failed_seats) == 3


def test_an_unreadable_reply_is_asked_for_once_more():
    with ScriptedServer({"ada": ["lorem ipsum dolor sit amet", A], "*": A}) as server:
        done = convene(server)
        assert len(server.asked("ada")) == 2
    ada = next(o for o in done.opinions if o.juror == "Ada")
    assert (ada.stance, ada.usage.calls) == ("Postgres", 2)
    assert "repaired" in ada.flags


def test_what_can_pass_is_tried_again_and_what_cannot_is_not():
    busy = [{"fault": "rate_limited", "retry_after": 0.1}, A]
    script = {"ada": busy, "bob": {"fault": "unauthorized"}, "cyd": A}
    if "unauthorized" not in FAULTS:
        script["bob"] = {"status": 401, "error": "bad key"}
    with ScriptedServer(script) as server:
        done = convene(server)
        assert (len(server.asked("ada")), len(server.asked("bob"))) == (2, 1)
    assert [f.reason for f in done.verdict.failed_seats] == ["auth"]


def test_a_seat_falls_back_along_its_chain_and_an_activation_says_why():
    with ScriptedServer({"ada": {"status": 404, "error": "no such model"}, "*": A}) as server:
        other = seat(server, "zoe").endpoint
        seats = [seat(server, "ada", alternates=(other,)), seat(server, "bob"), seat(server, "cyd")]
        done = convene(server, *seats)
    ada = next(o for o in done.opinions if o.juror == "Ada")
    assert (ada.stance, ada.model) == ("Postgres", "zoe")
    (act,) = [act for act in done.activations if act.kind == "fallback"]
    assert "model_not_found" in act.effect


def test_the_stand_in_answers_only_where_the_roster_allows_it_and_is_marked():
    dead = {"status": 404, "error": "no such model"}
    with ScriptedServer({"ada": dead, "*": A}) as server:
        seats = [seat(server, m) for m in ("ada", "bob", "cyd")]
        closed = convene(server, *seats)
        opened = convene(server, *seats, allow_stand_in=True)
    assert not closed.verdict.simulated
    assert [o.simulated for o in opened.opinions if o.juror == "Ada" and o.round == 1] == [True]
    assert any(o.via == "offline" for o in opened.opinions)


def test_an_open_question_is_closed_by_a_slate_and_debated_by_letter():
    say = {"ada": "Use Postgres.", "bob": "Use Postgres", "cyd": "Use Mongo."}
    script = {
        name: [opinion(None, "r", position=text), opinion("A", "r", moved_by="r")]
        for name, text in say.items()
    }
    with ScriptedServer(script) as server:
        done = convene(server, question=make_question("What should hold the invoices?"))
        assert len(server.asked()) == 6
    assert done.question.options_source == "slate"
    assert len(done.question.options) == 2
    assert done.verdict.status == "unanimous"


def test_the_deliberation_is_in_the_journal_whole(home):
    with ScriptedServer({"*": A}) as server:
        done = convene(server)
    kept = Journal(home).get("deliberation", done.deliberation_id)
    assert kept.record(type(done)) == done


def test_whoever_watches_sees_each_opinion_and_the_verdict():
    events = []
    with ScriptedServer({"ada": A, "bob": A, "cyd": B}) as server:
        convene(server, events=events)
    kinds = [event.kind for event in events]
    assert kinds.count("opinion") == 6
    assert kinds[-2:] == ["verdict", "recorded"]
