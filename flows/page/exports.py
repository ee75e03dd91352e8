"""A verdict as a file to keep or to send."""

from collections.abc import Mapping
from functools import cache

from markupsafe import Markup

from contracts.deliberation import Deliberation
from flows.page.answers import dumps
from flows.page.card import card_of
from flows.page.page import public
from flows.page.render import HERE, render
from tasks.markdown import verdict_markdown

FORMATS: Mapping[str, str] = {
    "json": "application/json",
    "md": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
}


def exported(done: Deliberation, form: str) -> bytes:
    """Return the deliberation in one of `FORMATS`."""
    if form == "json":
        return dumps(public(done)).encode()
    if form == "md":
        return verdict_markdown(done).encode("utf-8", "replace")
    page = render("export.html", card=card_of(done), style=Markup(_style()))  # noqa: S704 - our own
    return page.encode("utf-8", "replace")


@cache
def _style() -> str:
    return (HERE / "static" / "council.css").read_text(encoding="utf-8")
