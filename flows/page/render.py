"""HTML and Markdown from templates, with everything foreign escaped and made visible."""

import re
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

HERE = Path(__file__).parent

_UNSAFE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def clean(value: Any) -> Any:
    """Return foreign text without what is not seen: controls, direction marks, half surrogates."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return _UNSAFE.sub("\ufffd", value)


@cache
def environment() -> Environment:
    """Return the templates. Every value passes `clean`, and then is escaped."""
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=clean,
    )
    made.filters.update(day=_day, moment=_moment, percent=_percent, short=_short, seconds=_seconds)
    return made


def render(template: str, **values: Any) -> str:
    """Return a template of `templates/` filled in."""
    return environment().get_template(template).render(**values)


def _day(when: datetime) -> str:
    return f"{when:%Y-%m-%d}"


def _moment(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M} UTC"


def _percent(share: float) -> str:
    return f"{share:.0%}"


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 0.1 else "less than 0.1 s"  # noqa: PLR2004 - one digit


def _short(text: str, length: int = 140) -> str:
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 1]}…"
