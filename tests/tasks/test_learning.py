"""What was learned is kept, found again, and the same however often it is learned."""

import asyncio
from datetime import timedelta

import pytest

from contracts.errors import StoreDamaged
from contracts.juror import JurorSpec, Roster
from contracts.memory import Policy
from contracts.question import Option, Question
from contracts.settings import Settings
from data.journal import Journal
from data.past_votes import past_votes
from data.store import Store
from tasks import fit_files
from tasks.asking import make_question
from tasks.deliberate import deliberate, new_session
from tasks.fit_files import KEPT, current_learned, write_learned
from tasks.judging.learn import learn
from tasks.learning import posteriors, refit_home, told
from tasks.memory import recall
from tasks.providers.scripted_server import ScriptedServer
from tasks.replays import judged_as_stored
from tasks.stages import plain_stages
from tests.data.making import START, deliberation, keep, outcome

SEATS = ("Ada", "Bob", "Cyd")
ROSTER = Roster(jurors=tuple(JurorSpec(name=name, provider="offline", model="m") for name in SEATS))
QUESTION = Question(
    text="Yes or no?",
    options=(Option(name="yes"), Option(name="no")),
    options_source="given",
    topic="security",
)


def history(home, n=40, *, known=True, topic="security"):
    """Ada is right nine times in ten; Bob and Cyd go together and are right half the time."""
    journal = Store(home).journal
    for i in range(n):
        right, wrong = ("yes", "no") if i % 3 else ("no", "yes")
        herd = right if i % 2 else wrong
        said = {"Ada": right if i % 10 else wrong, "Bob": herd, "Cyd": herd}
        keep(journal, deliberation(f"{topic}{i}", said, topic=topic, days=i))
        if known:
            keep(journal, outcome(f"{topic}{i}", right, days=i + 3))


def test_a_refit_is_the_memory_of_the_next_deliberation(home):
    assert recall(home, QUESTION, ROSTER).fit is None
    history(home)
    learned = refit_home(home, at=START)
    memory = recall(home, QUESTION, ROSTER)
    assert memory.memory_id == learned.memory_id
    assert memory.fit.alone.n_outcomes == 40
    assert memory.fit.alone.reliability_of("Ada", "security").right == 36
    assert current_learned(home) == learned


def test_the_memory_holds_the_slice_for_the_seats_and_the_topic_only(home):
    history(home)
    history(home, topic="hiring")
    refit_home(home, at=START)
    seats = Roster(jurors=ROSTER.jurors[:2])
    fit = recall(home, QUESTION, seats).fit
    assert {row.juror for row in fit.alone.reliability} == {"Ada", "Bob"}
    assert {row.topic for row in fit.alone.reliability} == {"*", "security"}


def test_the_same_store_gives_the_same_bytes_also_after_it_was_rebuilt(home):
    history(home)
    first = refit_home(home, at=START)
    Store(home).rebuild()
    again = refit_home(home, at=START + timedelta(days=1))
    assert first.canonical_json() == again.canonical_json()
    assert len(list(Journal(home).iter("refit"))) == 1


def test_a_new_outcome_gives_a_new_memory_and_the_old_one_stays(home):
    history(home)
    old = refit_home(home, at=START)
    keep(Store(home).journal, outcome("security1", "no", days=99))
    new = refit_home(home, at=START)
    assert new.memory_id != old.memory_id
    assert current_learned(home) == new
    assert {d.document_id for d in Journal(home).iter("refit")} == {old.memory_id, new.memory_id}


def test_with_no_outcome_agreement_is_learned_and_said_to_be_no_more(home):
    history(home, known=False)
    learned = refit_home(home, at=START)
    assert learned.fit.source == "agreement"
    assert "agreement alone" in told(learned)
    assert recall(home, QUESTION, ROSTER).fit.source == "agreement"


def test_an_empty_store_teaches_nothing_and_nothing_is_kept(home):
    learned = refit_home(home, at=START)
    assert not learned.taught
    assert "nothing to learn from" in told(learned)
    assert current_learned(home) is None
    assert list(Journal(home).iter("refit")) == []


