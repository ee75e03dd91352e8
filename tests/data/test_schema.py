"""Migrations: applied once, in order, recorded by name and hash; the rest is a rebuild."""

import pytest

from contracts.errors import MigrationFailed
from data import drain, schema
from data.schema import Migration
from data.store import Store
from tests.data.making import contents, deliberation, keep


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "home")
    keep(store.journal, deliberation("one", {"A": "yes"}))
    store.drain()
    return store


@pytest.fixture
def product(monkeypatch):
    """The next version of the product, with other migrations."""

    def release(*migrations):
        monkeypatch.setattr(schema, "migrations", lambda: migrations)

    return release


def names(store):
    return [name for (name,) in store.sql("select name from migrations order by name").rows]


def test_each_is_recorded_by_name_and_hash(store):
    recorded = store.sql("select name, sha256 from migrations order by name").rows
    assert recorded == tuple((m.name, m.sha256) for m in schema.migrations())


def test_no_number_is_given_twice():
    numbers = [m.name[:4] for m in schema.migrations()]
    assert len(set(numbers)) == len(numbers)


def test_a_new_one_is_applied_to_the_rows_there_are(store, product, monkeypatch):
    new = Migration("0099_extra.sql", "create table extra as select count(*) as n from verdicts")
    product(*schema.migrations(), new)
    monkeypatch.setattr(drain.Drainer, "_remake", lambda _: pytest.fail("no rebuild is needed"))
    assert store.sql("from extra").rows == ((1,),)
    assert names(store)[-1] == "0099_extra.sql"


def test_one_that_asks_for_a_rebuild_gets_one(store, product):
    new = Migration(
        "0099_extra.sql", "-- rebuild\ncreate table extra as select count(*) as n from verdicts"
    )
    product(*schema.migrations(), new)
    assert store.sql("from extra").rows == ((0,),)
    assert store.sql("select count(*) from verdicts").rows == ((1,),)


def test_one_that_was_edited_is_a_rebuild(store, product):
    before = contents(store)
    *same, last = schema.migrations()
    product(*same, last._replace(text=last.text + "\n-- edited"))
    after = contents(store)
    assert after.pop("migrations") != before.pop("migrations")
    assert after == before


def test_an_older_product_makes_its_own(store, product):
    newer = schema.migrations()
    product(*newer, Migration("0099_extra.sql", "create table extra (n integer)"))
    assert "0099_extra.sql" in names(store)
    product(*newer)
    assert "0099_extra.sql" not in names(store)


def test_one_that_fails_is_named_and_nothing_is_lost(store, product, caplog):
    product(*schema.migrations(), Migration("0099_bad.sql", "create table extra (n nonsense)"))
    with pytest.raises(MigrationFailed, match="0099_bad"):
        store.drain()
    assert store.sql("select count(*) from verdicts").rows == ((1,),)
    assert "0099_bad.sql" in caplog.text
