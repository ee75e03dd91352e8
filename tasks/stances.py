"""The stage between asking and judging: every opinion gets a stance on the same options."""

from collections.abc import Sequence
from typing import NamedTuple

from contracts.opinion import Opinion
from contracts.question import Question
from tasks.reading.slate import merge_positions
from tasks.reading.stance import Answer


class Closed(NamedTuple):
    """A question with options, and the opinions with stances on them."""

    question: Question
    opinions: tuple[Opinion, ...]


def close_question(question: Question, opinions: Sequence[Opinion]) -> Closed:
    """Return an open question with the slate of round 1 as its options.

    A question that has options passes unchanged, and so does one to which nobody gave a position.
    """
    if question.options:
        return Closed(question, tuple(opinions))
    said = {o.juror: Answer(None, o.position, o.reasons) for o in opinions if o.stance is not None}
    slate = merge_positions(said, question)
    if not slate.options:
        return Closed(question, tuple(opinions))
    closed = question.model_copy(update={"options": slate.options, "options_source": "slate"})
    return Closed(
        closed,
        tuple(_with_stance(opinion, slate.camp_of.get(opinion.juror)) for opinion in opinions),
    )


def _with_stance(opinion: Opinion, camp: str | None) -> Opinion:
    if opinion.stance is None:
        return opinion
    if camp is None:
        return opinion.model_copy(
            update={
                "stance": None,
                "stance_reading": None,
                "abstain_reason": "no_stance",
                "abstain_detail": "its position says nothing that can be chosen",
            }
        )
    return opinion.model_copy(update={"stance": camp})
