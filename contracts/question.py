"""The question put to the council, and the options it may choose from."""

from functools import cached_property
from string import ascii_uppercase
from typing import Literal

from pydantic import Field

from contracts.base import Record, canonical_json, sha256_text
from contracts.evidence import Evidence

OptionsSource = Literal["given", "text", "slate", "open"]


class Option(Record):
    """One answer that a juror may endorse."""

    name: str = Field(min_length=1, max_length=500)
    """The option as it is shown and stored."""
    aliases: tuple[str, ...] = ()
    """Other spellings that mean the same option."""


class Question(Record):
    """What is asked. Its identity is its content: the same question has the same id."""

    text: str = Field(min_length=1, max_length=200_000)
    options: tuple[Option, ...] = ()
    """Empty for an open question. In prompts option i has the letter A, B, C …"""
    options_source: OptionsSource = "open"
    """`given` by the user, read from the `text`, a `slate` put together from round 1, or none."""
    topic: str = "general"
    context: str | None = None
    """Material to judge by, as data."""
    tags: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    """What delegated work brought for this deliberation. No part of the question's identity."""

    @cached_property
    def question_id(self) -> str:
        """Hex SHA-256 of the canonical form; a slate made on the way does not change it."""
        own = () if self.options_source == "slate" else self.options
        form = {
            "context": self.context,
            "options": [option.model_dump(mode="json") for option in own],
            "text": self.text,
            "topic": self.topic,
        }
        return sha256_text(canonical_json(form))

    @property
    def short_id(self) -> str:
        """First eight characters of the id, for names of runs."""
        return self.question_id[:8]

    @property
    def option_names(self) -> tuple[str, ...]:
        """Names of the options, in order."""
        return tuple(option.name for option in self.options)


def letter(index: int) -> str:
    """Return the letter of option `index` (0-based): A to Z, then AA, AB and so on."""
    tail = ascii_uppercase[index % len(ascii_uppercase)]
    rest = index // len(ascii_uppercase)
    return letter(rest - 1) + tail if rest else tail
