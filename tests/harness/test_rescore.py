"""`cmb rescore`: kept texts are parsed again, predictions are written anew, and what changed is told."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cmb_harness.faults import InputError
from cmb_harness.rescore import report, rescore

Command = Callable[..., subprocess.CompletedProcess[str]]

NAMES = ["Songkran", "Thingyan", "Pchum Ben", "Tet"]


def raw_row(item_id: str, stage: str, text: str | None, **more: Any) -> dict[str, Any]:
    """A row as `cmb run` keeps it."""
    asked = {"s1": {"options": NAMES}, "s2": {"options": 4}, "s3": {"duration_s": 120.0}}[stage]
    key = {"item_id": item_id, "mode": "reset", "setting": "full", "variant": "common_latin"}
    return {**key, "stage": stage, **asked, "text": text, "model": "m", "fingerprint": text, **more}


def prediction(item_id: str, answer: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A row of predictions.jsonl."""
    key = {"item_id": item_id, "mode": "reset", "setting": "full", "variant": "common_latin"}
    return {**key, **answer, "raw": "text", "model": "m", **more}


def write_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    """A run of three stages whose old predictions came from a worse parser."""
    write_lines(
        tmp_path / "raw.jsonl",
        [
            {"config": "one"},
            raw_row("a/s1", "s1", "A festival for ancestors, so C."),
            raw_row("a/s2", "s2", "I can't view videos."),
            raw_row("a/s3/1", "s3", "from 1:05 to 75.5s"),
            raw_row("b/s1", "s1", "Pchum Ben"),
        ],
    )
    write_lines(
        tmp_path / "predictions.jsonl",
        [
            prediction("a/s1", {"choice": 0}, status="ok"),
            prediction("a/s2", {"choice": None}, status="refusal"),
            prediction("a/s3/1", {"span": [1, 75.5]}, status="ok"),
        ],
    )
    return tmp_path


def test_predictions_are_written_anew_with_all_their_fields(run_folder: Path) -> None:
    rescore(run_folder)
    common = {"mode": "reset", "setting": "full", "variant": "common_latin", "model": "m"}
    assert read_lines(run_folder / "predictions.jsonl") == [
        {"item_id": "a/s1", "choice": 2, "raw": "A festival for ancestors, so C.", "status": "ok", **common},
        {"item_id": "b/s1", "choice": 2, "raw": "Pchum Ben", "status": "ok", **common},
        {"item_id": "a/s2", "choice": None, "raw": "I can't view videos.", "status": "refusal", **common},
        {"item_id": "a/s3/1", "span": [65.0, 75.5], "raw": "from 1:05 to 75.5s", "status": "ok", **common},
    ]


def test_what_changed_is_told_with_counts_by_stage_and_status(run_folder: Path) -> None:
    assert report(rescore(run_folder), show=20) == [
        "3 of 4 answers are read differently",
        "  a/s1 reset full common_latin: A → C",
        "  b/s1 reset full common_latin: no row → C",
        "  a/s3/1 reset full common_latin: 1-75.5 s → 65-75.5 s",
        "",
        "stage  ok  ambiguous  refusal  invalid  none",
        "   s1   2          0        0        0     0",
        "   s2   0          0        1        0     0",
        "   s3   1          0        0        0     0",
    ]


def test_long_lists_of_changes_are_cut(run_folder: Path) -> None:
    lines = report(rescore(run_folder), show=1)
    assert lines[:3] == [
        "3 of 4 answers are read differently",
        "  a/s1 reset full common_latin: A → C",
        "  … and 2 more (--show)",
    ]


def test_a_second_time_changes_nothing(run_folder: Path) -> None:
    rescore(run_folder)
    content = (run_folder / "predictions.jsonl").read_bytes()
    again = rescore(run_folder)
    assert again.changes == []
    assert (run_folder / "predictions.jsonl").read_bytes() == content


