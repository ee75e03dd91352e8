"""The page in a real Chromium, served by the real `council serve`, with scripted jurors."""

import contextlib
import json
import re
import signal
import socket

import httpx
import pytest

from tasks.providers.scripted_server import ScriptedServer
from tests.page.browsing import axe, chromium, listen, shoot, tab
from tests.page.conftest import serving
from tests.tasks.arena.making import keep_bouts

pytestmark = pytest.mark.browser

NASTY = '"><img src=x onerror="window.pwned=1"><script>window.pwned=1</script>'
A = {"opinion": {"choice": "A", "position": "Postgres", "reasons": ["ACID"], "confidence": 0.8}}
B = {"opinion": {"choice": "B", "position": "Mongo", "reasons": ["no schema"], "confidence": 0.6}}
SPLIT = {"ada": A, "bob": A, "cyd": B}


@pytest.fixture(scope="module")
def browser():
    with chromium() as browser:
        yield browser


def write_roster(path, base_url, names=("ada", "bob", "cyd")):
    path.write_text(
        "".join(
            f"[[juror]]\nname = '{name.title()}'\nmodel = '{name}'\n"
            f"provider = 'openai_compatible'\nbase_url = '{base_url}'\ntimeout_seconds = 20\n"
            for name in names
        )
    )
    return str(path)


@contextlib.contextmanager
def council(home, tmp_path, models, *arguments, **more):
    """A served council of scripted jurors: address, process and the jurors' server."""
    delay = more.pop("delay_seconds", 0.0)
    with ScriptedServer(models, delay_seconds=delay) as jurors:
        roster = write_roster(tmp_path / "roster.toml", jurors.base_url)
        with serving(home, *arguments, COUNCIL_ROSTER=roster, **more) as (process, address):
            yield address, process, jurors


def ask(page, address, question="Postgres or Mongo for invoices?", **fields):
    page.goto(address)
    page.fill("#question", question)
    if fields:
        page.click(".more summary")
    if "options" in fields:
        page.fill("#options", fields["options"])
    if "topic" in fields:
        page.fill("#topic", fields["topic"])
    page.click("text=Ask the council")


def verdict(page):
    page.wait_for_selector("[data-verdict]")
    return page.locator("#headline").inner_text()


def test_from_the_question_to_a_rule_that_rides_along_and_is_dismissed(browser, home, tmp_path):
    with council(home, tmp_path, SPLIT, "--stateless") as (address, _, _), tab(browser) as page:
        for question in ("Postgres or Mongo for invoices?", "Postgres or Mongo for orders?"):
            ask(page, address, question, topic="databases")
            assert verdict(page) == "Postgres"
        assert "2–1" in page.locator(".kicker").inner_text()
        dissent = page.locator("[data-dissent]")
        assert "Cyd chose Mongo" in dissent.locator("summary").inner_text()
        assert dissent.get_attribute("open") is None
        dissent.locator("summary").click()
        assert "no schema" in dissent.inner_text()

        page.click("[data-reflect]")
        proposal = page.locator(".proposal")
        proposal.wait_for()
        assert "Cyd on databases" in proposal.inner_text()
        proposal.locator("text=Approve").click()
        page.wait_for_selector("text=This browser keeps it")

        page.goto(address)
        assert page.locator("#rule-list li").count() == 1
        assert page.locator("#riding").inner_text() == "1 rule rides along"
        ask(page, address, topic="databases")
        verdict(page)
        assert "Cyd | databases | 1.5" in page.locator("[data-rules]").inner_text()
        assert "sent by your browser" in page.locator("[data-rules]").inner_text()

        page.goto(address)
        page.reload()
        page.click("#rule-list button")
        assert page.locator("#rules").is_hidden()
        page.reload()
        assert page.locator("#rule-list li").count() == 0
        ask(page, address, topic="databases")
        verdict(page)
        assert page.locator("[data-rules]").count() == 0


