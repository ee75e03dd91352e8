"""Earlier verdicts are recalled, and the memory is made again from the store."""

import asyncio

import pytest

from data.journal import Journal
from tasks.mirror import memory_file, mirror, read_memory
from tasks.mirror_rebuild import check, rebuild
from tasks.providers.hermes_home import foreman_home
from tasks.reading.memory_entry import DELIMITER
from tasks.reading.search import query_words, rank
from tasks.recall import from_store, recall_verdicts
from tests.data.making import deliberation, keep

ASKED = {
    "aaaa1111x": ("JWT or sessions for authentication?", "security", ("JWT", "Sessions")),
    "bbbb2222x": ("Postgres or Mongo for invoices?", "databases", ("Postgres", "Mongo")),
    "cccc3333x": ("Hire a contractor for the auth rewrite?", "hiring", ("yes", "no")),
}


@pytest.fixture
def store(home, monkeypatch):
    """Three verdicts in the store; no program of Hermes."""
    monkeypatch.setenv("COUNCIL_HERMES_BIN", str(home / "no-hermes"))
    for days, (name, (text, topic, options)) in enumerate(ASKED.items()):
        keep(Journal(home), made(name, text, topic, options, days))
    return home


def made(name, text, topic, options, days=0):
    said = {"Ada": options[0], "Bob": options[0], "Cyd": options[1]}
    return deliberation(name, said, options=options, topic=topic, text=text, days=days)


def with_memory(home):
    path = foreman_home(home)
    path.mkdir(parents=True)
    (path / "config.yaml").write_text("{}")
    return path


def test_a_word_is_found_by_its_beginning_and_rare_words_weigh_more():
    texts = ["JWT for authentication", "the authors of JWT", "JWT", "tea"]
    assert rank("auth", texts) == [0, 1]
    assert rank("jwt authentication", texts) == [0, 1, 2]
    assert rank("what did we decide about tea?", texts) == [3]
    assert rank("nothing of it", ["x", "y"]) == []


def test_only_common_words_are_still_a_query():
    assert query_words("What is it?") == ("what", "is", "it")
    assert query_words("What did the council decide about auth") == ("auth",)


def test_the_store_answers_and_says_so(store):
    done = asyncio.run(recall_verdicts(store, "auth"))
    assert "setup-hermes" in done.note
    assert done.recollection.by == "store"
    assert {found.deliberation_id for found in done.found} == {"aaaa1111x", "cccc3333x"}
    assert done.found[0].option == "yes"
    assert (done.found[1].option, done.found[1].split) == ("JWT", "2–1")


def test_words_are_words_and_not_sql(store):
    assert from_store(store, "x'; drop table verdicts; --").found == ()
    assert len(from_store(store, "postgres mongo").found) == 1


def test_what_was_recalled_is_kept_longest_also_after_a_rebuild(store):
    hermes_home = with_memory(store)
    for name, (text, topic, options) in ASKED.items():
        asyncio.run(mirror(store, made(name, text, topic, options)))
    from_store(store, "invoices")
    from_store(store, "invoices")
    used = {e.short_id: e.used for e in read_memory(hermes_home).block.entries}
    assert used == {"aaaa1111": 0, "bbbb2222": 2, "cccc3333": 0}
    memory_file(hermes_home).write_text("likes tea")
    asyncio.run(rebuild(store))
    now = read_memory(hermes_home)
    assert {e.short_id: e.used for e in now.block.entries} == used
    assert now.others == ("likes tea",)


def test_a_rebuild_of_many_holds_the_newest_and_counts_the_rest(home):
    hermes_home = with_memory(home)
    for n in range(60):
        kept = deliberation(f"id{n:06}", {"Ada": "yes", "Bob": "yes"}, days=n, topic=f"t{n % 2}")
        Journal(home).put("deliberation", kept.deliberation_id, kept)
    (done,) = asyncio.run(rebuild(home))
    assert done.block.verdicts == 60
    assert done.length <= done.limit
    assert done.block.entries[-1].short_id == "id000059"
    assert {line.topic for line in done.block.folded} == {"t0", "t1"}
    assert asyncio.run(check(home, hermes_home)) == ()


def test_the_check_names_what_is_wrong(store):
    hermes_home = with_memory(store)
    (fault,) = asyncio.run(check(store, hermes_home))
    assert "3 verdicts of the store are not in it" in fault
    asyncio.run(rebuild(store))
    assert asyncio.run(check(store, hermes_home)) == ()
    file = memory_file(hermes_home)
    file.write_text("x" * 2300 + DELIMITER + file.read_text())
    (fault,) = asyncio.run(check(store, hermes_home))
    assert "of 2,200 characters" in fault
    file.write_bytes(b"\xff")
    (fault,) = asyncio.run(check(store, hermes_home))
    assert "cannot be read" in fault
