"""`council recall` and `council memory`: what Hermes remembers of earlier verdicts."""

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flows.console.terminal import out, plain, print_json, table

if TYPE_CHECKING:
    from pathlib import Path

    from tasks.recall import Recalled

app = typer.Typer(help="Council's entries in the memory of Hermes.", no_args_is_help=True)

JsonOption = Annotated[bool, typer.Option("--json", help="JSON on stdout.")]


def recall(
    words: Annotated[str, typer.Argument(help="What to recall: a word, a topic, a question.")],
    store: Annotated[bool, typer.Option("--store", help="Only from the store.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="Verdicts at most.")] = 5,
    as_json: JsonOption = False,
) -> None:
    """Recall earlier verdicts: Hermes answers from its memory, else the store does."""
    from contracts.settings import settings
    from tasks.recall import from_store, recall_verdicts

    home = settings().home
    if store:
        recalled = from_store(home, words, limit=limit)
    else:
        recalled = asyncio.run(recall_verdicts(home, words, limit=limit))
    if as_json:
        found = [one._asdict() for one in recalled.found]
        record = recalled.recollection.model_dump(mode="json")
        print_json({**record, "found": found, "note": recalled.note})
        return
    _print(recalled)


@app.command("show")
def show(as_json: JsonOption = False) -> None:
    """Show Council's entries, and how full each memory is."""
    from tasks.mirror import memory_file, memory_limit, read_memory
    from tasks.reading.memory_block import join

    shown = []
    for hermes_home in _homes():
        now, limit = read_memory(hermes_home), memory_limit(hermes_home)
        file, length = str(memory_file(hermes_home)), len(join(now.others, now.block))
        shown.append(
            {
                "file": file,
                "characters": length,
                "limit": limit,
                "verdicts": now.block.verdicts,
                "others": len(now.others),
                "entries": now.block.texts,
            }
        )
    if as_json:
        print_json(shown)
        return
    for one in shown:
        _print_memory(one)


@app.command("rebuild")
def rebuild() -> None:
    """Write Council's entries anew from the store; the entries of others stay."""
    from contracts.settings import settings
    from tasks import mirror_rebuild

    _homes()
    for memory in asyncio.run(mirror_rebuild.rebuild(settings().home)):
        said = f"{memory.block.verdicts} verdicts, {memory.length:,} of {memory.limit:,} characters"
        out.print(f"{plain(str(memory.file))}: {said}", soft_wrap=True)


@app.command("check")
def check() -> None:
    """Check each memory: readable, writable, within its limit, complete; exit 1 when not."""
    from contracts.settings import settings
    from tasks import mirror_rebuild
    from tasks.mirror import memory_file

    broken = False
    for hermes_home in _homes():
        faults = asyncio.run(mirror_rebuild.check(settings().home, hermes_home))
        for fault in faults:
            out.print(f"✗ {plain(fault)}", style="red", markup=False, soft_wrap=True)
        if not faults:
            out.print(f"✓ {plain(str(memory_file(hermes_home)))}", markup=False, soft_wrap=True)
        broken = broken or bool(faults)
    if broken:
        raise typer.Exit(1)


def _homes() -> "tuple[Path, ...]":
    """Return the homes whose memory is kept.

    Raises:
        ConfigError: there is none.
    """
    from contracts.errors import ConfigError
    from contracts.settings import settings
    from tasks.mirror import mirrored_homes

    homes = mirrored_homes(settings().home)
    if not homes:
        raise ConfigError("Hermes has no memory here yet; `council setup-hermes` makes one.")
    return homes


def _print(recalled: "Recalled") -> None:
    recollection = recalled.recollection
    if recollection.by == "hermes":
        for line in recollection.answer.splitlines():
            out.print(plain(line), markup=False)
        by = f"answered by Hermes ({recollection.model}) from its memory"
        named = "".join(f"; council show {one}" for one in recollection.ids)
        out.print(plain(by + named), style="dim", soft_wrap=True)
        return
    columns = ("id", "day", "question", "verdict", "split", "confidence")
    rows = [
        (
            one.deliberation_id[:8],
            one.day,
            one.question[:100],
            one.option or one.status,
            one.split,
            f"{one.confidence:.0%}",
        )
        for one in recalled.found
    ]
    out.print(table(columns, rows) if rows else "no verdict is about that")
    note = f": {recalled.note}" if recalled.note else ""
    out.print(plain(f"answered from the store{note}"), style="dim", soft_wrap=True)


def _print_memory(one: dict[str, Any]) -> None:
    out.print(plain(one["file"]), style="bold", soft_wrap=True)
    for text in one["entries"]:
        out.print(f"  {plain(text)}", markup=False, soft_wrap=True)
    used = f"{one['characters']:,} of {one['limit']:,} characters"
    out.print(
        f"  {one['verdicts']} verdicts, {one['others']} entries of others; {used}", style="dim"
    )
