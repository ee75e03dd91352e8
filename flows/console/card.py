"""The verdict card: what was decided, how sure, and above all where they split."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.rule import Rule
from rich.text import Text

from contracts.deliberation import Deliberation
from contracts.verdict import Verdict
from flows.console.terminal import plain, styled
from tasks.arena.words import arena_lines

BAR = 24
"""Characters of the confidence bar."""


def verdict_card(deliberation: Deliberation, link: str | None = None) -> RenderableType:
    """Return the card of one deliberation."""
    verdict = deliberation.verdict
    parts: list[RenderableType] = [_headline(verdict), _confidence(verdict), Text()]
    parts.append(styled(deliberation.foreman_text))
    parts += _sections(deliberation)
    title = styled(" ".join(deliberation.question.text.split())[:120], "bold")
    return Group(
        Panel(Group(*parts), title=title, title_align="left", border_style=_colour(verdict)),
        _footer(deliberation, link),
    )


def _sections(deliberation: Deliberation) -> Iterator[RenderableType]:
    verdict = deliberation.verdict
    if verdict.dissents:
        yield _section("where they split")
        for dissent in verdict.dissents:
            line = Text.assemble(styled(dissent.juror, "bold"), " chose ", styled(dissent.option))
            yield line.append(f": {plain(dissent.reason)}").append(_read(dissent.reading), "dim")
    if verdict.changed_minds:
        yield _section("changed minds")
    for change in verdict.changed_minds:
        line = Text.assemble("⇄ ", styled(change.juror, "bold"), f" {plain(change.before)} → ")
        line.append(plain(change.after))
        yield line.append(f": {plain(change.moved_by or 'named no argument')}", "dim")
    if verdict.before_debate and verdict.before_debate.option != verdict.option:
        before = verdict.before_debate
        yield styled(
            f"before the debate: {before.option or before.status}, {before.split}", "italic"
        )
    yield from _arena(deliberation)
    if verdict.failed_seats:
        yield _section("seats that gave no opinion")
    for seat in verdict.failed_seats:
        line = Text.assemble("✗ ", styled(seat.juror, "bold"), f" {plain(seat.reason)}")
        yield line.append(f": {plain(seat.detail)[:300]}" if seat.detail else "", "dim")
    if verdict.warnings:
        yield _section("mind")
    for warning in verdict.warnings:
        yield styled(f"! {warning}", "yellow")


def _arena(deliberation: Deliberation) -> Iterator[RenderableType]:
    if deliberation.contest is None:
        return
    yield _section("the arena")
    for line in arena_lines(deliberation.contest, deliberation.verdict):
        yield styled(line)


def _headline(verdict: Verdict) -> Text:
    shown = (
        verdict.option
        or {"hung": "no verdict: hung", "no_quorum": "no verdict: no quorum"}[verdict.status]
    )
    line = styled(shown, f"bold {_colour(verdict)}")
    return line.append(f"   {verdict.status.replace('_', ' ')}, {verdict.split}", "dim")


def _confidence(verdict: Verdict) -> Text:
    filled = round(verdict.confidence * BAR)
    line = Text("━" * filled, _colour(verdict)).append("━" * (BAR - filled), "bright_black")
    return line.append(f" {verdict.confidence:.0%}  ").append(plain(verdict.basis), "dim")


def _footer(deliberation: Deliberation, link: str | None) -> Text:
    seats = ", ".join(
        f"{o.juror} ({'stand-in' if o.simulated else o.model} via {o.via})"
        for o in deliberation.opinions
        if o.round == 1
    )
    line = Text(f"jurors: {plain(seats)}\n", "dim")
    line.append(f"council show {deliberation.deliberation_id}", "dim")
    return line.append(f"\n{link}", "dim") if link else line


def _section(name: str) -> Rule:
    return Rule(name, align="left", style="dim")


def _read(how: str) -> str:
    return "" if how in {"explicit", "alias"} else f" (read from its {how})"


def _colour(verdict: Verdict) -> str:
    if not verdict.decided or verdict.status == "contested":
        return "yellow"
    return "green" if verdict.status == "unanimous" else "cyan"
