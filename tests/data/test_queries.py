"""The named queries, each against a value that was known before: published, or counted by hand."""

from datetime import UTC, date, datetime, timedelta

import pytest

from contracts.activation import Activation
from contracts.gate import GateCheck, GateResult
from contracts.juror import JurorSpec, Roster
from contracts.memory import Memory
from contracts.opinion import Usage
from contracts.skill import WeightRule
from contracts.verdict import Verdict
from data.queries import queries
from data.store import Store
from tests.benchmarks.queries import DELEGATED
from tests.data.making import attacked, deliberation, keep, opinion, outcome
from tests.tasks.arena.making import bout, scores


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "home")


def ask(store, name, **parameters):
    return store.query(name, **parameters).records()


def labels(store, rows, options, topic="general", truth=None):
    """Keep one deliberation per column: rows are jurors, `.` is a missing value."""
    for unit in range(len(next(iter(rows.values())))):
        said = {juror: None if row[unit] == "." else row[unit] for juror, row in rows.items()}
        name = f"{topic}-{unit}"
        keep(store.journal, deliberation(name, said, options=options, topic=topic))
        if truth is not None:
            keep(store.journal, outcome(name, truth[unit]))


def judged(store, name, stances, right, **more):
    keep(store.journal, deliberation(name, stances, **more), outcome(name, right))


def with_verdict(name, stances, **changes):
    whole = deliberation(name, stances)
    return whole.model_copy(update={"verdict": Verdict(**{**dict(whole.verdict), **changes})})


def test_every_query_begins_with_its_question_and_ends_with_final():
    for query in queries().values():
        assert query.question.endswith("?"), query.name
        assert "final as (" in query.text, query.name
        assert "select * from final" in query.text, query.name
        assert query.text == query.text.strip() + "\n"
        code = "\n".join(line for line in query.text.splitlines() if not line.startswith("--"))
        assert code == code.lower(), query.name


def test_krippendorff_alpha_of_the_published_example(store):
    """Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, example C: nominal 0.743."""
    rows = {
        "A": "123321412...",
        "B": "123322412 5.3".replace(" ", ""),
        "C": ".33323422 51.".replace(" ", ""),
        "D": "123324412 51.".replace(" ", ""),
    }
    labels(store, rows, "12345")
    found = {row["topic"]: row for row in ask(store, "krippendorff_alpha")}
    assert found["*"]["alpha"] == pytest.approx(0.743, abs=0.0005)
    assert found["general"] == {**found["*"], "topic": "general"}
    assert found["*"]["n_deliberations"] == 11
    assert found["*"]["n_stances"] == 40


def test_krippendorff_alpha_by_topic(store):
    """Full agreement is 1; two jurors that always differ on yes and no are below 0."""
    labels(store, {"A": "yn", "B": "yn"}, "yn", topic="law")
    labels(store, {"A": "yn", "B": "ny"}, "yn", topic="art")
    found = {row["topic"]: row["alpha"] for row in ask(store, "krippendorff_alpha")}
    assert found["law"] == 1
    assert found["art"] == pytest.approx(1 - 1 / (2 / 3))
    assert [r["topic"] for r in ask(store, "krippendorff_alpha", topic="law")] == ["*", "law"]


GRANTS = ["yy"] * 20 + ["yn"] * 5 + ["ny"] * 10 + ["nn"] * 15
"""Two readers of 50 proposals: the worked example of Wikipedia's article on Cohen's kappa."""


@pytest.fixture
def grants(store):
    rows = {"A": "".join(g[0] for g in GRANTS), "B": "".join(g[1] for g in GRANTS)}
    labels(store, rows, "yn")
    return store


def test_cohen_kappa_of_the_worked_example(grants):
    (row,) = ask(grants, "cohen_kappa")
    assert (row["juror_a"], row["juror_b"], row["n"]) == ("A", "B", 50)
    assert (row["observed"], row["expected"]) == (pytest.approx(0.7), pytest.approx(0.5))
    assert row["kappa"] == pytest.approx(0.4)


