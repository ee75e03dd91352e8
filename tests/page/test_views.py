"""The pages without JavaScript: past verdicts at the first paint, everything foreign escaped."""

import re

import pytest

from contracts.opinion import Opinion
from data.store import Store
from flows.page.card import card_of
from flows.page.render import clean
from tests.data.making import deliberation, keep, opinion

NASTY = '"><img src=x onerror=alert(1)><script>\u202e{{7*7}}'
ESCAPED = "&#34;&gt;&lt;img src=x onerror=alert(1)&gt;"


@pytest.fixture
def hostile(home):
    """A verdict in which everybody says what a page must not run."""
    opinions = (
        opinion("A", NASTY, reasons=(NASTY,), position=NASTY),
        opinion("B", "no", reasons=(NASTY,)),
        opinion(NASTY, NASTY, reasons=(NASTY,)),
        opinion("D", None, abstain_detail=NASTY),
    )
    said = {"A": NASTY, "B": "no", NASTY: NASTY, "D": None}
    done = deliberation(
        "d1",
        said,
        options=(NASTY, "no"),
        opinions=opinions,
        text=NASTY,
        topic=NASTY,
        context=NASTY,
        foreman_text=NASTY,
    )
    keep(Store(home).journal, done)
    return done


async def test_the_first_paint_shows_past_verdicts(client, home):
    keep(Store(home).journal, deliberation("d1", {"A": "yes", "B": "yes"}, text="Tea at noon?"))
    page = (await client.get("/")).text
    assert "Tea at noon?" in page
    assert 'href="/verdicts/d1"' in page
    assert '<form id="ask"' in page


async def test_a_form_without_javascript_asks_and_leads_to_the_verdict(client):
    fields = {"question": "Which?", "options": "Postgres\r\nMongo\r\n", "topic": "", "context": ""}
    sent = await client.post("/ask", data=fields)
    assert sent.status_code == 303
    for _ in range(100):
        page = (await client.get(sent.headers["location"])).text
        if 'id="headline"' in page:
            break
    assert re.search(r'id="headline"[^>]*>(Postgres|Mongo)<', page)


async def test_a_form_that_does_not_fit_is_a_page_that_says_what_to_do(client):
    answer = await client.post("/ask", data={"question": ""}, headers={"Accept": "text/html"})
    assert answer.status_code == 422
    assert answer.headers["content-type"].startswith("text/html")
    assert "Correct the field" in answer.text


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/verdicts",
        "/verdicts/d1",
        "/verdicts/d1/card",
        "/verdicts/d1/export/html",
        "/reliability",
    ],
)
async def test_what_was_said_is_shown_and_never_run(client, hostile, address):
    text = (await client.get(address)).text
    assert "<img src=x" not in text
    assert "<script>" not in text
    assert "\u202e" not in text
    assert ">49<" not in text
    if address != "/reliability":
        assert ESCAPED in text


async def test_plots_are_pictures_that_run_nothing(client, hostile):
    drawn = await client.get("/plots/agreement.svg")
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in drawn.headers["content-security-policy"]
    assert "<script" not in drawn.text
    assert (await client.get("/plots/nothing.svg")).status_code == 404


async def test_the_name_of_an_export_is_a_name(client, home):
    keep(Store(home).journal, deliberation('d"1/..', {"A": "yes", "B": "yes"}))
    found = (await client.get("/api/verdicts")).json()["verdicts"][0]["deliberation_id"]
    answer = await client.get("/verdicts/d/export/json")
    assert found == 'd"1/..'
    assert answer.headers["content-disposition"] == 'attachment; filename="council-d1...json"'


async def test_the_start_of_an_id_leads_to_the_verdict(client, home):
    keep(Store(home).journal, deliberation("abcdef", {"A": "yes", "B": "yes"}))
    answer = await client.get("/verdicts/abc")
    assert (answer.status_code, answer.headers["location"]) == (303, "/verdicts/abcdef")


def test_the_card_shows_each_seat_once_with_where_it_stands():
    done = deliberation(
        "d1", {"A": ("yes", "yes"), "B": ("no", "yes"), "C": ("no", "no"), "D": None}
    )
    card = card_of(done)
    assert [(s.juror, s.mark, s.failed is None) for s in card.seats] == [
        ("A", "A", True),
        ("B", "A", True),
        ("C", "B", True),
        ("D", "–", False),
    ]
    assert card.seats[1].changed.before == "no"
    assert (card.before.option, card.headline) == ("no", "yes")
    assert card.split_line == "C chose no"
    assert card.calibration == "not calibrated: 0 recorded outcomes"


def test_a_hung_council_has_no_headline_but_a_split():
    card = card_of(deliberation("d1", {"A": "yes", "B": "no"}))
    assert (card.headline, card.standing, card.split_line) == (
        "No verdict",
        "hung",
        "No side had more weight",
    )


def test_an_opinion_outside_the_options_has_a_sign_of_its_own():
    other = Opinion(juror="A", stance="other", position="Both", reasons=("x",))
    said = {"A": "other", "B": "yes", "C": "yes"}
    card = card_of(
        deliberation("d1", said, opinions=(other, opinion("B", "yes"), opinion("C", "yes")))
    )
    assert (card.seats[0].mark, card.seats[0].stance) == ("∗", "Both")


@pytest.mark.parametrize("hidden", ["\x00", "\x1b[31m", "\u202e", "\ud800", "\u200b", "\x7f"])
def test_what_is_not_seen_is_made_visible(hidden):
    assert hidden[0] not in clean(f"a{hidden}b")
    assert "\ufffd" in clean(f"a{hidden}b")
