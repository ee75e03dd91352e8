"""Writes an approved rule into the home's SKILL.md, and nothing else into it.

The file is read strictly before and after: a hand-broken one is not touched, and what is not the
rule's own line stays as it is, letter for letter. A lock keeps two writers apart, and readers see
the old file or the new one.
"""

import unicodedata
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock, Timeout

from contracts.base import sha256_text
from contracts.errors import SkillError
from contracts.juror import Roster
from contracts.skill import RuleChange, WeightRule
from data.files import make_directory, replace
from data.journal import Journal
from tasks.judging.rules import describe, same_name
from tasks.providers.hermes_home import foreman_home
from tasks.reading.skill import WEIGHT_COLUMNS, read_rule, read_skill
from tasks.skills import seed, skill_path, skill_text

MAX_LINE = 500
"""Characters of one rule with its evidence."""
WAIT_SECONDS = 20.0
SEEDS = ("council", "hyde")

_NEW_BLOCK = "\n## Weights\n\n```weights\n" + " | ".join(WEIGHT_COLUMNS) + "\n```\n"


class _Placed(NamedTuple):
    """A SKILL.md with the rule in it, and the rule that it took the place of."""

    text: str
    replaced: WeightRule | None


def learn(
    home: Path,
    line: str,
    roster: Roster,
    *,
    by: str,
    at: datetime,
    replace_old: bool = False,
    source: str = "learn",
) -> RuleChange:
    """Write the rule `juror | topic | weight | evidence` and return what changed.

    Args:
        home: Council's home.
        line: the rule; its evidence may be left out.
        roster: the seats that a rule may name.
        by: who approves it.
        at: when.
        replace_old: whether a rule for the same juror and topic may be replaced.
        source: the way that it came in.

    Raises:
        SkillError: naming what does not fit, in the line or in the file.
        StoreError: when the change cannot be kept in the journal.
    """
    cells = [cell.strip() for cell in _checked(line).split("|")]
    rule = read_rule(cells[:4], "the rule")
    if len(cells) > len(WEIGHT_COLUMNS) - 2:
        raise SkillError(f"{line!r}: a rule is `juror | topic | weight | evidence`, no more")
    approval = {"approved_by": _checked(by).replace("|", "/"), "approved_at": f"{at:%Y-%m-%d}"}
    rule = rule.model_copy(update={"juror": _seat(rule.juror, roster), **approval})
    placed = write_rule(home, rule, replace_old=replace_old)
    change = RuleChange(
        rule=rule,
        replaced=placed.replaced,
        by=rule.approved_by,
        source=source,
        written_at=at,
        skill_sha256=sha256_text(placed.text),
    )
    Journal(home).put("rule", change.sha256(), change)
    return change


def write_rule(home: Path, rule: WeightRule, *, replace_old: bool = False) -> _Placed:
    """Write a rule whose juror and approval are checked already.

    Raises:
        SkillError: when the file does not read, is locked, or has a rule for that juror and topic.
    """
    file = skill_path(home)
    try:
        make_directory(file.parent)
        with FileLock(file.parent.with_suffix(".lock"), timeout=WAIT_SECONDS):
            text, where = skill_text(home, "council")
            placed = _placed(text, rule, where, replace_old=replace_old)
            for target in (file, *_copies(home)):
                _write(target, placed.text)
    except Timeout:
        raise SkillError(f"{file}: another program has been writing it for too long") from None
    except OSError as error:
        raise SkillError(f"{file}: cannot be written ({error})") from error
    return placed


def plant_seeds(home: Path) -> tuple[Path, ...]:
    """Write the shipped skills where the home has none yet; return what was written.

    Raises:
        SkillError: when they cannot be written.
    """
    planted = []
    for name in SEEDS:
        file = skill_path(home, name)
        try:
            if not file.exists():
                make_directory(file.parent)
                _write(file, seed(name))
                planted.append(file)
        except OSError as error:
            raise SkillError(f"{file}: cannot be written ({error})") from error
    return tuple(planted)


def copy_for_hermes(home: Path) -> Path:
    """Copy the skill into the foreman's home, for a Hermes that does not read it where it lies."""
    text, _ = skill_text(home, "council")
    file = _copy(home)
    make_directory(file.parent)
    _write(file, text)
    return file


def _copy(home: Path) -> Path:
    return foreman_home(home) / "skills" / "council" / "SKILL.md"


def _copies(home: Path) -> Iterable[Path]:
    return (_copy(home),) if _copy(home).exists() else ()


def _write(file: Path, text: str) -> None:
    real = file.resolve()
    mode = real.stat().st_mode & 0o777 if real.exists() else 0o600
    replace(real, [text.encode()], real.parent, mode=mode)


def _placed(text: str, rule: WeightRule, where: str, *, replace_old: bool) -> _Placed:
    before = read_skill(text, where=where)
    old = next((r for r in before.rules if _same(r, rule)), None)
    if old is not None and not replace_old:
        raise SkillError(
            f"{where}: there is a rule already: {describe(old)} (approved by "
            f"{old.approved_by or 'nobody named'}). Give --replace to put the new one in its place."
        )
    lines = text.splitlines(keepends=True)
    at, end = _place(lines, old)
    ending = "\r\n" if "\r\n" in text else "\n"
    lines[at:end] = [" | ".join(_cells(rule)) + ending]
    after = "".join(lines)
    rules = read_skill(after, where=where).rules
    if {*rules} != {*before.rules} - {old} | {rule}:
        raise SkillError(f"{where}: the rule could not be written without changing others")
    return _Placed(after, old)


def _place(lines: list[str], old: WeightRule | None) -> tuple[int, int]:
    """Return the lines that the rule takes the place of: none, before the block's last line."""
    if not any(line.strip() == "```weights" for line in lines):
        ending = "" if not lines or lines[-1].endswith("\n") else "\n"
        lines += (ending + _NEW_BLOCK).splitlines(keepends=True)
    start = next(i for i, line in enumerate(lines) if line.strip() == "```weights")
    end = next(i for i in range(start + 1, len(lines)) if lines[i].strip() == "```")
    for at in range(start + 1, end):
        cells = [cell.strip() for cell in lines[at].split("|")]
        if old and len(cells) > 1 and (cells[0], cells[1]) == (old.juror, old.topic):
            return at, at + 1
    return end, end


def _same(one: WeightRule, other: WeightRule) -> bool:
    return same_name(one.juror, other.juror) and same_name(one.topic, other.topic)


def _cells(rule: WeightRule) -> tuple[str, ...]:
    weight = f"{rule.weight:.12g}"
    return (rule.juror, rule.topic, weight, rule.evidence, rule.approved_by, rule.approved_at)


def _seat(name: str, roster: Roster) -> str:
    """Return the name of a seat as the roster writes it."""
    for juror in roster.jurors:
        if same_name(juror.name, name):
            return juror.name
    seats = ", ".join(juror.name for juror in roster.jurors)
    raise SkillError(f"no juror is named {name!r}; the roster seats {seats}")


def _checked(text: str) -> str:
    hidden = any(unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"} for char in text)
    if hidden or "```" in text:
        raise SkillError(f"{text[:80]!r}: a rule is one line without control characters")
    if len(text) > MAX_LINE:
        raise SkillError(f"{text[:80]!r}…: longer than {MAX_LINE} characters")
    return text
