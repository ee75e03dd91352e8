"""The one Hermes process that serves all seats, as later commands find it, and whether it answers.

`hermes_launch` starts and stops it. Where it is, stands in a file under Council's home.
"""

import http.client
import json
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from contracts.base import Record
from contracts.juror import Endpoint, Roster
from tasks.providers.hermes_home import hermes_root


class GatewayInfo(Record):
    """A gateway that was started, as `<home>/hermes/gateway.json` keeps it."""

    pid: int
    port: int
    key_file: str
    """Holds the key; only the owner can read it."""
    log: str
    routes: tuple[str, ...]
    """Names of the endpoints that it serves, as `route_name` makes them."""
    version: str | None = None

    @property
    def base_url(self) -> str:
        """Address of its OpenAI-compatible API."""
        return f"http://127.0.0.1:{self.port}/v1"


def served(roster: Roster) -> tuple[Endpoint, ...]:
    """Return the endpoints of a roster that are asked through the gateway.

    Those of the seats, alternates included, and the foreman's.
    """
    asked = [e for juror in roster.jurors for e in (juror.endpoint, *juror.alternates)]
    asked += [roster.foreman] if roster.foreman else []
    return tuple(endpoint for endpoint in asked if endpoint.provider == "hermes_server")


def known_gateway(council_home: Path) -> GatewayInfo | None:
    """Return the gateway that was started here, alive or not."""
    try:
        return GatewayInfo.model_validate_json(state_file(council_home).read_bytes())
    except (OSError, ValidationError):
        return None


def healthy(info: GatewayInfo) -> bool:
    """Whether the gateway answers to its key within two seconds."""
    listed = _get(info.port, "/v1/models", gateway_key(info)).get("data")
    if not isinstance(listed, list):
        return False
    names = {str(entry.get("id")) for entry in listed if isinstance(entry, dict)}
    return names >= set(info.routes)


def gateway_key(info: GatewayInfo) -> str:
    """Return the key that callers need; empty when it is gone."""
    try:
        return Path(info.key_file).read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def warm_up(info: GatewayInfo) -> None:
    """Have Hermes load its agent now, or the first juror waits two seconds for it.

    The question goes to a port where nobody listens, and its answer is not waited for.
    """
    body = json.dumps({"model": "nowhere", "messages": [{"role": "user", "content": "-"}]})
    headers = {"Authorization": f"Bearer {gateway_key(info)}", "Content-Type": "application/json"}
    connection = http.client.HTTPConnection("127.0.0.1", info.port, timeout=2)
    with suppress(OSError, http.client.HTTPException), closing(connection):
        connection.request("POST", "/v1/chat/completions", body, headers)


def hermes_version(info: GatewayInfo) -> str | None:
    """Return the version that the gateway tells, None where it tells none."""
    version = _get(info.port, "/health", "").get("version")
    return str(version) if version else None


def _get(port: int, path: str, key: str) -> dict[str, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {key}"})
        value = json.loads(connection.getresponse().read(1_000_000))
    except (OSError, ValueError, http.client.HTTPException):
        return {}
    finally:
        connection.close()
    return value if isinstance(value, dict) else {}


def state_file(council_home: Path) -> Path:
    """Return the file in which a gateway is kept."""
    return hermes_root(council_home) / "gateway.json"