def test_a_persona_is_retired_at_the_page_or_it_says_what_that_takes(browser, home, tmp_path):
    keep_bouts(home, "upheld", "newcomer", 20)
    with council(home, tmp_path, SPLIT) as (address, _, _), tab(browser) as page:
        ask(page, address)
        verdict(page)
        page.click("[data-reflect]")
        card = page.locator(".proposal")
        card.wait_for()
        assert "newcomer on all topics: never cast" in card.inner_text()
        assert "0 of its attacks landed" in card.inner_text()
        offered = page.evaluate(
            """async () => (await fetch("/api/reflect", {method: "POST", body: "{}",
            headers: {"Content-Type": "application/json"}})).text()"""
        )
        card.get_by_role("button", name="Approve").click()
        page.wait_for_selector("text=Approved and written to the skill.")
    assert "newcomer | * | never" in (home / "skills/hyde/SKILL.md").read_text()
    with (
        council(home, tmp_path, SPLIT, "--stateless") as (address, _, _),
        tab(browser) as page,
    ):
        ask(page, address)
        verdict(page)
        page.route("**/api/reflect", lambda route: route.fulfill(json=json.loads(offered)))
        page.click("[data-reflect]")
        page.wait_for_selector(".proposal")
        assert "it takes a server that may write" in page.locator(".proposal").inner_text()
        assert page.locator(".proposal button").count() == 0


def test_chips_fill_as_jurors_answer_and_the_address_shows_the_verdict_later(
    browser, home, tmp_path
):
    slow = {"ada": A, "bob": A, "cyd": {**B, "delay_seconds": 1.5}}
    with council(home, tmp_path, slow) as (address, _, _), tab(browser) as page:
        ask(page, address)
        page.wait_for_selector('.chip.heard[data-juror="Ada"]')
        assert (
            page.locator('.chip[data-juror="Cyd"]').get_attribute("class").split()[1] == "waiting"
        )
        assert page.locator('[data-step="2"]').is_hidden()
        run = page.url
        page.goto("about:blank")
        page.goto(run)
        assert verdict(page) == "Postgres"
        page.goto(run)
        assert verdict(page) == "Postgres"


def test_nothing_that_was_said_is_run(browser, home, tmp_path):
    said = {"opinion": {"choice": "A", "position": NASTY, "reasons": [NASTY], "moved_by": NASTY}}
    other = {"opinion": {"choice": "B", "position": NASTY, "reasons": [NASTY], "moved_by": NASTY}}
    models = {"ada": said, "bob": said, "cyd": other}
    rule = [{"juror": NASTY, "topic": NASTY, "weight": 2, "evidence": NASTY}]
    with council(home, tmp_path, models, "--stateless") as (address, _, _):
        refused = "Failed to load resource: the server responded with a status of 422"
        with tab(browser, expected=[refused]) as page:
            page.goto(address)
            page.evaluate(
                "rules => localStorage.setItem('council.rules', JSON.stringify(rules))", rule
            )
            page.goto(address)
            page.fill("#question", f"Which? {NASTY}")
            page.click(".more summary")
            page.fill("#options", f"{NASTY} one\n{NASTY} two")
            file = {"name": f"{NASTY.replace('/', '')}.txt", "mimeType": "text/plain"}
            page.set_input_files("#file", [file | {"buffer": NASTY.encode()}])
            page.wait_for_selector("#file-name:has-text('was added')")
            page.click("text=Ask the council")
            page.wait_for_selector("#ask-problem:not([hidden])")
            page.click("#rule-list button")
            page.click("text=Ask the council")
            verdict(page)
            for fold in page.locator("details.fold summary").all():
                if fold.is_visible():
                    fold.click()
            run = page.url
            page.click("[data-reflect]")
            page.wait_for_selector("#proposals > *")
            for place in (run, address, f"{address}/verdicts", f"{address}/reliability"):
                page.goto(place)
                page.wait_for_timeout(200)
                assert page.evaluate("window.pwned") is None
                assert page.locator("img[src=x]").count() == 0


