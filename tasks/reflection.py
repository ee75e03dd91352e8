"""Reflection: which rules the evidence speaks for, and what a person makes of them."""

from collections.abc import Sequence
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from contracts.deliberation import Deliberation
from contracts.errors import NotFound, ProviderError, StoreDamaged, UsageError
from contracts.juror import Endpoint, Roster
from contracts.persona import CastingChange, CastingDecision, PersonaProposal
from contracts.proposal import Decision, RuleDecision, RuleProposal
from contracts.skill import RuleChange
from data.journal import Journal
from data.past_votes import known_outcomes, past_bouts
from data.store import Store
from tasks.fit_files import current_learned
from tasks.judging.counterfactual import Bench
from tasks.judging.propose import propose, rule_of
from tasks.judging.rules import describe
from tasks.judging.testimony import Sitting
from tasks.prompting import fence, prompt_template
from tasks.providers.base import Request
from tasks.providers.hermes_foreman import ask_foreman, loads_skills
from tasks.providers.registry import ask_once
from tasks.reading.clean import clean
from tasks.reading.proposal_words import Worded, in_own_words, worded
from tasks.skill_writer import learn, learn_casting
from tasks.skills import load_hyde, load_skill

LOOKED_AT = 5000
"""Newest deliberations that a reflection looks at."""
SKILL = "council"

Proposal = RuleProposal | PersonaProposal


class Reflection(NamedTuple):
    """What a look back came to."""

    proposals: tuple[RuleProposal, ...]
    looked_at: int
    """Deliberations."""
    outcomes: int
    """Of which it is known what was right."""
    weighed: tuple[str, ...] = ()
    """Records that stand out too, and need no rule: the learned weights allow for them."""
    personas: tuple[PersonaProposal, ...] = ()
    """Critics of the arena to retire or to promote."""

    @property
    def offered(self) -> tuple[Proposal, ...]:
        """Everything that a person may approve or dismiss."""
        return (*self.proposals, *self.personas)


def reflect_home(home: Path, roster: Roster, *, now: datetime) -> Reflection:
    """Return the rules that the store's evidence speaks for, and keep them in the journal.

    Raises:
        SkillError: when a SKILL.md of the home does not read; it names the line.
    """
    sittings, journal = read_sittings(home), Journal(home)
    decided = [document.record(RuleDecision) for document in journal.iter("rule_decision")]
    bench = _bench(home, roster)
    proposals = propose(sittings, bench, decided, now=now)
    for one in proposals:
        journal.put("rule_proposal", one.proposal_id, one)
    unlearned = propose(sittings, bench._replace(fit=None), decided, now=now) if bench.fit else ()
    offered = {(one.juror, one.topic) for one in proposals}
    weighed = (one for one in unlearned if (one.juror, one.topic) not in offered)
    return Reflection(
        proposals,
        looked_at=len(sittings),
        outcomes=sum(sitting.right is not None for sitting in sittings),
        weighed=tuple(f"{one.juror} on {one.topic}" for one in weighed),
        personas=_personas(home),
    )


def read_sittings(home: Path) -> list[Sitting]:
    """Return the newest deliberations with what turned out to be right."""
    store = Store(home)
    rights, latest = known_outcomes(store), store.history(limit=LOOKED_AT)
    at = latest.columns.index("deliberation_id")
    found = (store.journal.get("deliberation", row[at]) for row in latest.rows)
    return [
        Sitting(document.record(Deliberation), rights.get(document.document_id))
        for document in found
        if document is not None
    ]


def approve(
    home: Path, roster: Roster, proposal_id: str, *, by: str, note: str = "", now: datetime
) -> tuple[Proposal, RuleChange | CastingChange]:
    """Write the rule of a proposal that stands into SKILL.md, and record who approved it.

    Raises:
        NotFound: when no proposal that stands begins with that id.
        UsageError: when it stood once and does not any more.
        SkillError: when SKILL.md does not read or does not take the rule.
    """
    one = standing(home, roster, proposal_id, now=now)
    how: dict[str, Any] = {"by": by, "at": now, "replace_old": one.replaces is not None}
    change: RuleChange | CastingChange
    if isinstance(one, PersonaProposal):
        change = learn_casting(home, one.rule, source="reflection", **how)
    else:
        line = f"{describe(one)} | {rule_of(one).evidence}"
        change = learn(home, line, roster, source="reflection", **how)
    _decide(home, one, "approved", by, note, now)
    return one, change


