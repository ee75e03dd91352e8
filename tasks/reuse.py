"""When an opinion is the answer to the same thing, and may be used again."""

from collections.abc import Sequence
from datetime import timedelta

from contracts.base import sha256_text
from contracts.juror import Endpoint, JurorSpec, Roster
from contracts.opinion import Opinion
from contracts.question import Question
from data.heard import Heard
from tasks.prompting import ask_request, prompt_sha256, reconsider_request, shown_to
from tasks.stages import Stages

VERSION = "v1"
"""Raised when what an opinion holds, or how a reply is read, changes."""
REUSED = "reused"


def ask_key(scope: str, question: Question, seat: JurorSpec, endpoint: Endpoint) -> str:
    """Return the key of an opinion in round 1.

    It holds everything that could change the answer and nothing that could not; `scope` is within
    what it may be used again.
    """
    prompt = prompt_sha256(ask_request(question, seat.name))
    return _key("ask", scope, question, seat, endpoint, prompt)


def reconsider_key(
    scope: str,
    question: Question,
    seat: JurorSpec,
    endpoint: Endpoint,
    own: Opinion,
    opinions: Sequence[Opinion],
    roster: Roster,
) -> str:
    """Return the key of an opinion in round 2: the prompt holds what was shown."""
    shown = shown_to(question, seat.name, opinions, roster)
    prompt = prompt_sha256(reconsider_request(question, seat.name, own, shown))
    return _key("reconsider", scope, question, seat, endpoint, prompt)


def reused(opinion: Opinion) -> Opinion:
    """Return the opinion, marked as heard earlier."""
    if REUSED in opinion.flags:
        return opinion
    return opinion.model_copy(update={"flags": (*opinion.flags, REUSED)})


def remembering(stages: Stages, heard: Heard, scope: str, keep: timedelta | None = None) -> Stages:
    """Return plain stages that ask nobody twice for the same thing within `scope`."""

    async def ask(question: Question, seat: JurorSpec, endpoint: Endpoint) -> Opinion:
        key = ask_key(scope, question, seat, endpoint)
        if found := heard.get(key, keep):
            return reused(found)
        opinion = await stages.ask(question, seat, endpoint)
        heard.put(key, opinion)
        return opinion

    async def reconsider(
        question: Question,
        seat: JurorSpec,
        endpoint: Endpoint,
        own: Opinion,
        opinions: Sequence[Opinion],
        roster: Roster,
    ) -> Opinion:
        key = reconsider_key(scope, question, seat, endpoint, own, opinions, roster)
        if found := heard.get(key, keep):
            return reused(found)
        opinion = await stages.reconsider(question, seat, endpoint, own, opinions, roster)
        heard.put(key, opinion)
        return opinion

    return stages._replace(ask=ask, reconsider=reconsider)


def _key(
    stage: str, scope: str, question: Question, seat: JurorSpec, endpoint: Endpoint, prompt: str
) -> str:
    parts = (scope, question.question_id, seat.name, seat.family, endpoint.sha256(), prompt)
    return f"{stage}:{VERSION}:{sha256_text(':'.join(parts))}"
