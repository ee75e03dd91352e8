"""Reads the arena's SKILL.md strictly: a line that does not fit is an error that names it."""

from typing import cast, get_args

from contracts.errors import SkillError
from contracts.persona import Cast, CastingRule, Condition, Hyde, Persona
from tasks.reading.skill import Line, block, read_skill

PERSONA_COLUMNS = ("persona", "topics", "when", "hunts")
CASTING_COLUMNS = ("persona", "topic", "cast", "evidence", "approved_by", "approved_at")
MAX_NAME, MAX_HUNTS = 60, 400
NOWHERE = "-"
"""Stands for no topic, or for no condition."""


def read_hyde(text: str, *, where: str = "SKILL.md") -> Hyde:
    """Return the personas and casting rules that `text` holds.

    Raises:
        SkillError: for what `read_skill` refuses, no persona at all, a malformed line, an unknown
            condition, a persona that never applies, a name twice, or a casting rule for nobody; it
            names the line.
    """
    skill = read_skill(text, where=where)
    lines = [Line(i, line) for i, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1)]
    personas = _personas(block(lines, "personas", where), where)
    return Hyde(
        name=skill.name,
        description=skill.description,
        version=skill.version,
        body=skill.body,
        personas=personas,
        casting=_casting(block(lines, "casting", where), where, personas),
    )


def _personas(lines: list[Line], where: str) -> tuple[Persona, ...]:
    found: dict[str, Persona] = {}
    for line in lines:
        cells = _cells(line, PERSONA_COLUMNS)
        if cells is None:
            continue
        persona = _persona(cells, f"{where}:{line.number}")
        if persona.name.casefold() in found:
            raise SkillError(f"{where}:{line.number}: a second persona {persona.name!r}; keep one")
        found[persona.name.casefold()] = persona
    if not found:
        raise SkillError(f"{where}: no persona; the `personas` block needs one line at least")
    return tuple(found.values())


def _persona(cells: list[str], where: str) -> Persona:
    if len(cells) != len(PERSONA_COLUMNS) or not all(cells):
        raise SkillError(
            f"{where}: {' | '.join(cells)!r} is not `persona | topics | when | hunts`; "
            f"`{NOWHERE}` stands for none"
        )
    name, topics, when, hunts = cells
    if len(name) > MAX_NAME or not name.isprintable():
        raise SkillError(f"{where}: {name[:80]!r} is no name of at most {MAX_NAME} characters")
    if len(hunts) > MAX_HUNTS:
        raise SkillError(f"{where}: {len(hunts)} characters on what it hunts; at most {MAX_HUNTS}")
    conditions = tuple(_condition(word, where) for word in _listed(when))
    if not conditions and not _listed(topics):
        raise SkillError(f"{where}: {name!r} never applies; give it a topic or `always`")
    return Persona(name=name, topics=_listed(topics), when=conditions, hunts=hunts)


def _condition(word: str, where: str) -> Condition:
    known = get_args(Condition)
    if word.casefold() not in known:
        raise SkillError(f"{where}: {word!r} is no condition; there are {', '.join(known)}")
    return cast("Condition", word.casefold())


def _casting(
    lines: list[Line], where: str, personas: tuple[Persona, ...]
) -> tuple[CastingRule, ...]:
    names = {persona.name.casefold(): persona.name for persona in personas}
    rules: dict[tuple[str, str], CastingRule] = {}
    for line in lines:
        cells = _cells(line, CASTING_COLUMNS)
        if cells is None:
            continue
        rule = read_casting(cells, f"{where}:{line.number}")
        if rule.persona.casefold() not in names:
            raise SkillError(
                f"{where}:{line.number}: no persona is named {rule.persona!r}; "
                f"there are {', '.join(names.values())}"
            )
        key = (rule.persona.casefold(), rule.topic.casefold())
        if key in rules:
            raise SkillError(
                f"{where}:{line.number}: a second rule for the {rule.persona} on {rule.topic}"
            )
        rules[key] = rule
    return tuple(rules.values())


def read_casting(cells: list[str], where: str) -> CastingRule:
    """Return the casting rule in `cells` (persona, topic, always or never, then evidence …).

    Raises:
        SkillError: naming `where` and what does not fit.
    """
    needed = CASTING_COLUMNS.index("evidence")
    if not needed <= len(cells) <= len(CASTING_COLUMNS) or not all(cells[:needed]):
        raise SkillError(f"{where}: {' | '.join(cells)!r} is not `persona | topic | cast | …`")
    if cells[2].casefold() not in get_args(Cast):
        raise SkillError(f"{where}: cast is `always` or `never`, not {cells[2]!r}")
    rest = dict(zip(CASTING_COLUMNS[needed:], cells[needed:], strict=False))
    chosen = cast("Cast", cells[2].casefold())
    return CastingRule(persona=cells[0], topic=cells[1], cast=chosen, **rest)


def _cells(line: Line, columns: tuple[str, ...]) -> list[str] | None:
    """Return the cells of a line; None for the heading."""
    cells = [cell.strip() for cell in line.text.split("|")]
    heading = tuple(cell.casefold() for cell in cells) == columns[: len(cells)]
    return None if heading else cells


def _listed(cell: str) -> tuple[str, ...]:
    if cell == NOWHERE:
        return ()
    return tuple(word.strip() for word in cell.split(",") if word.strip())
