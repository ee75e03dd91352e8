"""A contract as a file: what reads, and what is refused with the name of the field."""

import json

import pytest
from jsonschema import Draft202012Validator

from contracts.errors import ContractError
from tasks.verifying.contract_file import (
    check_runnable,
    contract_schema,
    load_contract,
    parse_contract,
)

BASE = "goal: collect\ndeliverables:\n  - path: f.json\n"
WHOLE = """\
goal: Collect last week's failures
risk: medium
on_fail: escalate
inputs:
  - {path: log.txt, source: logs/week.txt}
deliverables:
  - path: findings.json
    media_type: application/json
    json_schema: {type: object, required: [items]}
  - path: report.md
    media_type: text/markdown
    required: false
checks:
  - {check: file_exists, path: report.md}
  - {check: file_contains, path: report.md, text: "2026-01-01", times: 2}
  - {check: file_matches, path: report.md, pattern: "^# ", recoverable: false}
  - {check: json_schema_ok, path: findings.json, json_schema: {type: object}}
  - {check: json_keys, path: findings.json, keys: [items]}
  - {check: count_at_least, path: findings.json, count: 3, at: /items}
  - {check: rows_each_have, path: findings.json, fields: [id], at: /items}
  - {check: sha256_is, path: report.md, content_sha256: "%s"}
  - {check: no_extra_files, allow: [scratch]}
  - {check: command_succeeds, argv: [pytest, -q]}
budget: {seconds: 60, tries: 2, tokens: 5000}
""" % ("0" * 64)


def test_a_whole_contract_reads_and_takes_its_sources_from_beside_it(tmp_path):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "week.txt").write_text("boom\n")
    file = tmp_path / "contract.yaml"
    file.write_text(WHOLE)
    contract = load_contract(file)
    check_runnable(contract, frozenset({"pytest"}))
    assert contract.inputs[0].text == "boom\n"
    assert [check.check for check in contract.checks][:2] == ["file_exists", "file_contains"]
    assert contract.budget.tries == 2
    assert not contract.checks[2].recoverable


def test_yaml_and_json_of_one_contract_are_one_record(tmp_path):
    yaml_text, json_text = (
        BASE,
        json.dumps({"goal": "collect", "deliverables": [{"path": "f.json"}]}),
    )
    assert parse_contract(yaml_text) == parse_contract(json_text, yaml_allowed=False)
    file = tmp_path / "c.json"
    file.write_text(json_text)
    assert load_contract(file) == parse_contract(yaml_text)


def test_what_a_record_says_in_json_reads_as_the_same_record():
    contract = parse_contract(WHOLE)
    assert parse_contract(contract.canonical_json(), yaml_allowed=False) == contract


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("goal: x\n", "deliverables: is missing"),
        ("goal: x\ndeliverables: []\n", "deliverables: "),
        ("deliverables: [{path: a}]\n", "goal: is missing"),
        (BASE + "checks: [{check: nope, path: f.json}]\n", "checks[0].check: 'nope' is no check"),
        (BASE + "checks: [{path: f.json}]\n", "checks[0].check: is missing"),
        (BASE + "checks: [{check: file_exists, path: g}]\n", "checks[0].path: 'g' is not declared"),
        (BASE + "checks: [{check: file_exists, path: ../f.json}]\n", "checks[0].path: "),
        (BASE + "checks: [{check: file_contains, path: f.json}]\n", "checks[0].text: is missing"),
        (BASE + "checks: [{check: json_keys, path: f.json, keys: []}]\n", "checks[0].keys: "),
        ("goal: x\ndeliverables: [{path: /etc/x}]\n", "deliverables[0].path: '/etc/x' is an abs"),
        ("goal: x\ndeliverables: [{path: a}, {path: b/../../x}]\n", "deliverables[1].path: "),
        ("goal: x\ndeliverables: [{path: 7}]\n", "deliverables[0].path: "),
        ("goal: x\ndeliverables: [{path: }]\n", "deliverables[0].path: "),
        ("goal: x\ndeliverables: [{path: 2026-01-01}, {path: 2026-01-01}]\n", "deliverables: "),
        (BASE + "budget: {tries: 0}\n", "budget.tries: "),
        (BASE + "budget: {tries: '3'}\n", "budget.tries: "),
        (BASE + "budget: {tries: true}\n", "budget.tries: "),
        (BASE + "budget: {seconds: 5, seconds_per_try: 10}\n", "budget: seconds_per_try"),
        (BASE + "on_fail: shrug\n", "on_fail: "),
        (BASE + "inputs: [{path: a}]\n", "inputs[0]: "),
        (BASE + "inputs: [{path: a, source: ../a}]\n", "inputs[0].source: "),
        (BASE + "wat: 1\n", "wat: is no field of a contract"),
    ],
)
def test_a_bad_contract_is_refused_with_the_name_of_the_field(text, field):
    with pytest.raises(ContractError) as caught:
        parse_contract(text)
    assert str(caught.value).startswith(field)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BASE + "goal: again\n", "'goal' is given twice"),
        (BASE + "budget: {tries: 1, tries: 9}\n", "'tries' is given twice"),
        ("goal: &a x\ndeliverables: [{path: *a}]\n", "aliases are not supported"),
        (BASE + "1: x\n", "no text"),
        (BASE + "budget: {seconds: .nan}\n", "JSON has not"),
        ("goal: !!python/object/apply:os.system [ls]\n", "could not determine a constructor"),
        ("[" * 20_000, "does not read"),
        ("{", "line 1"),
    ],
)
def test_text_with_a_second_meaning_is_refused_before_it_is_a_contract(text, said):
    with pytest.raises(ContractError, match=said):
        parse_contract(text)


