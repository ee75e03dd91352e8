"""What the flow dashboard shows of a deliberation: artifacts, with all foreign text escaped."""

import re
from typing import Any

from prefect.artifacts import acreate_markdown_artifact, acreate_table_artifact

from contracts.bout import Bout, Contest
from contracts.deliberation import Deliberation
from contracts.opinion import Opinion
from contracts.verdict import Verdict
from tasks.arena.words import arena_line, arena_lines


async def publish(deliberation: Deliberation) -> None:
    """Create the artifacts `verdict` (a card) and `opinions` (a table) on the current run."""
    await acreate_markdown_artifact(
        key="verdict", markdown=verdict_markdown(deliberation), description=_title(deliberation)
    )
    await acreate_table_artifact(
        key="opinions",
        table=[opinion_row(opinion) for opinion in deliberation.opinions],
        description=_title(deliberation),
    )
    if deliberation.contest is not None:
        await publish_bouts(deliberation.contest)


async def publish_bouts(contest: Contest) -> None:
    """Create the artifact `bouts` (a table) on the current run."""
    await acreate_table_artifact(
        key="bouts",
        table=[bout_row(bout) for bout in contest.bouts],
        description=escape(arena_line(contest)),
    )


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


def opinion_row(opinion: Opinion) -> dict[str, Any]:
    """Return one opinion as a row of the table artifact."""
    return {
        "juror": escape(opinion.juror),
        "round": opinion.round,
        "stance": escape(opinion.stance or f"abstained: {opinion.abstain_reason}"),
        "lead reason": escape(opinion.lead_reason[:300]),
        "confidence": opinion.confidence,
        "via": opinion.via + (" (stand-in)" if opinion.simulated else ""),
        "model": escape(opinion.model),
        "ms": round(opinion.usage.latency_ms),
    }


def bout_row(bout: Bout) -> dict[str, Any]:
    """Return one bout as a row of the table artifact."""
    attack, rebuttal = bout.attack, bout.rebuttal
    return {
        "persona": escape(bout.persona),
        "outcome": bout.outcome or f"void: {escape(bout.void or '')}",
        "severity": bout.severity,
        "attack": escape((attack.claim if attack else None) or ""),
        "rebuttal": escape(rebuttal.answer if rebuttal else ""),
        "attacker": escape(attack.juror if attack else ""),
        "rebutter": escape(rebuttal.juror if rebuttal else ""),
        "scores": ", ".join(
            escape(f"{s.juror} ({s.attack_side} attacks): {s.stronger or s.fault}")
            for s in bout.scores
        ),
        "self-scored": bout.self_scored,
    }


def escape(text: str) -> str:
    """Return foreign text with nothing left in it that Markdown, HTML or a terminal acts on."""
    text = re.sub(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]+", " ", text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_{}\[\]()#+!|~-])", r"\\\1", text)


def _title(deliberation: Deliberation) -> str:
    return escape(deliberation.question.text[:200])
