"""The built folder, with the real `datasets`: what loads, what stays hidden, what stays the same."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from cmb_dataset import COLUMNS, CONFIGS, PHASES, WITHHELD, Record, read_records, stage_rows
from cmb_harness import dataset as dataset_module
from cmb_harness.dataset import build_dataset, clip_moments, read_dataset, shared_videos, write_dataset
from cmb_harness.faults import InputError

Row = dict[str, Any]


@pytest.fixture
def build(
    records: list[Record], split: Row, secrets: Row, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Path]:
    """Build ``cmb/`` in the working directory of the test."""
    monkeypatch.chdir(tmp_path)

    def built(phase: str | None = "recognition", out: str = "cmb", of: list[Record] = records) -> Path:
        write_dataset(build_dataset(of, split=split, secrets=secrets, phase=phase), out)
        return tmp_path / out

    return built


def load(config: str, **options: Any) -> Any:
    import datasets

    datasets.disable_progress_bars()
    return datasets.load_dataset("cmb", config, **options)


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("phase", [None, *PHASES])
def test_every_config_loads_with_the_rows_that_were_made(
    phase: str | None, build: Callable[..., Path], records: list[Record], split: Row, secrets: Row
) -> None:
    folder = build(phase)
    fast = read_dataset(folder)
    assert fast.phase == phase
    for config in CONFIGS:
        made = stage_rows(records, config, split, secrets, phase)
        loaded = load(config)
        assert set(loaded) == {name for name, rows in made.items() if rows}
        for name, rows in loaded.items():
            assert rows.column_names == list(COLUMNS[config])
            assert rows.to_list() == made[name]
        assert fast.rows[config] == made


def test_features_are_plain(build: Callable[..., Path]) -> None:
    build("localization")
    shown = {
        config: {name: str(feature) for name, feature in load(config)["train"].features.items()}
        for config in CONFIGS
    }
    assert shown["s1"]["options"] == "List(Value('string'))"
    assert shown["s1"]["answer"] == "Value('int64')"
    assert shown["s2"]["options"] == (
        "List({'video_id': Value('string'), 'start_s': Value('float64'), 'end_s': Value('float64'), "
        "'clip': Value('string')})"
    )
    assert shown["s3"]["span"] == "List(Value('float64'))"
    assert shown["s3"]["video"] == "Value('string')"


def test_the_second_config_is_the_default(build: Callable[..., Path]) -> None:
    import datasets

    build()
    assert datasets.get_dataset_config_names("cmb") == list(CONFIGS)
    assert datasets.load_dataset("cmb", split="train").column_names == list(COLUMNS["s2"])


def test_streaming_reads_the_same_rows(build: Callable[..., Path]) -> None:
    build("localization")
    for config in ("s1", "s2", "s3"):
        streamed = load(config, streaming=True)
        assert [dict(row) for row in streamed["test"]] == load(config)["test"].to_list()


def test_it_loads_in_an_otherwise_empty_directory(build: Callable[..., Path], tmp_path: Path) -> None:
    build()
    alone = tmp_path / "elsewhere"
    alone.mkdir()
    (tmp_path / "cmb").rename(alone / "cmb")
    code = 'from datasets import load_dataset; print(load_dataset("cmb", "s3")["train"].num_rows)'
    environment = {"HOME": str(tmp_path), "HF_HUB_OFFLINE": "1", "PATH": os.environ["PATH"]}
    shown = subprocess.run(
        [sys.executable, "-c", code], cwd=alone, env=environment, capture_output=True, text=True, check=True
    )
    assert shown.stdout.strip() == "12"


@pytest.mark.parametrize("phase", [None, *PHASES])
def test_hidden_columns_are_not_in_the_parquet(phase: str | None, build: Callable[..., Path]) -> None:
    folder = build(phase)
    for file in folder.rglob("*.parquet"):
        config, split_name = file.parent.name, file.name.partition("-")[0]
        schema = pyarrow.parquet.read_schema(file)
        left_out = WITHHELD[config] if split_name == "test" and phase != "concluded" else ()
        if phase is None and (config, split_name) == ("s3", "test"):
            left_out = (*left_out, "s2_item_id")
        assert schema.names == [name for name in COLUMNS[config] if name not in left_out]
        assert schema.metadata is None
        described = pyarrow.parquet.read_metadata(file)
        columns = described.row_group(0)
        assert not any(columns.column(i).is_stats_set for i in range(columns.num_columns))


@pytest.mark.parametrize("phase", [None, *PHASES[:-1]])
def test_no_byte_of_the_folder_tells_of_a_hidden_concept(
    phase: str | None, build: Callable[..., Path], split: Row, secrets: Row, records: list[Record]
) -> None:
    folder = build(phase)
    bare = b"".join(content(folder).values())
    # Parquet compresses: what a reader gets out of it is searched too.
    rows = json.dumps(
        [pyarrow.parquet.read_table(file).to_pylist() for file in sorted(folder.rglob("*.parquet"))]
    )
    everything = bare.decode("utf-8", "replace") + rows + "\n".join(content(folder))
    needles = [*secrets["hidden_concepts"], *secrets["salts"].values(), split["records_sha256"]]
    needles += [salt[:16] for salt in secrets["salts"].values()]
    assert not [needle for needle in needles if needle in everything]
    assert "ID-Dance-01" in everything
    hidden_texts = {
        record.description: record for record in records if record.concept_id in secrets["hidden_concepts"]
    }
    for row in read_dataset(folder).rows["records"]["train"]:
        assert row["description"] not in hidden_texts
    for name in ("review_outcome", "audio_role", "annotator", "distractor_origin"):
        tests = list(folder.rglob("test-*.parquet"))
        assert not any(name in pyarrow.parquet.read_schema(file).names for file in tests)


def test_s3_says_nothing_before_localization(
    build: Callable[..., Path], records: list[Record], secrets: Row
) -> None:
    hidden = [record for record in records if record.concept_id in secrets["hidden_concepts"]]
    videos = {pair.video_url for record in hidden for pair in record.s3_pairs}
    rows = {phase: json.dumps(read_dataset(build(phase)).rows) for phase in ("recognition", "localization")}
    assert not [video for video in videos if video in rows["recognition"]]
    assert [video for video in videos if video in rows["localization"]]
    assert not list((build("recognition") / "s3").glob("test-*.parquet"))


def test_the_card_counts_public_concepts_only(build: Callable[..., Path]) -> None:
    text = (build() / "README.md").read_text()
    body = text.split("---\n", 2)[2]
    assert "| KH | 4 | 4 |" in body
    assert "| `s1` | 16 | 16 |" in body
    assert body.count("| KH |") == 1


def test_nothing_published_holds_a_path_and_clips_are_null(
    build: Callable[..., Path], tmp_path: Path
) -> None:
    folder = build("concluded")
    for row in load("s2")["train"]:
        assert [option["clip"] for option in row["options"]] == [None] * 4
    assert set(load("s3")["train"]["video"]) == {None}
    assert str(tmp_path).encode() not in b"".join(content(folder).values())


def test_two_builds_are_byte_identical_and_bear_one_time(
    build: Callable[..., Path], records: list[Record]
) -> None:
    one, two = build(), build(out="other", of=records[::-1])
    assert content(one) == content(two)
    times = {path.stat().st_mtime for path in (one, *one.rglob("*"), two, *two.rglob("*"))}
    assert times == {946684800}


def test_a_rebuilt_dataset_is_not_served_from_the_cache(
    build: Callable[..., Path], raw_records: list[Row], write_json: Callable[[str, Any], Path]
) -> None:
    build()
    assert "another text" not in load("s2")["train"]["description"]
    first = read_dataset("cmb").sha256
    raw_records[0]["description"] = "another text"
    build(of=read_records(write_json("edited.json", raw_records)))
    assert read_dataset("cmb").sha256 != first
    assert "another text" in load("s2")["train"]["description"]
    # A change of the test split alone, of the same size, is noticed too.
    hidden = next(row for row in raw_records if row["concept_id"] == "KH-Music-08")
    hidden["description"] = hidden["description"].replace("What", "Wham")
    build(of=read_records(write_json("edited.json", raw_records)))
    assert len([text for text in load("s1")["test"]["description"] if text.startswith("Wham")]) == 1


def test_files_of_an_older_build_vanish(build: Callable[..., Path], tmp_path: Path) -> None:
    folder = build("localization")
    assert (folder / "s3" / "test-00000-of-00001.parquet").exists()
    (folder / "s3" / "stale.parquet").write_bytes(b"x")
    build("recognition")
    assert sorted(content(folder)) == [
        "README.md",
        "cmb_dataset.py",
        "records/train-00000-of-00001.parquet",
        "s1/test-00000-of-00001.parquet",
        "s1/train-00000-of-00001.parquet",
        "s2/test-00000-of-00001.parquet",
        "s2/train-00000-of-00001.parquet",
        "s3/train-00000-of-00001.parquet",
    ]
    assert not list(tmp_path.glob(".cmb.*"))


@pytest.mark.parametrize("stopped_in", ["_write_parquet", "_card_text", "os.utime", "second rename"])
def test_an_interrupted_build_leaves_the_old_folder_whole(
    stopped_in: str, build: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = build()
    before = content(folder)
    rename = os.rename

    def stop(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    def stop_at_the_new_folder(source: Any, target: Any) -> None:
        if Path(source).name == "made":
            raise KeyboardInterrupt
        rename(source, target)

    if stopped_in == "second rename":
        monkeypatch.setattr(os, "rename", stop_at_the_new_folder)
    elif stopped_in == "os.utime":
        monkeypatch.setattr(os, "utime", stop)
    else:
        monkeypatch.setattr(dataset_module, stopped_in, stop)
    with pytest.raises(KeyboardInterrupt):
        build("concluded")
    assert content(folder) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cmb", "records.json"]


def test_folders_of_others_are_not_overwritten(build: Callable[..., Path], tmp_path: Path) -> None:
    other = tmp_path / "cmb"
    other.mkdir()
    build()
    for name, text in (("notes.txt", "mine"), (".git", "x")):
        (other / name).write_text(text)
        with pytest.raises(InputError, match=re.escape(f"holds {name}, which no build wrote")):
            build()
        (other / name).unlink()
    build()
    (other / "README.md").write_text("---\nlicense: mit\n---\nmine")
    with pytest.raises(InputError, match="which no build wrote"):
        build()
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="is a file"):
        build(out="file")
    assert (tmp_path / "file").read_text() == "x"


def test_reading_what_is_no_built_dataset(build: Callable[..., Path], tmp_path: Path) -> None:
    for name, message in (
        ("nowhere", "no such folder"),
        ("records.json", "no such folder"),
        (".", "there is no such file"),
    ):
        with pytest.raises(InputError, match=message):
            read_dataset(name)
    with pytest.raises(InputError, match=r"no such folder, and none from the Hub: "):
        read_dataset("someone/cmb")
    (tmp_path / "README.md").write_text("---\nlicense: mit\n---\n")
    with pytest.raises(InputError, match="not a dataset that cmb build wrote"):
        read_dataset(".")
    for text in ("no front matter", "---\n[1\n---\n", "---\n- 1\n---\n"):
        (tmp_path / "README.md").write_text(text)
        with pytest.raises(InputError, match=r"cannot be read|expected YAML"):
            read_dataset(".")


@pytest.mark.parametrize("harm", ["missing", "truncated", "another phase"])
def test_a_damaged_folder_is_told(harm: str, build: Callable[..., Path]) -> None:
    folder, other = build(), build("localization", out="other")
    file = folder / "s2" / "test-00000-of-00001.parquet"
    if harm == "missing":
        file.unlink()
    elif harm == "truncated":
        file.write_bytes(file.read_bytes()[:-20])
    else:
        (other / "s3" / "test-00000-of-00001.parquet").rename(folder / "s3" / "test-00000-of-00001.parquet")
    with pytest.raises(InputError, match=r"build or fetch it again|not a Parquet file"):
        read_dataset(folder)


def test_reading_needs_no_datasets(build: Callable[..., Path]) -> None:
    build()
    code = (
        "import sys; from cmb_harness.dataset import read_dataset; read_dataset('cmb'); "
        "assert 'datasets' not in sys.modules and 'pandas' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_records_without_any_pair_make_no_s3_at_all(
    raw_records: list[Row],
    write_json: Callable[[str, Any], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    bare = [{**row, "s3_pairs": [], "audio_role": None} for row in raw_records]
    write_dataset(build_dataset(read_records(write_json("bare.json", bare))), "cmb")
    assert read_dataset("cmb").rows["s3"] == {"train": [], "test": []}
    assert load("s1")["train"].num_rows == 32
    with pytest.raises(ValueError, match="s3"):
        load("s3")


def test_what_names_a_hidden_concept_is_not_published(
    raw_records: list[Row], split: Row, secrets: Row, write_json: Callable[[str, Any], Path]
) -> None:
    raw_records[0]["see_also"] = ["KH-Music-08"]
    raw_records[1]["see_also"] = ["KH-Music-080"]
    hidden = next(row for row in raw_records if row["concept_id"] == "KH-Music-08")
    hidden["description"] += " (KH-Music-08)"
    records = read_records(write_json("r.json", raw_records))
    with pytest.raises(InputError) as caught:
        build_dataset(records, split=split, secrets=secrets)
    assert len(caught.value.faults) == 3
    assert all("names KH-Music-08: hidden" in str(fault) for fault in caught.value.faults)
    assert sum("ID-Dance-01" in str(fault) for fault in caught.value.faults) == 1
    build_dataset(records, split=split, secrets=secrets, phase="concluded")
    build_dataset(records)


def test_videos_on_both_sides_are_found(
    raw_records: list[Row],
    split: Row,
    secrets: Row,
    write_json: Callable[[str, Any], Path],
    records: list[Record],
) -> None:
    assert (
        shared_videos(build_dataset(records, split=split, secrets=secrets, phase="localization").rows) == []
    )
    for row in raw_records:
        for pair in row["s3_pairs"]:
            if row["concept_id"] in ("KH-Music-01", "KH-Music-07"):
                pair["video_url"] = "both_sides_"
    rows = build_dataset(
        read_records(write_json("r.json", raw_records)), split=split, secrets=secrets, phase="localization"
    ).rows
    assert shared_videos(rows) == ["both_sides_"]


def test_the_moments_of_a_dataset(records: list[Record]) -> None:
    moments = clip_moments(build_dataset(records).rows)
    assert sorted(moments) == sorted(record.moment for record in records)


def test_a_card_of_ones_own(build: Callable[..., Path], records: list[Record], tmp_path: Path) -> None:
    card = tmp_path / "card.md"
    card.write_text("---\nlicense: mit\n---\n\n# Ours\n\n{{notice}}{{contents}} {{sha256}}\n")
    built = build_dataset(records)
    write_dataset(built, tmp_path / "own", card=card, notice="Read this.")
    text = (tmp_path / "own" / "README.md").read_text()
    assert text.startswith("---\nlicense: mit\n")
    assert "# Ours\n\n> **Read this.**\n\n| config |" in text
    assert f" {built.sha256}\n" in text
    assert "{{" not in text
    assert read_dataset(tmp_path / "own").sha256 == built.sha256
