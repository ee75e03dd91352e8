"""The named queries against a second implementation: the same questions in SQLite's SQL."""

from contextlib import closing

import pytest

from tests.benchmarks.queries import (
    ask_sqlite,
    copy_to_sqlite,
    make_home,
    ported,
    same,
)


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    folder = tmp_path_factory.mktemp("both")
    store = make_home(folder / "home", 6_000)
    with closing(copy_to_sqlite(store, folder / "lite.db")) as lite:
        yield store, lite


@pytest.mark.parametrize("name", ported())
def test_both_give_the_same_rows(both, name):
    store, lite = both
    rows = store.query(name).rows
    assert rows
    assert same(rows, ask_sqlite(lite, name))


def test_the_generator_makes_a_sound_store(both):
    for row in both[0].query("deliberation_audit").records():
        assert (row["n_verdicts"], row["n_opinions"], row["n_jurors"]) == (1, 24, 12)
        assert row["share_sum"] == pytest.approx(1)
        bad = ("n_double_opinions", "n_unclear_opinions", "n_double_votes", "n_unfounded_dissents")
        assert [row[name] for name in bad] == [0, 0, 0, 0]
        assert not row["is_orphan"]
