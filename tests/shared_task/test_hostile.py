"""Every kind of hostile file gets its own fault, and nothing in the answer can steer a terminal, a log or a page."""

import gzip
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmb_harness.faults import InputError
from cmb_harness.predictions import FIELDS
from cmb_harness.shared_task.submission import FAULTS_SHOWN, check_submission

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
from hostile_files import KINDS, plain  # noqa: E402

SLOW_TO_MAKE = ("gzip_bomb", "many_lists", "many_keys_one_twice", "gzip_many_members", "too_large")


def test_there_are_kinds_enough() -> None:
    assert len(KINDS) >= 30


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("phase", ["recognition", "localization"])
def test_each_kind_gets_its_fault(name: str, phase: str, localization: Any, honest: Any) -> None:
    asked = localization.asked(phase)
    for seed in range(1 if name in SLOW_TO_MAKE else 3):
        content = KINDS[name].build(Random(seed), honest(asked))
        with pytest.raises(InputError) as caught:
            check_submission(content, asked, "f.jsonl")
        told = caught.value.faults
        assert any(KINDS[name].fault in fault for fault in told), told[:5]
        assert len(told) <= FAULTS_SHOWN + 1
        assert all(fault.isprintable() and len(fault) < 400 for fault in told)
        assert not {"<", ">"} & set("".join(told))


@given(content=st.binary(max_size=300))
def test_junk_is_a_fault_never_another_error(content: bytes, recognition: Any) -> None:
    for wrapped in (content, gzip.compress(content), b"\x1f\x8b" + content):
        with pytest.raises(InputError):
            check_submission(wrapped, recognition.asked("recognition"))


@given(data=st.data())
def test_a_changed_file_is_refused_or_says_the_same(data: Any, localization: Any, honest: Any) -> None:
    """One to three changes of bytes: the outcome is a fault, or a file of the same keys; never another error."""
    asked = localization.asked(data.draw(st.sampled_from(["recognition", "localization"])))
    original = bytearray(plain(honest(asked)))
    expected = check_submission(bytes(original), asked)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(original) - 1))
        length = data.draw(st.integers(0, 4))
        token = st.sampled_from(
            [b"NaN", b"1e400", b'"', b"{", b"}", b"[", b"\\ud800", b"\n", b"null", b"-", b"9"]
        )
        original[place : place + length] = data.draw(st.one_of(st.binary(max_size=4), token))
    try:
        found = check_submission(bytes(original), asked)
    except InputError as error:
        assert error.faults
        return
    keys = [(row["item_id"], row["mode"], row["truth"]) for row in expected.rows]
    assert [(row["item_id"], row["mode"], row["truth"]) for row in found.rows] == keys


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(
    fields=st.dictionaries(st.sampled_from([*sorted(FIELDS), "x"]), JSON, min_size=1),
    place=st.integers(0, 111),
)
def test_any_json_in_a_row_is_refused_or_an_answer(
    fields: dict[str, Any], place: int, recognition: Any, honest: Any
) -> None:
    asked = recognition.asked("recognition")
    lines = honest(asked)
    lines[place] = lines[place] | fields
    try:
        submission = check_submission(plain(lines), asked)
    except InputError as error:
        assert all(fault.isprintable() for fault in error.faults)
        return
    assert all(row["choice"] in (None, 0, 1, 2, 3) for row in submission.rows)
