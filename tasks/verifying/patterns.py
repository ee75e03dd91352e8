"""Regular expressions on text that somebody else wrote: each search has a time.

`regex` takes a timeout where `re` may backtrack for ever; its import waits until a pattern is used.
"""

SECONDS = 1.0
"""For one search."""


class Timeless(Exception):
    """A search that did not end within its time."""


def pattern_fault(pattern: str) -> str | None:
    """Return why `pattern` is no regular expression, None when it is one."""
    import regex  # noqa: PLC0415

    try:
        regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError) as error:
        return str(error)
    return None


def finds(pattern: str, text: str) -> bool:
    """Return whether the pattern is found somewhere in `text`.

    Raises:
        Timeless: when that is not known within `SECONDS`.
    """
    import regex  # noqa: PLC0415

    try:
        return regex.search(pattern, text, timeout=SECONDS) is not None
    except TimeoutError:
        raise Timeless(
            f"the pattern {pattern[:60]!r} did not come to an end within {SECONDS:g} s; "
            "write it without nested repetition"
        ) from None