def test_two_tabs_watch_one_run_and_share_one_set_of_rules(browser, home, tmp_path):
    slow = {"ada": A, "bob": A, "cyd": {**B, "delay_seconds": 1}}
    with (
        council(home, tmp_path, slow, "--stateless") as (address, _, _),
        tab(browser) as one,
    ):
        other = one.context.new_page()
        complaints = []
        listen(other, complaints)
        other.goto(address)
        ask(one, address)
        one.wait_for_url("**/verdicts/*")
        other.goto(one.url)
        assert verdict(one) == verdict(other) == "Postgres"
        one.goto(address)
        other.goto(address)
        one.evaluate(
            "localStorage.setItem('council.rules',"
            " JSON.stringify([{juror: 'Cyd', topic: '*', weight: 2, evidence: ''}]))"
        )
        other.wait_for_selector("#rule-list li")
        assert complaints == []


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_a_server_that_is_killed_carries_the_run_on_when_it_comes_back(browser, home, tmp_path):
    slow = {"ada": A, "bob": A, "cyd": {**A, "delay_seconds": 4}}
    port = free_port()
    with ScriptedServer(slow) as jurors, tab(browser, expected=["Failed to load", "ERR_"]) as page:
        roster = write_roster(tmp_path / "roster.toml", jurors.base_url)
        with serving(home, port=port, COUNCIL_ROSTER=roster) as (process, address):
            ask(page, address)
            page.wait_for_selector('.chip.heard[data-juror="Bob"]')
            # The page may come with Bob's answer on it, before its scripts are there to watch.
            page.wait_for_load_state()
            process.send_signal(signal.SIGKILL)
            process.wait()
        page.wait_for_selector("#stage:has-text('trying again')")
        with serving(home, port=port, COUNCIL_ROSTER=roster):
            assert verdict(page) == "Postgres"
        assert (len(jurors.asked("ada")), len(jurors.asked("cyd"))) == (1, 2)


def test_a_run_that_a_stateless_server_lost_says_so(browser, home, tmp_path):
    slow = {"ada": A, "bob": A, "cyd": {**A, "delay_seconds": 60}}
    port = free_port()
    with ScriptedServer(slow) as jurors, tab(browser, expected=["Failed to load", "ERR_"]) as page:
        roster = write_roster(tmp_path / "roster.toml", jurors.base_url)
        with serving(home, "--stateless", port=port, COUNCIL_ROSTER=roster) as (process, address):
            ask(page, address)
            page.wait_for_selector('.chip.heard[data-juror="Bob"]')
            # The page may come with Bob's answer on it, before its scripts are there to watch.
            page.wait_for_load_state()
            process.send_signal(signal.SIGKILL)
            process.wait()
        with serving(home, "--stateless", port=port, COUNCIL_ROSTER=roster):
            page.wait_for_selector("#run-problem:has-text('Ask again')")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page(browser, home, tmp_path, scheme):
    models = {"ada": A, "bob": [A, B], "cyd": {"fault": "auth"}}
    with council(home, tmp_path, models) as (address, _, _):
        options = {"color_scheme": scheme, "reduced_motion": "reduce"}
        with tab(browser, **options) as page:
            ask(page, address)
            verdict(page)
            for fold in page.locator("details.fold > summary").all():
                fold.click()
            assert axe(page) == []
            for place in ("/", "/verdicts", "/reliability", "/problems/invalid"):
                page.goto(address + place)
                assert axe(page) == []


def test_the_door_and_a_running_question_have_nothing_serious_either(browser, home, tmp_path):
    slow = {"ada": A, "bob": A, "cyd": {**B, "delay_seconds": 6}}
    with (
        council(home, tmp_path, slow, COUNCIL_TOKEN="correct horse") as (address, _, _),
        tab(browser, expected=["401"], reduced_motion="reduce") as page,
    ):
        page.goto(address)
        assert axe(page) == []
        page.fill("#token", "wrong")
        page.keyboard.press("Enter")
        page.wait_for_selector("#wrong")
        assert axe(page) == []
        page.fill("#token", "correct horse")
        page.keyboard.press("Enter")
        page.wait_for_selector("#question")
        ask(page, address)
        page.wait_for_selector('.chip.heard[data-juror="Bob"]')
        assert axe(page) == []


