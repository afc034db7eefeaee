"""`cmb check` and `cmb build`, as they are typed."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cmb_dataset import Record, key_table
from cmb_harness.cli import main
from cmb_harness.dataset import read_dataset

Row = dict[str, Any]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def files(records_file: Path, split: Row, secrets: Row, write_json: Callable[[str, Any], Path]) -> list[str]:
    write_json("split.json", split)
    write_json("secrets.json", {**secrets, "example": True, "own": [1]})
    return ["records.json", "--out", "cmb", "--split", "split.json", "--secrets", "secrets.json"]


def test_check_sums_up(records_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "records.json"]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines() == [
        "concepts               32",
        "S3 pairs               24 on 16 videos",
        "concepts without pair  16",
        "countries              KH 16, ID 16",
        "categories             Dance 16, Music 16",
    ]
    assert shown.err == ""


def test_check_names_option_concepts_that_have_no_record(
    raw_records: list[Row], write_json: Callable[[str, Any], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    write_json("few.json", raw_records[:1])
    assert main(["check", "few.json"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == (
        "option concepts that have no record here: ID-Dance-02, KH-Dance-01, KH-Dance-02"
    )


def test_check_prints_every_fault(
    raw_records: list[Row], write_json: Callable[[str, Any], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    raw_records[0]["s1_correct_index"] = 5
    raw_records[3]["category"] = "Cuisine"
    del raw_records[4]["s2_options"]
    write_json("bad.json", raw_records)
    assert main(["check", "bad.json"]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.splitlines() == [
        "cmb: bad.json: ID-Dance-01 (record 1): s1_correct_index: "
        "expected a whole number from 0 to 3, found the number 5",
        'cmb: bad.json: KH-Dance-02 (record 4): category: "Cuisine" does not agree with concept_id KH-Dance-02',
        'cmb: bad.json: KH-Dance-02 (record 4): category: "Cuisine" is not in the region '
        "(Celebration, Dance, Game, Music, Wedding); name yours with --region",
        "cmb: bad.json: ID-Dance-03 (record 5): s2_options: missing",
        "cmb: 4 faults",
    ]


def test_check_takes_a_region(
    raw_records: list[Row], write_json: Callable[[str, Any], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    text = json.dumps(raw_records).replace("KH", "JP").replace("Dance", "Theatre")
    write_json("other.json", json.loads(text))
    assert main(["check", "other.json"]) == 1
    region = {
        "name": "Elsewhere",
        "countries": [
            {"code": "ID", "name": "Indonesia", "writing_cluster": "Latin"},
            {"code": "JP", "name": "Japan", "writing_cluster": "Local"},
        ],
        "categories": ["Theatre", "Music"],
        "ambiguity_groups": [],
        "cap": 0.1,
        "seeds": {},
        "role_cuts": [5],
        "duration_edges_s": [60],
    }
    write_json("region.json", region)
    assert main(["check", "other.json", "--region", "region.json"]) == 0
    assert "ID 16, JP 16" in capsys.readouterr().out
    write_json("region.json", {**region, "countries": [{"code": "ID"}], "cap": "0.1"})
    assert main(["check", "other.json", "--region", "region.json"]) == 1
    assert capsys.readouterr().err.splitlines()[-3:] == [
        "cmb: region.json: countries: expected a list of different countries, each with code, name and writing_cluster",
        "cmb: region.json: cap: expected a number above 0 and up to 1",
        "cmb: 2 faults",
    ]


def test_build_writes_the_folder_and_the_key_table(
    files: list[str], records: list[Record], split: Row, secrets: Row, capsys: pytest.CaptureFixture[str]
) -> None:
    os.chmod("secrets.json", 0o644)
    assert main(["build", *files, "--phase", "recognition"]) == 0
    built = read_dataset("cmb")
    assert capsys.readouterr().out.splitlines() == [
        "cmb: s1: 16 in train, 16 in test",
        "cmb: s2: 16 in train, 16 in test",
        "cmb: s3: 12 in train, 0 in test",
        f"cmb: version 1.0.0, content {built.sha256}",
    ]
    assert built.phase == "recognition"
    kept = json.loads(Path("secrets.json").read_text())
    assert kept["references"] == key_table(records, split, secrets, "recognition")
    assert (kept["example"], kept["own"], kept["salts"]) == (True, [1], secrets["salts"])
    assert stat.S_IMODE(os.stat("secrets.json").st_mode) == 0o600
    before = os.stat("secrets.json")
    assert main(["build", *files, "--phase", "recognition"]) == 0
    assert os.stat("secrets.json").st_ino == before.st_ino
    assert main(["build", *files, "--phase", "localization"]) == 0
    assert len(json.loads(Path("secrets.json").read_text())["references"]) == 44
    assert read_dataset("cmb").phase == "localization"


def test_without_a_phase_all_stages_are_built_with_a_warning(
    files: list[str], split: Row, write_json: Callable[[str, Any], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", *files]) == 0
    assert "--phase recognition" in capsys.readouterr().err
    built = read_dataset("cmb")
    assert built.phase is None
    assert {name: len(built.rows[name]["test"]) for name in ("s1", "s2", "s3")} == {
        "s1": 16,
        "s2": 16,
        "s3": 12,
    }
    assert {row["s2_item_id"] for row in built.rows["s3"]["test"]} == {None}
    write_json("split.json", {**split, "records_sha256": "0" * 64})
    assert main(["build", *files, "--phase", "development"]) == 0
    assert "records_sha256 is not that of these records" in capsys.readouterr().err


def test_build_without_a_split_publishes_all(records_file: Path) -> None:
    assert main(["build", "records.json", "--out", "all/cmb"]) == 0
    assert [len(rows) for rows in read_dataset("all/cmb").rows["s1"].values()] == [32, 0]


def test_what_does_not_fit_is_told_by_file_and_nothing_is_written(
    files: list[str], split: Row, write_json: Callable[[str, Any], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    write_json("split.json", {**split, "train": [*split["train"], "TH-Game-01"]})
    secrets_before = Path("secrets.json").read_bytes()
    assert main(["build", *files]) == 1
    assert capsys.readouterr().err == "cmb: split.json: TH-Game-01: train: no record has this concept_id\n"
    assert main(["build", "records.json", "--out", "cmb", "--split", "split.json"]) == 1
    assert capsys.readouterr().err == "cmb: secrets: missing: a split and its secrets go together\n"
    assert main(["build", "records.json", "--out", "cmb", "--phase", "concluded"]) == 1
    assert "nothing is hidden without --split and --secrets" in capsys.readouterr().err
    Path("split.json").write_text("[")
    assert main(["build", *files]) == 1
    assert "split.json: line 1: not JSON" in capsys.readouterr().err
    assert Path("secrets.json").read_bytes() == secrets_before
    assert not Path("cmb").exists()


def test_bad_records_leave_an_earlier_build_alone(
    files: list[str], raw_records: list[Row], write_json: Callable[[str, Any], Path]
) -> None:
    assert main(["build", *files]) == 0
    before = read_dataset("cmb").sha256
    raw_records[0]["s1_correct_index"] = 5
    write_json("records.json", raw_records)
    assert main(["build", *files]) == 1
    assert read_dataset("cmb").sha256 == before


def test_notes_of_the_records_head_the_card(
    raw_records: list[Row], write_json: Callable[[str, Any], Path]
) -> None:
    for row in raw_records:
        row["note"] = "an example"
    write_json("records.json", raw_records)
    assert main(["build", "records.json", "--out", "cmb"]) == 0
    assert "\n> **an example**\n" in Path("cmb/README.md").read_text()
    raw_records[0]["note"] = "another"
    write_json("records.json", raw_records)
    assert main(["build", "records.json", "--out", "cmb"]) == 0
    assert "an example" not in Path("cmb/README.md").read_text()


def test_videos_on_both_sides_are_warned_of(
    files: list[str],
    raw_records: list[Row],
    write_json: Callable[[str, Any], Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    for row in raw_records:
        for pair in row["s3_pairs"]:
            pair["video_url"] = "same_for_all"[:11]
    write_json("records.json", raw_records)
    assert main(["build", *files, "--phase", "localization"]) == 0
    assert "warning: videos of both public and hidden items: same_for_al" in capsys.readouterr().err


def make_video(path: Path, seconds: int) -> None:
    import av
    import numpy as np

    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=10)
        stream.width = stream.height = 64
        stream.pix_fmt = "yuv420p"
        for number in range(10 * seconds):
            picture = np.full((64, 64, 3), number % 256, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode(None))


def test_clips_are_cut_beside_the_build(
    raw_records: list[Row], write_json: Callable[[str, Any], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    write_json("records.json", raw_records[:4])
    command = ["build", "records.json", "--out", "cmb", "--clips", "cache"]
    assert main(command) == 1
    assert "cache: clips: 4 no_video" in capsys.readouterr().out
    Path("cache/videos").mkdir(parents=True)
    for row in raw_records[:3]:
        make_video(Path(f"cache/videos/{row['s2_options'][row['s2_correct_index']][0]}.mp4"), 7)
    assert main(command) == 0
    shown = capsys.readouterr()
    assert "cache: clips: 3 made, 1 no_video" in shown.out
    assert "cmb: no clip: " in shown.err
    assert "AKHDan02_00" in shown.err
    assert len(list(Path("cache/clips").glob("*.mp4"))) == 3
    assert main(command) == 0
    assert "cache: clips: 3 kept, 1 no_video" in capsys.readouterr().out
