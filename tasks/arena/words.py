"""What an arena came to, in a line or two, for the card and the dashboard."""

from contracts.bout import Bout, Contest
from contracts.verdict import Verdict
from tasks.judging.settle import strongest

_HELD = {
    "upheld": "the verdict held",
    "weakened": "it weakened the verdict",
    "overturned": "the verdict did not hold",
    "draw": "the scorers could not tell",
}


def arena_line(contest: Contest) -> str:
    """Return how much of it the verdict survived: `survived 2 of 3 attacks, 1 weakened it`."""
    summary = contest.settled.arena
    if summary is None:
        return "no attack"
    told = f"survived {summary.upheld} of {summary.counted} attacks"
    parts = (
        (summary.weakened, "weakened it"),
        (summary.overturned, "overturned it"),
        (summary.draws, "undecided"),
        (summary.void, "void"),
    )
    return ", ".join([told, *(f"{n} {what}" for n, what in parts if n)])


def attack_line(bout: Bout) -> str:
    """Return one attack and whether the verdict held, in one line."""
    attack = bout.attack
    claim = " ".join((attack.claim if attack and attack.claim else "").split())[:300]
    grave = bout.severity or (attack.severity if attack else 0)
    held = _HELD.get(bout.outcome or "", f"void: {bout.void}")
    return f"strongest, the {bout.persona} (severity {grave} of 5): {claim} → {held}"


def arena_lines(contest: Contest, verdict: Verdict) -> list[str]:
    """Return the whole of it: the count, the confidence, the strongest attack, the reopening.

    `verdict` is the last one, after a reopened round where there was one.
    """
    lines = [arena_line(contest)]
    before, after = contest.judged.confidence, contest.settled.confidence
    if after < before:
        lines[0] += f"; confidence {before:.0%} → {after:.0%}"
    top = strongest(contest.bouts)
    if top is not None:
        lines.append(attack_line(top))
    if verdict.arena and verdict.arena.reopened:
        first = contest.judged
        lines.append(
            f"reopened: {first.option}, {first.split}, before; "
            f"{verdict.option or verdict.status.replace('_', ' ')}, {verdict.split}, after"
        )
    return lines
