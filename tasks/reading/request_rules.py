"""Rules that come along with a request: checked like those of SKILL.md, for that request only."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from contracts.errors import SkillError
from contracts.skill import Topic, WeightRule
from tasks.judging.rules import describe, same_name
from tasks.reading.skill import read_rule

MAX_RULES = 20
MAX_CELL = 200
FIELDS = ("juror", "topic", "weight", "evidence")
SENT = "sent with the request"
"""Who approved such a rule, as far as the council can tell."""
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def request_rules(
    raw: object, jurors: Iterable[str], topics: Sequence[Topic] = ()
) -> tuple[WeightRule, ...]:
    """Return the rules that a request carries, marked as such whatever they claim themselves.

    Args:
        raw: a list of objects `{juror, topic, weight, evidence}` or of lines
            `juror | topic | weight | evidence`; anything at all may come in.
        jurors: the seats that a rule may name.
        topics: where given, a rule may not name a mere word of one.

    Raises:
        SkillError: naming the rule that does not fit: more than `MAX_RULES`, not plain text on one
            line, an unknown juror, a weight outside (0, 5], or two for one juror and topic.
    """
    if not isinstance(raw, list | tuple):
        raise SkillError(f"the rules of the request are a list, not {type(raw).__name__}")
    if len(raw) > MAX_RULES:
        raise SkillError(f"{len(raw)} rules came with the request; at most {MAX_RULES} may")
    seats = {name.strip().casefold(): name for name in jurors}
    rules: list[WeightRule] = []
    for number, one in enumerate(raw, 1):
        where = f"rule {number} of the request"
        rule = _rule(one, seats, where)
        _check_topic(rule, topics, where)
        if twin := next((old for old in rules if _same(old, rule)), None):
            raise SkillError(f"{where}: there is one for that already: {describe(twin)}")
        rules.append(rule)
    return tuple(rules)


def _rule(one: object, seats: Mapping[str, str], where: str) -> WeightRule:
    rule = read_rule([_plain(cell, where) for cell in _cells(one, where)], where)
    seat = seats.get(rule.juror.casefold())
    if seat is None:
        named = ", ".join(sorted(seats.values()))
        raise SkillError(f"{where}: no juror is named {rule.juror!r}; the roster seats {named}")
    return rule.model_copy(update={"juror": seat, "approved_by": SENT, "approved_at": ""})


def _cells(one: object, where: str) -> list[Any]:
    if isinstance(one, str):
        cells: list[Any] = one.split("|")
        if len(cells) > len(FIELDS):
            raise SkillError(f"{where}: a line is `juror | topic | weight | evidence`, no more")
        return cells
    if not isinstance(one, Mapping) or set(one) - set(FIELDS):
        raise SkillError(f"{where}: it has {', '.join(FIELDS)}, and nothing else")
    return [one.get(field, "") for field in FIELDS]


def _plain(cell: object, where: str) -> str:
    """Return a cell as text; a number is one where it is not a truth value."""
    if isinstance(cell, bool) or not isinstance(cell, str | int | float):
        raise SkillError(f"{where}: {cell!r:.60} is neither text nor a number")
    text = str(cell).strip()
    hidden = any(unicodedata.category(char) in _HIDDEN for char in text)
    if hidden or "|" in text or "```" in text or len(text) > MAX_CELL:
        raise SkillError(f"{where}: {text[:60]!r} is not plain text on one line without `|`")
    return text


def _check_topic(rule: WeightRule, topics: Sequence[Topic], where: str) -> None:
    if any(same_name(rule.topic, topic.name) for topic in topics):
        return
    for topic in topics:
        if any(same_name(rule.topic, word) for word in topic.words):
            raise SkillError(
                f"{where}: {rule.topic!r} is a word of the topic {topic.name}; name the topic"
            )


def _same(one: WeightRule, other: WeightRule) -> bool:
    return same_name(one.juror, other.juror) and same_name(one.topic, other.topic)
