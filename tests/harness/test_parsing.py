"""The parser on cases that people decided: what a careful reader takes a text to say, set down before it was run."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cmb_harness.parsing import STATUSES, parse_choice, parse_span

REFERENCE = Path(__file__).resolve().parent.parent / "reference"


def cases(kind: str) -> list[Any]:
    """The cases of one kind in both files, named by what they are."""
    files = (REFERENCE / "parsing.jsonl", REFERENCE / "parsing_more.jsonl")
    rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    return [pytest.param(row, id=row["name"]) for row in rows if row["kind"] == kind]


@pytest.mark.parametrize("case", cases("choice"))
def test_choice(case: dict[str, Any]) -> None:
    assert parse_choice(case["text"], case["options"]) == (case["index"], case["status"])


@pytest.mark.parametrize("case", cases("span"))
def test_span(case: dict[str, Any]) -> None:
    span, status = parse_span(case["text"], case["duration_s"])
    assert status == case["status"]
    if case["span"] is None:
        assert span is None
    else:
        assert span == pytest.approx(case["span"], abs=1e-9)


def test_cases_are_many_and_of_every_status() -> None:
    for kind, least in (("choice", 500), ("span", 380)):
        statuses = Counter(param.values[0]["status"] for param in cases(kind))
        assert statuses.total() >= least
        assert set(statuses) == set(STATUSES)
        assert min(statuses.values()) >= 5


def test_seconds_are_floats() -> None:
    span, _ = parse_span("12 - 20")
    assert span == (12.0, 20.0)
    assert [type(value) for value in span] == [float, float]


def test_no_text_is_no_answer() -> None:
    assert parse_choice(None, 4) == (None, "none")
    assert parse_span(None) == (None, "none")


@pytest.mark.parametrize("text", [3, b"C", ["C"], {"answer": "C"}])
def test_what_is_no_text_raises(text: Any) -> None:
    with pytest.raises(TypeError, match=f"text: a string was expected, not {type(text).__name__}"):
        parse_choice(text, 4)
    with pytest.raises(TypeError, match="text: a string was expected"):
        parse_span(text)


@pytest.mark.parametrize("options", [0, []])
def test_without_options_every_letter_is_out_of_range(options: Any) -> None:
    assert parse_choice("C", options) == (None, "invalid")
    assert parse_choice("no idea", options) == (None, "refusal")


def test_the_length_of_the_video_decides_what_the_text_leaves_open() -> None:
    # "12,500": a thousand separator or a decimal comma. In a two-minute video it cannot be a thousand.
    assert parse_span("12,500 - 20,000", 120.0) == ((12.5, 20.0), "ok")
    assert parse_span("12,500 - 20,000", 36000.0) == ((12500.0, 20000.0), "ok")
    # Four digits around 2000 are seconds of a video that is that long, and a year of a shorter one.
    assert parse_span("In 2010 to 2015 it happens", 7200.0) == ((2010.0, 2015.0), "ok")
    assert parse_span("In 2010 to 2015 it happens", 120.0) == (None, "none")
    assert parse_span("from 12.5 seconds to the end", 120.0) == ((12.5, 120.0), "ok")
    assert parse_span("from 12.5 seconds to the end") == (None, "invalid")
    # It never clips, and never turns fractions or clocks into something else.
    assert parse_span("100 - 500", 120.0) == ((100.0, 500.0), "ok")
    assert parse_span("0.2 - 0.8", 120.0) == ((0.2, 0.8), "ok")
    assert parse_span("12:30 - 12:40", 120.0) == ((750.0, 760.0), "ok")


def test_a_long_reply_is_read_at_its_ends_and_where_it_announces() -> None:
    filler = "and so on " * 20_000
    for text in (f"Answer: C\n{filler}", f"{filler}\nAnswer: C", f"{filler}\nAnswer: C.\n{filler}"):
        assert parse_choice(text, 4) == (2, "ok")
        assert parse_span(text.replace("C", "12.5 - 20")) == ((12.5, 20.0), "ok")
    assert parse_choice(f"<think>{filler} A </think>{filler} C", 4) == (2, "ok")