def test_a_juror_that_goes_bad_is_told_with_every_verdict(home):
    journal = Store(home).journal
    for i in range(140):
        said = {"Ada": "yes" if i < 100 else "no", "Bob": "yes", "Cyd": "yes"}
        keep(journal, deliberation(f"d{i}", said, days=i), outcome(f"d{i}", "yes", days=i + 1))
    refit_home(home, at=START)
    (note,) = recall(home, QUESTION, ROSTER).notes
    assert note.startswith("Ada is right less often than it was: 0 of 40 (0.00) since deliberation")
    others = Roster(jurors=ROSTER.jurors[1:])
    assert recall(home, QUESTION, others).notes == ()


@pytest.mark.parametrize("part", ["pointer", "nowhere", "syntax", "forged"])
def test_a_learning_that_does_not_read_is_told_and_all_weigh_the_same(home, part):
    """It is derived: nothing is lost by going on without, and a refit makes it again."""
    history(home)
    learned = refit_home(home, at=START)
    folder = home / "memory"
    file = folder / f"fit-{learned.memory_id}.json"
    if part == "pointer":
        (folder / "current").write_text("../../etc/passwd")
    elif part == "nowhere":
        (folder / "current").write_text("0" * 16)
    elif part == "syntax":
        file.write_text("{")
    else:
        file.write_text(file.read_text().replace('"right":36', '"right":40'))
    fit_files._read.cache_clear()
    memory = recall(home, QUESTION, ROSTER)
    assert memory.fit is None
    assert "all jurors weigh the same" in memory.notes[0]
    assert "council refit" in memory.notes[0]
    with pytest.raises(StoreDamaged):
        current_learned(home)
    refit_home(home, at=START)
    assert recall(home, QUESTION, ROSTER).notes == ()


def test_old_files_are_let_go_and_the_current_one_stays(home):
    history(home, n=12)
    rows = past_votes(Store(home))
    ids = [write_learned(home, learn(rows[: 6 + 2 * i])).stem for i in range(KEPT + 3)]
    left = {file.stem for file in (home / "memory").glob("fit-*.json")}
    assert len(left) <= KEPT
    assert ids[-1] in left


def test_posteriors_are_told_by_topic_best_first(home):
    history(home)
    rows = posteriors(refit_home(home, at=START))
    assert [(r["topic"], r["juror"]) for r in rows][:2] == [("*", "Ada"), ("*", "Bob")]
    assert rows[0]["right"] == 36


def test_a_verdict_by_what_was_learned_is_given_again_byte_for_byte(home):
    history(home)
    refit_home(home, at=START)
    said = {"opinion": {"choice": "A", "position": "yes", "reasons": ["x"]}}
    other = {"opinion": {"choice": "B", "position": "no", "reasons": ["y"]}}
    with ScriptedServer({"Ada": other, "Bob": said, "Cyd": said}) as server:
        seats = Roster(
            jurors=tuple(
                JurorSpec(
                    name=name, provider="openai_compatible", model=name, base_url=server.base_url
                )
                for name in SEATS
            )
        )
        question = make_question("Yes or no?", options=["yes", "no"], topic="security")
        stages = plain_stages(Settings(attempts=1))
        done = asyncio.run(deliberate(question, seats, Policy(), stages, new_session("direct")))
    assert done.verdict.option == "no"
    assert (done.verdict.split, done.verdict.n_outcomes) == ("2–1", 0)
    assert done.verdict.before_debate.option == "no"
    (act,) = [act for act in done.activations if act.kind == "memory"]
    assert (act.subject, act.turned) == (done.memory.memory_id, True)
    assert "all alike: yes 2–1" in act.effect
    refit_home(home, at=START + timedelta(days=1))
    stored = Store(home).deliberation(done.deliberation_id)
    assert judged_as_stored(stored)
    assert len(stored.memory.fit.canonical_json()) < 6_000
