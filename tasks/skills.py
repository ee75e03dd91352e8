"""The learned skill in the home, seeded from the one that ships."""

from importlib.resources import files
from pathlib import Path

from contracts.errors import SkillError
from contracts.skill import Skill
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
    path = skill_path(home, name)
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return read_skill(seed(name), where=f"the shipped {name} skill")
    except (OSError, UnicodeDecodeError) as error:
        raise SkillError(f"{path}: cannot be read: {error}") from error
    return read_skill(text, where=str(path))


def seed(name: str) -> str:
    """Return the skill that ships."""
    return files("skills").joinpath(name, "SKILL.md").read_text(encoding="utf-8")
