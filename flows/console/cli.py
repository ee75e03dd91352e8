"""The `council` command. Heavy rooms are entered inside the commands that need them."""

import sys

import typer

from contracts.errors import CouncilError
from flows.console import (
    arena,
    ask,
    audit,
    batch,
    delegate,
    doctor,
    gates,
    hermes,
    memory,
    outcome,
    refit,
    reflect,
    replay,
    report,
    roster,
    serve,
    skills,
    store,
    up,
)
from flows.console.terminal import err, plain

INTERRUPTED = 130

app = typer.Typer(
    name="council",
    help="A jury of models for judgment calls: see the disagreement before you commit.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command()(ask.ask)
app.command()(arena.arena)
app.command()(batch.batch)
app.command()(replay.replay)
app.command()(delegate.delegate)
app.add_typer(audit.app, name="audit")
app.add_typer(outcome.app, name="outcome")
app.command()(refit.refit)
app.command()(reflect.reflect)
app.command()(gates.gates)
app.command()(report.report)
app.command()(serve.serve)
app.command()(up.up)
app.command()(up.down)
app.command()(up.status)
app.add_typer(roster.app, name="roster")
app.command("setup-hermes")(hermes.setup_hermes)
app.command()(doctor.doctor)
app.command()(skills.learn)
app.add_typer(skills.app, name="skills")
app.command()(memory.recall)
app.add_typer(memory.app, name="memory")
app.command()(store.show)
app.command()(store.history)
app.command()(store.sql)
app.add_typer(store.app, name="store")


def main() -> None:
    """Run the command; a mistake ends in one line and an exit code, never in a traceback."""
    try:
        app()
    except CouncilError as error:
        first, *rest = map(plain, str(error).splitlines() or [""])
        shown = "\n  ".join((f"council: {first}", *rest))
        err.print(shown, style="red", markup=False, soft_wrap=True)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        err.print("council: interrupted")
        sys.exit(INTERRUPTED)
