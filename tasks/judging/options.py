"""How many options a question gave its jurors."""

from contracts.question import Question


def options_known(question: Question) -> int | None:
    """Return the number of options that could be chosen; None where anything could be said."""
    given = question.options_source in {"given", "text"}
    return len(question.options) if given and question.options else None
