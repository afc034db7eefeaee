"""Records in every form that is read."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cmb_dataset
from cmb_dataset import Moment, Pair, read_records
from cmb_harness import records as harness_records

Row = dict[str, Any]


def as_text(rows: Any) -> str:
    return json.dumps(rows, ensure_ascii=False)


def as_lines(rows: list[Row], end: str = "\n") -> str:
    return "".join(as_text(row) + end for row in rows)


def flat(row: Row, number: int | None) -> Row:
    """A record in the flat form of A.2, with one of its pairs or none."""
    row = dict(row)
    pairs = row.pop("s3_pairs")
    if number is not None:
        pair = pairs[number]
        row |= {
            "video_B_url": pair["video_url"],
            "video_B_s3_span": [pair["start_s"], pair["end_s"]],
            "s3_cue": pair["cue"],
            "duration_s": pair["duration_s"],
        }
    return row


def test_a_record_holds_what_its_json_says(records: list[cmb_dataset.Record]) -> None:
    record = next(record for record in records if record.concept_id == "KH-Dance-01")
    assert (record.country, record.category, record.writing_cluster) == ("KH", "Dance", "Local")
    assert record.concept_name == "ឈ្មោះ (Nama Kh Dance 01)"
    assert record.common_latin == "Nama Kh Dance 01"
    assert record.video_A_url == "AKHDan01_00"
    assert record.moment == Moment("AKHDan01_00", 1.5, 5.0) == record.s2_options[record.s2_correct_index]
    assert record.s3_pairs == (
        Pair("BKHDan01_00", 5.0, 12.5, "the moment number 0 of what is seen", 61.25),
        Pair("BKHDan01_00", 25.0, 32.5, "the moment number 1 of what is seen", 61.25),
    )
    assert record.s1_distractor_origin == ("different-country", "different-country", "same-country")


@pytest.mark.parametrize(
    "write",
    [
        lambda rows: as_text(rows),
        lambda rows: "\ufeff" + as_text(rows),
        lambda rows: json.dumps(rows, indent=2),
        lambda rows: "\n\n" + json.dumps(rows, ensure_ascii=True) + "\n",
        lambda rows: as_lines(rows),
        lambda rows: as_lines(rows, "\r\n"),
        lambda rows: "\ufeff" + as_lines(rows, "\n\n"),
        lambda rows: as_lines(rows).rstrip("\n"),
    ],
    ids=["list", "list with BOM", "indented", "escaped", "lines", "CRLF", "blank lines", "no last newline"],
)
@pytest.mark.parametrize("name", ["r.json", "r.txt"])
def test_lists_and_lines_read_alike(
    name: str,
    write: Callable[[list[Row]], str],
    raw_records: list[Row],
    records: list[cmb_dataset.Record],
    tmp_path: Path,
) -> None:
    path = tmp_path / name
    path.write_text(write(raw_records), encoding="utf-8", newline="")
    assert read_records(path) == records


def test_one_object_is_one_record(raw_records: list[Row], tmp_path: Path) -> None:
    row = raw_records[0]
    for name, text in (("a.json", json.dumps(row, indent=1)), ("b.jsonl", as_text(row))):
        (tmp_path / name).write_text(text)
        assert [record.concept_id for record in read_records(tmp_path / name)] == [row["concept_id"]]


def test_a_folder_is_read_file_by_file(
    raw_records: list[Row], records: list[cmb_dataset.Record], tmp_path: Path
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "1.json").write_text(as_text(raw_records[:10]))
    (folder / "2.JSONL").write_text(as_lines(raw_records[10:]))
    (folder / ".3.json.part").write_text("half")
    (folder / ".4.json").write_text("hidden")
    (folder / "README.md").write_text("not records")
    assert read_records(folder) == records


def test_line_separators_inside_strings_end_no_line(raw_records: list[Row], tmp_path: Path) -> None:
    raw_records[0]["description"] = "one\u2028two\u0085three"
    path = tmp_path / "r.jsonl"
    path.write_text(as_lines(raw_records), encoding="utf-8")
    assert read_records(path)[0].description == "one\u2028two\u0085three"


def test_the_three_forms_of_s3_read_alike(
    raw_records: list[Row], records: list[cmb_dataset.Record], tmp_path: Path
) -> None:
    rows = [
        flat(row, number)
        for row in raw_records
        for number in (range(len(row["s3_pairs"])) if row["s3_pairs"] else [None])
    ]
    assert len(rows) > len(raw_records)
    rows[0] |= {"video_B_url": None, "video_B_s3_span": None, "s3_cue": None}
    path = tmp_path / "flat.json"
    path.write_text(as_text(rows))
    read = read_records(path)
    assert [record.s3_pairs for record in read] == [record.s3_pairs for record in records]
    assert [record.common_latin for record in read] == [record.common_latin for record in records]


def test_records_of_one_concept_may_lie_in_several_files(raw_records: list[Row], tmp_path: Path) -> None:
    row = next(row for row in raw_records if len(row["s3_pairs"]) == 2)
    folder = tmp_path / "folder"
    folder.mkdir()
    for number in (0, 1):
        (folder / f"{number}.json").write_text(as_text([flat(row, number) | {"source": number, "both": [1]}]))
    (record,) = read_records(folder)
    assert [pair.start_s for pair in record.s3_pairs] == [5.0, 25.0]
    assert record.extra == {"both": [1]}
    assert [pair.extra for pair in record.s3_pairs] == [{"source": 0}, {"source": 1}]


def test_moments_may_be_objects_and_urls_of_any_form(
    raw_records: list[Row], records: list[cmb_dataset.Record], tmp_path: Path
) -> None:
    for row in raw_records:
        start_s, end_s = row["video_A_s2_moment"]
        row["video_A_s2_moment"] = {"start_s": start_s, "end_s": end_s}
        row["s2_options"] = [
            {("video_url", "video_id")[i % 2]: video, "start_s": start, "end_s": end}
            for i, (video, start, end) in enumerate(row["s2_options"])
        ]
        row["video_A_url"] = (
            f"https://youtu.be/{row['s2_options'][row['s2_correct_index']].get('video_url')}?t=4"
        )
        if "None" in row["video_A_url"]:
            row["video_A_url"] = row["s2_options"][row["s2_correct_index"]]["video_id"]
    path = tmp_path / "r.json"
    path.write_text(as_text(raw_records))
    assert read_records(path) == records


def test_optional_fields_may_be_missing_or_null(raw_records: list[Row], tmp_path: Path) -> None:
    optional = (
        "s1_distractor_origin",
        "s1_option_concept_ids",
        "name_variants",
        "audio_role",
        "annotator_role_id",
        "review_outcome",
    )
    for row in raw_records:
        for name in optional:
            row[name] = None
    path = tmp_path / "r.json"
    path.write_text(as_text(raw_records))
    with_null = read_records(path)
    path.write_text(
        as_text([{name: row[name] for name in row if name not in optional} for row in raw_records])
    )
    assert read_records(path) == with_null
    assert with_null[0].name_variants is None
    assert with_null[0].common_latin == "Nama Id Dance 01"


def test_unknown_fields_are_kept_and_written_again(
    raw_records: list[Row], tmp_path: Path, write_json: Callable[[str, Any], Path]
) -> None:
    row = next(row for row in raw_records if row["s3_pairs"])
    row["reviewed_by"] = {"names": ["a", "b"], "when": None}
    row["s3_pairs"][0]["camera"] = "left"
    read = read_records(write_json("r.json", raw_records))
    record = next(record for record in read if record.concept_id == row["concept_id"])
    assert record.extra == {"reviewed_by": {"names": ["a", "b"], "when": None}}
    assert record.s3_pairs[0].extra == {"camera": "left"}
    again = [record.as_json() for record in read]
    assert read_records(write_json("again.json", again)) == read


def test_a_flag_an_option_says_the_same_as_one_a_distractor(
    raw_records: list[Row], records: list[cmb_dataset.Record], write_json: Callable[[str, Any], Path]
) -> None:
    for row in raw_records:
        row["s1_distractor_origin"].insert(row["s1_correct_index"], None)
    assert read_records(write_json("r.json", raw_records)) == records


def test_names_of_the_concept_in_other_scripts_are_no_fault(
    raw_records: list[Row], write_json: Callable[[str, Any], Path]
) -> None:
    for row in raw_records:
        row["concept_name"] = "ការប្រកួត"
        del row["name_variants"], row["s1_option_concept_ids"]
    assert {record.concept_name for record in read_records(write_json("r.json", raw_records))} == {"ការប្រកួត"}


def test_the_harness_raises_what_the_command_line_prints(tmp_path: Path) -> None:
    from cmb_harness.faults import InputError

    with pytest.raises(harness_records.RecordError) as caught:
        harness_records.read_records(tmp_path / "none.json")
    assert isinstance(caught.value, InputError)
    assert isinstance(caught.value, cmb_dataset.RecordError)
    assert caught.value.faults == [
        cmb_dataset.Fault(str(tmp_path / "none.json"), "", "", "there is no such file or folder")
    ]
