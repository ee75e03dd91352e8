"""The API of what is learned: outcomes, rules, proposals. A person decides each of them."""

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter
from pydantic import Field, StringConstraints
from starlette.responses import Response

from contracts.base import Record
from contracts.outcome import Outcome
from contracts.persona import CastingRule, PersonaProposal
from contracts.proposal import RuleProposal
from flows.page.answers import Json
from flows.page.api import ONLY_JSON, refusals
from flows.page.page import Here, Page
from flows.page.problems import Refusal
from flows.page.sent_rules import SentRule, check_sent, sent_rule
from tasks.judging.propose import rule_of
from tasks.outcomes import record_outcome
from tasks.reflection import (
    approve,
    dismiss,
    reflect_home,
    standing,
    word_proposals,
)
from tasks.skill_writer import learn as write_rule
from tasks.skills import load_skill
from tasks.stages import now

learning_api = APIRouter(prefix="/api", default_response_class=Json, dependencies=[ONLY_JSON])

Line = Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f|`]+$")]
Kept = Literal["skill", "browser"]


class Turned(Record):
    """What turned out to be right."""

    deliberation_id: str = Field(min_length=1, max_length=200)
    right: str = Field(min_length=1, max_length=500)
    """An option of the question, or `other` when none of them was right."""
    by: Line = "the page"
    note: str = Field(default="", max_length=2000)


class Teach(Record):
    """A rule that a person approves."""

    rule: SentRule
    by: Line = "the page"
    replace: bool = False
    """Whether a rule for the same juror and topic may be replaced."""


class Taught(Record):
    """Where an approved rule is kept now."""

    kept: Kept
    """`skill`: in SKILL.md, for every question; `browser`: the browser keeps it and sends it."""
    rule: SentRule


class Reflect(Record):
    """Nothing to see the proposals; the id of one to decide on it."""

    approve: str | None = Field(default=None, min_length=1, max_length=64)
    dismiss: str | None = Field(default=None, min_length=1, max_length=64)
    by: Line = "the page"
    note: str = Field(default="", max_length=2000)


class Offer(Record):
    """A proposal, under the id to decide on it by, in the foreman's words where it has some."""

    proposal_id: str
    proposal: RuleProposal
    words: str


class PersonaOffer(Record):
    """A critic of the arena to retire or to promote, under the id to decide on it by."""

    proposal_id: str
    proposal: PersonaProposal


class Reflected(Record):
    """What a look back came to, or what became of a decision."""

    proposals: tuple[Offer, ...] = ()
    personas: tuple[PersonaOffer, ...] = ()
    looked_at: int = 0
    """Deliberations."""
    outcomes: int = 0
    """Of which it is known what was right."""
    kept: Kept | None = None
    """After a decision: where it is kept."""
    rule: SentRule | None = None
    """After the approval of a rule."""
    casting: CastingRule | None = None
    """After that of a persona: it stands in the arena's skill now."""


@learning_api.post(
    "/outcome", status_code=201, response_model=Outcome, responses=refusals(404, 415)
)
def outcome(page: Here, turned: Turned) -> Response:
    """Record what turned out to be right. A later record corrects an earlier one."""
    record, _ = record_outcome(
        page.keep.home,
        turned.deliberation_id,
        turned.right,
        by=turned.by,
        note=turned.note,
        at=now(),
    )
    return Json(record.model_dump(mode="json"), 201)


@learning_api.post("/learn", response_model=Taught, responses=refusals(415))
def learn(page: Here, teach: Teach) -> Response:
    """Approve a rule: it is written to SKILL.md, or, where nothing is written, checked."""
    roster, home = page.roster, page.keep.home
    (rule,) = check_sent([teach.rule], roster, load_skill(home))
    if not page.stateless:
        line = " | ".join((rule.juror, rule.topic, f"{rule.weight:.12g}", rule.evidence))
        write_rule(home, line, roster, by=teach.by, at=now(), replace_old=teach.replace)
    taught = Taught(kept="browser" if page.stateless else "skill", rule=sent_rule(rule))
    return Json(taught.model_dump(mode="json"))


@learning_api.post("/reflect", response_model=Reflected, responses=refusals(404, 409, 415))
async def reflect(page: Here, wanted: Reflect) -> Response:
    """Show which rules the evidence speaks for, or approve or dismiss one of them."""
    if wanted.approve and wanted.dismiss:
        raise Refusal("invalid", "approve or dismiss: one of them", field="approve")
    if wanted.approve or wanted.dismiss:
        reflected = await asyncio.to_thread(_decide, page, wanted)
    else:
        reflected = await _proposals(page)
    return Json(reflected.model_dump(mode="json"))


async def _proposals(page: Page) -> Reflected:
    roster, home = page.roster, page.keep.home
    found = await asyncio.to_thread(reflect_home, home, roster, now=now())
    worded = await word_proposals(page.house.home, roster, found.proposals)
    offers = tuple(
        Offer(proposal_id=one.proposal.proposal_id, proposal=one.proposal, words=one.words)
        for one in worded
    )
    personas = tuple(
        PersonaOffer(proposal_id=one.proposal_id, proposal=one) for one in found.personas
    )
    return Reflected(
        proposals=offers, personas=personas, looked_at=found.looked_at, outcomes=found.outcomes
    )


def _decide(page: Page, wanted: Reflect) -> Reflected:
    """Decide where decisions are kept; a stateless council leaves that to the browser."""
    roster, home = page.roster, page.keep.home
    by, note, at = wanted.by, wanted.note, now()
    if page.stateless:
        one = standing(home, roster, wanted.approve or wanted.dismiss or "", now=at)
        if isinstance(one, PersonaProposal):
            raise Refusal("conflict", "no persona rides along: it takes a server that may write")
        rule = sent_rule(rule_of(one)) if wanted.approve else None
        return Reflected(kept="browser", rule=rule)
    if wanted.dismiss:
        dismiss(home, roster, wanted.dismiss, by=by, note=note, now=at)
        return Reflected(kept="skill")
    one, _ = approve(home, roster, wanted.approve or "", by=by, note=note, now=at)
    if isinstance(one, PersonaProposal):
        return Reflected(kept="skill", casting=one.rule)
    return Reflected(kept="skill", rule=sent_rule(rule_of(one)))
