"""`council serve`: the page."""

import ipaddress
import socket
from typing import TYPE_CHECKING, Annotated

import typer

from contracts.errors import ConfigError, UsageError
from flows.console.terminal import out, plain

if TYPE_CHECKING:
    from contracts.settings import Settings
    from flows.page.guard import Rules

PORT = 8788
GRACE_SECONDS = 3


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 takes a free one.")] = PORT,
    stateless: Annotated[
        bool,
        typer.Option("--stateless", help="Keep nothing; approved rules stay in the browser."),
    ] = False,
    rate: Annotated[
        int, typer.Option(min=1, help="Questions a minute that one client may ask.")
    ] = 120,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", help="A further name that the page answers to."),
    ] = None,
) -> None:
    """Serve the page: one question box, and where the council splits."""
    from contracts.settings import settings

    house = settings()
    rules = guard_rules(house, host, allow_host or [])
    with _listening(host, port) as sock:
        import uvicorn

        from flows.page.app import create_app
        from flows.page.rates import rates_of
        from tasks.calm import rare_collections

        app = create_app(house, stateless=stateless, rules=rules, rates=rates_of(rate))
        shown = f"[{host}]" if ":" in host else host
        out.print(f"Council is at http://{plain(shown)}:{sock.getsockname()[1]}", soft_wrap=True)
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            # Who asks is whoever connects: a header that anybody can write is not believed.
            proxy_headers=False,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        with rare_collections():
            uvicorn.Server(config).run(sockets=[sock])


def guard_rules(house: "Settings", host: str, more: list[str]) -> "Rules":
    """Return what the guard goes by at this address.

    Raises:
        ConfigError: when others can reach the page and no token is set.
    """
    from flows.page.guard import LOOPBACK_NAMES, Rules

    token = house.token.get_secret_value() if house.token else None
    local = host in LOOPBACK_NAMES or _is_loopback(host)
    if not local and not token:
        raise ConfigError(
            f"others can reach {host}: set COUNCIL_TOKEN to a secret of your own "
            "(`openssl rand -hex 24`), or serve on 127.0.0.1"
        )
    names = LOOPBACK_NAMES | {host} if local else None
    added = frozenset(name.lower() for name in (*more, *([] if local else [host])))
    return Rules(names=names, more_names=added, token=token)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _listening(host: str, port: int) -> socket.socket:
    sock = None
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        # From now on a browser waits instead of being refused.
        sock.listen(socket.SOMAXCONN)
    except OSError as error:
        if sock is not None:
            sock.close()
        raise UsageError(
            f"cannot listen on {host}:{port} ({error.strerror or error}); try --port 0"
        ) from error
    return sock
