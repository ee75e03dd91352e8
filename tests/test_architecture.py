"""The house keeps its shape: free names, whole wheels, one reader of the environment."""

import ast
import importlib.metadata
import re
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("contracts", "data", "tasks", "flows", "skills")


def modules():
    return [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]


def test_no_flow_hides_a_package_or_the_standard_library():
    taken = set(sys.stdlib_module_names) | set(ROOMS) | {"prefect", "pydantic", "httpx"}
    assert not {path.stem for path in (ROOT / "flows").glob("*.py")} & taken - {"__init__"}


def test_a_flow_file_holds_one_flow_and_no_class():
    for path in (ROOT / "flows").glob("*.py"):
        tree = ast.parse(path.read_text())
        if path.stem == "__init__":
            continue
        assert not [node for node in tree.body if isinstance(node, ast.ClassDef)], path
        flows = [
            node.name
            for node in tree.body
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            and any("flow" in ast.unparse(mark) for mark in node.decorator_list)
        ]
        assert flows == [path.stem]


def test_no_other_distribution_ships_our_packages():
    owners = importlib.metadata.packages_distributions()
    for room in ROOMS:
        assert set(owners.get(room, [])) <= {"council-jury"}


def test_no_module_is_longer_than_three_hundred_lines():
    assert not [path for path in modules() if len(path.read_text().splitlines()) > 300]


def test_init_files_are_nearly_empty():
    for path in modules():
        if path.name == "__init__.py":
            assert len(ast.parse(path.read_text()).body) <= 1, path


def test_no_registry_and_no_machine_path_stands_in_any_tracked_file():
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    bad = re.compile(r"(?:pypi|npmjs)\.org|(?<![\w.])/(?:work|root|farm)/")
    found = []
    for name in tracked:
        path = ROOT / name
        received = name.startswith("tests/bank/")
        if received or path.suffix in {".gz", ".png"} or path == Path(__file__):
            continue
        if bad.search(path.read_text(encoding="utf-8", errors="replace")):
            found.append(name)
    assert found == []


def test_the_wheel_ships_what_is_not_python(tmp_path):
    argv = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-q"]
    done = subprocess.run(
        [*argv, "-w", str(tmp_path), str(ROOT)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    for room in ROOMS:
        kept = {
            str(path.relative_to(ROOT))
            for path in (ROOT / room).rglob("*")
            if path.suffix in {".sql", ".md", ".toml", ".html", ".css", ".js", ".csv"}
            and "local" not in path.relative_to(ROOT).parts[:2]
        }
        assert kept <= names, kept - names
