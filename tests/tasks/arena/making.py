"""Bouts, verdicts and scripted seats made by hand, for the tests of the arena."""

import asyncio
import json
import re
from itertools import count

from contracts.bout import Attack, Bout, Rebuttal, Score
from contracts.juror import JurorSpec, Roster
from contracts.memory import ArenaPolicy, Memory, Policy
from contracts.opinion import Opinion
from contracts.settings import Settings
from contracts.verdict import Verdict
from data.journal import Journal
from tasks.asking import make_question
from tasks.deliberate import deliberate, new_session
from tasks.judging.decide import decide
from tasks.stages import plain_stages
from tests.data.making import attacked, deliberation, keep

QUESTION = make_question("Postgres or Mongo for invoices?", options=["Postgres", "Mongo"])
_NUMBERS = count()


def opinion(juror, stance, reason="because", at=1, **more):
    if stance is None:
        return Opinion(juror=juror, abstain_reason="timeout", round=at, **more)
    fields = {"reasons": (reason,), "raw": "said", "via": "offline"}
    return Opinion(juror=juror, stance=stance, round=at, **(fields | more))


def decided(stances=("Postgres", "Postgres", "Mongo"), question=QUESTION, policy=None):
    """The judge's verdict on one opinion per stance, by Ada, Bob, Cyd and so on."""
    said = [opinion(name, stance) for name, stance in zip("ABCDEFG", stances, strict=False)]
    return decide(question, said, Memory(), policy or Policy())


def bout(outcome="upheld", severity=None, persona=None, claim=None, **more) -> Bout:
    """A bout of its own persona and claim; `outcome` None is a void one."""
    number = next(_NUMBERS)
    if outcome in ("weakened", "overturned"):
        severity = severity or 4
    fields = {
        "bout_id": f"b{number}",
        "persona": persona or f"persona {number}",
        "topic": "general",
        "option": "Postgres",
        "attack": Attack(juror="Ada", claim=claim or f"claim {number} of its own", severity=4),
        "rebuttal": Rebuttal(juror="Bob", answer="not so"),
        "outcome": outcome,
        "severity": severity,
        "void": None if outcome else "it found no weakness",
    }
    return Bout(**(fields | more))


def score(juror="Cyd", side="A", picked="A", weight=4, **more) -> Score:
    return Score(juror=juror, attack_side=side, picked=picked, weight=weight, **more)


def scores(juror, won, weight=4):
    """Both orders of one scorer that finds for `attack`, `rebuttal`, `neither`, or by `place`."""
    picks = {
        "attack": ("A", "B"),
        "rebuttal": ("B", "A"),
        "neither": ("neither", "neither"),
        "place": ("A", "A"),
    }[won]
    return [score(juror, side, picked, weight) for side, picked in zip("AB", picks, strict=True)]


def verdict_with(**changes) -> Verdict:
    return Verdict(**{**dict(decided()), **changes})


def keep_bouts(home, outcome, persona, n, topic="general"):
    """Record n verdicts of 2–1, each attacked once by the persona."""
    for i in range(n):
        said = {"Ada": "yes", "Bob": "yes", "Cyd": "no"}
        whole = deliberation(f"{persona}-{topic}-{outcome}-{i}", said, topic=topic)
        held = bout(outcome, persona=persona, topic=topic, option="yes")
        keep(Journal(home), attacked(whole, held))


# Scripted seats ------------------------------------------------------------------------------


def stage_of(body):
    """Which prompt a request is: ask, reconsider, attack, rebut, score or reopen."""
    system, user = (message["content"] for message in body["messages"])
    if "test of a council's answer" in system:
        signs = (("you argue against its answer", "attack"), ("You speak for the answer", "rebut"))
        return next((stage for sign, stage in signs if sign in user), "score")
    if "an attack on its answer stood" in user:
        return "reopen"
    return "reconsider" if "The council is split" in user else "ask"


def check_of(body):
    return re.search(r'"check": "(\w+)"', body["messages"][-1]["content"]).group(1)


def sides_of(body):
    """The two sides as a scorer is shown them."""
    user = body["messages"][-1]["content"]
    return re.search(
        r"===== SIDE A (\w+)\n(.*?)\n===== SIDE B \1\n(.*?)\n===== ", user, re.DOTALL
    ).groups()[1:]


def said(choice, reason="because"):
    return {"opinion": {"choice": choice, "position": choice, "reasons": [reason]}}


def answer(body, **fields):
    return json.dumps({"check": check_of(body), **fields})


class Seat:
    """A scripted model: what it says at each stage; a callable gets the request's body."""

    def __init__(self, choice="A", **stages):
        self.stages = {
            "ask": said(choice),
            "reconsider": said(choice),
            "reopen": said(choice),
            "attack": {"opinion": {"claim": "ATTACK: it does not scale", "severity": 5}},
            "rebut": {"opinion": {"answer": "REPLY: it scales far enough"}},
            "score": weighing("REPLY"),
        } | stages

    def __call__(self, body):
        what = self.stages[stage_of(body)]
        return what(body) if callable(what) else what


def weighing(sign, weight=4):
    """A scorer that finds for the side with `sign` in it, wherever it stands; honest."""

    def scored(body):
        one, other = sides_of(body)
        stronger = "A" if sign in one else "B" if sign in other else "neither"
        return answer(body, stronger=stronger, weight=weight, reason="r")

    return scored


def always(letter, weight=4):
    """A scorer that takes the same letter whatever stands there."""
    return lambda body: answer(body, stronger=letter, weight=weight, reason="r")


def roster(server, *names, **more):
    names = names or ("ada", "bob", "cyd")
    return Roster(
        jurors=tuple(
            JurorSpec(
                name=name.title(),
                provider="openai_compatible",
                model=name,
                base_url=server.base_url,
                timeout_seconds=5,
                **more,
            )
            for name in names
        )
    )


def convene(server, *names, question=QUESTION, events=None, seats=None, **arena):
    """A deliberation over HTTP with the arena always held, unless told otherwise."""
    policy = Policy(arena=ArenaPolicy(**({"mode": "always"} | arena)))
    watch = (events if events is not None else []).append
    return asyncio.run(
        deliberate(
            question,
            seats or roster(server, *names),
            policy,
            plain_stages(Settings(attempts=2)),
            new_session("direct"),
            watch,
        )
    )
