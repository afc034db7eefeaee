"""Objects within limits: each limit at its edge, and text that is fit to be shown anywhere."""

import json
import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmb_harness.json_objects import Limits, byte_lines, parse_object, shown

STRICT = Limits(depth=3, key_characters=4, number_characters=6, finite=True, whole_characters=True)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": {"b": [1, 2]}}',  # three levels
        '{"abcd": 123456}',
        '{"a": -1.5e9}',
        '{"a": "\\ud83d\\ude00"}',  # both halves of one character
        '{"a": "[[[[[[{{{{"}',  # brackets in a string nest nothing
        '{"a": true, "b": null}',
    ],
)
def test_what_is_within_the_limits_is_read_as_python_reads_it(text: str) -> None:
    assert parse_object(text, STRICT) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": {"b": [[]]}}', "more than 3 levels"),
        ('{"abcde": 1}', "a key of more than 4 characters"),
        ('{"a": {"abcde": 1}}', "a key of more than 4 characters"),
        ('{"a": 1234567}', "1234567…: a number of more than 6 characters"),
        ('{"a": 1e9999}', "1e9999: the number is too large"),
        ('{"a": -1e999}', "-1e999: the number is too large"),
        ('{"a": NaN}', "NaN: expected a finite number"),
        ('{"a": -Infinity}', "-Infinity: expected a finite number"),
        ('{"a": "\\ud83d"}', "half a character"),
        ('{"\\udc00": 1}', "half a character"),
        ('{"a": 1, "b": 2, "a": 1}', "a: the key stands twice"),
        ('{"a": {"b": 1, "b": 1}}', "b: the key stands twice"),
        ("[1]", r"\[1\]: expected a JSON object"),
        ('"a"', "expected a JSON object"),
        ('{"a": 1', "not a whole JSON object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
    ],
)
def test_each_limit_says_what_is_beyond_it(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_object(text, STRICT)


def test_without_limits_python_decides() -> None:
    assert math.isnan(parse_object('{"a": NaN}')["a"])
    assert parse_object('{"a": 1e400}')["a"] == math.inf
    assert parse_object('{"a": ' + "9" * 4000 + "}")["a"] > 10**3999
    assert parse_object('{"a": "\\ud83d"}')["a"] == "\ud83d"


def test_the_first_repeated_key_is_found_in_the_time_of_one_pass() -> None:
    keys = ", ".join(f'"{i}": 0' for i in range(100_000))
    started = time.process_time()
    with pytest.raises(ValueError, match="99999: the key stands twice"):
        parse_object("{" + keys + ', "99999": 0}')
    assert time.process_time() - started < 5


def test_lines_are_those_of_split() -> None:
    for content in (b"", b"a", b"a\n", b"\n\n", b"a\r\nb\n\nc"):
        lines = list(byte_lines(content))
        expected = content.split(b"\n")[: len(lines)]
        assert [line for _, _, line in lines] == expected
        assert all(content[offset : offset + len(line)] == line for _, offset, line in lines)
        assert b"".join(content.split(b"\n")[len(lines) :]) == b""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("ខ្មែរ", '"ខ្មែរ"'),
        ("\x1b[31m", '"\\u001b[31m"'),
        ("\u202e\u200b", '"\\u202e\\u200b"'),
        ("\x9b", '"\\u009b"'),
        ("<b>&", '"\\u003cb\\u003e\\u0026"'),
        ("\ud800", '"\\ud800"'),
        ("\U000e0041", '"\\U000e0041"'),
        ([1, None], "[1, null]"),
        ("x" * 100, '"' + "x" * 36 + "…"),
    ],
)
def test_text_is_fit_to_be_shown(value: object, text: str) -> None:
    assert shown(value) == text


@given(st.text())
def test_whatever_is_shown_can_be_printed(value: str) -> None:
    text = shown(value)
    assert text.isprintable()
    assert text.encode()
    assert not {"<", ">", "&"} & set(text)


def test_a_value_too_deep_to_be_written_is_still_shown() -> None:
    value: list = []
    for _ in range(100_000):
        value = [value]
    assert shown(value) == "…"
