"""Asks a seat one tiny question through the real program, in its home as it stands."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from contracts.juror import Endpoint
from tasks.providers.hermes import check_address, check_key
from tasks.providers.hermes_config import NO_TOOLS, provider_argument
from tasks.providers.hermes_files import write_home
from tasks.providers.hermes_home import juror_home, juror_plan
from tasks.providers.hermes_outcome import answer_of, read_report
from tasks.providers.hermes_run import find_hermes, run_hermes
from tasks.providers.hermes_session import session_address

MOST_SECONDS = 90.0
QUESTION = "Which is larger, 7 or 3? Answer with the number alone."


async def probe(council_home: Path, endpoint: Endpoint) -> str | None:
    """Return the address that answered, None where Hermes does not tell it.

    The home is not written anew before, as it is for a juror: what stands there is what is tested.
    A seat that was never asked is tested in a home that is thrown away.

    Raises:
        ProviderError: with the true cause, when the seat does not answer.
    """
    check_address(endpoint)
    check_key(endpoint)
    with TemporaryDirectory(prefix="council-probe-") as folder:
        home = juror_home(council_home, endpoint)
        if not (home / "config.yaml").exists():
            home = Path(folder) / "home"
            home.mkdir()
            write_home(replace(juror_plan(council_home, endpoint), home=home))
        file = Path(folder) / "usage.json"
        named = ("--provider", provider_argument(endpoint), "--model", endpoint.model)
        end = await run_hermes(
            home,
            ["-z", QUESTION, "--usage-file", str(file), *named, "-t", NO_TOOLS],
            binary=find_hermes(council_home),
            timeout_seconds=min(MOST_SECONDS, endpoint.timeout_seconds),
            keys=[endpoint.api_key_env] if endpoint.api_key_env else [],
        )
        report = read_report(file)
        answer_of(end, report, f"{endpoint.model} through Hermes ({provider_argument(endpoint)})")
        return session_address(home, report.session_id) if report and report.session_id else None
