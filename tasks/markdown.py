"""A deliberation as Markdown, with all foreign text escaped. It needs no engine."""

import re

from contracts.deliberation import Deliberation
from contracts.verdict import Verdict
from tasks.arena.words import arena_lines


def verdict_markdown(deliberation: Deliberation) -> str:
    """Return the verdict card as Markdown."""
    verdict, question = deliberation.verdict, deliberation.question
    lines = [
        f"# {escape(verdict.option or verdict.status.replace('_', ' '))}",
        f"**{escape(question.text[:500])}**",
        _standing(verdict),
        escape(deliberation.foreman_text),
    ]
    if verdict.dissents:
        lines.append("## Where they split")
        lines += [
            f"- **{escape(d.juror)}** chose {escape(d.option)}: {escape(d.reason)}"
            for d in verdict.dissents
        ]
    if verdict.changed_minds:
        lines.append("## ⇄ Changed minds")
        lines += [
            f"- **{escape(c.juror)}**: {escape(c.before)} → {escape(c.after)}. "
            f"{escape(c.moved_by or 'named no argument')}"
            for c in verdict.changed_minds
        ]
    if deliberation.contest is not None:
        lines += ["## The arena", *map(escape, arena_lines(deliberation.contest, verdict))]
    if verdict.failed_seats:
        lines.append("## Seats that gave no opinion")
        lines += [
            f"- **{escape(s.juror)}**: {escape(s.reason)}. {escape(s.detail[:300])}"
            for s in verdict.failed_seats
        ]
    if verdict.warnings:
        lines.append("## Mind")
        lines += [f"- {escape(warning)}" for warning in verdict.warnings]
    lines.append(f"`{deliberation.deliberation_id}`")
    return "\n\n".join(lines)


def _standing(verdict: Verdict) -> str:
    status, sure = verdict.status.replace("_", " "), f"{verdict.confidence:.0%}"
    return f"{status} · split {verdict.split} · confidence {sure} ({escape(verdict.basis)})"


def title(deliberation: Deliberation) -> str:
    """Return the question, short, as one line of Markdown."""
    return escape(deliberation.question.text[:200])


def escape(text: str) -> str:
    """Return foreign text with nothing left in it that Markdown, HTML or a terminal acts on."""
    text = re.sub(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]+", " ", text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_{}\[\]()#+!|~-])", r"\\\1", text)
