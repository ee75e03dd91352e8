"""Plots and the report: drawn from records, escaped, self-contained."""

import re
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

import pytest

from contracts.outcome import Outcome
from data.store import Store
from tasks.plots import PLOTS, agreement, calibration, reliability
from tasks.report_page import report_html
from tests.data.making import deliberation, keep

HOSTILE = "<script>alert(1)</script>$x^2$"


@pytest.fixture
def store(home):
    store = Store(home)
    for number in range(12):
        said = {HOSTILE: ("yes", "no")[number % 2], "B": "yes", "C": ("yes", "no")}
        name = f"d{number}"
        outcome = Outcome(
            deliberation_id=name,
            right_option=("yes", "no")[number % 3 == 0],
            by="Sam",
            recorded_at=datetime(2026, 1, 1 + number, tzinfo=UTC),
        )
        keep(store.journal, deliberation(name, said, topic=HOSTILE), outcome)
    return store


@pytest.mark.parametrize("name", PLOTS)
def test_every_plot_is_svg_that_reads_and_runs_nothing(store, name):
    _, query, draw = PLOTS[name]
    drawn = draw(store.query(query).records())
    ET.fromstring(drawn)
    assert "<script" not in drawn


@pytest.mark.parametrize("name", PLOTS)
def test_nothing_to_draw_is_no_plot(name):
    assert PLOTS[name][2]([]) is None


def test_the_same_records_give_the_same_bytes(store):
    rows = store.query("juror_reliability").records()
    assert reliability(rows) == reliability(rows)


def test_known_values_stand_in_the_drawing():
    pair = {"juror_a": "A", "juror_b": "B", "agreement": 0.75}
    assert ">0.75</text>" in agreement([pair])
    point = {"mean_confidence": 0.6, "share_right": 0.5, "low": 0.3, "high": 0.7, "n": 9}
    assert "Brier 0.240" in calibration([point | {"brier": 0.24, "ece": 0.1}])


def test_the_report_is_one_page_that_loads_nothing_and_escapes_all(store):
    page = report_html(store, since=None, made_at=datetime(2026, 2, 1, tzinfo=UTC))
    assert "<script" not in page
    assert not re.findall(r'(?:src|href)="(?!#)[^"]*"', page)
    assert page.count("<svg") == len(PLOTS)
    assert "&lt;script&gt;" in page


def test_an_empty_store_gives_a_report_too(home):
    page = report_html(Store(home), since="2026-01-01", made_at=datetime(2026, 2, 1, tzinfo=UTC))
    assert "none yet" in page
