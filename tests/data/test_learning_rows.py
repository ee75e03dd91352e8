"""What was learned and decided on can be asked of the store."""

from datetime import timedelta

import pytest

from contracts.learning import Refit
from contracts.proposal import Counterfactual, DissentRow, RuleDecision, RuleProposal, Turned
from contracts.skill import RuleChange, WeightRule
from data.past_votes import past_votes
from data.store import Store
from tasks.judging.learn import learn
from tests.data.making import START, deliberation, keep, outcome

PROPOSAL = RuleProposal(
    juror="A",
    topic="security",
    weight=1.5,
    basis="dissents",
    n_dissents=2,
    evidence=(
        DissentRow(deliberation_id="d1", question="?", stance="no", verdict="yes"),
        DissentRow(deliberation_id="d2", question="?", stance="no", verdict="yes", right="no"),
    ),
    counterfactual=Counterfactual(
        replayed=4, turned=(Turned(deliberation_id="d2", before="yes", after="no"),), better=1
    ),
    expires_at=START + timedelta(days=90),
    words="A did not go along twice.",
)


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "home")


def test_a_refit_fills_the_posteriors_the_calibrators_and_the_drifts(store):
    right_then_wrong = (("yes" if i < 100 else "no") for i in range(140))
    for i, stance in enumerate(right_then_wrong):
        keep(store.journal, deliberation(f"d{i}", {"A": stance, "B": "yes"}, days=i))
        keep(store.journal, outcome(f"d{i}", "yes", days=i + 1))
    learned = learn(past_votes(store))
    document = Refit(memory_id=learned.memory_id, learned_at=START, learned=learned)
    store.journal.put("refit", learned.memory_id, document)
    rows = store.sql(
        "select juror, n_right, answered, memory_id from reliability"
        " where stage = 'alone' and topic = '*' order by juror"
    ).rows
    assert rows == (("A", 0, 40, learned.memory_id), ("B", 140, 140, learned.memory_id))
    (fit,) = store.sql("select source, stage, n_outcomes from calibrations").rows
    assert fit == ("outcomes", "alone", 140)
    (drift,) = store.sql("select juror, since_deliberation_id, n_right, answered from drifts").rows
    assert drift == ("A", "d100", 0, 40)


def test_a_proposal_and_what_became_of_it_are_rows(store):
    store.journal.put("rule_proposal", PROPOSAL.proposal_id, PROPOSAL)
    decision = RuleDecision(
        proposal_id=PROPOSAL.proposal_id,
        decision="dismissed",
        juror="A",
        topic="security",
        weight=1.5,
        evidence=tuple(row.key for row in PROPOSAL.evidence),
        by="Ada",
        note="too few",
        decided_at=START,
    )
    store.journal.put("rule_decision", decision.decision_id, decision)
    rows = store.sql(
        "select juror, topic, weight, n_dissents, n_turned, n_better, evidence, decision,"
        " decided_by from rule_proposals join rule_decisions using (proposal_id, juror, topic,"
        " weight)"
    ).rows
    assert rows == (("A", "security", 1.5, 2, 1, 1, ["d1:", "d2:no"], "dismissed", "Ada"),)


def test_a_rule_that_was_written_is_a_row(store):
    rule = WeightRule(juror="A", topic="security", weight=1.5, approved_by="Ada")
    change = RuleChange(
        rule=rule,
        replaced=rule.model_copy(update={"weight": 2.0}),
        by="Ada",
        written_at=START,
        skill_sha256="0" * 64,
    )
    store.journal.put("rule", change.sha256(), change)
    rows = store.sql("select juror, weight, replaced_weight, source from rules").rows
    assert rows == (("A", 1.5, 2.0, "learn"),)
