"""Every kind of bad record gets its own fault, and all faults come at once."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cmb_dataset import Fault, RecordError, read_records

Row = dict[str, Any]
Change = Callable[[Row], Any]


def faults_of(path: Path, region: Any = None) -> list[Fault]:
    with pytest.raises(RecordError) as caught:
        read_records(path, region)
    assert str(caught.value) == "\n".join(str(fault) for fault in caught.value.faults)
    return caught.value.faults


def put(name: str, value: Any) -> Change:
    return lambda row: row.__setitem__(name, value)


def put_in(name: str, place: Any, value: Any) -> Change:
    return lambda row: row[name].__setitem__(place, value)


def put_in_pair(name: str, value: Any) -> Change:
    return lambda row: row["s3_pairs"][0].__setitem__(name, value)


def flat(**fields: Any) -> Change:
    def change(row: Row) -> None:
        row["s3_pairs"] = None
        row.update({"video_B_url": "BBBBBBBBBBB", "video_B_s3_span": [1, 2], "s3_cue": "a cue"} | fields)

    return change


# (what is done to KH-Dance-01, whose keys are S1 option 2 and S2 option 1) → (the field of the fault, what it says)
CASES: dict[str, tuple[Change, str, str]] = {
    "no name field": (lambda row: row.pop("concept_name"), "concept_name", "missing"),
    "no options": (lambda row: row.pop("s1_options"), "s1_options", "missing"),
    "null options": (put("s2_options", None), "s2_options", "expected a list of 4 moments, found null"),
    "index above": (put("s1_correct_index", 4), "s1_correct_index", "from 0 to 3, found the number 4"),
    "index below": (put("s2_correct_index", -1), "s2_correct_index", "from 0 to 3, found the number -1"),
    "bool for int": (
        put("s1_correct_index", True),
        "s1_correct_index",
        "whole number from 0 to 3, found true",
    ),
    "float for int": (put("s1_correct_index", 2.0), "s1_correct_index", "found the number 2.0"),
    "text for int": (put("s1_correct_index", "2"), "s1_correct_index", 'found the text "2"'),
    "letter for int": (put("s2_correct_index", "B"), "s2_correct_index", 'found the text "B"'),
    "number for text": (put("description", 7), "description", "not empty, found the number 7"),
    "list for text": (put("category", ["Dance"]), "category", "found a list of 1"),
    "object for text": (put("concept_name", {}), "concept_name", "found an object"),
    "blank text": (put("description", " \n"), "description", "a text that is not empty"),
    "bad id": (put("concept_id", "KH-Dance-1"), "concept_id", "like ID-Dance-01"),
    "lower-case id": (put("concept_id", "kh-Dance-01"), "concept_id", "like ID-Dance-01"),
    "id with other digits": (put("concept_id", "KH-Dance-٠١"), "concept_id", "like ID-Dance-01"),
    "id and more": (put("concept_id", "KH-Dance-01\n"), "concept_id", "like ID-Dance-01"),
    "id of another country": (put("country", "TH"), "country", "does not agree with concept_id KH-Dance-01"),
    "id of another category": (put("category", "Game"), "category", "does not agree with concept_id"),
    "bad country": (put("country", "Cambodia"), "country", "two capital letters"),
    "start after end": (
        put("video_A_s2_moment", [9, 4]),
        "video_A_s2_moment",
        "start_s before end_s, found 9 and 4",
    ),
    "start at end": (put("video_A_s2_moment", [4, 4.0001]), "video_A_s2_moment", "start_s before end_s"),
    "negative time": (put("video_A_s2_moment", [-1, 4]), "video_A_s2_moment.start_s", "from 0 to 1e9"),
    "text for a time": (
        put("video_A_s2_moment", ["1:30", 4]),
        "video_A_s2_moment.start_s",
        'the text "1:30"',
    ),
    "bool for a time": (put("video_A_s2_moment", [1.5, True]), "video_A_s2_moment.end_s", "found true"),
    "three times": (
        put("video_A_s2_moment", [1, 2, 3]),
        "video_A_s2_moment",
        "[start_s, end_s], found a list of 3",
    ),
    "huge time": (put("video_A_s2_moment", [1, 10**400]), "video_A_s2_moment.end_s", "from 0 to 1e9"),
    "bad URL": (put("video_A_url", "https://vimeo.com/12345"), "video_A_url", "one YouTube video"),
    "number for a URL": (put("video_A_url", 12345678901), "video_A_url", "found the number 12345678901"),
    "three options": (
        lambda row: row["s1_options"].pop(0),
        "s1_options",
        "list of 4 names, found a list of 3",
    ),
    "five options": (
        lambda row: row["s2_options"].append(["CCCCCCCCCCC", 1, 2]),
        "s2_options",
        "list of 4 moments, found a list of 5",
    ),
    "repeated name": (put_in("s1_options", 0, " nama  KH dance 01"), "s1_options[2]", "repeats option 0"),
    "number for a name": (put_in("s1_options", 0, 3), "s1_options[0]", "found the number 3"),
    "repeated moment": (
        lambda row: row["s2_options"].__setitem__(0, list(row["s2_options"][3])),
        "s2_options[3]",
        "repeats option 0",
    ),
    "moment without a part": (
        put_in("s2_options", 0, ["CCCCCCCCCCC", 1]),
        "s2_options[0]",
        "expected a moment",
    ),
    "moment with a title": (
        put_in("s2_options", 0, {"video_url": "CCCCCCCCCCC", "start_s": 1, "end_s": 2, "title": "x"}),
        "s2_options[0]",
        "an object of these three",
    ),
    "option of no video": (
        put_in("s2_options", 0, ["nothing", 1, 2]),
        "s2_options[0].video_url",
        '"nothing"',
    ),
    "option that ends early": (
        put_in("s2_options", 0, ["CCCCCCCCCCC", 2, 1]),
        "s2_options[0]",
        "before end_s",
    ),
    "option before the start": (
        put_in("s2_options", 0, ["CCCCCCCCCCC", -2, 1]),
        "s2_options[0].start_s",
        "-2",
    ),
    "key is another video": (put("s2_correct_index", 0), "s2_options[0]", "the moment of video A"),
    "key is another moment": (
        put_in("s2_options", 1, ["AKHDan01_00", 1.5, 5.01]),
        "s2_options[1]",
        "the key option is ['AKHDan01_00', 1.5, 5.01], the moment of video A ['AKHDan01_00', 1.5, 5.0]",
    ),
    "key is another name": (
        put("s1_correct_index", 1),
        "s1_correct_index",
        'common-Latin name "Nama Kh Dance 01"',
    ),
    "name variant of another": (
        lambda row: row["name_variants"].__setitem__("common_latin", "Other"),
        "s1_correct_index",
        'is "Nama Kh Dance 01", the common-Latin name "Other"',
    ),
    "key is not in the name": (
        lambda row: row.update(name_variants=None, concept_name="x (Nama Kh Dance 02)"),
        "s1_correct_index",
        "concept_name is another option",
    ),
    "unknown variant": (
        put_in("name_variants", "latin", "Other"),
        "name_variants.latin",
        "unknown variant; expected common_latin",
    ),
    "blank variant": (put_in("name_variants", "common_local", ""), "name_variants.common_local", "not empty"),
    "variants as a list": (
        put("name_variants", ["x"]),
        "name_variants",
        "an object with names in common_latin",
    ),
    "bad option id": (
        put_in("s1_option_concept_ids", 0, "nobody"),
        "s1_option_concept_ids[0]",
        "ID-Dance-01",
    ),
    "repeated option id": (
        put_in("s1_option_concept_ids", 0, "KH-Dance-02"),
        "s1_option_concept_ids[3]",
        "repeats option 0",
    ),
    "option ids shifted": (
        lambda row: row["s1_option_concept_ids"].insert(0, row["s1_option_concept_ids"].pop()),
        "s1_option_concept_ids[2]",
        "expected the concept itself at the key, found ID-Dance-02",
    ),
    "option ids swapped": (
        lambda row: row["s1_option_concept_ids"].__setitem__(
            slice(0, 2), reversed(row["s1_option_concept_ids"][:2])
        ),
        "s1_option_concept_ids[0]",
        'ID-Dance-02 is named "Nama Id Dance 02", the option is "Nama Id Dance 01"',
    ),
    "unknown origin": (
        put_in("s1_distractor_origin", 0, "abroad"),
        "s1_distractor_origin[0]",
        "same-country",
    ),
    "wrong origin": (
        put_in("s1_distractor_origin", 0, "same-country"),
        "s1_distractor_origin[0]",
        "expected different-country for ID-Dance-01",
    ),
    "two origins": (
        lambda row: row["s1_distractor_origin"].pop(),
        "s1_distractor_origin",
        "3 flags, one a distractor, found a list of 2",
    ),
    "unknown cluster": (put("writing_cluster", "Khmer"), "writing_cluster", "one of Latin, Local"),
    "cluster of another country": (
        put("writing_cluster", "Latin"),
        "writing_cluster",
        "Latin here, Local in 15 other records of KH",
    ),
    "unknown role": (put("audio_role", "Loud"), "audio_role", "one of Complementary, Redundant, Distracting"),
    "role without pairs": (put("s3_pairs", []), "audio_role", "expected null: the concept has no S3 pair"),
    "unknown outcome": (put("review_outcome", "fine"), "review_outcome", "one of passed, rewritten"),
    "number for the annotator": (put("annotator_role_id", 3), "annotator_role_id", "found the number 3"),
    "pairs as an object": (put("s3_pairs", {}), "s3_pairs", "expected a list of pairs, found an object"),
    "pair as a list": (
        lambda row: row["s3_pairs"].insert(0, ["x", 1, 2]),
        "s3_pairs[0]",
        "an object with video_url",
    ),
    "pair without cue": (lambda row: row["s3_pairs"][0].pop("cue"), "s3_pairs[0].cue", "missing"),
    "pair without end": (lambda row: row["s3_pairs"][0].pop("end_s"), "s3_pairs[0].end_s", "missing"),
    "pair that ends early": (put_in_pair("end_s", 4), "s3_pairs[0]", "start_s before end_s, found 5 and 4"),
    "pair before the start": (put_in_pair("start_s", -0.5), "s3_pairs[0].start_s", "from 0 to 1e9"),
    "pair on no video": (put_in_pair("video_url", "?"), "s3_pairs[0].video_url", "one YouTube video"),
    "pair on video A": (
        put_in_pair("video_url", "AKHDan01_00"),
        "s3_pairs[0].video_url",
        "video B is video A",
    ),
    "pair past the end": (
        put_in_pair("end_s", 61.5),
        "s3_pairs[0]",
        "the span ends at 61.5 s, the video at 61.25 s",
    ),
    "pair of no length": (put_in_pair("duration_s", 0), "s3_pairs[0].duration_s", "more than 0 seconds"),
    "pair twice": (
        lambda row: row["s3_pairs"].append(dict(row["s3_pairs"][0], cue="another cue")),
        "s3_pairs[2]",
        "same video and span",
    ),
    "flat beside pairs": (put("s3_cue", "a cue"), "s3_pairs", "given beside s3_cue"),
    "flat without a cue": (flat(s3_cue=None), "s3_cue", "missing beside video_B_url, video_B_s3_span"),
    "flat without a span": (flat(video_B_s3_span=None), "video_B_s3_span", "missing beside"),
    "flat on video A": (flat(video_B_url="AKHDan01_00"), "video_B_url", "video B is video A"),
    "flat past the end": (flat(duration_s=1.5), "video_B_s3_span", "ends at 2.0 s, the video at 1.5 s"),
    "flat that ends early": (flat(video_B_s3_span=[2, 1]), "video_B_s3_span", "start_s before end_s"),
    "length of several videos": (
        lambda row: row.update(
            duration_s=99,
            s3_pairs=[
                {"video_url": video, "start_s": 1, "end_s": 2, "cue": "x"} for video in ("B" * 11, "C" * 11)
            ],
        ),
        "duration_s",
        "in each of s3_pairs",
    ),
    "half a character": (put("description", "a\ud800"), "description", "half a character"),
    "half a character in a key": (put("a\udc00", 1), "a key", "half a character"),
}


@pytest.mark.parametrize("case", CASES)
def test_each_kind_has_its_own_fault(
    case: str, raw_records: list[Row], tmp_path: Path, write_json: Callable[[str, Any], Path]
) -> None:
    change, field, message = CASES[case]
    row = next(row for row in raw_records if row["concept_id"] == "KH-Dance-01")
    change(row)
    path = tmp_path / "r.json"
    path.write_text(json.dumps(raw_records))
    faults = faults_of(path)
    (fault,) = [fault for fault in faults if fault.field == field]
    assert fault.file == str(path)
    assert fault.place == f"record {raw_records.index(row) + 1}"
    assert fault.record == row["concept_id"] or fault.record == fault.place
    assert message in fault.message
    assert str(fault).encode()
    # What follows from the one mistake may be told too, but not at length.
    assert len(faults) <= 2, faults


def test_all_faults_of_all_files_come_at_once(raw_records: list[Row], tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    raw_records[0]["s1_correct_index"] = 9
    raw_records[1]["country"] = 3
    (folder / "a.json").write_text(json.dumps(raw_records[:2]))
    raw_records[2]["description"] = ""
    lines = [json.dumps(raw_records[2]), json.dumps(raw_records[3])[:-40], json.dumps(raw_records[4])]
    (folder / "b.jsonl").write_text("\n".join(lines))
    (folder / "c.json").write_text("")
    (folder / "d.json").write_bytes(b'[{"concept_id": "\xff"}]')
    told = [(Path(fault.file).name, fault.record, fault.field) for fault in faults_of(folder)]
    assert told == [
        ("a.json", "ID-Dance-01", "s1_correct_index"),
        ("a.json", "ID-Dance-02", "country"),
        ("b.jsonl", "KH-Dance-01", "description"),
        ("b.jsonl", "line 2", ""),
        ("c.json", "", ""),
        ("d.json", "", ""),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no record"),
        (b" \n\n", "holds no record"),
        (b"[]", "holds no record"),
        (b'[{"concept_id": "ID-Da', "the JSON breaks off: line 1 column 17"),
        (b'[{"concept_id": "ID-Dance-01"}', "the JSON breaks off: line 1 column 31"),
        (b'[{"concept_id" "ID-Dance-01"}]', "not JSON: line 1 column 16"),
        (b'[{"concept_id": "ID-Dance-01"},]', "not JSON: line 1"),
        (b"\xff\xfe[\x00]\x00", "line 1: not UTF-8 (byte 0)"),
        (b'[\n\n{"concept_id": "\xe9"}]', "line 3: not UTF-8 (byte 19)"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[" + b"1" * 5000 + b"]", "not usable: "),
        (b"\x00", "not JSON"),
    ],
)
def test_files_that_hold_no_records(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_bytes(content)
    (fault,) = faults_of(path)
    assert message in fault.message
    assert fault.file == str(path)


@pytest.mark.parametrize("value", [1, "text", None, [], True, 1.5])
def test_values_that_are_no_records(value: Any, write_json: Callable[[str, Any], Path]) -> None:
    (fault,) = faults_of(write_json("r.json", [value]))
    assert (fault.record, fault.field) == ("record 1", "")
    assert "expected a record, an object" in fault.message


def test_missing_files_and_empty_folders(tmp_path: Path) -> None:
    (fault,) = faults_of(tmp_path / "none.json")
    assert fault.message == "there is no such file or folder"
    (tmp_path / "notes.txt").write_text("x")
    (fault,) = faults_of(tmp_path)
    assert "holds no .json, .jsonl or .ndjson file" in fault.message


@pytest.mark.parametrize("token", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_json_does_not_have(token: str, raw_records: list[Row], tmp_path: Path) -> None:
    text = json.dumps(raw_records)
    path = tmp_path / "r.json"
    for field, old, new in (
        ("video_A_s2_moment[0]", '"video_A_s2_moment": [1.5', f'"video_A_s2_moment": [{token}'),
        ("s1_correct_index", '"s1_correct_index": 0', f'"s1_correct_index": {token}'),
        ("own", '"country": "ID"', f'"own": {token}, "country": "ID"'),
    ):
        path.write_text(text.replace(old, new, 1))
        found = [fault for fault in faults_of(path) if fault.field == field]
        assert any("no NaN and no infinity" in fault.message for fault in found), field


def test_keys_given_twice(raw_records: list[Row], tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    text = json.dumps(raw_records)
    text = text.replace('"country": "ID"', '"country": "KH", "country": "ID"', 1)
    text = text.replace('"cue": ', '"cue": "other", "cue": ', 1)
    path.write_text(text)
    told = {(fault.record, fault.field, fault.message) for fault in faults_of(path)}
    assert told == {
        ("ID-Dance-01", "country", "the key is given twice"),
        ("ID-Dance-02", "s3_pairs[0].cue", "the key is given twice"),
    }


def test_deep_extra_fields_are_refused_and_shallow_ones_kept(
    raw_records: list[Row], write_json: Callable[[str, Any], Path]
) -> None:
    value: Any = 1
    for _ in range(40):
        value = [value]
    raw_records[0]["own"] = value
    (fault,) = faults_of(write_json("r.json", raw_records))
    assert "nested more than 32 deep" in fault.message


def test_conflicting_records_of_one_concept(
    raw_records: list[Row], write_json: Callable[[str, Any], Path]
) -> None:
    first = next(row for row in raw_records if row["s3_pairs"])
    other = json.loads(json.dumps(first))
    other["description"] = "Something else."
    other["s3_pairs"][0]["start_s"] += 1
    (fault,) = faults_of(write_json("r.json", [first, other]))
    assert fault.field == "description"
    assert fault.place == "record 2"
    assert "differs from record 1 of" in fault.message


def test_the_same_pair_in_two_records(raw_records: list[Row], write_json: Callable[[str, Any], Path]) -> None:
    first = next(row for row in raw_records if row["s3_pairs"])
    (fault,) = faults_of(write_json("r.json", [first, first]))
    assert (fault.field, fault.place) == ("s3_pairs[0]", "record 2")


def test_the_same_record_twice_without_a_pair(
    raw_records: list[Row], write_json: Callable[[str, Any], Path]
) -> None:
    first = next(row for row in raw_records if not row["s3_pairs"])
    (fault,) = faults_of(write_json("r.json", [first, first]))
    assert (fault.field, fault.place) == ("concept_id", "record 2")


REGION = {
    "countries": [{"code": "ID", "writing_cluster": "Latin"}, {"code": "KH", "writing_cluster": "Local"}],
    "categories": ["Dance", "Music"],
}


def test_a_region_knows_its_countries_categories_and_clusters(
    raw_records: list[Row], write_json: Callable[[str, Any], Path]
) -> None:
    path = write_json("r.json", raw_records)
    region_file = write_json("region.json", REGION)
    assert len(read_records(path, REGION)) == len(read_records(path, region_file)) == 32
    told = {
        (fault.field, fault.message)
        for fault in faults_of(
            path, {**REGION, "categories": ["Dance"], "countries": REGION["countries"][:1]}
        )
    }
    assert told == {
        ("country", "KH is not in the region (ID); name yours with --region"),
        ("category", '"Music" is not in the region (Dance); name yours with --region'),
    }
    other = {**REGION, "countries": [{"code": code, "writing_cluster": "Latin"} for code in ("ID", "KH")]}
    faults = faults_of(path, other)
    assert len(faults) == 16
    assert {fault.message for fault in faults} == {'expected Latin for KH, found the text "Local"'}


@pytest.mark.parametrize("region", [{}, {"countries": 3, "categories": []}, {"countries": [{"code": "ID"}]}])
def test_regions_that_are_none(region: Any, records_file: Path) -> None:
    (fault,) = faults_of(records_file, region)
    assert "expected countries" in fault.message


def test_without_a_region_nothing_is_known(
    raw_records: list[Row], write_json: Callable[[str, Any], Path]
) -> None:
    text = json.dumps(raw_records).replace("KH", "JP").replace("Dance", "Ikebana").replace("Dan", "Ike")
    assert {record.country for record in read_records(write_json("r.json", json.loads(text)))} == {"ID", "JP"}


def test_no_fault_can_steer_a_terminal_or_break_a_line(
    raw_records: list[Row], write_json: Callable[[str, Any], Path]
) -> None:
    raw_records[0]["s1_options"] = "\x1b[2J\u009b1m"
    raw_records[1]["name_variants"]["a\x1b]0;x\x07\nb"] = "x"
    raw_records[2]["description"] = "\ud800"
    raw_records[3]["country"] = "\u202eDI"
    path = write_json("r.json", [])
    path.write_text(json.dumps(raw_records))
    faults = faults_of(path)
    assert len(faults) >= 4
    for fault in faults:
        assert str(fault).isprintable()
        assert fault.message.isprintable()
    assert any("\\u202eDI" in fault.message for fault in faults)
