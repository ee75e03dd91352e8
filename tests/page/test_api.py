"""The API: ask, watch, deliberate again, record, learn; every error says what to do next."""

import asyncio
import json
from datetime import UTC, datetime

import pytest

from contracts.juror import JurorSpec
from contracts.verdict import Verdict
from data.store import Store
from flows.page.runs import Limits
from tasks.providers.scripted_server import ScriptedServer
from tasks.skills import load_hyde
from tests.data.making import START, deliberation, keep
from tests.tasks.arena.making import keep_bouts

QUESTION = {"question": "Postgres or Mongo for invoices?", "arena": "off"}
RULE = {"juror": "prudent", "topic": "databases", "weight": 5, "evidence": "dissented rightly"}


async def ask(client, headers=None, **fields):
    return await client.post("/api/convene", json=QUESTION | fields, headers=headers)


def events(text):
    """The stream's events as (kind, data)."""
    blocks = (block.split("\n") for block in text.split("\n\n"))
    fields = (dict(line.split(": ", 1) for line in block if line) for block in blocks)
    return [(one["event"], json.loads(one["data"])) for one in fields if "event" in one]


async def test_a_question_is_answered_with_a_verdict_that_is_kept(client, home):
    answer = (await ask(client)).json()
    verdict = Verdict.model_validate(answer["verdict"])
    assert verdict.option in {"Postgres", "Mongo"}
    kept = Store(home).deliberation(answer["deliberation_id"])
    assert kept.verdict == verdict
    assert answer["address"] == f"/verdicts/{kept.deliberation_id}"


async def test_the_stream_tells_each_juror_then_the_debate_then_the_end(client):
    answer = await ask(client, {"Accept": "text/event-stream"})
    told = events(answer.text)
    kinds = [kind for kind, _ in told]
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert kinds[:2] == ["waiting", "started"]
    assert kinds.count("opinion") == 6
    assert kinds.index("debate") == 8
    assert kinds[-2:] == ["verdict", "done"]
    assert {data["round"] for kind, data in told if kind == "opinion"} == {1, 2}


async def test_round_two_is_told_only_where_it_happens(client):
    answer = await ask(
        client, {"Accept": "text/event-stream"}, question="Good?", options=["Go", "Go home"]
    )
    told = [kind for kind, _ in events(answer.text)]
    split = (await client.get("/api/verdicts")).json()["verdicts"][0]["split"]
    assert ("debate" in told) == ("–" in split or "round 2" in split)


async def test_asked_not_to_wait_it_names_the_addresses_of_the_run(client):
    accepted = await ask(client, {"Prefer": "respond-async"})
    body = accepted.json()
    assert accepted.status_code == 202
    assert accepted.headers["location"] == body["address"]
    told = events((await client.get(body["events"])).text)
    assert told[-1] == ("done", {"deliberation_id": body["deliberation_id"]})
    state = (await client.get(f"/api/runs/{body['deliberation_id']}")).json()
    assert state["state"] == "done"


async def test_a_stream_goes_on_after_the_last_event_that_was_seen(client):
    accepted = (await ask(client, {"Prefer": "respond-async"})).json()
    whole = (await client.get(accepted["events"])).text
    ids = [line[4:] for line in whole.split("\n") if line.startswith("id: ")]
    rest = await client.get(accepted["events"], headers={"Last-Event-ID": ids[-2]})
    assert [kind for kind, _ in events(rest.text)] == ["done"]
    another = await client.get(accepted["events"], headers={"Last-Event-ID": "gone-3"})
    assert another.text == whole


async def test_a_run_goes_on_when_nobody_watches(client, home):
    accepted = (await ask(client, {"Prefer": "respond-async"})).json()
    for _ in range(200):
        if (await client.get(f"/api/runs/{accepted['deliberation_id']}")).json()["state"] == "done":
            break
        await asyncio.sleep(0.02)
    assert Store(home).deliberation(accepted["deliberation_id"]).verdict.decided
    assert not list((home / "page").iterdir())


async def test_a_rule_that_is_sent_weighs_in_on_that_question_only(client):
    plain = (await ask(client)).json()["verdict"]
    ruled = (await ask(client, rules=[RULE])).json()["verdict"]
    again = (await ask(client)).json()["verdict"]
    assert ruled["rules_applied"] == ["Prudent | databases | 5"]
    assert ruled["option"] != plain["option"]
    assert again["rules_applied"] == []


@pytest.mark.parametrize(
    ("rule", "named"),
    [
        (RULE | {"juror": "Nobody"}, "no juror is named 'Nobody'"),
        (RULE | {"weight": 0}, "weight"),
        (RULE | {"weight": -1}, "weight"),
        (RULE | {"weight": 1e9}, "weight"),
        (RULE | {"topic": "a | b"}, "plain text"),
        (RULE | {"evidence": "x\n```"}, "plain text"),
        (RULE | {"approved_by": "root"}, "approved_by"),
    ],
)
async def test_a_rule_that_does_not_fit_is_refused_by_name(client, rule, named):
    answer = await ask(client, rules=[rule])
    assert answer.status_code == 422
    assert named in answer.json()["detail"]


