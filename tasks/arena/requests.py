"""From a bout to its prompts. The sides are cleaned first, fenced as data, and never named."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from contracts.base import sha256_text
from contracts.bout import Attack, Bout, Rebuttal, Side
from contracts.juror import Roster
from contracts.opinion import Opinion
from contracts.question import Question
from tasks.arena.case import REOPENED, Case, Casting
from tasks.prompting import (
    blot,
    fence,
    juror_request,
    material,
    prompt_template,
    prompt_text,
    said,
)
from tasks.providers.base import Request
from tasks.reading.guard import neutral
from tasks.reading.pleas import MAX_ANSWER, MAX_ASSUMPTION, MAX_CLAIM

_I = re.IGNORECASE
NOTHING = "This side says nothing."
EARLIER = "Others have made these attacks already; yours is another one: "


class Sides(NamedTuple):
    """What a scorer is shown, under the letters that it has in this order."""

    a: str
    b: str


def attack_request(case: Case, casting: Casting, earlier: Sequence[str]) -> Request:
    """Return the request for an attack; `earlier` are the claims of the rounds before."""
    persona, others = casting.persona, " and ".join(f"the {name}" for name in casting.before)
    made = "; ".join(f"“{neutral(claim, MAX_CLAIM)}”" for claim in earlier)
    user = prompt_template("attack.md").substitute(
        persona=persona.name,
        hunts=persona.hunts,
        fenced=fence(_matter(case)),
        others=f"Leave to {others} what they hunt. " if others else "",
        earlier=f"{EARLIER}{made}. " if made else "",
    )
    facts = _facts(case, "attack") | {
        "persona": persona.name,
        "before": list(casting.before),
        "earlier": list(earlier),
        "said": [[o.stance, list(o.reasons), _moved(case, o)] for o in case.last_opinions()],
    }
    return _plea(case, user, f"{casting.attacker.name}, as the {persona.name}", facts)


def rebut_request(case: Case, casting: Casting, attack: Attack) -> Request:
    """Return the request for the answer to an attack."""
    shown = attack_side(attack, case.roster, casting)
    user = prompt_template("rebut.md").substitute(fenced=fence(_matter(case) | {"ATTACK": shown}))
    facts = _facts(case, "rebut") | {"attack": shown}
    return _plea(case, user, f"{casting.rebutter.name}, for the verdict", facts)


def score_request(case: Case, sides: Sides) -> Request:
    """Return the blind request for one score: question and sides, nothing of the verdict."""
    parts = _question(case.question) | {"SIDE A": sides.a, "SIDE B": sides.b}
    user = prompt_template("score.md").substitute(fenced=fence(parts), check=check_word(sides))
    facts = {
        "stage": "score",
        "question_id": case.question.question_id,
        "question": case.question.text,
        "check": check_word(sides),
        "sides": list(sides),
    }
    return _plea(case, user, "a scorer", facts)


def reopen_request(case: Case, own: Opinion, bout: Bout) -> Request:
    """Return the request for an opinion after an overturned bout: the attack and the reply."""
    attack, reply = attack_text(bout, case.roster), rebuttal_text(bout, case.roster)
    parts = _question(case.question, options=False) | {
        "YOUR OWN EARLIER ANSWER": said(own.position or own.stance or "none", own.reasons),
        "THE ATTACK": attack,
        "THE REPLY TO IT": reply,
    }
    option = bout.attack.option if bout.attack else None
    facts = {
        "own": own.stance,
        "shown": [["attack", option, attack], ["reply", bout.option, reply]],
    }
    return juror_request(case.question, own.juror, REOPENED, "reopen.md", parts, facts)


def sides_of(attack: str, rebuttal: str, attack_side: Side) -> Sides:
    """Return the two texts in the order in which the attack has that letter."""
    return Sides(attack, rebuttal) if attack_side == "A" else Sides(rebuttal, attack)


def check_word(sides: Sides) -> str:
    """Return the word that a score has to repeat. It follows from both sides: neither knows it."""
    return "k" + sha256_text("\x00".join(("check", *sides)))[:9]


def attack_side(attack: Attack, roster: Roster, casting: Casting) -> str:
    """Return an attack as it is shown: claim and assumption, without names or its persona."""
    return _attack_text(attack, roster, casting.persona.name)


def attack_text(bout: Bout, roster: Roster) -> str:
    """Return the attack of a bout as it is shown."""
    return _attack_text(bout.attack, roster, bout.persona) if bout.attack else NOTHING


def rebuttal_text(bout: Bout, roster: Roster) -> str:
    """Return the rebuttal of a bout as it is shown."""
    return rebuttal_side(bout.rebuttal, roster) if bout.rebuttal else NOTHING


def rebuttal_side(rebuttal: Rebuttal, roster: Roster) -> str:
    """Return a rebuttal as it is shown, without names."""
    return neutral(blot(rebuttal.answer, roster), MAX_ANSWER) or NOTHING


def _attack_text(attack: Attack, roster: Roster, persona: str) -> str:
    def shown(text: str, limit: int) -> str:
        plain = neutral(blot(text, roster), limit)
        return re.sub(
            rf"\b(?:speaking )?as (?:the|an?) {re.escape(persona)}\b,? ?", "", plain, flags=_I
        )

    claim, assumption = (
        shown(attack.claim or "", MAX_CLAIM),
        shown(attack.assumption, MAX_ASSUMPTION),
    )
    return f"{claim} What does not hold: {assumption}" if assumption else claim


def _matter(case: Case) -> dict[str, str]:
    """Return the question, the verdict and what was said, as parts of a prompt."""
    supporters = case.supporters()
    last = case.last_opinions()
    held = [_reason(case, o) for o in last if o.juror in supporters]
    against = [f"{o.stance}: {_reason(case, o)}" for o in last if o.juror not in supporters]
    parts = _question(case.question) | {
        "ANSWER": f"{case.option} (jurors {case.verdict.split})",
        "SAID FOR IT": "\n".join(f"- {reason}" for reason in held),
    }
    if against:
        parts["SAID AGAINST IT"] = "\n".join(f"- {reason}" for reason in against)
    return parts


def _reason(case: Case, opinion: Opinion) -> str:
    words = "; ".join(opinion.reasons) or opinion.position or "gave no reason"
    return neutral(blot(words, case.roster), MAX_ANSWER)


def _question(question: Question, *, options: bool = True) -> dict[str, str]:
    """Options stand without letters here: A and B are the sides."""
    parts = material(question)
    if options and question.options:
        parts["OPTIONS"] = "\n".join(f"- {name}" for name in question.option_names)
    return parts


def _facts(case: Case, stage: str) -> dict[str, Any]:
    return {
        "stage": stage,
        "question_id": case.question.question_id,
        "question": case.question.text,
        "topic": case.question.topic,
        "verdict": case.option,
        "ballots": [[b.option, len(b.votes)] for b in case.verdict.ballots],
    }


def _moved(case: Case, opinion: Opinion) -> str | None:
    """Return the argument that moved a juror that changed its mind, None for one that did not."""
    for change in case.verdict.changed_minds:
        if change.juror == opinion.juror:
            return change.moved_by
    return None


def _plea(case: Case, user: str, subject: str, facts: Mapping[str, Any]) -> Request:
    return Request(
        system=prompt_text("bout.md"),
        user=user,
        options=case.question.option_names,
        subject=subject,
        facts=dict(facts),
    )
