"""Replay asks only what failed; the judge alone gives the same bytes again."""

import asyncio

from contracts.juror import JurorSpec, Roster
from contracts.memory import Policy
from contracts.settings import Settings
from contracts.skill import WeightRule
from data.journal import Journal
from data.store import Store
from tasks.asking import make_question
from tasks.deliberate import deliberate, new_session
from tasks.providers.scripted_server import ScriptedServer
from tasks.replays import (
    all_deliberations,
    as_asked,
    changes,
    failed_seats,
    judge_again,
    judged_as_stored,
    reusing,
)
from tasks.stages import plain_stages

QUESTION = make_question("Postgres or Mongo?", options=["Postgres", "Mongo"])
DEAD = {"status": 401, "error": "bad key"}


def opinion(choice, reason):
    return {"opinion": {"choice": choice, "position": choice, "reasons": [reason]}}


A, B = opinion("A", "ACID"), opinion("B", "documents")


def roster(server):
    return Roster(
        jurors=tuple(
            JurorSpec(name=name, provider="openai_compatible", model=name, base_url=server.base_url)
            for name in ("Ada", "Bob", "Cyd")
        )
    )


def convene(seats, question=QUESTION, stages=None, session=None):
    stages = stages or plain_stages(Settings(attempts=1))
    session = session or new_session("direct")
    return asyncio.run(deliberate(question, seats, Policy(), stages, session))


def again(old, seats=None, jurors=None):
    wanted = frozenset(jurors or failed_seats(old))
    stages = reusing(plain_stages(Settings(attempts=1)), old, wanted)
    session = new_session("direct", replay_of=old.deliberation_id)
    return convene(seats or old.roster, as_asked(old), stages, session)


def test_only_the_silent_seat_is_asked_and_the_old_one_is_kept(home):
    with ScriptedServer({"Ada": A, "Bob": A, "Cyd": [DEAD, A]}) as server:
        old = convene(roster(server))
        before = len(server.asked())
        new = again(old)
        assert len(server.asked()) - before == 1
    assert (old.verdict.split, new.verdict.split) == ("2", "3")
    assert new.replay_of == old.deliberation_id
    assert new.verdict.status == "unanimous"
    assert len(list(all_deliberations(home))) == 2
    assert ("silent seats", "Cyd", "none") in changes(old.verdict, new.verdict)


def test_a_seat_that_is_heard_now_and_splits_them_starts_the_debate():
    with ScriptedServer({"Ada": A, "Bob": A, "Cyd": [DEAD, B]}) as server:
        old = convene(roster(server))
        before = len(server.asked())
        new = again(old)
        assert len(server.asked()) - before == 1 + 3
    assert new.verdict.split == "2–1"


def test_a_named_seat_is_asked_again_even_if_it_did_not_fail():
    with ScriptedServer({"Ada": [A, B], "Bob": A, "Cyd": A}) as server:
        old = convene(roster(server))
        new = again(old, jurors=["Ada"])
    assert (old.verdict.split, new.verdict.split) == ("3", "2–1")


def test_an_open_question_is_replayed_as_it_was_put():
    said = {"opinion": {"choice": None, "position": "Use Postgres", "reasons": ["ACID"]}}
    with ScriptedServer({"Ada": said, "Bob": said, "Cyd": [DEAD, said]}) as server:
        old = convene(roster(server), make_question("What should hold them?"))
        new = again(old)
    assert as_asked(old).options == ()
    assert new.question.question_id == old.question.question_id
    assert new.verdict.status == "unanimous"


def test_every_stored_verdict_is_what_the_judge_gives(home):
    with ScriptedServer({"Ada": A, "Bob": B, "Cyd": DEAD}) as server:
        convene(roster(server))
        convene(roster(server), make_question("What should hold them?"))
    assert all(judged_as_stored(old) for old in all_deliberations(home))


def test_a_verdict_that_was_tampered_with_is_found():
    with ScriptedServer({"*": A}) as server:
        old = convene(roster(server))
    forged = old.verdict.model_copy(update={"confidence": 0.99})
    assert not judged_as_stored(old.model_copy(update={"verdict": forged}))


def test_other_rules_give_the_other_verdict_without_a_call():
    with ScriptedServer({"Ada": A, "Bob": A, "Cyd": B}) as server:
        old = convene(roster(server))
        before = len(server.asked())
        new = judge_again(old, [WeightRule(juror="Cyd", topic="*", weight=5)])
        assert len(server.asked()) == before
    assert (old.verdict.option, new.option) == ("Postgres", "Mongo")


def test_failed_deliberations_are_found_until_they_are_replayed(home):
    with ScriptedServer({"Ada": A, "Bob": A, "Cyd": [DEAD, A]}) as server:
        old = convene(roster(server))
        found = Store(home).query("failed_deliberations")
        assert [row[0] for row in found.rows] == [old.deliberation_id]
        again(old)
    assert Store(home).query("failed_deliberations").rows == ()
    assert Journal(home).get("deliberation", old.deliberation_id) is not None
