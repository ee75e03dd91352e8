"""Reading: what was kept is found by its id, by SQL, and by nothing that SQL must not reach."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from contracts.errors import NotFound, StoreError, UsageError
from data import database
from data.store import Store
from tests.data.making import deliberation, keep


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "home")


@pytest.fixture
def three(store):
    """Three deliberations, drained."""
    for days, name in enumerate(("abc-1", "abc-2", "xyz-3")):
        topic = "law" if name == "abc-2" else "general"
        keep(store.journal, deliberation(name, {"A": "yes"}, days=days, topic=topic))
    store.drain()
    return store


def test_an_empty_home_has_all_tables_and_no_rows(store):
    names = [name for (name,) in store.sql("select table_name from duckdb_tables()").rows]
    assert {"questions", "opinions", "verdicts", "outcomes"} <= set(names)
    for name in set(names) - {"migrations"}:
        assert store.sql(f"from {name}").rows == ()
    assert store.history().rows == ()
    assert not store.home.exists()


def test_every_named_query_answers_on_an_empty_home(store):
    for name, question in store.named_queries().rows:
        found = store.query(name)
        assert found.columns, question
        assert found.rows == ()


def test_a_deliberation_is_found_by_the_first_characters(three):
    assert three.deliberation("xyz-3").deliberation_id == "xyz-3"
    assert three.deliberation("x").deliberation_id == "xyz-3"
    assert three.deliberation(" abc-1\n").deliberation_id == "abc-1"


def test_a_deliberation_that_nobody_drained_is_found_too(three, monkeypatch):
    keep(three.journal, deliberation("new-4", {"A": "yes"}))
    monkeypatch.setattr("data.drain.Drainer.needed", lambda _: False)
    assert three.deliberation("new").deliberation_id == "new-4"


def test_an_ambiguous_prefix_says_so(three):
    with pytest.raises(NotFound, match="Several deliberations begin with 'abc': abc-2, abc-1"):
        three.deliberation("abc")


def test_a_whole_id_wins_over_longer_ones(three):
    keep(three.journal, deliberation("abc-11", {"A": "yes"}))
    assert three.deliberation("abc-1").deliberation_id == "abc-1"


@pytest.mark.parametrize("wanted", ["abd-1", "", "   ", "%", "'; drop table verdicts"])
def test_an_unknown_id_names_the_nearest(three, wanted):
    with pytest.raises(NotFound, match="abc-1"):
        three.deliberation(wanted)


def test_an_unknown_id_on_an_empty_store_says_that(store):
    with pytest.raises(NotFound, match="empty"):
        store.deliberation("abc")


def test_history_is_newest_first_and_no_longer_than_asked(three):
    assert [row[0] for row in three.history().rows] == ["xyz-3", "abc-2", "abc-1"]
    assert [row[0] for row in three.history(2).rows] == ["xyz-3", "abc-2"]
    assert [row[0] for row in three.history(topic="law").rows] == ["abc-2"]
    assert [row[0] for row in three.history(since="2026-01-06").rows] == ["xyz-3", "abc-2"]
    since = datetime(2026, 1, 7, tzinfo=UTC)
    assert [row[0] for row in three.history(since=since).rows] == ["xyz-3"]


def test_a_time_that_does_not_read_is_the_users_mistake(three):
    with pytest.raises(UsageError, match="last week"):
        three.history(since="last week")


def test_an_unknown_query_names_the_nearest(store):
    with pytest.raises(NotFound, match="juror_reliability"):
        store.query("jurors_reliability")
    with pytest.raises(NotFound, match=r"no query '\.\./secret'"):
        store.query("../secret")


def test_a_parameter_that_a_query_does_not_take_is_named(store):
    with pytest.raises(UsageError, match="takes no topic"):
        store.query("deliberation_audit", topic="law")


def test_sql_answers_with_columns_types_and_rows(three):
    found = three.sql("select count(*) as n, max(finished_at) as at from deliberations")
    assert found.columns == ("n", "at")
    assert found.types == ("BIGINT", "TIMESTAMP WITH TIME ZONE")
    assert found.records() == [{"n": 3, "at": datetime(2026, 1, 7, 12, 0, 1, tzinfo=UTC)}]
    assert not found.cut
    assert list(found.frame().columns) == ["n", "at"]


def test_more_rows_than_asked_for_are_cut_and_it_says_so(three):
    found = three.sql("from deliberations", max_rows=2)
    assert len(found.rows) == 2
    assert found.cut


FORBIDDEN = [
    "select * from read_csv('{file}')",
    "select * from read_text('{file}')",
    "select * from read_blob('{file}')",
    "select * from read_json('{file}')",
    "select * from read_parquet('{file}')",
    "select * from read_duckdb('{file}')",
    "select * from sniff_csv('{file}')",
    "select * from parquet_metadata('{file}')",
    "select * from glob('{folder}/*')",
    "select * from '{file}'",
    "from secret",
    "copy verdicts to '{folder}/out.csv'",
    "copy verdicts from '{file}'",
    "export database '{folder}/out'",
    "import database '{folder}/out'",
    "attach '{folder}/other.duckdb'",
    "attach ':memory:' as m",
    "install httpfs",
    "load httpfs",
    "create table t as select 1",
    "create temp table t as select 1",
    "create persistent secret s (type s3)",
    "insert into verdicts select * from verdicts",
    "update verdicts set confidence = 0.5",
    "delete from verdicts",
    "drop table verdicts",
    "alter table verdicts add column x integer",
    "set enable_external_access = true",
    "set memory_limit = '100GB'",
    "reset memory_limit",
    "pragma enable_profiling",
    "call enable_logging()",
    "checkpoint",
    "vacuum",
    "begin",
    "select 1; drop table verdicts",
    "select 1; select 2",
    "explain analyze insert into verdicts select * from verdicts",
    "with x as (delete from verdicts returning *) select * from x",
    "selec 1",
    "select nothing from verdicts",
    "select 'a'::integer",
    "",
    "-- nothing",
    "select $1",
]


@pytest.mark.parametrize("text", FORBIDDEN)
def test_sql_reads_nothing_else_and_changes_nothing(three, tmp_path, text):
    secret = [{"a": 1}]
    folder = tmp_path / "folder"
    folder.mkdir()
    file = folder / "secret.csv"
    file.write_text(json.dumps(secret))
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UsageError):
        three.sql(text.format(file=file, folder=folder))
    assert sorted(tmp_path.rglob("*")) == before
    assert three.sql("select count(*) from verdicts").rows == ((3,),)


@pytest.mark.parametrize(
    "text",
    [
        "from verdicts",
        "describe verdicts",
        "summarize verdicts",
        "show tables",
        "explain from votes",
    ],
)
def test_sql_may_look_in_any_way(three, text):
    assert three.sql(text).rows


def test_a_connection_is_sealed_too(three, tmp_path):
    file = tmp_path / "secret"
    file.write_text("x")
    with three.connection() as connection:
        for text in (
            f"from read_text('{file}')",
            "drop table verdicts",
            "set lock_configuration = false",
        ):
            with pytest.raises(Exception, match=r"disabled|read-only|locked"):
                connection.execute(text)


def test_threads_may_ask_at_once_and_one_inside_another(three):
    with three.connection(), ThreadPoolExecutor(4) as pool:
        answers = pool.map(lambda _: three.sql("select count(*) from verdicts").rows, range(16))
        assert set(answers) == {((3,),)}


def test_a_home_with_a_quote_in_its_name_is_only_a_name(tmp_path):
    store = Store(tmp_path / 'it\'s; drop "home"')
    keep(store.journal, deliberation("one", {"A": "yes"}))
    assert store.sql("select count(*) from verdicts").rows == ((1,),)


def test_a_query_without_end_is_stopped(three, monkeypatch):
    monkeypatch.setattr(database, "SECONDS", 0.2)
    with pytest.raises(StoreError, match="stopped after"):
        three.sql(
            "select count(*) from range(1000000000) a, range(999) b where a.range * b.range % 7 = 3"
        )


def test_a_query_that_eats_memory_is_stopped(three, monkeypatch):
    monkeypatch.setitem(database._CLOSED, "memory_limit", "64MB")
    with pytest.raises(StoreError, match="memory"):
        three.sql("select list(a.range::varchar || repeat('x', 1000)) from range(1000000) a")


def test_parquet_keeps_rows_and_types(three, tmp_path):
    columns = 'juror, reasons, finished_at, 1 as "odd "" name"'
    found = three.sql(f"select {columns} from opinions natural join deliberations")
    path = tmp_path / "it's.parquet"
    found.write_parquet(path)
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_parquet(path)
    assert list(frame.columns) == list(found.columns)
    assert len(frame) == 3
    with pytest.raises(StoreError, match="could not be written"):
        found.write_parquet(tmp_path / "no" / "such.parquet")


def test_a_snapshot_that_goes_while_it_is_opened_is_looked_for_again(three, monkeypatch):
    opened = []
    snapshot = database.snapshot

    def late(path):
        opened.append(path)
        if len(opened) == 1:
            keep(three.journal, deliberation("next", {"A": "yes"}))
            three.drain()
            path.unlink()
        return snapshot(path)

    monkeypatch.setattr(database, "snapshot", late)
    assert three.sql("select count(*) from verdicts").rows == ((4,),)
    assert len(opened) == 2
