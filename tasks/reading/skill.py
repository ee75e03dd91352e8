"""Reads a SKILL.md strictly: a line that does not fit is an error that names it."""

import math
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from contracts.errors import SkillError
from contracts.skill import Skill, Topic, WeightRule

WEIGHT_COLUMNS = ("juror", "topic", "weight", "evidence", "approved_by", "approved_at")
MAX_WEIGHT = 5.0
MAX_CHARACTERS = 100_000


class Line(NamedTuple):
    """A line of a block and its number in the file, from 1."""

    number: int
    text: str


def read_skill(
    text: str, *, where: str = "SKILL.md", jurors: frozenset[str] | None = None
) -> Skill:
    """Return the skill that `text` holds.

    `jurors`, where given, are the seats that a rule may name (compared without case).

    Raises:
        SkillError: for a missing front matter field, a malformed line, an unknown juror, a weight
            outside (0, 5] or not a number, or two rules for one juror and topic; it names the line.
    """
    if len(text) > MAX_CHARACTERS:
        raise SkillError(f"{where}: {len(text)} characters; a skill has at most {MAX_CHARACTERS}")
    lines = [Line(i, line) for i, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1)]
    front, body_at = _front_matter(lines, where)
    return Skill(
        name=front["name"],
        description=front["description"],
        version=front["version"],
        body="\n".join(line.text for line in lines[body_at:]).strip(),
        topics=tuple(_topics(block(lines, "topics", where), where)),
        rules=_rules(block(lines, "weights", where), where, jurors),
    )


def match_topic(text: str, topics: tuple[Topic, ...]) -> str:
    """Return the topic with the most words in `text`; the first on a tie; `general` with none."""
    best, hits = "general", 0
    for topic in topics:
        count = sum(_whole(word).search(text) is not None for word in topic.words)
        if count > hits:
            best, hits = topic.name, count
    return best


@lru_cache(maxsize=4096)
def _whole(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)


def block(lines: list[Line], name: str, where: str) -> list[Line]:
    """Return the lines of the one fenced block called `name`; empty when there is none.

    Blank lines and comments (`# …`) are left out.
    """
    starts = [i for i, line in enumerate(lines) if line.text.strip() == f"```{name}"]
    if len(starts) > 1:
        raise SkillError(f"{where}:{lines[starts[1]].number}: a second `{name}` block; keep one")
    if not starts:
        return []
    for i in range(starts[0] + 1, len(lines)):
        if lines[i].text.strip() == "```":
            return [line for line in lines[starts[0] + 1 : i] if _says_something(line)]
    raise SkillError(f"{where}:{lines[starts[0]].number}: the `{name}` block is never closed")


def _says_something(line: Line) -> bool:
    return bool(line.text.strip()) and not line.text.lstrip().startswith("# ")


def _front_matter(lines: list[Line], where: str) -> tuple[dict[str, str], int]:
    ends = [i for i, line in enumerate(lines) if line.text.strip() == "---"]
    if len(ends) < 2 or ends[0] != 0:  # noqa: PLR2004 - an opening and a closing line
        raise SkillError(f"{where}:1: starts with front matter between two lines of `---`")
    front: dict[str, str] = {}
    for line in lines[1 : ends[1]]:
        key, colon, value = line.text.partition(":")
        if line.text.strip() and not colon:
            raise SkillError(f"{where}:{line.number}: {line.text!r} is not `name: value`")
        front[key.strip()] = value.strip().strip("\"'")
    for field in ("name", "description", "version"):
        if not front.get(field):
            raise SkillError(f"{where}: the front matter lacks `{field}`")
    return front, ends[1] + 1


def _topics(lines: list[Line], where: str) -> Iterator[Topic]:
    seen: set[str] = set()
    for line in lines:
        name, bar, words = line.text.partition("|")
        name = name.strip()
        if not bar or not name or name.casefold() in seen:
            raise SkillError(f"{where}:{line.number}: {line.text!r} is not `topic | word, word`")
        seen.add(name.casefold())
        yield Topic(name=name, words=tuple(w.strip() for w in words.split(",") if w.strip()))


def _rules(lines: list[Line], where: str, jurors: frozenset[str] | None) -> tuple[WeightRule, ...]:
    rules: dict[tuple[str, str], WeightRule] = {}
    known = {name.casefold() for name in jurors} if jurors is not None else None
    for line in lines:
        cells = [cell.strip() for cell in line.text.split("|")]
        if tuple(cell.casefold() for cell in cells) == WEIGHT_COLUMNS[: len(cells)]:
            continue
        rule = read_rule(cells, f"{where}:{line.number}")
        if known is not None and rule.juror.casefold() not in known:
            raise SkillError(
                f"{where}:{line.number}: no juror is named {rule.juror!r}; "
                f"the roster seats {', '.join(sorted(jurors or ()))}"
            )
        key = (rule.juror.casefold(), rule.topic.casefold())
        if key in rules:
            raise SkillError(
                f"{where}:{line.number}: a second rule for {rule.juror} on {rule.topic}; keep one"
            )
        rules[key] = rule
    return tuple(rules.values())


def read_rule(cells: list[str], where: str) -> WeightRule:
    """Return the rule in `cells` (juror, topic, weight, then optional evidence and approval).

    Raises:
        SkillError: naming `where` and what does not fit.
    """
    if not 3 <= len(cells) <= len(WEIGHT_COLUMNS) or not all(cells[:3]):  # noqa: PLR2004
        raise SkillError(f"{where}: {' | '.join(cells)!r} is not `juror | topic | weight | …`")
    try:
        weight = float(cells[2])
    except ValueError:
        weight = math.nan
    if not 0 < weight <= MAX_WEIGHT:
        raise SkillError(f"{where}: the weight {cells[2]!r} is not a number in (0, 5]")
    rest = dict(zip(WEIGHT_COLUMNS[3:], cells[3:], strict=False))
    return WeightRule(juror=cells[0], topic=cells[1], weight=weight, **rest)
