"""Every stance case of the bank: answers → camps or abstention."""

import json
from pathlib import Path

import pytest

from tests.bank import adapters, harness

CASES = json.loads((Path(__file__).parent / "stance_cases.json").read_text())["cases"]
DECIDED = [case for case in CASES if case.get("policy")]


def read(case):
    return adapters.stance(
        case["question"], case["options"], case["answers"], case["aliases"], case["lettered"]
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['id']} {case['title']}")
def test_the_case_is_met(case):
    assert not harness.check_stance(case, read(case))


@pytest.mark.parametrize("case", DECIDED, ids=lambda case: case["id"])
def test_what_could_be_defended_another_way_is_decided_in_writing(case):
    assert case["id"] in (Path(__file__).parent / "POLICY.md").read_text()
