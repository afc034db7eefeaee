"""The five baselines through the command, on the example release: the real path, media and all."""

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cmb_harness.dataset import read_dataset
from cmb_harness.media import cut_clip, find_video
from cmb_harness.media.cache import clip_path

Command = Callable[..., subprocess.CompletedProcess[str]]
MODELS = ("chance", "always-a", "centre-span", "whole-video", "signal-reader")


@pytest.fixture(scope="module")
def runs(example_workspace: Path, tmp_path_factory: pytest.TempPathFactory, cmb: Command) -> Path:
    """Run folders of all baselines, mode reset."""
    folder = tmp_path_factory.mktemp("runs")
    for model in MODELS:
        there = example_workspace / "runs" / model
        if there.exists():
            shutil.copytree(there, folder / model)
        else:
            run_model(cmb, example_workspace, model, folder / model)
    return folder


def run_model(cmb: Command, workspace: Path, model: str, out: Path, *more: str) -> str:
    common = ("--dataset", "cmb", "--cache", "cache", "--mode", "reset")
    return cmb("run", *common, *more, "--model", model, "--out", out, cwd=workspace).stdout


def rows_in(run: Path) -> Iterator[dict[str, Any]]:
    for line in (run / "predictions.jsonl").read_text("utf-8").splitlines():
        yield json.loads(line)


def score(cmb: Command, workspace: Path, run: Path, tmp_path: Path) -> dict[str, Any]:
    result = tmp_path / f"{run.name}.json"
    how = ("--dataset", "cmb", "--mode", "reset", "--json", result)
    cmb("score", run, *how, cwd=workspace)
    return json.loads(result.read_text("utf-8"))  # type: ignore[no-any-return]


def test_every_item_of_both_splits_is_answered(runs: Path, example_workspace: Path) -> None:
    rows = read_dataset(example_workspace / "cmb").rows
    expected = sorted(
        row["item_id"] for stage in ("s1", "s2", "s3") for part in rows[stage].values() for row in part
    )
    for model in MODELS:
        assert sorted(row["item_id"] for row in rows_in(runs / model)) == expected
        assert {row["status"] for row in rows_in(runs / model)} <= {"ok", "none"}


def test_baselines_do_what_their_names_say(runs: Path, example_workspace: Path) -> None:
    rows = read_dataset(example_workspace / "cmb").rows
    lasts = {row["item_id"]: row["duration_s"] for part in rows["s3"].values() for row in part}
    spans = {
        model: {row["item_id"]: row["span"] for row in rows_in(runs / model) if "span" in row}
        for model in MODELS
    }
    for item_id, duration_s in lasts.items():
        assert spans["whole-video"][item_id] == pytest.approx([0, duration_s], abs=0.001)
        assert spans["centre-span"][item_id] == pytest.approx([duration_s / 3, 2 * duration_s / 3], abs=0.001)
        start_s, end_s = spans["chance"][item_id]
        assert 0 <= start_s <= end_s <= duration_s
    assert {row["choice"] for row in rows_in(runs / "always-a") if "choice" in row} == {0}
    chosen = [row["choice"] for row in rows_in(runs / "chance") if "choice" in row]
    # 128 draws of four letters: each count within four standard deviations (19.6) of 32.
    assert all(12 <= chosen.count(letter) <= 52 for letter in range(4))


def test_the_signal_reader_sees_what_is_there(
    runs: Path, example_workspace: Path, cmb: Command, tmp_path: Path
) -> None:
    result = score(cmb, example_workspace, runs / "signal-reader", tmp_path)
    assert result["s2_accuracy"] >= 0.97
    assert result["s3_miou"] >= 0.95
    # Names carry no signature: 32 public items, one right in four (8, standard deviation 2.4).
    assert 0 < result["s1_accuracy"] <= 0.55


def test_the_signal_reader_fails_when_clips_are_cut_a_second_late(
    example_workspace: Path, cmb: Command, tmp_path: Path
) -> None:
    rows = read_dataset(example_workspace / "cmb").rows["s2"]["train"]
    moments = {
        (option["video_id"], option["start_s"], option["end_s"]) for row in rows for option in row["options"]
    }
    late = tmp_path / "late"
    (late / "videos").mkdir(parents=True)
    for video_id, start_s, end_s in moments:
        video = find_video(example_workspace / "cache", video_id)
        assert video is not None
        cut_clip(video, clip_path(late, video_id, start_s, end_s), start_s + 1, end_s + 1)
    how = ("--stage", "s2", "--split", "train", "--cache", str(late))
    run_model(cmb, example_workspace, "signal-reader", tmp_path / "reader", *how)
    answers = {row["item_id"]: row["answer"] for row in rows}
    found = list(rows_in(tmp_path / "reader"))
    assert len(found) == len(rows) > 20
    right = sum(row["choice"] == answers[row["item_id"]] for row in found)
    assert right / len(rows) < 0.5