def test_pairwise_agreement_with_chance_and_interval(grants):
    """35 of 50: 0.56250 to 0.80896 (scipy: binomtest(35, 50).proportion_ci(method="wilson"))."""
    (row,) = ask(grants, "pairwise_agreement")
    assert (row["n"], row["n_agree"], row["by_chance"]) == (50, 35, 0.5)
    assert row["low"] == pytest.approx(0.56250, abs=5e-6)
    assert row["high"] == pytest.approx(0.80896, abs=5e-6)


def test_other_is_no_agreement(store):
    labels(store, {"A": ["other", "y"], "B": ["other", "y"]}, "yn")
    (row,) = ask(store, "pairwise_agreement")
    assert (row["n"], row["n_agree"]) == (1, 1)


def test_juror_reliability_with_wilson_interval(store):
    """8 of 10: 0.49016 to 0.94332; 0 of 2: 0 to 0.65762 (scipy's binomtest, method "wilson")."""
    labels(store, {"A": "yyyyyyyynn"}, "yn", truth="y" * 10)
    labels(store, {"A": "nn"}, "yn", topic="law", truth="yy")
    labels(store, {"A": "y"}, "yn", topic="art")
    found = {(row["juror"], row["topic"]): row for row in ask(store, "juror_reliability")}
    assert found.keys() == {("A", "general"), ("A", "law"), ("A", "*")}
    general, law, every = found["A", "general"], found["A", "law"], found["A", "*"]
    assert (general["n"], general["n_right"], general["reliability"]) == (10, 8, 0.8)
    assert general["low"] == pytest.approx(0.49016, abs=5e-6)
    assert general["high"] == pytest.approx(0.94332, abs=5e-6)
    assert (law["low"], law["high"]) == (0, pytest.approx(0.65762, abs=5e-6))
    assert (every["n"], every["n_right"]) == (12, 8)


def test_reliability_looks_at_round_1_and_at_the_latest_outcome(store):
    judged(store, "one", {"A": ("yes", "no"), "B": "no"}, "no")
    keep(store.journal, outcome("one", "yes", days=5), outcome("one", "no", days=3))
    found = {row["juror"]: row["n_right"] for row in ask(store, "juror_reliability")}
    assert found == {"A": 1, "B": 0}


@pytest.fixture
def errors(store):
    """Both wrong 4 times, each alone once, both right 4 times."""
    labels(store, {"A": "nnnnnyyyyy", "B": "nnnnynyyyy"}, "yn", truth="y" * 10)
    return store


def test_error_overlap_is_the_phi_coefficient(errors):
    """(4 · 4 - 1 · 1) / sqrt(5 · 5 · 5 · 5) = 0.6; independent errors would meet 2.5 times."""
    (row,) = ask(errors, "error_overlap")
    assert row["correlation"] == pytest.approx(0.6)
    assert (row["n_both_wrong"], row["n_same_wrong"], row["expected_both_wrong"]) == (4, 4, 2.5)


def test_effective_jurors_is_the_design_effect(errors):
    """2 / (1 + 0.6) = 1.25; a third juror that says what A says makes 3 / (1 + 2 · 2.2 / 3)."""
    found = {row["topic"]: row for row in ask(errors, "effective_jurors")}
    assert found["*"]["effective_jurors"] == pytest.approx(1.25)
    rows = {"A": "nnnnnyyyyy", "B": "nnnnynyyyy", "C": "nnnnnyyyyy"}
    labels(errors, rows, "yn", topic="law", truth="y" * 10)
    found = {row["topic"]: row for row in ask(errors, "effective_jurors")}
    assert found["law"]["n_pairs"] == 3
    assert found["law"]["error_correlation"] == pytest.approx(2.2 / 3)
    assert found["law"]["effective_jurors"] == pytest.approx(3 / (1 + 2 * 2.2 / 3))


