"""The stand-in child: what it makes up passes the verifier, and it says that it is none."""

import json

import pytest

from contracts.delegation import DelegationContract
from tasks.children import Errand
from tasks.stand_in_child import StandInChild
from tasks.verifying.deliver import Scene
from tasks.verifying.paths import open_root
from tasks.verifying.verify import verify

SCHEMA = {
    "type": "object",
    "required": ["items", "kind", "extra"],
    "properties": {
        "items": {
            "type": "array",
            "minItems": 2,
            "items": {
                "required": ["id", "score", "ok", "none"],
                "properties": {
                    "id": {"type": "string", "minLength": 40},
                    "score": {"type": ["number", "null"], "minimum": 3},
                    "ok": {"type": "boolean"},
                    "none": {"type": "null"},
                },
            },
        },
        "kind": {"enum": ["b", "a"]},
        "version": {"const": 7},
    },
}


def contract(path, *checks, **deliverable):
    return DelegationContract.model_validate(
        {
            "goal": "g",
            "deliverables": [{"path": path, **deliverable}],
            "checks": [{"path": path, **check} for check in checks],
        }
    )


@pytest.mark.parametrize(
    "asked",
    [
        contract("a/b/c.bin"),
        contract("r.md", {"check": "file_contains", "text": "Total", "times": 3}),
        contract("r.md", {"check": "count_at_least", "count": 9, "of": "lines"}),
        contract("f.json", json_schema=SCHEMA),
        contract("f.json", {"check": "json_schema_ok", "json_schema": SCHEMA}),
        contract("f.json", {"check": "json_keys", "keys": ["a", "b"]}),
        contract(
            "f.json",
            {"check": "count_at_least", "count": 4, "at": "/items"},
            {"check": "json_keys", "keys": ["items"]},
            json_schema=SCHEMA,
        ),
        contract("f.json", {"check": "count_at_least", "count": 4}, media_type="application/json"),
        contract(
            "f.json",
            {"check": "count_at_least", "count": 2},
            {"check": "rows_each_have", "fields": ["id", "why"]},
            media_type="application/json",
        ),
        contract(
            "f.csv",
            {"check": "rows_each_have", "fields": ["id", "why"]},
            {"check": "count_at_least", "count": 3, "of": "rows"},
        ),
    ],
    ids=lambda asked: " ".join(check.check for check in asked.checks) or asked.paths[0],
)
async def test_what_it_writes_passes_what_it_understands(tmp_path, asked):
    reply = await StandInChild().run(Errand("", tmp_path, 1.0, asked))
    with open_root(tmp_path) as root:
        found = verify(Scene(root, asked)).verification
    assert found.ok, found.notes
    assert reply.simulated
    assert json.loads(reply.text)["artifacts"] == list(asked.paths)


async def test_it_makes_up_nothing_that_it_does_not_understand(tmp_path):
    asked = contract("r.md", {"check": "file_matches", "pattern": "^[0-9]{9}$"})
    await StandInChild().run(Errand("", tmp_path, 1.0, asked))
    with open_root(tmp_path) as root:
        assert not verify(Scene(root, asked)).verification.ok


async def test_the_same_contract_gives_the_same_bytes(tmp_path):
    asked = contract("f.json", json_schema=SCHEMA)
    texts = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        await StandInChild().run(Errand("", tmp_path / name, 1.0, asked))
        texts.append((tmp_path / name / "f.json").read_bytes())
    assert texts[0] == texts[1]
