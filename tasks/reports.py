"""What the flow dashboard shows of a deliberation: artifacts, with all foreign text escaped."""

from typing import Any

from prefect.artifacts import acreate_markdown_artifact, acreate_table_artifact

from contracts.bout import Bout, Contest
from contracts.deliberation import Deliberation
from contracts.opinion import Opinion
from tasks.arena.words import arena_line
from tasks.markdown import escape, title, verdict_markdown


async def publish(deliberation: Deliberation) -> None:
    """Create the artifacts `verdict` (a card) and `opinions` (a table) on the current run."""
    await acreate_markdown_artifact(
        key="verdict", markdown=verdict_markdown(deliberation), description=title(deliberation)
    )
    await acreate_table_artifact(
        key="opinions",
        table=[opinion_row(opinion) for opinion in deliberation.opinions],
        description=title(deliberation),
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