def test_nothing_moves_when_the_verdict_arrives(browser, home, tmp_path):
    slow = {"ada": A, "bob": {**A, "delay_seconds": 0.8}, "cyd": {**B, "delay_seconds": 1.5}}
    with council(home, tmp_path, slow) as (address, _, _), tab(browser) as page:
        page.add_init_script(
            "window.shift = 0; new PerformanceObserver(list => { for (const e of list.getEntries())"
            " if (!e.hadRecentInput) window.shift += e.value; })"
            ".observe({type: 'layout-shift', buffered: true});"
        )
        ask(page, address)
        page.wait_for_url("**/verdicts/*")
        verdict(page)
        page.wait_for_timeout(400)
        assert page.evaluate("window.shift") < 0.05  # "good" is below 0.1 (Core Web Vitals)


def test_the_keyboard_alone_asks_and_opens_the_dissent(browser, home, tmp_path):
    with council(home, tmp_path, SPLIT) as (address, _, _), tab(browser) as page:
        page.goto(address)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.focus("#question")
        page.keyboard.type("Postgres or Mongo for invoices?")
        page.keyboard.press("Control+Enter")
        assert verdict(page) == "Postgres"
        page.focus("[data-dissent] summary")
        page.keyboard.press("Enter")
        assert page.locator(".dissents").is_visible()


def test_without_javascript_the_past_is_shown_and_a_question_is_answered(browser, home, tmp_path):
    with council(home, tmp_path, SPLIT) as (address, _, _):
        question = {"question": "Postgres or Mongo for tea?", "arena": "off"}
        httpx.post(f"{address}/api/convene", json=question, timeout=30)
        with tab(browser, java_script_enabled=False) as page:
            page.goto(address)
            assert "Postgres or Mongo for tea?" in page.locator(".list").inner_text()
            page.fill("#question", "Postgres or Mongo for coffee?")
            page.click("text=Ask the council")
            page.wait_for_selector("[data-verdict]")
            assert page.locator(".needs-js").first.is_hidden()


SPEECH = """
window.spoken = [];
Object.defineProperty(window, 'speechSynthesis', {value: {
  speak: (words) => window.spoken.push(words.text), cancel: () => window.spoken.push(null)}});
"""


def test_the_foreman_reads_and_stops(browser, home, tmp_path):
    with council(home, tmp_path, SPLIT) as (address, _, _), tab(browser) as page:
        page.add_init_script(SPEECH)
        ask(page, address)
        verdict(page)
        page.click("[data-speak]")
        assert page.evaluate("window.spoken.at(-1)") == page.locator("#foreman").inner_text()
        page.click("[data-hush]")
        assert page.evaluate("window.spoken.at(-1)") is None
        assert page.locator("[data-speak]").is_visible()


def test_an_outcome_is_recorded_and_silent_seats_are_asked_again(browser, home, tmp_path):
    models = {"ada": A, "bob": A, "cyd": [{"fault": "auth"}, B]}
    with council(home, tmp_path, models) as (address, _, _), tab(browser) as page:
        ask(page, address)
        verdict(page)
        assert "auth" in page.locator("[data-failed]").inner_text()
        page.select_option("#right", "Mongo")
        page.click("#outcome button")
        page.wait_for_selector("#outcome-said:has-text('Mongo was right')")
        first = page.url
        page.click("text=Ask the silent seats again")
        page.wait_for_url(lambda url: url != first)
        verdict(page)
        assert page.locator("[data-failed]").count() == 0
        assert page.locator(f'a[href="{re.sub("^.*/verdicts", "/verdicts", first)}"]').count() == 1


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("light", {}),
        ("dark", {"color_scheme": "dark"}),
        ("phone", {"viewport": {"width": 390, "height": 844}, "has_touch": True}),
    ],
)
def test_it_fits_every_screen(browser, home, name, options):
    with serving(home) as (_, address), tab(browser, reduced_motion="reduce", **options) as page:
        ask(page, address)
        verdict(page)
        page.wait_for_timeout(200)
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        for place in (page.url, address, f"{address}/verdicts", f"{address}/reliability"):
            page.goto(place)
            assert page.evaluate(wide) <= 0
            shoot(page, f"{name}-{place.removeprefix(address).strip('/').split('/')[0] or 'home'}")
        moving = "document.getAnimations().length"
        assert page.evaluate(moving) == 0
