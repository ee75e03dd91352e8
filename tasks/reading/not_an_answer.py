"""What stands where an answer should be and is none: blanks, placeholders, errors, echoes."""


def why_no_answer(text: str, question_text: str) -> str | None:
    """Return why `text` is no answer to the question, in words; None when it may be one."""
    shown = text.strip(" \t\r\n-–—_.*`'\"?")
    if not shown:
        return "is blank"
    if shown.casefold() in {"n/a", "na", "none", "null", "nil", "tbd", "undefined"}:
        return f"is a placeholder ({shown})"
    if question_text.strip() and shown.casefold() == question_text.strip(" ?").casefold():
        return "repeats the question"
    return None