def test_jurors_that_err_apart_count_fully(store):
    labels(store, {"A": "ny", "B": "yn"}, "yn", truth="yy")
    (row, _) = ask(store, "effective_jurors")
    assert (row["error_correlation"], row["effective_jurors"]) == (-1, 2)


def test_brier_score_of_the_published_example(store):
    """0.0375: truths 0 1 1 0 at 0.1 0.9 0.8 0.3, the example in scikit-learn's documentation."""
    for at, (confidence, right) in enumerate(
        [(0.1, "no"), (0.9, "yes"), (0.8, "yes"), (0.3, "no")]
    ):
        name = f"d{at}"
        kept = with_verdict(
            name, {"A": "yes"}, option="yes", status="majority", confidence=confidence
        )
        keep(store.journal, kept, outcome(name, right))
    found = ask(store, "calibration")
    assert [row["brier"] for row in found] == pytest.approx([0.0375] * 4)
    assert [row["ece"] for row in found] == pytest.approx([(0.1 + 0.1 + 0.2 + 0.3) / 4] * 4)


def test_calibration_bins_by_hand(store):
    """Two at 0.95, one right: gap 0.45; 0.55 and 0.65 right: gaps 0.45 and 0.35; ECE 1.7 / 4."""
    cases = [(0.95, "yes"), (0.95, "no"), (0.55, "yes"), (0.65, "yes")]
    for at, (confidence, right) in enumerate(cases):
        kept = with_verdict(
            f"d{at}", {"A": "yes"}, option="yes", status="majority", confidence=confidence
        )
        keep(store.journal, kept, outcome(f"d{at}", right))
    keep(store.journal, with_verdict("hung", {"A": "yes"}, status="hung", option=None))
    keep(store.journal, outcome("hung", "yes"))
    found = ask(store, "calibration")
    assert [(row["confidence_from"], row["n"], row["share_right"]) for row in found] == [
        (0.5, 1, 1.0),
        (0.6, 1, 1.0),
        (0.9, 2, 0.5),
    ]
    assert found[0]["ece"] == pytest.approx(0.425)
    assert found[0]["brier"] == pytest.approx(0.3075)


def test_dissent_that_was_right(store):
    judged(store, "one", {"A": "yes", "B": "yes", "C": "no"}, "no", topic="law")
    judged(store, "two", {"A": "yes", "B": "yes", "C": "no"}, "yes", topic="law")
    keep(store.journal, deliberation("three", {"A": "yes", "B": "yes", "C": "no"}))
    found = {(row["juror"], row["topic"]): row for row in ask(store, "dissent_that_was_right")}
    assert found.keys() == {("C", "law"), ("C", "general"), ("C", "*")}
    every = found["C", "*"]
    assert (every["n_dissents"], every["n_judged"], every["n_right"]) == (3, 2, 1)
    assert (every["share_right"], found["C", "general"]["share_right"]) == (0.5, None)


def test_debate_gain(store):
    judged(store, "won", {"A": ("yes", "no"), "B": ("yes", "no"), "C": ("no", "no")}, "no")
    judged(store, "won too", {"A": ("yes", "no"), "B": ("no", "no")}, "no")
    judged(store, "lost", {"A": ("yes", "no"), "B": ("yes", "no"), "C": ("no", "no")}, "yes")
    judged(store, "kept", {"A": ("yes", "yes"), "B": ("yes", "yes"), "C": ("no", "no")}, "yes")
    judged(store, "no debate", {"A": "yes", "B": "yes"}, "yes")
    general, every = sorted(ask(store, "debate_gain"), key=lambda row: row["topic"], reverse=True)
    assert every == {**general, "topic": "*"}
    assert (every["n"], every["n_turned"], every["n_won"], every["n_lost"]) == (4, 3, 2, 1)
    assert (every["n_right_before"], every["n_right_after"], every["gain"]) == (2, 3, 0.25)


