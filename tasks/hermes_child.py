"""Hermes as a child: one run with file tools, in the attempt's folder, from a home of its own.

Exit code 0 and "completed" prove nothing (Hermes 0.19 says both when it met only 429s), so a run
counts as ended well only where exit code, usage report and text agree, and the files are what the
verifier looks at. Tokens and cost are those of the session and of every session that it delegated
to.
"""

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import quote

from contracts.errors import AuthFailed, EmptyReply, ProviderError
from contracts.juror import Endpoint
from contracts.settings import secret
from tasks.children import ChildReply, Errand
from tasks.providers.hermes import check_address
from tasks.providers.hermes_config import (
    address,
    default_model,
    lean,
    provider_argument,
    provider_name,
    route_name,
)
from tasks.providers.hermes_files import HomePlan, as_yaml, write_home
from tasks.providers.hermes_home import hermes_root
from tasks.providers.hermes_outcome import Report, answer_of, read_report
from tasks.providers.hermes_run import find_hermes, run_hermes, wall_off
from tasks.providers.hermes_session import NO_PRICE, WAIT_SECONDS
from tasks.providers.hermes_text import plain_text
from tasks.providers.process import Finished

FILE_TOOLS = ("file",)
"""Reads, writes and searches files; runs nothing. `terminal` and `delegation` can be added."""

SOUL = """\
You do one piece of work in the current directory with the tools that you have, and leave the files
that you are asked for. You change nothing outside that directory.
"""

_TREE = """
WITH RECURSIVE tree(id) AS (
    SELECT id FROM sessions WHERE id = ?
    UNION
    SELECT sessions.id FROM sessions JOIN tree ON sessions.parent_session_id = tree.id
)
SELECT input_tokens, output_tokens, estimated_cost_usd, cost_status
FROM sessions JOIN tree USING (id)
"""


class Spent(NamedTuple):
    """What a session and all below it used; None where nothing is known."""

    tokens: int | None = None
    cost_usd: float | None = None


class HermesChild:
    """One `hermes -z` run an attempt."""

    name = "hermes"

    def __init__(
        self,
        endpoint: Endpoint,
        council_home: Path,
        *,
        toolsets: Sequence[str] = FILE_TOOLS,
        binary: Path | None = None,
    ) -> None:
        """Name the model and what it may use; the program is looked for at the first run.

        Args:
            endpoint: The model that does the work. Its own time limit is not used: the contract's
                is.
            council_home: Council's home; the child's own home lies in it.
            toolsets: Hermes' names of the tools that the child gets.
            binary: The program; None finds it.
        """
        self.endpoint = endpoint
        self.council_home = council_home
        self.toolsets = tuple(toolsets)
        self.binary = binary

    @property
    def home(self) -> Path:
        """The child's own Hermes home: no memory, no skills, no juror's sessions."""
        return hermes_root(self.council_home) / "children" / route_name(self.endpoint)

    async def run(self, errand: Errand) -> ChildReply:
        """Run Hermes in the errand's folder.

        Raises:
            ProviderError: it cannot be started, or not with this endpoint.
        """
        self._check()
        await asyncio.to_thread(write_home, self._plan())
        await asyncio.to_thread(wall_off, errand.folder.parent)
        with TemporaryDirectory(prefix="council-hermes-") as scratch:
            file = Path(scratch) / "usage.json"
            end = await run_hermes(
                self.home,
                self._arguments(errand.prompt, file),
                binary=self.binary or find_hermes(self.council_home),
                timeout_seconds=errand.seconds,
                keys=[self.endpoint.api_key_env] if self.endpoint.api_key_env else [],
                own={"TERMINAL_CWD": str(errand.folder)},
                cwd=errand.folder,
            )
            report = read_report(file)
        return await self._reply(end, report)

    def _check(self) -> None:
        check_address(self.endpoint)
        key = self.endpoint.api_key_env
        if key and secret(key) is None:
            raise AuthFailed(f"{self.endpoint.model} needs a key, and {key} is not set.")

    def _plan(self) -> HomePlan:
        endpoint = self.endpoint
        named = {provider_name(endpoint): address(endpoint)} if endpoint.base_url else {}
        config = {
            "model": default_model(endpoint),
            "providers": named,
            **lean(),
            "memory": {"memory_enabled": False, "user_profile_enabled": False},
            "skills": {"external_dirs": []},
            "platform_toolsets": {"cli": list(self.toolsets)},
        }
        return HomePlan(self.home, {"config.yaml": as_yaml(config), "SOUL.md": SOUL})

    def _arguments(self, prompt: str, report: Path) -> list[str]:
        endpoint = self.endpoint
        return [
            "-z",
            prompt.replace("\0", "\ufffd"),
            "--usage-file",
            str(report),
            "--provider",
            provider_argument(endpoint),
            "--model",
            endpoint.model,
            "-t",
            ",".join(self.toolsets),
        ]

    async def _reply(self, end: Finished, report: Report | None) -> ChildReply:
        session = report.session_id if report else None
        spent = await asyncio.to_thread(session_tree, self.home, session) if session else Spent()
        return ChildReply(
            text=plain_text(end.stdout),
            exit_code=end.returncode,
            timed_out=end.timed_out,
            session_id=session,
            tokens=spent.tokens,
            cost_usd=spent.cost_usd,
            failure=None if end.timed_out else self._failure(end, report),
        )

    def _failure(self, end: Finished, report: Report | None) -> ProviderError | None:
        where = f"{self.endpoint.model} through Hermes ({provider_argument(self.endpoint)})"
        try:
            answer_of(end, report, where)
        except EmptyReply:
            return None  # it may have written everything and had nothing more to say
        except ProviderError as error:
            return error
        return None


def session_tree(home: Path, session_id: str) -> Spent:
    """Return what a session and all that it delegated to used, from Hermes' own database.

    Args:
        home: The Hermes home of the run.
        session_id: As Hermes told it.
    """
    location = f"file:{quote(str(home / 'state.db'))}?mode=ro"
    try:
        with closing(sqlite3.connect(location, uri=True, timeout=WAIT_SECONDS)) as database:
            rows = database.execute(_TREE, (session_id,)).fetchall()
    except sqlite3.Error:
        return Spent()
    tokens = [count for row in rows for count in row[:2] if count is not None]
    costs = [cost for _, _, cost, status in rows if status not in NO_PRICE and cost is not None]
    return Spent(sum(tokens) if tokens else None, sum(costs) if costs else None)
