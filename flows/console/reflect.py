"""`council reflect`: the rules that the evidence speaks for; a person approves or dismisses."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from contracts.errors import UsageError
from flows.console.terminal import err, out, plain, print_json, styled, table

if TYPE_CHECKING:
    from contracts.persona import PersonaProposal
    from tasks.reading.proposal_words import Worded
    from tasks.reflection import Proposal, Reflection

SHOWN_ROWS = 8


def reflect(
    approve: Annotated[str | None, typer.Option(help="Write this proposal's rule.")] = None,
    dismiss: Annotated[
        str | None, typer.Option(help="Do not offer it again on this evidence.")
    ] = None,
    by: Annotated[str | None, typer.Option(help="Who decides; else your user name.")] = None,
    note: Annotated[str, typer.Option(help="Why; kept with the decision.")] = "",
    roster: Annotated[Path | None, typer.Option(help="Roster file; else the home's.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON on stdout; asks nothing.")] = False,
) -> None:
    """Should the council reweight itself? Rules from evidence; nothing changes by itself."""
    from flows.console.outcome import user_name

    if approve and dismiss:
        raise UsageError("--approve and --dismiss exclude each other; one proposal at a time")
    who = _Person(by or user_name(), note, roster)
    if approve or dismiss:
        _settle(str(approve or dismiss), who, take=bool(approve), as_json=as_json)
        return
    found, proposals = _reflect(roster)
    if as_json:
        print_json(
            {
                "looked_at": found.looked_at,
                "outcomes": found.outcomes,
                "weighed": list(found.weighed),
                "proposals": [_as_json(one) for one in proposals],
                "personas": [_persona_as_json(one) for one in found.personas],
            }
        )
        return
    shown: list[tuple[Proposal, Callable[[str], None]]] = []
    shown += [(one.proposal, partial(_show, one)) for one in proposals]
    shown += [(one, partial(_show_persona, one)) for one in found.personas]
    for number, (offered, show) in enumerate(shown, 1):
        show(f"{number} of {len(shown)}")
        if sys.stdin.isatty():
            _ask(offered, who)
    if found.weighed:
        told = f"needs no rule, for the learned weights allow for it: {', '.join(found.weighed)}"
        out.print(plain(told), markup=False, soft_wrap=True)
    if not shown:
        out.print("the evidence speaks for no rule")
        err.print(_looked_at(found), style="dim", soft_wrap=True)


class _Person(NamedTuple):
    """Who decides, why, and for which council."""

    by: str
    note: str
    roster: Path | None


def _reflect(roster_file: Path | None) -> "tuple[Reflection, Sequence[Worded]]":
    from contracts.settings import settings
    from tasks.reflection import reflect_home, word_proposals
    from tasks.seating import load_roster
    from tasks.stages import now

    house = settings()
    roster = load_roster(house, roster_file)
    with err.status("looking back"):
        found = reflect_home(house.home, roster, now=now())
        return found, asyncio.run(word_proposals(house.home, roster, found.proposals))


def _settle(proposal_id: str, who: _Person, *, take: bool, as_json: bool = False) -> None:
    from contracts.settings import settings
    from tasks.judging.rules import describe
    from tasks.reflection import approve, dismiss
    from tasks.seating import load_roster
    from tasks.stages import now

    house = settings()
    roster = load_roster(house, who.roster)
    said: dict[str, Any] = {"by": who.by, "note": who.note, "now": now()}
    done: dict[str, Any]
    if take:
        one, change = approve(house.home, roster, proposal_id, **said)
        done = {"decision": "approved", "rule": change.rule.model_dump(mode="json")}
        told = f"written to SKILL.md: {describe(change.rule)}, approved by {change.by}"
    else:
        one = dismiss(house.home, roster, proposal_id, **said)
        done = {"decision": "dismissed"}
        told = f"dismissed: {describe(one)}; it needs new evidence now"
    if as_json:
        print_json({"proposal_id": one.proposal_id, **done})
    else:
        out.print(plain(told), markup=False)


def _show(one: "Worded", place: str) -> None:
    made, replay = one.proposal, one.proposal.counterfactual
    was = f" (now {made.replaces:g})" if made.replaces is not None else ""
    title = f"{made.juror} | {made.topic} | {made.weight:g}{was}"
    out.print(styled(title, "bold").append(f"   {made.proposal_id}, {place}", "dim"))
    out.print(plain(one.words), markup=False, soft_wrap=True)
    figures: list[tuple[str, object]] = [("dissents", made.n_dissents)]
    if made.posterior is not None:
        mean, low, high = made.posterior
        others = 0.0 if made.others_posterior is None else made.others_posterior
        figures.append(("right, as estimated", f"{mean:.2f} ({low:.2f}–{high:.2f})"))
        figures.append(("the others", f"{others:.2f}"))
        figures.append(("outcomes", made.answered))
    if made.learned is not None:
        figures.append(("learned weight beside the others", f"{made.learned:.2f}"))
    figures.append(("verdicts judged again", replay.replayed))
    figures.append(("of these another", len(replay.turned)))
    figures.append(("better / worse, where known", f"{replay.better} / {replay.worse}"))
    figures.append(("stands until", f"{made.expires_at:%Y-%m-%d}"))
    out.print(table(("what", "figure"), figures))
    rows = [
        (row.deliberation_id[:8], row.question[:60], row.stance, row.verdict, row.right)
        for row in made.evidence[:SHOWN_ROWS]
    ]
    out.print(table(("dissent", "question", "it held", "verdict", "right"), rows))
    more = len(made.evidence) - len(rows)
    out.print(f"… and {more} more\n" if more > 0 else "")


def _show_persona(one: "PersonaProposal", place: str) -> None:
    was = f" (now {one.replaces})" if one.replaces else ""
    title = f"{one.persona} | {one.topic} | {one.cast}{was}"
    out.print(styled(title, "bold").append(f"   {one.proposal_id}, {place}", "dim"))
    out.print(plain(one.words), markup=False, soft_wrap=True)
    share = f"{one.landed / one.n:.2f} ({one.low:.2f}–{one.high:.2f})"
    figures = [("bouts", one.n), ("attacks that landed", one.landed), ("share, 95 %", share)]
    out.print(table(("what", "figure"), figures))


def _ask(one: "Proposal", who: _Person) -> None:
    answer = typer.prompt("approve, dismiss or later?", default="later").strip().casefold()
    if answer in {"a", "approve", "d", "dismiss"}:
        _settle(one.proposal_id, who, take=answer.startswith("a"))


def _as_json(one: "Worded") -> dict[str, Any]:
    record = one.proposal.model_dump(mode="json")
    return {"proposal_id": one.proposal.proposal_id, **record, "words": one.words}


def _persona_as_json(one: "PersonaProposal") -> dict[str, Any]:
    return {"proposal_id": one.proposal_id, **one.model_dump(mode="json")}


def _looked_at(found: "Reflection") -> str:
    told = f"{found.looked_at} deliberations looked at, {found.outcomes} with an outcome; a rule "
    return (
        told + "needs two dissents, and a record that stands out or nothing that speaks against it"
    )