def dismiss(
    home: Path, roster: Roster, proposal_id: str, *, by: str, note: str = "", now: datetime
) -> Proposal:
    """Remember that a person did not want the rule: it is not offered again on this evidence.

    Raises:
        NotFound: when no proposal that stands begins with that id.
        UsageError: when it stood once and does not any more.
    """
    one = standing(home, roster, proposal_id, now=now)
    _decide(home, one, "dismissed", by, note, now)
    return one


def standing(home: Path, roster: Roster, proposal_id: str, *, now: datetime) -> Proposal:
    """Return the one proposal that stands now and whose id begins so.

    Raises:
        NotFound: when there is none, or several.
        UsageError: when it was made once, and the evidence or the rules have changed since.
    """
    wanted = proposal_id.strip().casefold()
    proposals = reflect_home(home, roster, now=now).offered
    found = [one for one in proposals if wanted and one.proposal_id.startswith(wanted)]
    if len(found) == 1:
        return found[0]
    ids = [one.proposal_id for one in (found or proposals)]
    if not found and wanted and _was_made(home, wanted):
        raise UsageError(
            f"the proposal {proposal_id!r} stands no longer: it was decided on or expired, or the "
            f"evidence or the rules have changed. Standing now: {', '.join(ids) or 'none'}."
        )
    near = get_close_matches(wanted, ids, n=3, cutoff=0.4) or ids[:5]
    raise NotFound(
        f"{'several proposals begin' if found else 'no proposal begins'} with {proposal_id!r}; "
        f"standing now: {', '.join(near) or 'none'}. `council reflect` shows them."
    )


async def word_proposals(
    home: Path, roster: Roster, proposals: Sequence[RuleProposal]
) -> tuple[Worded, ...]:
    """Let the foreman order the proposals and put them in its words; without one, our own.

    Whatever it answers, the proposals stay those of the table.
    """
    if roster.foreman is None or not proposals:
        return in_own_words(proposals)
    try:
        return worded(proposals, await _asked(home, roster.foreman, proposals))
    except ProviderError:
        return in_own_words(proposals)


def reflect_prompt(proposals: Sequence[RuleProposal]) -> str:
    """Return what the foreman is asked: the table as data."""
    rows = {f"PROPOSAL {one.proposal_id}": _row(one) for one in proposals}
    return prompt_template("reflect.md").substitute(fenced=fence(rows))


async def _asked(home: Path, foreman: Endpoint, proposals: Sequence[RuleProposal]) -> str:
    prompt = reflect_prompt(proposals)
    if foreman.provider == "hermes" and await loads_skills(home):
        return clean((await ask_foreman(home, foreman, prompt, SKILL)).text).text
    skill = load_skill(home, SKILL).body
    reply = await ask_once(foreman, Request(system=skill, user=prompt, subject="the foreman"))
    return clean(reply.text).text


def _row(one: RuleProposal) -> str:
    lines = {"juror": one.juror, "topic": one.topic, "weight": f"{one.weight:g}", "case": one.words}
    return "\n".join(f"{name}: {value}" for name, value in lines.items())


def _bench(home: Path, roster: Roster) -> Bench:
    """Return the judge as it is; what was learned and cannot be read weighs nothing."""
    seats = tuple(juror.name for juror in roster.jurors)
    try:
        learned = current_learned(home)
    except StoreDamaged:
        learned = None
    return Bench(seats, load_skill(home).rules, learned.fit if learned else None)


def _personas(home: Path) -> tuple[PersonaProposal, ...]:
    from tasks.judging.castings import propose_personas  # noqa: PLC0415 - imports numpy

    journal, hyde = Journal(home), load_hyde(home)
    decided = [document.record(CastingDecision) for document in journal.iter("persona_decision")]
    proposals = propose_personas(past_bouts(Store(home)), hyde, decided)
    for one in proposals:
        journal.put("persona_proposal", one.proposal_id, one)
    return proposals


def _decide(
    home: Path, one: Proposal, decision: Decision, by: str, note: str, now: datetime
) -> None:
    said: dict[str, Any] = {"decision": decision, "by": by, "note": note, "decided_at": now}
    said |= {"proposal_id": one.proposal_id, "topic": one.topic, "evidence": one.evidence_keys}
    if isinstance(one, PersonaProposal):
        kept = CastingDecision(persona=one.persona, cast=one.cast, **said)
        Journal(home).put("persona_decision", kept.decision_id, kept)
    else:
        record = RuleDecision(juror=one.juror, weight=one.weight, **said)
        Journal(home).put("rule_decision", record.decision_id, record)


def _was_made(home: Path, wanted: str) -> bool:
    kinds = ("rule_proposal", "persona_proposal")
    made = (document for kind in kinds for document in Journal(home).iter(kind))
    return any(document.document_id.startswith(wanted) for document in made)
