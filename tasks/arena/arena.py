"""The graph of an arena, written once over whatever stages an engine gives."""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

from contracts.activation import Activation
from contracts.bout import Bout, Contest
from contracts.errors import ProviderError
from contracts.opinion import Opinion
from contracts.persona import Hyde
from contracts.verdict import Verdict
from tasks.arena.bouts import hold_bout
from tasks.arena.case import REOPENED, Case, Casting, Seat
from tasks.arena.casting import cast, reopening_calls
from tasks.arena.stages import ArenaStages
from tasks.judging.scoring import without_copies
from tasks.judging.settle import settle, strongest, with_learned_strength
from tasks.jurors import silent

Tell = Callable[[str, str, str], None]
"""Kind, subject and text of something that just happened."""


class Held(NamedTuple):
    """What an arena came to."""

    contest: Contest | None
    """None when no persona applied or nobody could be cast."""
    opinions: tuple[Opinion, ...]
    """Of the reopened round."""
    verdict: Verdict
    activations: tuple[Activation, ...]


async def hold_arena(case: Case, hyde: Hyde, stages: ArenaStages, tell: Tell) -> Held:
    """Attack a verdict from every side, settle it, and reopen the debate where that is wanted.

    The bouts of a round are held at once; a round begins when the one before has ended.
    """
    bouts: list[Bout] = []
    for castings in cast(case, hyde):
        tell("arena", "", f"round {castings[0].round}: {len(castings)} attack the verdict")
        earlier = tuple(b.attack.claim for b in bouts if b.attack and b.attack.claim)
        bouts += await asyncio.gather(
            *(_one(case, casting, stages, earlier, tell) for casting in castings)
        )
    if not bouts:
        return Held(None, (), case.verdict, ())
    counted = without_copies(bouts)
    settled = await stages.settle(case, counted)
    again, verdict = await _reopened(case, counted, settled, stages, tell)
    contest = Contest(bouts=counted, judged=case.verdict, settled=settled)
    return Held(contest, again, verdict, took_part(case, contest, verdict))


def took_part(case: Case, contest: Contest, verdict: Verdict) -> tuple[Activation, ...]:
    """Return an activation for each bout, and for the reopened round.

    A persona turned the verdict where the status is another without its bouts, or where its attack
    reopened the debate and the option is another after it.
    """
    policy = with_learned_strength(case.policy, case.memory)
    reopening = strongest(contest.bouts) if verdict.option != case.option else None
    acts = []
    for bout in contest.bouts:
        rest = [other for other in contest.bouts if other.persona != bout.persona]
        without = settle(case.verdict, rest, policy)
        turned = without.status != contest.settled.status or bout == reopening
        effect = f"{bout.outcome or 'void'}: {_gist(bout)}"
        acts.append(Activation(kind="persona", subject=bout.persona, effect=effect, turned=turned))
    if verdict.arena and verdict.arena.reopened:
        effect = f"{case.option} {case.verdict.split} before, "
        effect += f"{verdict.option or verdict.status} {verdict.split} after"
        turned = verdict.option != case.option
        acts.append(Activation(kind="debate", subject="round 3", effect=effect, turned=turned))
    return tuple(acts)


async def _one(
    case: Case, casting: Casting, stages: ArenaStages, earlier: tuple[str, ...], tell: Tell
) -> Bout:
    bout = await hold_bout(case, casting, stages, earlier)
    tell("bout", bout.persona, bout.outcome or f"void: {bout.void}")
    return bout


async def _reopened(
    case: Case, bouts: Sequence[Bout], settled: Verdict, stages: ArenaStages, tell: Tell
) -> tuple[tuple[Opinion, ...], Verdict]:
    """Return the opinions of one more round and the verdict after it, where the policy wants it."""
    winner = strongest(bouts)
    room = reopening_calls(len(case.seats), case.policy.arena)
    if settled.status != "contested" or winner is None or not room:
        return (), settled
    tell("debate", "", f"reopened: the jurors read the attack of the {winner.persona}")
    last = {opinion.juror: opinion for opinion in case.last_opinions()}

    async def once(seat: Seat) -> Opinion:
        try:
            return await stages.reconsider(case, seat, last[seat.name], winner)
        except ProviderError as error:
            return silent(seat.spec, REOPENED, error)

    seats = (seat for seat in case.seats if seat.name in last)
    again = tuple(await asyncio.gather(*map(once, seats)))
    return again, await stages.judge(case, settled, again)


def _gist(bout: Bout) -> str:
    if bout.void is not None:
        return bout.void[:300]
    return (bout.attack.claim or "")[:300] if bout.attack else ""
