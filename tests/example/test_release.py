"""Writing the example: the same every time, completed when interrupted, nobody's files touched."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cmb_harness.example import release, write_example
from cmb_harness.example.table import video_plans
from cmb_harness.faults import InputError

TEXTS = ("README.md", "concepts.csv", "records.json", "sample.json", "secrets.json", "split.json")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the first five videos, for tests of what is made when."""
    monkeypatch.setattr(release, "video_plans", lambda concepts: video_plans(concepts)[:5])


def test_texts_are_the_same_to_the_byte(tmp_path: Path, example: Path) -> None:
    write_example(tmp_path / "again", videos=False)
    assert sorted(path.name for path in (tmp_path / "again").iterdir()) == sorted(TEXTS)
    for name in TEXTS:
        assert (tmp_path / "again" / name).read_bytes() == (example / name).read_bytes(), name


def test_every_text_says_that_it_is_no_cmb(example: Path) -> None:
    # A sample has room for concepts alone.
    for name in set(TEXTS) - {"sample.json"}:
        assert "not CMB" in (example / name).read_text("utf-8"), name


def test_a_second_run_changes_nothing(example: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in example.rglob("*")}
    written = write_example(example)
    assert (written.made, written.kept) == (0, 119)
    assert {path: path.stat().st_mtime_ns for path in example.rglob("*")} == before


@pytest.mark.usefixtures("few")
def test_what_is_missing_or_broken_is_put_back(tmp_path: Path) -> None:
    assert write_example(tmp_path).made == 5
    videos = sorted((tmp_path / "videos").iterdir())
    content = {path: path.read_bytes() for path in videos}
    videos[0].unlink()
    videos[1].write_bytes(content[videos[1]][:2000])
    (tmp_path / "records.json").write_text("[]")
    (tmp_path / "videos" / f".{videos[2].name}.abc.part").write_bytes(b"left over")
    written = write_example(tmp_path)
    assert (written.made, written.kept) == (2, 3)
    assert {path: path.read_bytes() for path in (tmp_path / "videos").iterdir()} == content
    assert len(json.loads((tmp_path / "records.json").read_text("utf-8"))) == 64


@pytest.mark.usefixtures("few")
def test_an_interrupted_run_leaves_whole_files_and_is_taken_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = release.make_video, []

    def interrupted(plan: object, target: Path) -> None:
        calls.append(target)
        if len(calls) == 3:
            raise KeyboardInterrupt
        real(plan, target)  # type: ignore[arg-type]

    monkeypatch.setattr(release, "make_video", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_example(tmp_path / "example")
    monkeypatch.setattr(release, "make_video", real)
    left = list((tmp_path / "example" / "videos").iterdir())
    assert 2 <= len(left) < 5
    assert all(path.suffix == ".mp4" for path in left)
    assert write_example(tmp_path / "example").kept == len(left)


def test_secrets_with_their_references_are_kept(tmp_path: Path) -> None:
    write_example(tmp_path, videos=False)
    path = tmp_path / "secrets.json"
    secrets = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**secrets, "references": [{"item_id": "s1-0"}]}), "utf-8")
    write_example(tmp_path, videos=False)
    assert json.loads(path.read_text("utf-8"))["references"] == [{"item_id": "s1-0"}]
    path.write_text(json.dumps({**secrets, "salts": {}}), "utf-8")
    write_example(tmp_path, videos=False)
    assert json.loads(path.read_text("utf-8")) == secrets


def test_a_folder_with_other_things_is_refused(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# My thesis\n")
    with pytest.raises(InputError, match="not empty"):
        write_example(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]


def test_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "example").write_text("")
    with pytest.raises(InputError, match="found a file"):
        write_example(tmp_path / "example")


def test_an_empty_folder_and_one_of_a_killed_run_are_taken(tmp_path: Path) -> None:
    (tmp_path / ".README.md.1234.part").write_text("")
    assert write_example(tmp_path, videos=False).concepts == 64


def test_the_command_writes_it_and_says_so(
    tmp_path: Path, cmb: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    completed = cmb("example", "example", "--no-videos", cwd=tmp_path)
    assert "64 concepts, 72 pairs" in completed.stdout
    assert "not CMB" in completed.stdout
    assert sorted(path.name for path in (tmp_path / "example").iterdir()) == sorted(TEXTS)


def test_the_command_refuses_what_is_not_its_own(
    tmp_path: Path, cmb: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    completed = cmb("example", ".", cwd=tmp_path, check=False)
    assert completed.returncode == 1
    assert "not empty" in completed.stderr
    assert "Traceback" not in completed.stderr