def test_json_is_read_as_strictly():
    twice = '{"goal": "a", "goal": "b", "deliverables": [{"path": "x"}]}'
    with pytest.raises(ContractError, match="'goal' twice"):
        parse_contract(twice, yaml_allowed=False)


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ("checks: [{check: file_matches, path: f.json, pattern: '('}]\n", "checks[0].pattern"),
        (
            "checks: [{check: json_schema_ok, path: f.json, json_schema: {type: wat}}]\n",
            "checks[0].json_schema: at $.type",
        ),
        (
            "checks: [{check: json_schema_ok, path: f.json, json_schema: {$ref: 'https://x/y'}}]\n",
            "checks[0].json_schema: $ref",
        ),
        ("checks: [{check: command_succeeds, argv: [rm, -rf]}]\n", "checks[0].argv: 'rm'"),
        ("inputs: [{path: a, source: b}]\n", "inputs[0].source"),
    ],
)
def test_a_contract_that_can_never_be_met_is_refused_before_anything_runs(more, field):
    contract = parse_contract(BASE + more)
    with pytest.raises(ContractError) as caught:
        check_runnable(contract)
    assert str(caught.value).startswith(field)


def test_an_error_names_the_file(tmp_path):
    file = tmp_path / "c.yaml"
    with pytest.raises(ContractError, match=r"c\.yaml: the file cannot be read: No such file"):
        load_contract(file)
    file.write_bytes(b"goal: \xff\n")
    with pytest.raises(ContractError, match=r"c\.yaml: the file is not UTF-8"):
        load_contract(file)
    file.write_bytes(b"#" * 1_100_000)
    with pytest.raises(ContractError, match="larger than"):
        load_contract(file)


def test_a_source_is_not_read_through_a_link_or_from_elsewhere(tmp_path):
    (tmp_path / "secret.txt").write_text("s")
    folder = tmp_path / "contracts"
    folder.mkdir()
    (folder / "log.txt").symlink_to(tmp_path / "secret.txt")
    file = folder / "c.yaml"
    file.write_text(BASE + "inputs: [{path: a, source: log.txt}]\n")
    with pytest.raises(ContractError, match=r"inputs\[0\]\.source: log\.txt is a symbolic link"):
        load_contract(file)


def test_the_published_schema_takes_what_the_parser_takes():
    schema = contract_schema()
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    assert validator.is_valid(json.loads(parse_contract(WHOLE).canonical_json()))
    assert not validator.is_valid({"goal": "x", "deliverables": []})
    assert not validator.is_valid({"goal": "x", "deliverables": [{"path": "a"}], "wat": 1})
