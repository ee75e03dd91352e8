"""Every entrypoint of prefect.yaml is loaded for real: `prefect deploy` alone would not notice."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
ENTRYPOINTS = [
    deployment["entrypoint"]
    for deployment in yaml.safe_load((ROOT / "prefect.yaml").read_text())["deployments"]
]


@pytest.mark.parametrize("entrypoint", ENTRYPOINTS)
def test_an_entrypoint_loads_without_a_placeholder(entrypoint):
    code = (
        "from prefect.flows import load_flow_from_entrypoint as load;"
        f"flow = load({entrypoint!r}, use_placeholder_flow=False);"
        "print(flow.name)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == entrypoint.partition(":")[2]


def test_a_flow_file_holds_one_flow_named_like_the_file():
    for entrypoint in ENTRYPOINTS:
        path, _, name = entrypoint.partition(":")
        assert Path(path).stem == name
