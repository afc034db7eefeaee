"""The builder class, called directly as users of `datasets` do."""

import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

import cmb_dataset
from cmb_dataset import CONFIGS, PHASES, Record, RecordError, clip_name, read_records, stage_rows
from cmb_harness.dataset import build_dataset, write_dataset

Row = dict[str, Any]


@pytest.fixture
def builder(
    tmp_path: Path, records_file: Path, write_json: Callable[[str, Any], Path], split: Row, secrets: Row
) -> Callable[..., Any]:
    import datasets

    datasets.disable_progress_bars()
    files = {"split": write_json("split.json", split), "secrets": write_json("secrets.json", secrets)}

    def make(config: str, *, hidden: bool = True, **options: Any) -> Any:
        inputs = {name: str(file) for name, file in files.items()} if hidden else {}
        made = cmb_dataset.CMB(config, str(records_file), **inputs, cache_dir=str(tmp_path / "hf"), **options)
        made.download_and_prepare()
        return made

    return make


@pytest.mark.parametrize("phase", PHASES)
def test_it_gives_what_the_built_folder_gives(
    phase: str,
    builder: Callable[..., Any],
    records: list[Record],
    split: Row,
    secrets: Row,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import datasets

    write_dataset(build_dataset(records, split=split, secrets=secrets, phase=phase), tmp_path / "cmb")
    monkeypatch.chdir(tmp_path)
    for config in CONFIGS:
        direct, loaded = builder(config, phase=phase).as_dataset(), datasets.load_dataset("cmb", config)
        assert {name: part.to_list() for name, part in direct.items()} == {
            name: part.to_list() for name, part in loaded.items()
        }
        assert direct["train"].features == loaded["train"].features


def test_an_edited_file_is_noticed(
    builder: Callable[..., Any], raw_records: list[Row], records_file: Path
) -> None:
    before = builder("s1").as_dataset()["train"]["description"]
    raw_records[0]["description"] = "another text"
    records_file.write_text(json.dumps(raw_records))
    after = builder("s1").as_dataset()["train"]["description"]
    assert "another text" not in before
    assert "another text" in after


def test_an_edited_split_is_noticed(builder: Callable[..., Any], secrets: Row, tmp_path: Path) -> None:
    before = builder("s1").as_dataset()["test"]["item_id"]
    secrets["salts"]["ids"] = "f0" * 16
    (tmp_path / "secrets.json").write_text(json.dumps(secrets))
    assert builder("s1").as_dataset()["test"]["item_id"] != before


def test_content_may_be_given_instead_of_files(
    records_file: Path, records: list[Record], split: Row, secrets: Row, tmp_path: Path
) -> None:
    made = cmb_dataset.CMB("s2", records_file, split=split, secrets=secrets, cache_dir=str(tmp_path / "hf"))
    made.download_and_prepare()
    assert made.as_dataset()["test"].to_list() == stage_rows(records, "s2", split, secrets)["test"]


def test_several_processes_make_the_same_rows(
    builder: Callable[..., Any],
    records: list[Record],
    split: Row,
    secrets: Row,
    records_file: Path,
    tmp_path: Path,
) -> None:
    made = cmb_dataset.CMB("s1", str(records_file), cache_dir=str(tmp_path / "two"))
    made.download_and_prepare(num_proc=2)
    assert made.as_dataset()["train"].to_list() == stage_rows(records, "s1")["train"]


def test_the_defaults_read_records_json_here(
    records_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = cmb_dataset.CMB(cache_dir=str(tmp_path / "hf"))
    assert made.config.name == "s2"
    made.download_and_prepare()
    assert list(made.as_dataset()) == ["train"]


def test_relative_names_are_also_looked_for_beside_the_script(records_file: Path, tmp_path: Path) -> None:
    made = cmb_dataset.CMB("s1", base_path=str(tmp_path), cache_dir=str(tmp_path / "hf"))
    made.download_and_prepare()
    assert made.as_dataset()["train"].num_rows == 32


def test_bad_input_raises_every_fault_at_once(
    raw_records: list[Row], records_file: Path, tmp_path: Path
) -> None:
    for row in raw_records[:3]:
        row["s1_correct_index"] = 7
    (tmp_path / "r.json").write_text(json.dumps(raw_records))
    with pytest.raises(RecordError) as caught:
        cmb_dataset.CMB("s1", str(tmp_path / "r.json"), cache_dir=str(tmp_path / "hf"))
    assert len(caught.value.faults) == 3
    with pytest.raises(RecordError, match="there is no such file"):
        cmb_dataset.CMB("s1", str(tmp_path / "none.json"), cache_dir=str(tmp_path / "hf"))
    with pytest.raises(RecordError, match="go together"):
        cmb_dataset.CMB("s1", str(records_file), split={}, cache_dir=str(tmp_path / "hf"))
    with pytest.raises(ValueError, match="expected one of s1, s2"):
        cmb_dataset.CMB("s9", str(records_file), cache_dir=str(tmp_path / "hf"))


@pytest.mark.parametrize("text", ["", "[1]", "{", "\udcff"])
def test_splits_that_are_no_json_object(text: str, records_file: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(RecordError, match=r"bad\.json: "):
        cmb_dataset.CMB("s1", str(records_file), str(tmp_path / "bad.json"), str(tmp_path / "bad.json"))


def test_a_config_without_rows_says_so(
    raw_records: list[Row], tmp_path: Path, write_json: Callable[[str, Any], Path]
) -> None:
    bare = [{**row, "s3_pairs": [], "audio_role": None} for row in raw_records]
    with pytest.raises(RecordError, match="config s3 has no rows"):
        cmb_dataset.CMB("s3", str(write_json("bare.json", bare)), cache_dir=str(tmp_path / "hf"))


@pytest.fixture
def cache(records: list[Record], tmp_path: Path) -> Path:
    """A cache with one clip and one video; its bytes can be told from all others."""
    folder = tmp_path / "cache"
    for name in ("clips", "videos"):
        (folder / name).mkdir(parents=True)
    moment = records[0].moment
    (folder / "clips" / clip_name(*moment)).write_bytes(b"BYTES OF A CLIP" * 50)
    (folder / "clips" / ".half.mp4.part").write_bytes(b"x")
    for ending in (".webm", ".mkv", ".en.vtt", ".mp4.part", ".info.json"):
        (folder / "videos" / f"BIDDan02_00{ending}").write_bytes(b"BYTES OF A VIDEO" * 50)
    return folder


def test_a_cache_fills_local_paths(builder: Callable[..., Any], cache: Path, records: list[Record]) -> None:
    empty = builder("s2").as_dataset()
    filled = builder("s2", clips=str(cache)).as_dataset()
    clip = str(cache / "clips" / clip_name(*records[0].moment))
    found = [option["clip"] for row in filled["train"] for option in row["options"]]
    assert found.count(clip) == 4
    assert set(found) == {clip, None}
    assert {option["clip"] for row in empty["train"] for option in row["options"]} == {None}
    videos = builder("s3", clips=str(cache)).as_dataset()["train"]
    assert {row["video"] for row in videos if row["video_id"] == "BIDDan02_00"} == {
        str(cache / "videos" / "BIDDan02_00.mkv")
    }
    assert {row["video"] for row in videos if row["video_id"] != "BIDDan02_00"} == {None}


def test_relative_caches_become_absolute_paths(
    records_file: Path, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = cmb_dataset.CMB("s3", "records.json", clips="cache", cache_dir=str(tmp_path / "hf"))
    assert str(cache / "videos" / "BIDDan02_00.mkv") in [row["video"] for row in made.rows["train"]]


@pytest.mark.parametrize("config", ["s2", "s3"])
def test_what_is_saved_holds_no_video_bytes(
    config: str, builder: Callable[..., Any], cache: Path, tmp_path: Path
) -> None:
    filled = builder(config, clips=str(cache)).as_dataset()
    filled.save_to_disk(str(tmp_path / "saved"))
    filled["train"].to_parquet(str(tmp_path / "train.parquet"))
    written = b"".join(path.read_bytes() for path in (tmp_path / "saved").rglob("*") if path.is_file())
    # The paths are in it, so it is the right place to look.
    assert str(cache).encode() in written
    assert b"BYTES OF A" not in written
    # Text columns alone: bytes would not go into JSON.
    rows = json.dumps(pyarrow.parquet.read_table(tmp_path / "train.parquet").to_pylist())
    assert str(cache) in rows
    assert "BYTES OF A" not in rows


def test_the_classes_can_be_pickled(builder: Callable[..., Any]) -> None:
    made = builder("s1", hidden=False)
    assert pickle.loads(pickle.dumps(cmb_dataset.CMB)) is cmb_dataset.CMB
    assert pickle.loads(pickle.dumps(made)).config == made.config


@pytest.mark.parametrize("first", ["import datasets", "import json"])
def test_the_class_is_there_whichever_is_imported_first(first: str) -> None:
    code = f"""
{first}
import cmb_dataset, sys
assert ("datasets" in sys.modules) == ({first!r} == "import datasets")
assert ("CMB" in vars(cmb_dataset)) == ("datasets" in sys.modules)
from cmb_dataset import CMB
import datasets
assert issubclass(CMB, datasets.GeneratorBasedBuilder)
assert CMB is cmb_dataset.CMB
try:
    cmb_dataset.nothing
except AttributeError as error:
    assert "nothing" in str(error)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_reading_records_is_quick_to_import(records_file: Path) -> None:
    code = (
        "import cmb_dataset, sys; cmb_dataset.read_records(sys.argv[1]); assert 'datasets' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, str(records_file)], check=True)


def test_the_file_stands_alone(records_file: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "cmb_dataset.py").write_bytes(Path(cmb_dataset.__file__).read_bytes())
    code = (
        "import sys; sys.path[:] = [p for p in sys.path if 'site-packages' not in p and '__editable__' not in p];"
        "import cmb_dataset; print(cmb_dataset.__file__, len(cmb_dataset.read_records(sys.argv[1])))"
    )
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(alone)!r}); {code}"]
    shown = subprocess.run([*command, str(records_file)], check=True, capture_output=True, text=True)
    assert shown.stdout.split() == [str(alone / "cmb_dataset.py"), "32"]


def test_read_records_of_both_modules_agree(records_file: Path, records: list[Record]) -> None:
    from cmb_harness.records import read_records as read_in_the_harness

    assert read_in_the_harness(records_file) == read_records(records_file) == records