def test_who_moves_whom(store):
    """A goes over to B and C, who share the move; then alone to B, away from what was right."""
    judged(store, "one", {"A": ("yes", "no"), "B": ("no", "no"), "C": ("no", "no")}, "no")
    judged(store, "two", {"A": ("yes", "no"), "B": ("no", "no"), "C": ("yes", "yes")}, "yes")
    found = {(row["mover"], row["moved"]): row for row in ask(store, "who_moves_whom")}
    assert {pair: row["moves"] for pair, row in found.items()} == {("B", "A"): 1.5, ("C", "A"): 0.5}
    assert (found["B", "A"]["n_toward_right"], found["B", "A"]["n_away_from_right"]) == (1, 1)


def test_rule_effect(store):
    rule = WeightRule(juror="A", topic="*", weight=3)
    memory = Memory(rules=(rule,))
    turned = (Activation(kind="rule", subject="A | * | 3", effect="turned it", turned=True),)
    idle = (Activation(kind="rule", subject="A | * | 3", effect="changed nothing"),)
    split = {"A": "yes", "B": "no", "C": "no"}
    judged(store, "right", split, "yes", memory=memory, activations=turned)
    judged(store, "wrong", split, "no", memory=memory, activations=turned)
    keep(store.journal, deliberation("open", split, memory=memory, activations=turned))
    judged(store, "idle", {"A": "yes", "B": "yes"}, "yes", memory=memory, activations=idle)
    assert ask(store, "rule_effect") == [
        {"rule": "A | * | 3", "n_applied": 4, "n_turned": 3, "n_judged": 2, "n_right": 1}
    ]


def test_failures_by_provider_and_day(store):
    keep(store.journal, deliberation("one", {"A": "yes", "B": None, "C": "no"}))
    keep(store.journal, deliberation("two", {"A": None}, days=1))
    found = ask(store, "failures_by_provider")
    assert [(r["day"], r["provider"], r["reason"], r["n"], r["n_opinions"]) for r in found] == [
        (date(2026, 1, 5), "offline", "timeout", 1, 3),
        (date(2026, 1, 6), "offline", "timeout", 1, 1),
    ]
    assert [r["share"] for r in found] == [pytest.approx(1 / 3), 1]


def test_fallbacks_by_day(store):
    fell = Activation(kind="fallback", subject="A", effect="its server was not there")
    keep(store.journal, deliberation("one", {"A": "yes", "B": "no"}, activations=(fell, fell)))
    keep(store.journal, deliberation("two", {"A": "yes", "B": "no"}))
    (row,) = ask(store, "fallbacks")
    assert (row["juror"], row["provider"], row["n_fallbacks"], row["n_sittings"]) == (
        "A",
        "offline",
        1,
        2,
    )
    assert row["share"] == 0.5


def test_latency_per_verdict(store):
    """1, 2, 3, 4 and 5 seconds: the median is 3, the 90th percentile 4.6 (linear, as numpy)."""
    for seconds in range(1, 6):
        slow = tuple(
            opinion(juror, "yes", usage=Usage(latency_ms=latency))
            for juror, latency in (("A", seconds * 100.0), ("B", 50.0))
        )
        kept = deliberation(f"d{seconds}", {"A": "", "B": ""}, opinions=slow, seconds=seconds)
        keep(store.journal, kept)
    row = ask(store, "latency_per_verdict")[0]
    assert (row["topic"], row["n"], row["p50_ms"], row["p90_ms"]) == ("*", 5, 3000, 4600)
    assert row["slowest_opinion_p50_ms"] == 300


