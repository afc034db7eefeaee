"""Whatever the files hold, reading them gives records or faults, and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cmb_dataset import CONFIGS, STAGES, Record, RecordError, read_records, stage_rows

Row = dict[str, Any]

few = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=-(10**400), max_value=10**400)
    | st.floats()
    | st.text(alphabet=st.characters(exclude_categories=()), max_size=20)
    | st.sampled_from(["KH-Dance-01", "https://youtu.be/AKHDan01_00", "Latin", "common_latin"]),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(
            st.text(alphabet=st.characters(exclude_categories=()), max_size=8), inner, max_size=4
        )
    ),
    max_leaves=8,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every value inside a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, child in inner for place in places(child, (*path, key)))]


def read_or_faults(path: Path) -> list[Record] | None:
    try:
        records = read_records(path)
    except RecordError as error:
        assert error.faults
        for fault in error.faults:
            assert fault.message
            assert str(fault).encode()
        return None
    for config in CONFIGS:
        # What was accepted can be built and written.
        json.dumps(stage_rows(records, config), allow_nan=False, ensure_ascii=False).encode()
    return records


@few
@given(data=st.data())
def test_any_value_in_any_place(data: st.DataObject, raw_records: list[Row], tmp_path: Path) -> None:
    value = json.loads(json.dumps(raw_records[:4]))
    for _ in range(data.draw(st.integers(1, 3))):
        *path, last = data.draw(st.sampled_from(places(value)[1:]))
        holder = value
        for step in path:
            holder = holder[step]
        if data.draw(st.booleans()):
            holder[last] = data.draw(json_values)
        else:
            del holder[last]
        if not value:
            break
    file = tmp_path / "r.json"
    file.write_text(json.dumps(value), encoding="utf-8")
    read_or_faults(file)


@few
@given(content=st.binary(max_size=60) | json_values.map(lambda value: json.dumps(value).encode()))
@example(content=b'[{"concept_id": "\xed\xa0\x80"}]')
@example(content=b'{"a": 1}\n{"a"')
def test_any_bytes(content: bytes, tmp_path: Path) -> None:
    for name in ("r.json", "r.jsonl"):
        (tmp_path / name).write_bytes(content)
        assert read_or_faults(tmp_path / name) is None


@few
@given(data=st.data())
def test_a_file_that_was_cut_off_is_a_fault(
    data: st.DataObject, raw_records: list[Row], tmp_path: Path
) -> None:
    content = json.dumps(raw_records[:4], ensure_ascii=False).encode()
    file = tmp_path / "r.json"
    file.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
    assert read_or_faults(file) is None


times = st.floats(0, 1e6, allow_nan=False).map(lambda time: round(time, 3))
spans = st.tuples(times, times).map(sorted).filter(lambda span: span[0] < span[1])
texts = st.text(alphabet=st.characters(exclude_categories=("Cs",)), min_size=1, max_size=30).filter(str.strip)
video_ids = st.from_regex(r"[A-Za-z0-9_-]{11}", fullmatch=True)


@st.composite
def valid_records(draw: st.DrawFn) -> Row:
    key_1, key_2 = draw(st.integers(0, 3)), draw(st.integers(0, 3))
    *videos, video_b = draw(st.lists(video_ids, min_size=5, max_size=5, unique=True))
    moments = [[video, *draw(spans)] for video in videos]
    names = draw(st.lists(texts, min_size=4, max_size=4, unique_by=lambda text: text.casefold().strip()))
    pairs = draw(st.lists(spans, max_size=3, unique_by=tuple))
    return {
        "concept_id": "KH-Dance-01",
        "country": "KH",
        "category": "Dance",
        "concept_name": draw(texts),
        "description": draw(texts),
        "s1_options": names,
        "s1_correct_index": key_1,
        "video_A_url": videos[key_2],
        "video_A_s2_moment": moments[key_2][1:],
        "s2_options": moments,
        "s2_correct_index": key_2,
        "s3_pairs": [
            {"video_url": video_b, "start_s": start_s, "end_s": end_s, "cue": draw(texts)}
            for start_s, end_s in pairs
        ],
        "writing_cluster": "Local",
        "name_variants": {"common_latin": names[key_1], "official_local": draw(texts)},
        "own field": draw(texts),
    }


@few
@given(row=valid_records())
def test_what_is_valid_is_read_and_written_and_read_again(row: Row, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    file.write_text(json.dumps(row), encoding="utf-8")
    try:
        (record,) = read_records(file)
    except RecordError as error:
        # Names that differ by case or form alone, or a name that is another option: rightly refused.
        assert {fault.field.partition("[")[0] for fault in error.faults} <= {"s1_options", "s1_correct_index"}
        return
    assert record.s1_options == tuple(row["s1_options"])
    assert [list(option) for option in record.s2_options] == row["s2_options"]
    assert record.extra == {"own field": row["own field"]}
    file.write_text(json.dumps([record.as_json()], allow_nan=False), encoding="utf-8")
    assert read_records(file) == [record]


@pytest.mark.parametrize("stage", STAGES)
def test_rows_are_the_same_in_any_order_of_the_records(
    stage: str, records: list[Record], split: Row, secrets: Row
) -> None:
    rows = stage_rows(records, stage, split, secrets, "localization")
    assert stage_rows(records[::-1], stage, split, secrets, "localization") == rows
