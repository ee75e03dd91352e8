"""Gates stop what is not sound, name the rows, and leave a record."""

import pytest

from contracts.errors import GateFailed
from contracts.settings import Settings
from data.journal import Journal
from data.store import Store
from tasks.batches import open_batch
from tasks.gates import gate_in, gate_out, require
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
