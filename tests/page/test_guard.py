"""Who may ask for what: names, origins, token, sizes, rates, headers."""

import json

import pytest

from contracts.errors import ConfigError
from contracts.settings import Settings
from flows.console.serve import guard_rules
from flows.page.guard import COOKIE, Rules, entry_pass
from flows.page.rates import Rate, Rates

ASK = {"question": "Postgres or Mongo?", "arena": "off"}
JSON = {"Content-Type": "application/json"}
TOKEN = "correct horse"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "10.0.0.9", "[::"])
async def test_a_name_that_is_not_ours_gets_nothing(client, host):
    answer = await client.get("/api/verdicts", headers={"Host": host})
    assert answer.status_code == 421
    assert "next" in answer.json()


@pytest.mark.parametrize("host", ["127.0.0.1:8788", "localhost", "LOCALHOST:1", "[::1]:8788"])
async def test_the_loopback_names_are_ours(client, host):
    assert (await client.get("/healthz", headers={"Host": host})).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "http://[::"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
async def test_another_site_may_not_post(client, headers):
    answer = await client.post("/api/convene", json=ASK, headers=headers)
    assert answer.status_code == 403
    assert (
        await client.post("/ask", data={"question": "A or B?"}, headers=headers)
    ).status_code == 403


async def test_our_own_page_and_programs_may_post(client):
    own = {"Origin": "http://127.0.0.1:8788", "Sec-Fetch-Site": "same-origin"}
    assert (await client.post("/api/convene", json=ASK, headers=own)).status_code == 200
    assert (await client.post("/api/convene", json=ASK)).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
async def test_a_body_that_does_not_say_that_it_is_json_is_not_taken(client, kind):
    answer = await client.post(
        "/api/convene", content=json.dumps(ASK), headers={"Content-Type": kind}
    )
    assert answer.status_code in {415, 422}
    assert answer.headers["content-type"] == "application/problem+json"


async def test_a_large_body_is_refused_by_its_length_and_by_its_bytes(client):
    large = b"x" * 1_000_001

    async def dripping():
        for _ in range(3):
            yield b"x" * 500_000

    assert (await client.post("/api/convene", content=large, headers=JSON)).status_code == 413
    assert (await client.post("/api/convene", content=dripping(), headers=JSON)).status_code == 413
    assert (await client.post("/ask", content=dripping())).status_code == 413


async def test_a_client_that_asks_too_often_is_told_how_long_to_wait(make_client):
    now = [0.0]
    rates = Rates(
        {"read": Rate(2, 0.5), "write": Rate(1, 0.1), "login": Rate(1, 1)}, lambda: now[0]
    )
    async with make_client(rates=rates) as client:
        codes = [(await client.get("/healthz")).status_code for _ in range(3)]
        assert codes == [200, 200, 429]
        refused = await client.get("/healthz")
        assert refused.headers["retry-after"] == "2"
        now[0] = 2.0
        assert (await client.get("/healthz")).status_code == 200


def test_the_rates_forget_the_client_that_was_longest_away(monkeypatch):
    monkeypatch.setattr("flows.page.rates.MOST_CLIENTS", 2)
    rates = Rates({"read": Rate(1, 0.001)}, lambda: 0.0)
    assert [rates.take(name, "read") > 0 for name in ("a", "b", "a", "c", "b")] == [
        False,
        False,
        True,
        False,
        False,
    ]


async def test_every_answer_tells_the_browser_to_be_strict(client):
    for address in ("/", "/api/verdicts", "/static/main.js", "/nowhere", "/verdicts/none"):
        headers = (await client.get(address)).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in policy
        assert "access-control-allow-origin" not in headers


async def test_no_page_holds_inline_script_or_style(client):
    await client.post("/api/convene", json=ASK)
    run = (await client.get("/api/verdicts")).json()["verdicts"][0]["deliberation_id"]
    for address in ("/", "/verdicts", f"/verdicts/{run}", "/reliability", "/problems/invalid"):
        text = (await client.get(address)).text
        assert " style=" not in text
        assert "<style" not in text
        assert " onclick" not in text
        assert text.count("<script") == text.count('<script type="module" src="/static/')


async def test_with_a_token_nothing_is_told_without_it(make_client, locked):
    async with make_client(locked) as client:
        for address in ("/api/verdicts", "/verdicts/x/export/json", "/api/openapi.json"):
            refused = await client.get(address)
            assert refused.status_code == 401
            assert refused.headers["www-authenticate"] == "Bearer"
        assert (await client.post("/api/convene", json=ASK)).status_code == 401
        to_door = await client.get("/", headers={"Accept": "text/html"})
        assert (to_door.status_code, to_door.headers["location"]) == (303, "/login?to=/")
        for wrong in ("Bearer wrong", "Bearer", TOKEN, "Basic " + TOKEN, f"Bearer {TOKEN}x"):
            headers = {"Authorization": wrong}
            assert (await client.get("/api/verdicts", headers=headers)).status_code == 401
        right = {"Authorization": f"Bearer {TOKEN}"}
        assert (await client.get("/api/verdicts", headers=right)).status_code == 200


async def test_the_door_gives_a_pass_that_is_not_the_token(make_client, locked):
    async with make_client(locked) as client:
        wrong = await client.post("/login", data={"token": "guess", "to": "/"})
        assert wrong.status_code == 401
        assert "That is not the token" in wrong.text
        come = await client.post("/login", data={"token": TOKEN, "to": "/verdicts"})
        cookie = come.headers["set-cookie"]
        assert (come.status_code, come.headers["location"]) == (303, "/verdicts")
        assert TOKEN not in cookie
        assert "HttpOnly" in cookie
        assert "samesite=strict" in cookie.lower()
        assert (await client.get("/api/verdicts")).status_code == 200
        client.cookies.set(COOKIE, entry_pass("another"))


@pytest.mark.parametrize("to", ["//evil.example", "https://evil.example", "/\\evil", "/a\r\nb"])
async def test_the_door_leads_nowhere_else(make_client, locked, to):
    async with make_client(locked) as client:
        come = await client.post("/login", data={"token": TOKEN, "to": to})
        assert come.headers["location"] == "/"


def test_an_address_that_others_reach_needs_a_token(home):
    with pytest.raises(ConfigError, match="COUNCIL_TOKEN"):
        guard_rules(Settings(), "0.0.0.0", [])
    with pytest.raises(ConfigError, match="COUNCIL_TOKEN"):
        guard_rules(Settings(token="  "), "council.example", [])
    assert guard_rules(Settings(), "127.0.0.2", []).token is None
    rules = guard_rules(Settings(token=TOKEN), "0.0.0.0", ["Council.Example"])
    assert rules == Rules(None, frozenset({"council.example", "0.0.0.0"}), TOKEN)


async def test_with_an_open_address_only_names_that_were_allowed_are_answered_to(make_client):
    rules = Rules(names=None, more_names=frozenset({"council.example"}))
    async with make_client(rules=rules) as client:
        for host, code in (
            ("192.168.1.5:8788", 200),
            ("council.example", 200),
            ("localhost", 200),
            ("evil.example", 421),
        ):
            assert (await client.get("/healthz", headers={"Host": host})).status_code == code


async def test_a_failure_that_nobody_foresaw_tells_nothing(make_client, monkeypatch):
    def burst(*_):
        raise RuntimeError("a secret")

    monkeypatch.setattr("flows.page.api_store.find_verdicts", burst)
    async with make_client() as client:
        answer = await client.get("/api/verdicts")
    assert answer.status_code == 500
    assert "a secret" not in answer.text
    assert answer.json()["type"] == "/problems/failed"
