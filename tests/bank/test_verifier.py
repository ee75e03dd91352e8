"""Every verifier case of the bank: files on the disk and a child's reply → accepted or not."""

import json
import time
from pathlib import Path

import pytest

from tests.bank import adapters, harness

CASES = json.loads((Path(__file__).parent / "verifier_cases.json").read_text())["cases"]
RACES = [case for case in CASES if "race" in case]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']} {case['title']}")
def test_the_case_is_met(case, tmp_path):
    staged = harness.stage_verifier(case, tmp_path / "base")
    if staged is None:
        pytest.skip("this machine cannot stage the case")
    started = time.monotonic()
    found = adapters.verify(*staged)
    assert not harness.check_verifier(case, found, seconds=time.monotonic() - started)


@pytest.mark.parametrize("case", RACES, ids=lambda case: f"{case['id']} {case['title']}")
def test_a_race_never_hands_out_the_other_file(case, tmp_path):
    base = tmp_path / "base"
    root, contract, reply, run = harness.stage_verifier(case, base)
    found = harness.run_race(case, base, lambda: adapters.verify(root, contract, reply, run))
    forbidden = case["race"]["must_never_return"]
    assert found
    assert not [one for one in found if forbidden in json.dumps(one)]
    assert not [fault for one in found for fault in harness.check_verifier(case, one)]
