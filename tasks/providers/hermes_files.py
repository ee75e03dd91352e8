"""Writes a Hermes home without taking anything from anybody.

A file that already says what it should is not touched. What Council wrote is replaced; what
somebody else wrote or changed is copied before it is replaced, and the difference can be shown
first.
"""

import difflib
import io
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from contracts.base import sha256_text
from contracts.errors import ConfigError

MANIFEST = "council-files.json"
"""In each home: the hash of every file as Council wrote it."""

HEADER = "# Written by Council from the roster. Change the roster, not this file. (JSON is YAML.)\n"

_SECRET = re.compile(
    r"((?:api_?key|token|secret|password|authorization)\w{0,20}[\"']?\s{0,4}:\s{0,4})\S.{0,500}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class HomePlan:
    """A home as it should be."""

    home: Path
    files: Mapping[str, str]
    """Text by path relative to the home."""
    folders: tuple[str, ...] = ()
    """Directories that must exist."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file that is not as planned."""

    file: Path
    before: str | None
    """None where there is no such file."""
    after: str = field(repr=False)
    foreign: bool
    """Somebody else wrote or changed it: it is copied before it is replaced."""

    @property
    def backup(self) -> Path | None:
        """Where the copy goes; the same content always goes to the same file."""
        if not self.foreign or self.before is None:
            return None
        return self.file.with_name(
            f"{self.file.name}.before-council-{sha256_text(self.before)[:8]}"
        )

    @property
    def diff(self) -> str:
        """The change as a unified diff; values of keys and tokens are masked."""
        before = (self.before or "").splitlines(keepends=True)
        name = str(self.file)
        lines = difflib.unified_diff(before, self.after.splitlines(keepends=True), name, name)
        return _SECRET.sub(r"\1***", "".join(lines))


def changes(plan: HomePlan) -> tuple[FileChange, ...]:
    """Return what writing the plan would change, in order of the file names.

    Raises:
        ConfigError: a file is there and cannot be read as text.
    """
    written = _manifest(plan.home)
    found = (
        _change(plan.home / name, text, written.get(name)) for name, text in plan.files.items()
    )
    return tuple(sorted((c for c in found if c is not None), key=lambda c: c.file))


def write_home(plan: HomePlan, *, into_user_home: bool = False) -> tuple[FileChange, ...]:
    """Make the home as planned and return what was changed; nothing is written where all fits.

    Args:
        plan: the home and its files.
        into_user_home: whether the person asked for the change of their own `~/.hermes`.

    Raises:
        ConfigError: the home is the person's own and they did not ask, or it cannot be written.
    """
    if plan.home.resolve() == (Path.home() / ".hermes").resolve() and not into_user_home:
        raise ConfigError(f"{plan.home} is your own Hermes home; Council leaves it alone.")
    made = changes(plan)
    try:
        for folder in (plan.home, *(plan.home / name for name in plan.folders)):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for change in made:
            _apply(change)
        if made:
            _remember(plan)
    except OSError as error:
        raise ConfigError(f"{plan.home}: cannot be written ({error}).") from error
    return made


def as_yaml(config: Mapping[str, Any]) -> str:
    """Return a configuration in the part of YAML that every reader takes alike: JSON."""
    return HEADER + json.dumps(config, indent=2, ensure_ascii=False) + "\n"


def merged_yaml(
    text: str, providers: Mapping[str, Mapping[str, Any]], skill_folders: Sequence[str], where: str
) -> str:
    """Return somebody's configuration with our providers and skill folders added.

    Everything else, comments included, stays. What is there already is not added again.

    Raises:
        ConfigError: naming `where`, when the text is not a YAML mapping.
    """
    from ruamel.yaml import YAML  # noqa: PLC0415 - slow to import, and needed once in a lifetime
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415

    editor = YAML()
    editor.preserve_quotes = True
    editor.width = 4096
    try:
        config = editor.load(text) or {}
        entries, folders = _sections(config)
    except (YAMLError, TypeError, AttributeError) as error:
        raise ConfigError(
            f"{where}: is no Hermes configuration; mend it first ({error})."
        ) from None
    for name, entry in providers.items():
        if entries.get(name) != entry:
            entries[name] = dict(entry)
    folders.extend(folder for folder in skill_folders if folder not in folders)
    out = io.StringIO()
    editor.dump(config, out)
    return out.getvalue()


def _sections(config: Any) -> tuple[Any, Any]:
    entries = _section(config, "providers", {})
    folders = _section(_section(config, "skills", {}), "external_dirs", [])
    if not hasattr(entries, "items") or not hasattr(folders, "extend"):
        raise TypeError("providers must be a mapping and skills.external_dirs a list")
    return entries, folders


def _section(config: Any, name: str, empty: Any) -> Any:
    if config.get(name) is None:
        config[name] = empty
    return config[name]


def _change(file: Path, after: str, written: str | None) -> FileChange | None:
    try:
        before = file.read_text(encoding="utf-8") if file.exists() else None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: cannot be read ({error}).") from error
    if before == after:
        return None
    foreign = before is not None and sha256_text(before) != written
    return FileChange(file, before, after, foreign=foreign)


def _apply(change: FileChange) -> None:
    if change.backup is not None and change.before is not None:
        write_private(change.backup, change.before)
    write_private(change.file, change.after)


def write_private(file: Path, text: str) -> None:
    """Write through a temporary file, readable by the owner alone, so that no reader sees half."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with NamedTemporaryFile("w", encoding="utf-8", dir=file.parent, delete=False) as draft:
        draft.write(text)
        draft.flush()
        os.fsync(draft.fileno())
    Path(draft.name).replace(file)


def _manifest(home: Path) -> dict[str, str]:
    try:
        value = json.loads((home / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _remember(plan: HomePlan) -> None:
    hashes = _hashes(plan.files.items())
    write_private(plan.home / MANIFEST, json.dumps({**_manifest(plan.home), **hashes}, indent=2))


def _hashes(files: Iterable[tuple[str, str]]) -> dict[str, str]:
    return {name: sha256_text(text) for name, text in files}
