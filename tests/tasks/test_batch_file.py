"""A batch file is read strictly: every row is a question or a named fault, and none is lost."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.errors import ConfigError
from tasks.batch_file import explain, read_batch_file


def write(tmp_path, name, text):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def texts(found):
    return [item.question.text for item in found.items]


def test_every_column_is_read(tmp_path):
    text = (
        "id,question,options,topic,context,tags\nq1,Go or Rust?,Go|Rust,languages,small team,a|b\n"
    )
    (item,) = read_batch_file(write(tmp_path, "b.csv", text)).items
    assert (item.key, item.question.topic, item.question.context) == (
        "q1",
        "languages",
        "small team",
    )
    assert item.question.option_names == ("Go", "Rust")
    assert item.question.tags == ("a", "b")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("\ufeffquestion\nWhy?\n", ["Why?"]),
        ("question\r\nWhy?\r\nHow?\r\n", ["Why?", "How?"]),
        ('question\n"Why, oh why?"\n', ["Why, oh why?"]),
        ('question\n"Why ""this""?"\n', ['Why "this"?']),
        ('question\n"Why\nnow?"\nHow?\n', ["Why\nnow?", "How?"]),
        ("question\n🤔 why?\nلماذا؟\n", ["🤔 why?", "لماذا؟"]),
        ("QUESTION \n\nWhy?\n\n", ["Why?"]),
        ("question\nWhy?", ["Why?"]),
    ],
)
def test_a_csv_in_any_dress_is_read_whole(tmp_path, text, wanted):
    found = read_batch_file(write(tmp_path, "b.csv", text))
    assert (texts(found), found.faults) == (wanted, ())


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("b.csv", "", "empty"),
        ("b.csv", "question\n", "no row"),
        ("b.csv", "text\nWhy?\n", "no `question` column"),
        ("b.csv", "question,colour\nWhy?,red\n", "unknown column colour"),
        ("b.csv", "question,question\nWhy?,How?\n", "given twice"),
        ("b.csv", 'question\n"Why?\nHow?\n', "not CSV"),
        ("b.csv", 'question\n"Why?" How?\n', "not CSV"),
        ("b.csv", b"question\nWhy?\n" + b"\xff\xfe\n", "line 3: not UTF-8"),
        ("b.xls", "question\nWhy?\n", "csv, jsonl, parquet"),
        ("b.parquet", "question\nWhy?\n", "not Parquet"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(tmp_path, name, text, said):
    with pytest.raises(ConfigError, match=said):
        read_batch_file(write(tmp_path, name, text))


def test_a_file_that_is_not_there_says_so(tmp_path):
    with pytest.raises(ConfigError, match="No such file"):
        read_batch_file(tmp_path / "none.csv")


def test_every_bad_row_is_named_with_its_line(tmp_path):
    rows = [
        {"question": "Good?"},
        {"question": ""},
        {"question": 7},
        {"question": "Which?", "options": ["only"]},
        {"question": "Which?", "options": 3},
        {"question": "x" * 200_001},
        {"question": "Why?", "colour": "red"},
        {"id": "a", "question": "One?"},
        {"id": "a", "question": "Two?"},
    ]
    lines = [json.dumps(row) for row in rows] + ["{", "[1]", '{"question":"A?","question":"B?"}']
    path = write(tmp_path, "b.jsonl", "\n".join(lines))
    found = read_batch_file(path)
    assert texts(found) == ["Good?", "One?"]
    assert [fault.row for fault in found.faults] == [2, 3, 4, 5, 6, 7, 9, 10, 11, 12]
    report = explain(path, found.faults)
    for said in (
        "row 2: the question is empty",
        "int 7",
        "200,000",
        "colour",
        "'a' stands",
        "twice",
    ):
        assert said in report


def test_a_row_with_too_many_cells_is_a_fault_and_the_others_stand(tmp_path):
    found = read_batch_file(write(tmp_path, "b.csv", "question,topic\nWhy?,x,y\nHow?,z\n"))
    assert texts(found) == ["How?"]
    assert "3 cells" in found.faults[0].why


def test_parquet_is_read_with_lists(tmp_path):
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    path = tmp_path / "b.parquet"
    pq.write_table(pa.table({"question": ["Which?"], "options": [["Go", "Rust"]]}), path)
    (item,) = read_batch_file(path).items
    assert item.question.option_names == ("Go", "Rust")


def test_the_same_question_twice_has_two_keys_that_are_stable(tmp_path):
    path = write(tmp_path, "b.csv", "question\nWhy?\nWhy?\nHow?\n")
    keys = [item.key for item in read_batch_file(path).items]
    assert keys[1] == f"{keys[0]}#2"
    assert keys == [item.key for item in read_batch_file(path).items]


def test_a_hundred_thousand_rows_are_all_there(tmp_path):
    text = "question\n" + "".join(f"Is {n} enough?\n" for n in range(100_000))
    found = read_batch_file(write(tmp_path, "b.csv", text))
    assert len(found.items) == 100_000


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))))
def test_no_row_is_lost_whatever_it_holds(tmp_path_factory, questions):
    path = tmp_path_factory.mktemp("rows") / "b.jsonl"
    path.write_text("\n".join(json.dumps({"question": q}) for q in questions) + " \n{}")
    found = read_batch_file(path)
    assert len(found.items) + len(found.faults) == len(questions) + 1