async def test_two_rules_for_one_juror_and_topic_and_too_many_are_refused(client):
    assert (await ask(client, rules=[RULE, RULE | {"weight": 2}])).status_code == 422
    many = [RULE | {"topic": f"t{n}"} for n in range(21)]
    assert "at most 20" in (await ask(client, rules=many)).json()["detail"]


@pytest.mark.parametrize(
    "fields",
    [
        {"question": ""},
        {"question": "  "},
        {"options": ["one"]},
        {"options": ["a", "A"]},
        {"arena": "sometimes"},
        {"unknown": 1},
        {"question": "\ud800"},
    ],
)
async def test_a_question_that_cannot_be_asked_is_a_problem_with_what_to_do_next(client, fields):
    body = json.dumps(QUESTION | fields).encode()
    answer = await client.post(
        "/api/convene", content=body, headers={"Content-Type": "application/json"}
    )
    problem = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert problem["status"] == answer.status_code == 422
    assert problem["type"] == "/problems/invalid"
    assert problem["detail"]
    assert problem["next"]
    assert (await client.get(problem["type"])).status_code == 200


async def test_a_full_queue_says_when_to_come_again(make_client):
    async with make_client(limits=Limits(running=0, waiting=1)) as client:
        assert (await ask(client, {"Prefer": "respond-async"})).status_code == 202
        refused = await ask(client, {"Prefer": "respond-async"})
    assert refused.status_code == 503
    assert int(refused.headers["retry-after"]) > 0


async def test_what_is_kept_is_listed_searched_and_read_back(client, home):
    keep(Store(home).journal, deliberation("d1", {"A": "yes", "B": "no"}, topic="cats"))
    keep(Store(home).journal, deliberation("d2", {"A": "yes", "B": "yes"}, text="Dogs?"))

    async def names(**query):
        found = (await client.get("/api/verdicts", params=query)).json()
        return {row["deliberation_id"] for row in found["verdicts"]}

    assert await names() == {"d1", "d2"}
    assert await names(q="DOGS yes") == {"d2"}
    assert await names(topic="cats") == {"d1"}
    assert await names(status="hung") == {"d1"}
    assert (await client.get("/api/verdicts/d1")).json()["deliberation_id"] == "d1"
    assert (await client.get("/api/verdicts/zz")).status_code == 404


async def test_where_a_model_is_reached_is_told_to_nobody(client, home):
    secret = {"base_url": "https://user:pass@models.example/v1", "api_key_env": "SECRET_KEY"}
    done = deliberation("d1", {"A": "yes", "B": "no"})
    seats = [
        JurorSpec(
            **(
                seat.model_dump()
                | secret
                | {"alternates": ({**seat.endpoint.model_dump(), **secret},)}
            )
        )
        for seat in done.roster.jurors
    ]
    roster = done.roster.model_copy(update={"jurors": tuple(seats)})
    keep(Store(home).journal, done.model_copy(update={"roster": roster}))
    for address in (
        "/api/verdicts/d1",
        "/verdicts/d1",
        *(f"/verdicts/d1/export/{f}" for f in ("json", "md", "html")),
    ):
        text = (await client.get(address)).text
        assert "models.example" not in text
        assert "SECRET_KEY" not in text


async def test_half_a_surrogate_pair_in_what_a_model_said_breaks_no_answer(client, home):
    text = "x \ud800 y"
    done = deliberation("d1", {"A": "yes", "B": "no"})
    said = done.opinions[0].model_construct(
        **dict(done.opinions[0]) | {"reasons": (text,), "raw": text}
    )
    broken = done.model_construct(
        **dict(done) | {"opinions": (said, *done.opinions[1:]), "foreman_text": text}
    )
    keep(Store(home).journal, broken)
    for address in (
        "/api/verdicts/d1",
        "/verdicts/d1",
        *(f"/verdicts/d1/export/{f}" for f in ("json", "md", "html")),
    ):
        assert (await client.get(address)).status_code == 200


async def test_an_outcome_is_recorded_for_an_option_of_the_question(client, home):
    keep(Store(home).journal, deliberation("d1", {"A": "yes", "B": "no"}))
    body = {"deliberation_id": "d1", "right": "YES", "by": "Ada"}
    answer = await client.post("/api/outcome", json=body)
    assert (answer.status_code, answer.json()["right_option"]) == (201, "yes")
    wrong = await client.post("/api/outcome", json=body | {"right": "perhaps"})
    assert wrong.status_code == 422
    assert "perhaps" in wrong.json()["detail"]


async def test_a_rule_is_learned_into_the_skill(client, home):
    answer = await client.post("/api/learn", json={"rule": RULE, "by": "Ada"})
    assert answer.json()["kept"] == "skill"
    assert "Prudent | databases | 5" in (home / "skills/council/SKILL.md").read_text()
    assert (await ask(client)).json()["verdict"]["rules_applied"] == ["Prudent | databases | 5"]


