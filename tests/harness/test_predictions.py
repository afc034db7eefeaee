"""Prediction files: every kind of line has one defined outcome."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmb_harness.faults import InputError
from cmb_harness.predictions import MODES, parse_predictions, read_predictions, row_faults, row_key, select

GOOD = '{"item_id": "TH-Dance-01/s1", "mode": "reset", "choice": 2}'
SPAN = '{"item_id": "TH-Dance-01/s3/1", "mode": "reset", "span": [1.5, 2]}'


def rows(text: str) -> list[dict]:
    return parse_predictions(text.encode()).rows


def faults(text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        parse_predictions(text.encode(), "p.jsonl")
    return caught.value.faults


def line(**fields: object) -> str:
    return json.dumps({"item_id": "a/s1", "mode": "reset", **fields})


def test_a_plain_file_with_its_header() -> None:
    read = parse_predictions(f'{{"header": {{"team": "x"}}}}\n{GOOD}\n{SPAN}\n'.encode())
    assert read.header == {"team": "x"}
    assert [(row["item_id"], row["setting"], row["variant"]) for row in read.rows] == [
        ("TH-Dance-01/s1", "full", "common_latin"),
        ("TH-Dance-01/s3/1", "full", "common_latin"),
    ]
    assert read.lines == [2, 3]


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + GOOD.encode(),  # a byte-order mark, as Windows editors write it
        GOOD.encode() + b"\r\n",
        b"\n\n" + GOOD.encode() + b"\n   \n",
    ],
    ids=["bom", "crlf", "empty lines"],
)
def test_marks_of_other_systems_are_read(content: bytes) -> None:
    assert [row["choice"] for row in parse_predictions(content).rows] == [2]


def test_gzip_is_told_by_its_first_bytes_not_by_its_name(tmp_path: Path) -> None:
    packed = tmp_path / "predictions.jsonl"
    packed.write_bytes(gzip.compress(GOOD.encode()))
    assert read_predictions(packed).rows[0]["choice"] == 2
    packed.write_bytes(gzip.compress(GOOD.encode())[:-9])
    with pytest.raises(InputError, match="gzip data is damaged or cut off"):
        read_predictions(packed)


@pytest.mark.parametrize("choice", [None, -1, 4, 17])
def test_missing_and_invalid_choices_are_rows(choice: int | None) -> None:
    assert rows(line(choice=choice))[0]["choice"] == choice


@pytest.mark.parametrize(
    "span", ["null", "[]", "[20, 12.5]", "[3, 3]", "[-1, 2]", "[NaN, 2]", "[0, Infinity]"]
)
def test_missing_and_invalid_spans_are_rows(span: str) -> None:
    assert len(rows(f'{{"item_id": "a/s3/1", "mode": "reset", "span": {span}}}')) == 1


@pytest.mark.parametrize("choice", ["B", "2", 2.7, 2.0, True, [2], {"choice": 2}])
def test_what_is_no_integer_is_a_fault(choice: object) -> None:
    (fault,) = faults(line(choice=choice))
    assert fault.startswith(f"p.jsonl: line 1: choice: {json.dumps(choice)}: expected an integer 0-3")


@pytest.mark.parametrize("span", ["1-2", [1], [1, 2, 3], ["1", 2], [True, 2], 5, {"start": 1, "end": 2}])
def test_what_is_no_pair_of_numbers_is_a_fault(span: object) -> None:
    (fault,) = faults(line(span=span))
    assert "span" in fault
    assert "expected [start_s, end_s]" in fault


def test_all_faults_are_told_at_once_each_with_its_line() -> None:
    text = "\n".join([GOOD, GOOD, line(choice="B"), line(mode="rest", choice=1), "[1]", GOOD[:30]])
    told = faults(text)
    assert [fault.split(": ")[1] for fault in told] == ["line 2", "line 3", "line 4", "line 5", "line 6"]
    assert "already answered in line 1" in told[0]
    assert "expected one of reset, carry, feedback" in told[2]
    assert "not a whole JSON object" in told[4]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (line(), "exactly one of the two"),
        (line(choice=1, span=[1, 2]), "exactly one of the two"),
        ('{"item_id": "a", "item_id": "b", "mode": "reset", "choice": 1}', "item_id: the key stands twice"),
        ('{"item_id": "", "mode": "reset", "choice": 1}', "item_id"),
        (line(choice=1, setting="loud"), "setting"),
        (line(choice=1, variant="latin"), "variant"),
        (line(choice=1, truth=4), "truth"),
        (line(choice=1, raw=7), "raw"),
        ('{"header": 3}', "header: expected an object"),
        ('{"header": {}}', "holds no prediction rows"),
        ("", "holds no prediction rows"),
        ("[" * 100_000, "nested too deeply"),
        (line(choice=1)[:-1] + ', "x": ' + "9" * 5000 + "}", "line 1"),
    ],
)
def test_each_fault_says_what_was_wrong(text: str, words: str) -> None:
    assert any(words in fault for fault in faults(text))


def test_bytes_that_are_not_utf8_are_located(tmp_path: Path) -> None:
    file = tmp_path / "p.jsonl"
    file.write_bytes(GOOD.encode() + b"\n\xff\xfe")
    with pytest.raises(InputError, match="line 2: byte 60: not UTF-8"):
        read_predictions(file)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        read_predictions(tmp_path)


def test_select_takes_s1_as_reset_and_settings_for_s3_alone() -> None:
    def row(item_id: str, mode: str, setting: str = "full", **more: object) -> dict:
        return {"item_id": item_id, "mode": mode, "setting": setting, "variant": "common_latin", **more}

    stage_of = {"1": "s1", "2": "s2", "3": "s3"}
    every = [
        row("1", "reset"),
        row("1", "carry"),
        row("2", "reset"),
        row("2", "carry"),
        row("2", "carry", truth=1),
        row("3", "carry"),
        row("3", "carry", "no-audio"),
        row("?", "carry"),
    ]
    chosen = select(every, stage_of, mode="carry", setting="no-audio")
    assert [(r["item_id"], r["mode"], r["setting"]) for r in chosen] == [
        ("1", "reset", "full"),
        ("2", "carry", "full"),
        ("3", "carry", "no-audio"),
        ("?", "carry", "full"),
    ]


@given(st.binary(max_size=200))
def test_junk_is_a_fault_never_another_error(content: bytes) -> None:
    try:
        parse_predictions(content)
    except InputError as error:
        assert error.faults


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["item_id", "mode", "choice", "span", "truth", "raw", "x"]), JSON))
def test_a_row_without_faults_has_a_key_and_one_answer(row: dict) -> None:
    if not row_faults(row):
        assert row["mode"] in MODES
        assert ("choice" in row) != ("span" in row)
        hash(row_key(row))