def test_cost_per_verdict(store):
    """Two verdicts of 0.30 and 0.10 dollars, and one opinion without a price."""
    for name, prices in (("one", (0.1, 0.2)), ("two", (0.1, None))):
        said = tuple(
            opinion(juror, "yes", usage=Usage(cost_usd=price, calls=1, prompt_tokens=100))
            for juror, price in zip("AB", prices, strict=True)
        )
        keep(store.journal, deliberation(name, {"A": "", "B": ""}, opinions=said))
    row = ask(store, "cost_per_verdict")[0]
    assert (row["topic"], row["n"], row["n_unpriced"], row["mean_calls"]) == ("*", 2, 1, 2)
    assert row["total_usd"] == pytest.approx(0.4)
    assert row["mean_usd"] == pytest.approx(0.2)
    assert row["mean_prompt_tokens"] == 200


def test_reliability_drift_looks_at_four_weeks(store):
    """Right in weeks 1 and 2, wrong in 3 to 6: 1, 1, 2/3, 1/2, 1/4, 0 of the last four."""
    for week, right in enumerate("yynnnn"):
        judged(store, f"d{week}", {"A": "yes"}, {"y": "yes", "n": "no"}[right], days=7 * week)
    found = ask(store, "reliability_drift")
    assert found[0]["week"] == date(2026, 1, 5)
    assert [row["reliability"] for row in found] == pytest.approx([1, 1, 2 / 3, 1 / 2, 1 / 4, 0])
    assert [row["n_four_weeks"] for row in found] == [1, 2, 3, 4, 4, 4]


def test_hardest_questions(store):
    """2 against 1: of 3 pairs 2 differ; 1 against 1: all; 3 of 3: none."""
    judged(store, "most", {"A": "yes", "B": "yes", "C": "no"}, "no")
    keep(store.journal, deliberation("split", {"A": "yes", "B": "no"}))
    keep(store.journal, deliberation("one", {"A": "yes", "B": "yes", "C": "yes"}))
    found = ask(store, "hardest_questions")
    assert [row["question"] for row in found] == [
        "Question split?",
        "Question most?",
        "Question one?",
    ]
    assert [row["disagreement"] for row in found] == pytest.approx([1, 2 / 3, 0])
    assert [(row["n_judged"], row["n_wrong"]) for row in found] == [(0, 0), (1, 1), (0, 0)]


def test_activation_counts(store):
    keep(store.journal, *(deliberation(f"d{i}", {"A": "yes"}) for i in range(3)))
    debated = Activation(kind="debate", subject="round 2", effect="turned it", turned=True)
    keep(store.journal, deliberation("d3", {"A": "yes"}, activations=(debated,)))
    skill, debate = ask(store, "activation_counts")
    assert (skill["kind"], skill["n"], skill["share"], skill["n_turned"]) == ("skill", 3, 0.75, 0)
    assert (debate["kind"], debate["n"], debate["share"], debate["n_turned"]) == (
        "debate",
        1,
        0.25,
        1,
    )


def test_failed_deliberations_that_nobody_replayed(store):
    keep(store.journal, deliberation("fine", {"A": "yes", "B": "yes"}))
    keep(store.journal, deliberation("one seat", {"A": "yes", "B": "yes", "C": None}))
    keep(store.journal, deliberation("nobody", {"A": None, "B": None}, days=1))
    keep(store.journal, deliberation("replayed", {"A": "yes", "B": None}))
    keep(store.journal, deliberation("again", {"A": "yes", "B": "yes"}, replay_of="replayed"))
    found = ask(store, "failed_deliberations")
    assert [(r["deliberation_id"], r["status"], r["failed_jurors"]) for r in found] == [
        ("one seat", "majority", ["C"]),
        ("nobody", "no_quorum", ["A", "B"]),
    ]


def test_annotations_are_in_crowd_kits_shape(store):
    keep(store.journal, deliberation("one", {"A": ("yes", "no"), "B": "no", "C": None}))
    found = store.query("annotations")
    assert found.columns == ("task", "worker", "label")
    assert found.rows == (("one", "A", "yes"), ("one", "B", "no"))


