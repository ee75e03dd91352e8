"""Tables of signs: blocks of text with one regular expression a line."""

import re
from functools import cache


@cache
def any_of(block: str) -> re.Pattern[str]:
    """Return one pattern for all lines of `block`; an indented line continues the one before.

    The tables are long: each is compiled when it is first needed, not when it is imported.
    """
    joined = re.sub(r"\n {4,}", "", block)
    return re.compile("|".join(f"(?:{line})" for line in joined.split("\n") if line.strip()))