def test_a_second_run_asks_nothing(runs: Path, example_workspace: Path, cmb: Command) -> None:
    before = (runs / "chance" / "predictions.jsonl").read_bytes()
    told = run_model(cmb, example_workspace, "chance", runs / "chance")
    rows = read_dataset(example_workspace / "cmb").rows
    items = sum(len(part) for stage in ("s1", "s2", "s3") for part in rows[stage].values())
    assert f": 0 items answered, {items} answered before, 0 open" in told
    assert (runs / "chance" / "predictions.jsonl").read_bytes() == before


def test_the_reader_without_pictures_finds_nothing(
    example_workspace: Path, cmb: Command, tmp_path: Path, workspace: Path
) -> None:
    how = ("--stage", "s2", "--split", "train", "--limit", "4", "--cache", "cache")
    for probe in ("text-only", "audio-only"):
        out = tmp_path / probe
        run_model(cmb, workspace, "signal-reader", out, "--probe", probe, *how)
        assert {row["choice"] for row in rows_in(out)} == {None}
        assert {row["model"] for row in rows_in(out)} == {f"signal-reader+{probe}"}


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        (("--model", "nobody"), "--model nobody: there is no such model"),
        (("--model", "signal-reader"), "--cache: signal-reader opens the media of s2, s3"),
        (("--model", "signal-reader", "--cache", "nowhere"), "--cache nowhere: there is no such folder"),
        (("--model", "chance", "--truth", "all"), "--truth all: only --mode feedback shows a truth"),
        (("--model", "chance", "--prompts", "nowhere"), "nowhere: holds no prompt template"),
        (("--model", "chance", "--set", "fps=2"), "--set: chance is a baseline"),
    ],
)
def test_what_cannot_be_run_is_told(
    example_workspace: Path, cmb: Command, tmp_path: Path, more: tuple[str, ...], fault: str
) -> None:
    how = ("--dataset", "cmb", "--mode", "reset", "--out", tmp_path / "out")
    done = cmb("run", *how, *more, cwd=example_workspace, check=False)
    assert done.returncode == 1
    assert f"cmb: {fault}" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out" / "predictions.jsonl").exists()


def test_rows_are_chosen_by_concept_and_followed_through_the_stages(
    example_workspace: Path, cmb: Command, tmp_path: Path
) -> None:
    first = read_dataset(example_workspace / "cmb").rows["s3"]["train"][0]
    how = ("--country", first["country"], "--category", first["category"], "--limit", "1")
    run_model(cmb, example_workspace, "chance", tmp_path / "out", *how)
    ids = [row["item_id"] for row in rows_in(tmp_path / "out")]
    assert {item_id.split("/")[0] for item_id in ids} == {ids[0].split("/")[0]}
    assert ids[0].startswith(f"{first['country']}-{first['category']}-")
    assert [item_id.split("/")[1] for item_id in ids][:2] == ["s1", "s2"]


def test_a_choice_that_leaves_nothing_is_told(example_workspace: Path, cmb: Command, tmp_path: Path) -> None:
    how = (
        "--dataset",
        "cmb",
        "--model",
        "chance",
        "--mode",
        "reset",
        "--country",
        "XX",
        "--out",
        tmp_path / "out",
    )
    done = cmb("run", *how, cwd=example_workspace, check=False)
    assert done.returncode == 1
    assert "cmb: not one item of cmb is asked for: see --split, --country, --category" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_dry_run_shows_all_and_asks_nothing(
    example_workspace: Path, cmb: Command, tmp_path: Path, workspace: Path
) -> None:
    how = (
        "--dataset",
        "cmb",
        "--cache",
        "cache",
        "--mode",
        "carry",
        "--split",
        "train",
        "--limit",
        "2",
        "--dry-run",
    )
    server = ("--model", "openai:some-model", "--base-url", "http://127.0.0.1:9/v1", "--set", "input_price=2")
    done = cmb("run", *how, *server, "--set", "output_price=8", "--out", tmp_path / "out", cwd=workspace)
    assert not (tmp_path / "out").exists()
    lines = done.stdout.splitlines()
    assert sum(line.startswith("=== ") for line in lines) >= 4
    assert "Moment D:" in lines
    assert any(line.startswith("[image/jpeg at 1.00 s, ") for line in lines)
    assert "--- its earlier stage is not answered yet: A stands for that answer" in lines
    frames = sum(line.startswith("[image/jpeg") for line in lines)
    assert any(line.startswith(f"{frames} frames, 0 files") for line in lines)
    assert lines[-1].startswith("cost: about $")