def test_the_audit_names_what_is_not_whole(store):
    keep(store.journal, deliberation("whole", {"A": ("yes", "no"), "B": "no", "C": None}))
    said = (opinion("A", "yes"), opinion("A", "yes", reasons=("again",)), opinion("B", "no"))
    twice = deliberation("twice", {"A": "yes", "B": "no"}, opinions=said)
    keep(store.journal, twice)
    ghost = with_verdict("ghost", {"A": "yes", "B": "yes", "C": "no"})
    keep(store.journal, ghost.model_copy(update={"opinions": ghost.opinions[:2]}))
    found = {row["deliberation_id"]: row for row in ask(store, "deliberation_audit")}
    whole = found["whole"]
    assert (whole["n_deliberations"], whole["n_verdicts"], whole["n_opinions"]) == (1, 1, 5 - 1)
    assert (whole["share_sum"], whole["n_votes"], whole["decided"], whole["has_option"]) == (
        1,
        2,
        True,
        True,
    )
    zeros = ("n_double_opinions", "n_unclear_opinions", "n_double_votes", "n_unfounded_dissents")
    assert [whole[name] for name in zeros] == [0, 0, 0, 0]
    assert found["twice"]["n_double_opinions"] == 1
    assert found["ghost"]["n_unfounded_dissents"] == 1


def test_the_gates_are_told_newest_first_with_what_broke(store):
    at = datetime(2026, 1, 1, tzinfo=UTC)
    sound = GateCheck(expectation="e", column="c", passed=True, severity="critical", unexpected=0)
    broken = sound.model_copy(update={"passed": False, "unexpected": 2})
    for day, checks in enumerate(((sound,), (sound, broken))):
        result = GateResult(
            gate_id=f"g{day}",
            gate="batch_in",
            batch_id=f"b{day}",
            passed=len(checks) == 1,
            rows=3,
            checks=checks,
            ran_at=at + timedelta(days=day),
        )
        assert store.journal.put("gate", result.gate_id, result)
    found = ask(store, "gate_history")
    assert [(row["batch_id"], row["passed"], row["broken"]) for row in found] == [
        ("b1", False, ["e(c)"]),
        ("b0", True, None),
    ]
    assert len(store.query("gate_history", batch="b0").rows) == 1


UNSCOPED = {"history", "deliberation_audit", "gate_history", *DELEGATED}
"""From the third on they are of gates and delegations, not of deliberations."""


@pytest.mark.parametrize("name", sorted(set(queries()) - UNSCOPED))
def test_since_topic_and_batch_narrow_every_query(store, name):
    """The same few deliberations twice; the second lot is later, of another topic and batch."""
    fell = Activation(kind="fallback", subject="A", effect="e")
    rule = Activation(kind="rule", subject="A | * | 2", effect="e", turned=True)
    for lot, days in (("early", 0.0), ("late", 30.0)):
        for i, right in enumerate(("no", "yes")):
            said = {"A": ("yes", "no"), "B": ("no", "no"), "C": ("yes", "yes"), "D": None}
            name_of = f"{lot}{i}"
            fields = {"days": days, "topic": lot, "batch_id": lot, "activations": (fell, rule)}
            fought = bout("upheld", topic=lot, scores=scores("C", "rebuttal"))
            whole = attacked(deliberation(name_of, said, **fields), fought)
            keep(store.journal, whole, outcome(name_of, right))
    every, late = store.query(name), store.query(name, since="2026-01-20")
    assert late.rows
    assert store.query(name, topic="late").rows == late.rows
    assert store.query(name, batch="late").rows == late.rows
    assert store.query(name, topic="late", batch="early").rows == ()
    assert every.rows != late.rows
    assert store.query(name, since="1999-01-01").rows == every.rows


def test_a_seat_names_the_provider_also_where_nobody_answered(store):
    kept = deliberation("one", {"A": None})
    seats = (JurorSpec(name="A", provider="hermes", model="m"),)
    keep(store.journal, kept.model_copy(update={"roster": Roster(jurors=seats)}))
    (row,) = ask(store, "failures_by_provider")
    assert row["provider"] == "hermes"
