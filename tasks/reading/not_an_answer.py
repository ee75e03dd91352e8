"""What stands where an answer should be and is none: blanks, placeholders, errors, echoes."""

from contracts.question import Question
from tasks.reading.echoes import is_placeholder, is_question
from tasks.reading.failures import failure_in_text, is_sentinel


def why_no_answer(text: str, question: Question) -> str | None:
    """Return why `text` is no answer to the question, in words; None when it may be one."""
    if not any(character.isalnum() or ord(character) > ord("←") for character in text):
        return "is blank"
    if is_sentinel(text, question) or is_placeholder(text, question):
        return f"is a placeholder ({text.strip()[:40]})"
    if is_question(text, question):
        return "only repeats the question"
    failure = failure_in_text(text, question)
    return f"is an error message ({failure.detail[:80]})" if failure else None