def test_a_dry_run_writes_nothing(run_folder: Path) -> None:
    content = (run_folder / "predictions.jsonl").read_bytes()
    assert len(rescore(run_folder, write=False).changes) == 3
    assert (run_folder / "predictions.jsonl").read_bytes() == content
    assert sorted(path.name for path in run_folder.iterdir()) == ["predictions.jsonl", "raw.jsonl"]


def test_header_and_predictions_of_no_raw_row_stay(run_folder: Path) -> None:
    foreign = prediction("z/s1", {"choice": 3}, status="ok")
    old = read_lines(run_folder / "predictions.jsonl")
    write_lines(run_folder / "predictions.jsonl", [{"header": {"team": "x"}}, *old, foreign])
    rescored = rescore(run_folder)
    rows = read_lines(run_folder / "predictions.jsonl")
    assert rows[0] == {"header": {"team": "x"}}
    assert rows[-1] == foreign
    assert "1 predictions are not in the raw log; they stay as they are" in report(rescored, show=0)


def test_an_answer_that_was_taken_back_goes(run_folder: Path) -> None:
    with (run_folder / "raw.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(raw_row("a/s1", "s1", None)) + "\n")
    rescore(run_folder)
    assert [row["item_id"] for row in read_lines(run_folder / "predictions.jsonl")] == [
        "b/s1",
        "a/s2",
        "a/s3/1",
    ]


def test_conditional_rows_keep_their_truth(tmp_path: Path) -> None:
    rows = [raw_row("a/s2", "s2", text, mode="feedback", truth=truth) for truth, text in enumerate("ABCD")]
    write_lines(tmp_path / "raw.jsonl", rows)
    rescored = rescore(tmp_path)
    written = read_lines(tmp_path / "predictions.jsonl")
    assert [(row["truth"], row["choice"]) for row in written] == [(0, 0), (1, 1), (2, 2), (3, 3)]
    assert report(rescored, show=1)[1] == "  a/s2 feedback full common_latin 0: no row → A"


def test_damaged_old_predictions_are_told_and_replaced(
    run_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from cmb_harness import cli

    (run_folder / "predictions.jsonl").write_text('{"item_id": "a/s1", "mode"\n', "utf-8")
    assert cli.main(["rescore", str(run_folder)]) == 0
    told = capsys.readouterr()
    assert "predictions.jsonl: line 1" in told.err
    assert "all were made anew" in told.err
    assert told.out.startswith("4 of 4 answers are read differently\n")
    assert len(read_lines(run_folder / "predictions.jsonl")) == 4


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "there is no such file; expected a run folder, as cmb run writes it"),
        ("", "holds no answers"),
        ('{"item_id": "a/s1", "mode": "reset", "stage": "s1"}\n', "line 1: not a row of a raw log"),
    ],
)
def test_a_folder_without_a_good_raw_log_is_left_alone(
    tmp_path: Path, content: str | None, told: str
) -> None:
    if content is not None:
        (tmp_path / "raw.jsonl").write_text(content, "utf-8")
    (tmp_path / "predictions.jsonl").write_text("old\n", "utf-8")
    with pytest.raises(InputError, match=f"raw.jsonl: {told}"):
        rescore(tmp_path)
    assert (tmp_path / "predictions.jsonl").read_text("utf-8") == "old\n"


def test_a_number_of_changes_that_is_none_is_wrong_usage(run_folder: Path) -> None:
    from cmb_harness import cli

    with pytest.raises(SystemExit, match="2"):
        cli.main(["rescore", str(run_folder), "--show", "-1"])


def test_a_real_run_reads_as_it_was_read(workspace: Path, cmb: Command) -> None:
    before = (workspace / "runs/chance/predictions.jsonl").read_bytes()
    completed = cmb("rescore", "runs/chance", cwd=workspace)
    assert completed.stdout.startswith("0 of ")
    assert completed.stderr == ""
    assert (workspace / "runs/chance/predictions.jsonl").read_bytes() == before
