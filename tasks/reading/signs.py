"""Tables of signs: blocks of text with one regular expression a line."""

import re


def any_of(block: str) -> re.Pattern[str]:
    """Return one pattern for all lines of `block`; an indented line continues the one before."""
    joined = re.sub(r"\n {4,}", "", block)
    return re.compile("|".join(f"(?:{line})" for line in joined.split("\n") if line.strip()))
