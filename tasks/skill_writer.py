"""Writes an approved rule into a SKILL.md of the home, and nothing else into it.

The file is read strictly before and after: a hand-broken one is not touched, and what is not the
rule's own line stays as it is, letter for letter. A lock keeps two writers apart, and readers see
the old file or the new one.
"""

import unicodedata
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from filelock import FileLock, Timeout

from contracts.base import sha256_text
from contracts.errors import SkillError
from contracts.juror import Roster
from contracts.persona import CastingChange, CastingRule
from contracts.skill import RuleChange, WeightRule
from data.files import make_directory, replace
from data.journal import Journal
from tasks.judging.rules import describe, same_name
from tasks.providers.hermes_home import foreman_home
from tasks.reading.personas import CASTING_COLUMNS, read_hyde
from tasks.reading.skill import WEIGHT_COLUMNS, read_rule, read_skill
from tasks.skills import seed, skill_path, skill_text

MAX_LINE = 500
"""Characters of one rule with its evidence."""
WAIT_SECONDS = 20.0
SEEDS = ("council", "hyde")

Rule = TypeVar("Rule", WeightRule, CastingRule)


class Block(NamedTuple, Generic[Rule]):
    """A fenced block of rules, one a line: who, on which topic, what, on what evidence."""

    skill: str
    """Whose SKILL.md it stands in."""
    name: str
    columns: tuple[str, ...]
    rules: Callable[[str, str], tuple[Rule, ...]]
    """Reads a whole SKILL.md strictly; the second argument names it in errors."""


WEIGHTS: Block[WeightRule] = Block(
    "council", "weights", WEIGHT_COLUMNS, lambda text, where: read_skill(text, where=where).rules
)
CASTING: Block[CastingRule] = Block(
    "hyde", "casting", CASTING_COLUMNS, lambda text, where: read_hyde(text, where=where).casting
)


class _Placed(NamedTuple, Generic[Rule]):
    """A SKILL.md with the rule in it, and the rule that it took the place of."""

    text: str
    replaced: Rule | None


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
    rule = rule.model_copy(update={"juror": _seat(rule.juror, roster), **_approval(by, at)})
    placed = write_rule(home, WEIGHTS, rule, replace_old=replace_old)
    change = RuleChange(rule=rule, replaced=placed.replaced, **_written(placed, rule, source, at))
    Journal(home).put("rule", change.sha256(), change)
    return change


def learn_casting(
    home: Path,
    rule: CastingRule,
    *,
    by: str,
    at: datetime,
    replace_old: bool = False,
    source: str = "reflection",
) -> CastingChange:
    """Write a casting rule into the arena's skill and return what changed.

    Args:
        home: Council's home.
        rule: the rule; persona and topic come from the record of past arenas, so they are checked
            as if a stranger had written them.
        by: who approves it.
        at: when.
        replace_old: whether a rule for the same persona and topic may be replaced.
        source: the way that it came in.

    Raises:
        SkillError: naming what does not fit, in the rule or in the file.
        StoreError: when the change cannot be kept in the journal.
    """
    cells = (rule.persona, rule.topic, rule.evidence)
    _checked(" | ".join(cells))
    for cell in cells:
        if "|" in cell:
            raise SkillError(f"{cell[:80]!r}: no cell of a rule holds a `|`")
    rule = rule.model_copy(update=_approval(by, at))
    placed = write_rule(home, CASTING, rule, replace_old=replace_old)
    change = CastingChange(
        rule=rule, replaced=placed.replaced, **_written(placed, rule, source, at)
    )
    Journal(home).put("casting", change.sha256(), change)
    return change


def write_rule(
    home: Path, block: Block[Rule], rule: Rule, *, replace_old: bool = False
) -> _Placed[Rule]:
    """Write a rule whose names and approval are checked already.

    Raises:
        SkillError: when the file does not read, is locked, or has a rule for the same already.
    """
    file = skill_path(home, block.skill)
    try:
        make_directory(file.parent)
        with FileLock(file.parent.with_suffix(".lock"), timeout=WAIT_SECONDS):
            text, where = skill_text(home, block.skill)
            placed = _placed(text, block, rule, where, replace_old=replace_old)
            for target in (file, *_copies(home, block.skill)):
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
    text, _ = skill_text(home, WEIGHTS.skill)
    file = _copy(home, WEIGHTS.skill)
    make_directory(file.parent)
    _write(file, text)
    return file


def _copy(home: Path, skill: str) -> Path:
    return foreman_home(home) / "skills" / skill / "SKILL.md"


def _copies(home: Path, skill: str) -> Iterable[Path]:
    return (_copy(home, skill),) if _copy(home, skill).exists() else ()


def _approval(by: str, at: datetime) -> dict[str, str]:
    return {"approved_by": _checked(by).replace("|", "/"), "approved_at": f"{at:%Y-%m-%d}"}


def _written(placed: _Placed[Rule], rule: Rule, source: str, at: datetime) -> dict[str, Any]:
    digest = sha256_text(placed.text)
    return {"by": rule.approved_by, "source": source, "written_at": at, "skill_sha256": digest}


def _write(file: Path, text: str) -> None:
    real = file.resolve()
    mode = real.stat().st_mode & 0o777 if real.exists() else 0o600
    replace(real, [text.encode()], real.parent, mode=mode)


def _placed(
    text: str, block: Block[Rule], rule: Rule, where: str, *, replace_old: bool
) -> _Placed[Rule]:
    before: tuple[Rule, ...] = block.rules(text, where)
    cells = _cells(block, rule)
    old = next((one for one in before if _same(_cells(block, one), cells)), None)
    if old is not None and not replace_old:
        raise SkillError(
            f"{where}: there is a rule already: {describe(old)} (approved by "
            f"{old.approved_by or 'nobody named'}). Give --replace to put the new one in its place."
        )
    lines = text.splitlines(keepends=True)
    at, end = _place(lines, block, _cells(block, old) if old else ())
    ending = "\r\n" if "\r\n" in text else "\n"
    lines[at:end] = [" | ".join(cells) + ending]
    after: str = "".join(lines)
    if {*block.rules(after, where)} != {*before} - {old} | {rule}:
        raise SkillError(f"{where}: the rule could not be written without changing others")
    return _Placed(after, old)


def _place(lines: list[str], block: Block[Any], old: tuple[str, ...]) -> tuple[int, int]:
    """Return the lines that the rule takes the place of: none, before the block's last line."""
    fence = f"```{block.name}"
    if not any(line.strip() == fence for line in lines):
        ending = "" if not lines or lines[-1].endswith("\n") else "\n"
        new = f"\n## {block.name.title()}\n\n{fence}\n{' | '.join(block.columns)}\n```\n"
        lines += (ending + new).splitlines(keepends=True)
    start = next(i for i, line in enumerate(lines) if line.strip() == fence)
    end = next(i for i in range(start + 1, len(lines)) if lines[i].strip() == "```")
    for at in range(start + 1, end):
        cells = [cell.strip() for cell in lines[at].split("|")]
        if old and len(cells) > 1 and (cells[0], cells[1]) == old[:2]:
            return at, at + 1
    return end, end


def _same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return same_name(one[0], other[0]) and same_name(one[1], other[1])


def _cells(block: Block[Rule], rule: Rule) -> tuple[str, ...]:
    """Return what stands in the rule's line; its columns are named as its fields are."""
    values = (getattr(rule, column) for column in block.columns)
    return tuple(f"{value:.12g}" if isinstance(value, float) else value for value in values)


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
