"""Every parse case of the bank: raw model output → status, option, reasons, confidence."""

import json
import time
from pathlib import Path

import pytest

from tests.bank import adapters, harness

CASES = json.loads((Path(__file__).parent / "parse_cases.json").read_text())["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']} {case['title']}")
def test_the_case_is_met(case):
    raw = harness.expand_raw(case)
    started = time.monotonic()
    found = adapters.parse(raw, case["meta"], case["question"], case["options"])
    assert not harness.check_parse(case, found, seconds=time.monotonic() - started), found
