"""Gates stop what is not sound, name the rows, and leave a record."""

import pandas as pd
import pytest

from contracts.errors import GateFailed, UsageError
from contracts.settings import Settings
from data.journal import Journal
from data.store import Store
from tasks.batches import open_batch
from tasks.gates import _judge, gate_in, gate_out, require
from tasks.stages import now


def planned(tmp_path):
    path = tmp_path / "b.csv"
    path.write_text("question\nIs it sound?\nIs it safe?\n")
    return open_batch(Settings(), str(path), None, None, "batch", "b1", skip_bad=False)


def test_a_sound_batch_passes_and_the_result_is_kept(tmp_path, home):
    result = gate_in(home, planned(tmp_path), ran_at=now())
    require(result)
    assert (result.passed, result.rows) == (True, 2)
    assert len(result.checks) >= 8
    assert Journal(home).get("gate", result.gate_id) is not None


def test_a_double_key_stops_the_batch_and_is_named(tmp_path, home):
    plan = planned(tmp_path)
    twice = plan.model_copy(update={"items": (plan.items[0], plan.items[0])})
    result = gate_in(home, twice, ran_at=now())
    with pytest.raises(GateFailed, match="unique") as raised:
        require(result)
    assert plan.items[0].key in str(raised.value)
    assert raised.value.exit_code == 4


def test_an_empty_store_does_not_pass_the_gate_out(home):
    Store(home).drain()
    with pytest.raises(GateFailed, match="row_count"):
        require(gate_out(home, "nothing", ran_at=now()))


def test_the_page_of_a_gate_is_written_only_where_it_is_asked_for(tmp_path, home):
    Store(home).drain()
    gate_out(home, None, ran_at=now())
    assert list(tmp_path.glob("*.html")) == []
    docs = tmp_path / "docs.html"
    result = gate_out(home, None, ran_at=now(), docs=docs)
    page = docs.read_text(encoding="utf-8")
    assert "Expectation" in page
    assert all(check.column in page for check in result.checks if check.column)


def test_tags_in_the_data_are_no_tags_of_the_page(tmp_path, home):
    marked = "<script>alert(1)</script>"
    frame = pd.DataFrame([{"deliberation_id": marked, "confidence": None}])
    docs = tmp_path / "docs.html"
    _judge(home, "store", frame, None, now(), docs)
    page = docs.read_text(encoding="utf-8")
    assert "alert(1)" in page
    assert marked not in page


def test_a_page_that_cannot_be_written_stops_before_anything_is_judged(tmp_path, home):
    with pytest.raises(UsageError, match="cannot be written"):
        gate_out(home, None, ran_at=now(), docs=tmp_path)
    assert Store(home).query("gate_history").rows == ()