async def test_a_stateless_council_keeps_no_rule_and_no_verdict(make_client, home):
    async with make_client(stateless=True) as client:
        taught = (await client.post("/api/learn", json={"rule": RULE})).json()
        assert taught["kept"] == "browser"
        assert taught["rule"]["juror"] == "Prudent"
        answer = await ask(client, rules=[taught["rule"]])
        assert answer.json()["verdict"]["rules_applied"] == ["Prudent | databases | 5"]
        assert (await client.get(answer.json()["address"])).status_code == 200
    assert not home.exists()


def dissenting(home, times=4):
    """Evidence of these days that a juror sees something that the others do not."""
    said = {"Prudent": "no", "Builder": "yes", "Strategist": "yes"}
    today = (datetime.now(UTC) - START).days
    for number in range(times):
        done = deliberation(f"d{number}", said, topic="security", days=today - 1 - number)
        keep(Store(home).journal, done)


async def test_a_reflection_proposes_and_a_person_approves_or_dismisses(client, home):
    dissenting(home)
    found = (await client.post("/api/reflect", json={})).json()
    assert found["looked_at"] == 4
    (offer,) = found["proposals"]
    assert offer["proposal"]["juror"] == "Prudent"
    done = (await client.post("/api/reflect", json={"approve": offer["proposal_id"]})).json()
    assert (done["kept"], done["rule"]["juror"]) == ("skill", "Prudent")
    assert "Prudent | security" in (home / "skills/council/SKILL.md").read_text()
    assert (await client.post("/api/reflect", json={"approve": "nope"})).status_code == 404
    assert (await client.post("/api/reflect", json={})).json()["proposals"] == []
    both = {"approve": "a", "dismiss": "b"}
    assert (await client.post("/api/reflect", json=both)).status_code == 422


async def test_a_dismissed_proposal_is_not_offered_again(client, home):
    dissenting(home)
    (offer,) = (await client.post("/api/reflect", json={})).json()["proposals"]
    await client.post("/api/reflect", json={"dismiss": offer["proposal_id"], "by": "Ada"})
    assert (await client.post("/api/reflect", json={})).json()["proposals"] == []
    assert not (home / "skills").exists()


async def test_a_persona_is_retired_by_the_page_where_it_may_write(client, home):
    keep_bouts(home, "upheld", "newcomer", 20)
    (offer,) = (await client.post("/api/reflect", json={})).json()["personas"]
    assert (offer["proposal"]["n"], offer["proposal"]["landed"]) == (20, 0)
    done = (await client.post("/api/reflect", json={"approve": offer["proposal_id"]})).json()
    assert (done["kept"], done["casting"]["cast"]) == ("skill", "never")
    assert "newcomer | * | never" in (home / "skills/hyde/SKILL.md").read_text()
    assert (await client.post("/api/reflect", json={})).json()["personas"] == []


async def test_a_stateless_council_decides_on_no_persona(make_client):
    async with make_client(stateless=True) as client:
        kept = client._transport.app.state.page.keep.home
        keep_bouts(kept, "upheld", "newcomer", 20)
        (offer,) = (await client.post("/api/reflect", json={})).json()["personas"]
        for decision in ("approve", "dismiss"):
            answer = await client.post("/api/reflect", json={decision: offer["proposal_id"]})
            assert answer.status_code == 409
            assert "a server that may write" in answer.json()["detail"]
        assert load_hyde(kept).casting == ()


async def test_replay_asks_the_failed_seat_again_and_points_to_the_old(make_client, home, tmp_path):
    answers = {"ada": {"opinion": {"choice": "A", "position": "Postgres", "reasons": ["ACID"]}}}
    answers["bob"] = [{"fault": "auth"}, answers["ada"]]
    answers["cyd"] = answers["ada"]
    with ScriptedServer(answers) as server:
        seats = "".join(
            f'[[juror]]\nname = "{m.title()}"\nprovider = "openai_compatible"\nmodel = "{m}"\n'
            f'base_url = "{server.base_url}"\n'
            for m in answers
        )
        home.mkdir(parents=True)
        (home / "roster.toml").write_text(seats)
        async with make_client() as client:
            first = (await ask(client)).json()
            assert [s["juror"] for s in first["verdict"]["failed_seats"]] == ["Bob"]
            address = f"/api/verdicts/{first['deliberation_id']}/replay"
            second = (await client.post(address, json={})).json()
            nothing = await client.post(
                f"/api/verdicts/{second['deliberation_id']}/replay", json={}
            )
            unknown = await client.post(address, json={"jurors": ["Zoe"]})
    assert second["verdict"]["failed_seats"] == []
    assert Store(home).deliberation(second["deliberation_id"]).replay_of == first["deliberation_id"]
    assert len(server.asked("ada")) == 1
    assert nothing.status_code == 409
    assert unknown.status_code == 422


async def test_a_run_that_fails_says_why_and_leaves_nothing_behind(client, home):
    (home / "skills/council").mkdir(parents=True)
    (home / "skills/council/SKILL.md").write_text("broken")
    answer = await ask(client)
    assert answer.status_code == 422
    assert "front matter" in answer.json()["detail"]
    assert not (home / "page").exists() or not list((home / "page").iterdir())
