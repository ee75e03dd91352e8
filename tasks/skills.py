"""The learned skill in the home, seeded from the one that ships."""

from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from contracts.errors import SkillError
from contracts.persona import Hyde
from contracts.skill import Skill
from tasks.reading.personas import read_hyde
from tasks.reading.skill import read_skill


def skill_path(home: Path, name: str = "council") -> Path:
    """Return where a home keeps the skill."""
    return home / "skills" / name / "SKILL.md"


def load_skill(home: Path, name: str = "council") -> Skill:
    """Return the home's skill, or the shipped seed where the home has none yet.

    A skill that does not read stops the council: a verdict under other weights than the approved
    ones is not the verdict that was asked for, and the mend is one line away.

    Raises:
        SkillError: naming the line that does not fit.
    """
    return _skill(*skill_text(home, name))


def load_hyde(home: Path) -> Hyde:
    """Return the arena's personas: the home's, or the shipped ones where the home has none yet.

    Raises:
        SkillError: naming the line that does not fit.
    """
    return _hyde(*skill_text(home, "hyde"))


# The same text reads the same: a batch reads it once for all its questions.


@lru_cache(maxsize=8)
def _skill(text: str, where: str) -> Skill:
    return read_skill(text, where=where)


@lru_cache(maxsize=8)
def _hyde(text: str, where: str) -> Hyde:
    return read_hyde(text, where=where)


class SkillText(NamedTuple):
    """A SKILL.md as it stands, and how to call it in a message."""

    text: str
    where: str


def skill_text(home: Path, name: str) -> SkillText:
    """Return the home's SKILL.md, or the shipped one.

    Raises:
        SkillError: when it cannot be read.
    """
    path = skill_path(home, name)
    try:
        return SkillText(path.read_bytes().decode(), str(path))
    except FileNotFoundError:
        return SkillText(seed(name), f"the shipped {name} skill")
    except (OSError, UnicodeDecodeError) as error:
        raise SkillError(f"{path}: cannot be read: {error}") from error


@cache
def seed(name: str) -> str:
    """Return the skill that ships."""
    return files("skills").joinpath(name, "SKILL.md").read_text(encoding="utf-8")
