"""The data dictionary says what the SQL says."""

import pytest

from contracts.errors import UsageError
from data import dictionary, schema
from data.queries import queries
from data.store import Store


def test_the_readme_is_up_to_date():
    text = dictionary.README.read_text(encoding="utf-8")
    assert dictionary.whole(text) == text, "run python -m data.dictionary --write"


def test_every_table_view_and_query_is_in_it(tmp_path):
    text = dictionary.README.read_text(encoding="utf-8")
    tables = Store(tmp_path).sql(
        "select table_name from duckdb_tables() where table_name <> 'migrations'"
        " union all select view_name from duckdb_views() where not internal"
    )
    for name in [*(name for (name,) in tables.rows), *queries()]:
        assert f"\n### {name}\n" in text


@pytest.mark.parametrize(("given", "code"), [("--check", 1), ("--write", 0)])
def test_the_command_checks_and_writes(tmp_path, monkeypatch, given, code):
    stale = tmp_path / "README.md"
    stale.write_text(f"# Mine\n{dictionary.BEGIN}\nold\n{dictionary.END}\nmine too\n")
    monkeypatch.setattr(dictionary, "README", stale)
    monkeypatch.setattr("sys.argv", ["dictionary", given])
    assert dictionary.main() == code
    text = stale.read_text()
    assert text.startswith("# Mine\n")
    assert text.endswith("\nmine too\n")
    assert ("\nold\n" in text) == (given == "--check")


def test_a_column_without_a_word_is_named(monkeypatch):
    bare = schema.Migration(
        "0099_x.sql", "-- X.\n\n-- Things.\ncreate table things (\n    n integer,\n);\n"
    )
    known = (*schema.migrations(), bare)
    monkeypatch.setattr(schema, "migrations", lambda: known)
    monkeypatch.setattr(dictionary, "migrations", lambda: known)
    with pytest.raises(UsageError, match=r"things\.n has no comment"):
        dictionary.generated()
