"""`council up`, `down`, `status`: the local Prefect server with its dashboard."""

from flows.console.terminal import err, out, plain


def up() -> None:
    """Start the local server in the background, or find the one that runs."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from contracts.settings import settings
    from flows.console.server import start_server

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True) as progress:
        waiting = progress.add_task("starting the Prefect server (first start: up to a minute)")
        server, started = start_server(settings(), lambda _: progress.advance(waiting, 0))
    out.print(f"{'started' if started else 'already running'}: {server.dashboard_url}")
    out.print(f"log {plain(server.log)}; stop it with `council down`", style="dim", soft_wrap=True)


def down() -> None:
    """Stop the local server; runs and verdicts are kept."""
    from contracts.settings import settings
    from flows.console.server import stop_server

    out.print("stopped" if stop_server(settings()) else "no server runs here")


def status() -> None:
    """Say whether a server answers, and where everything is."""
    from contracts.settings import settings
    from flows.console.server import known_server, reachable_api

    house = settings()
    api_url, server = reachable_api(house), known_server(house)
    out.print(f"home    {plain(str(house.home))}", soft_wrap=True)
    if api_url:
        out.print(f"server  answers at {plain(api_url)}", soft_wrap=True)
    elif server:
        out.print(f"server  does not answer; see {plain(server.log)}", soft_wrap=True)
    else:
        out.print("server  none: asks run without a dashboard; `council up` starts one")
