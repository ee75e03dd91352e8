"""From what a person typed to a question that can be asked."""

from collections.abc import Sequence

from contracts.errors import QuestionError
from contracts.question import Question
from contracts.skill import Topic
from tasks.reading.options import check_options, options_in
from tasks.reading.skill import match_topic

MAX_BYTES = 200_000


def make_question(
    text: str,
    *,
    options: Sequence[str] = (),
    topic: str | None = None,
    context: str | None = None,
    tags: Sequence[str] = (),
    topics: tuple[Topic, ...] = (),
) -> Question:
    """Return the question, with options from `options` or from the text, and a topic.

    Raises:
        QuestionError: for an empty text, one option only, options that are the same, or more than
            200 kB of question and context.
    """
    asked = " ".join(text.split()) if "\n" not in text.strip() else text.strip()
    if not asked:
        raise QuestionError('the question is empty; ask something, in quotes: council ask "…?"')
    size = len(asked.encode("utf-8", "replace")) + len((context or "").encode("utf-8", "replace"))
    if size > MAX_BYTES:
        raise QuestionError(
            f"question and context are {size:,} bytes; at most {MAX_BYTES:,}. Shorten the context."
        )
    found = check_options(options) if options else options_in(asked)
    return Question(
        text=asked.encode("utf-8", "replace").decode("utf-8"),
        options=found,
        options_source="given" if options else "text" if found else "open",
        topic=(topic or "").strip() or match_topic(asked, topics),
        context=context or None,
        tags=tuple(tags),
    )
