"""Every provider case of the bank: the outcome, the cause, the requests and the time it took."""

import json
import time
from pathlib import Path

import pytest

from tests.bank import adapters, harness

CASES = json.loads((Path(__file__).parent / "provider_cases.json").read_text())["cases"]


# The harness is kept as it was received, and it leaves files under /proc to the collector.
@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']} {case['title']}")
def test_the_case_is_met(case, tmp_path):
    env, close, server, decoy = harness.stage_provider(case, tmp_path)
    started = time.monotonic()
    try:
        heard = adapters.provider(case, env)
    finally:
        close()
    faults = harness.check_provider(
        case,
        heard,
        seconds=time.monotonic() - started,
        requests=server and server.requests,
        decoy=decoy and decoy.requests,
        leftover=harness.leftovers(tmp_path, wait=0.5),
    )
    assert not faults
