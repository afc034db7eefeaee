"""`cmb report` from runs to files: tables with their last rows, what is missing, what is refused."""

import csv
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cmb_harness.cli import main
from cmb_harness.dataset import read_dataset
from cmb_harness.files import write_json_lines
from cmb_harness.records import read_region
from cmb_harness.report.contents import Contents, chosen_mode, gather_contents, public_part
from cmb_harness.report.layout import placed_tables
from cmb_harness.report.tables import Number, cell_text
from cmb_harness.statistics.paper import gather
from cmb_harness.statistics.scoring import Selection

Row = dict[str, Any]
SETTINGS = ("no-audio", "no-subtitles", "visual-only")


@pytest.fixture
def contents_of(small_release: Any) -> Callable[..., Contents]:
    """``contents_of(runs)``: what a report of these runs would say."""

    def made(runs: list[Path], mode: str | None = None) -> Contents:
        dataset = small_release.folder / "cmb"
        found = gather(runs, dataset=dataset)
        selection = Selection(chosen_mode(found, mode), n_resamples=100)
        return gather_contents(found, selection, read_region(), public_part(read_dataset(dataset).rows))

    return made


def tables_of(contents: Contents) -> dict[str, Any]:
    return {placed.paper or placed.table.name: placed.table for placed in placed_tables(contents)}


def test_all_the_papers_tables_with_baselines_as_last_rows(
    small_release: Any, contents_of: Callable[..., Contents]
) -> None:
    runs = [
        small_release.add_run(name, skill, settings=SETTINGS) for name, skill in (("one", 0.8), ("two", 0.4))
    ]
    tables = tables_of(contents_of(runs))
    assert {f"Table {number}" for number in (2, 3, *range(10, 19))} <= tables.keys()
    for name in ("Table 2", "Table 3", "Table 10", "Table 11", "Table 12", "Table 13", "Table 18"):
        labels = [cell_text(row[0]) for row in tables[name].rows]
        last = [label.startswith("baseline: ") for label in labels]
        assert "baseline: chance" in labels
        assert sorted(last) == last
        assert tables[name].signature
    overall = {cell_text(row[0]): row[1:] for row in tables["Table 2"].rows}
    chance = overall["baseline: chance"]
    assert [number.value for number in chance[:4]] == [0.25] * 4
    # Models under carry, from Table 2's columns: S1, S2 in three modes, mIoU in three modes, Joint in three modes.
    assert all(isinstance(number, Number) and number.ci for number in overall["one"])
    assert len(overall["one"]) == 10
    countries = [cell_text(row[0]) for row in tables["Table 10"].rows]
    assert "Indonesia" in countries
    assert "All (micro)" in countries


def test_fixed_spans_score_as_by_hand(small_release: Any, contents_of: Callable[..., Contents]) -> None:
    rows = small_release.rows["s3"]
    contents = contents_of([small_release.add_run("one", 0.8)])
    # The whole video holds every span: its IoU is the span's share of the video.
    whole = sum((row["span"][1] - row["span"][0]) / row["duration_s"] for row in rows) / len(rows)
    assert contents.span_baselines["whole-video"]["overall"] == pytest.approx(whole)
    dance = [row for row in rows if row["category"] == "Dance"]
    by_hand = sum((row["span"][1] - row["span"][0]) / row["duration_s"] for row in dance) / len(dance)
    assert contents.span_baselines["whole-video"]["Dance"] == pytest.approx(by_hand)


def test_one_model_has_no_table_14(small_release: Any, contents_of: Callable[..., Contents]) -> None:
    contents = contents_of([small_release.add_run("alone", 0.6)])
    assert "Table 14" not in tables_of(contents)
    assert "Table 14: one model, so that there is nothing to compare it with" in contents.missing
    assert any(line.startswith("Tables 15 to 17") for line in contents.missing)


def test_models_without_s3_have_no_joint_and_keep_the_others_whole(
    small_release: Any, contents_of: Callable[..., Contents]
) -> None:
    runs = [small_release.add_run(name, 0.7) for name in ("whole", "whole too")]
    runs.append(small_release.add_run("chooser", 0.7, stages=("s1", "s2")))
    contents = contents_of(runs)
    assert contents.shown["chooser"]["joint"] is None
    assert "chooser: S3 not answered: no numbers that need them" in contents.missing
    assert contents.comparison is not None
    pairs = {
        (row["a"], row["b"], row["statistic"]): row["difference"] for row in contents.comparison["pairs"]
    }
    shown = contents.shown
    for name in ("s3_miou", "joint"):
        assert pairs["whole", "whole too", name] == pytest.approx(
            shown["whole"][name] - shown["whole too"][name]
        )
        assert pairs["whole", "chooser", name] is None
    assert pairs["whole", "chooser", "s2_accuracy"] is not None
    assert tables_of(contents)["Table 14"].columns == ("", "ΔS1", "ΔS2", "ΔmIoU", "ΔJoint")


def test_without_any_s3_nothing_of_it_stands(
    small_release: Any, contents_of: Callable[..., Contents]
) -> None:
    runs = [small_release.add_run(f"chooser {n}", 0.7, stages=("s1", "s2")) for n in range(2)]
    contents = contents_of(runs)
    tables = tables_of(contents)
    assert not {"Table 12", "Table 18", "durations", "distribution"} & tables.keys()
    assert tables["Table 14"].columns == ("", "ΔS1", "ΔS2")
    assert "Tables 12 and 18, Figures 10 to 13: no model has S3" in contents.missing


def test_a_model_that_only_names_is_in_every_mode(
    small_release: Any, contents_of: Callable[..., Contents]
) -> None:
    runs = [small_release.add_run("namer", 0.7, stages=("s1",))]
    runs += [small_release.add_run(f"whole {n}", 0.7) for n in range(2)]
    contents = contents_of(runs)
    assert contents.mode == "carry"
    assert contents.shown["namer"]["s1_accuracy"] is not None
    labels = [cell_text(row[0]) for row in tables_of(contents)["Table 14"].rows]
    assert "namer - whole 0" in labels
    row = tables_of(contents)["Table 14"].rows[labels.index("whole 0 - whole 1")]
    assert all(number.ci for number in row[1:])


def test_a_model_that_only_localizes_has_its_part(
    small_release: Any, contents_of: Callable[..., Contents]
) -> None:
    contents = contents_of([small_release.add_run("grounder", 0.7, stages=("s3",))])
    assert {"Table 2", "Table 12", "Table 18"} <= tables_of(contents).keys()
    assert "grounder: S1 and S2 not answered: no numbers that need them" in contents.missing
    assert contents.shown["grounder"]["joint"] is None


def test_open_items_are_told_and_counted(small_release: Any, contents_of: Callable[..., Contents]) -> None:
    contents = contents_of([small_release.add_run("half", 0.5, silent=0.5)])
    answered = {row["item_id"] for row in predictions_of(contents, "half") if row["mode"] == "carry"}
    n_silent = sum(row["item_id"] not in answered for row in small_release.rows["s2"])
    assert n_silent
    assert f"half, carry: {n_silent} of 40 S2 items have no answer: they count as 0" in contents.missing


def predictions_of(contents: Contents, model: str) -> list[Row]:
    path = contents.runs.of("carry")[model].path
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_the_mode_is_the_one_that_most_models_have(
    small_release: Any,
    contents_of: Callable[..., Contents],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    reset = [small_release.add_run(f"reset {n}", 0.5, modes=("reset",)) for n in range(2)]
    every = small_release.add_run("every", 0.5)
    assert contents_of([*reset, every]).mode == "reset"
    assert contents_of([every]).mode == "carry"
    assert contents_of([*reset, every], "carry").mode == "carry"
    dataset = str(small_release.folder / "cmb")
    arguments = [
        "report",
        str(reset[0]),
        "--dataset",
        dataset,
        "--out",
        str(tmp_path / "out"),
        "--mode",
        "carry",
    ]
    assert main(arguments) == 1
    assert "--mode carry: no run has it" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("place", ["run", "references", "dataset", "region"])
def test_a_secrets_file_is_refused(
    place: str,
    example_workspace: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(example_workspace)
    secrets = "example/secrets.json"
    runs = ["runs/chance", *([secrets] if place == "run" else [])]
    given = {"--dataset": "cmb", "--out": str(tmp_path / "out")}
    given |= {} if place == "run" else {f"--{place}": secrets}
    assert main(["report", *runs, *(word for pair in given.items() for word in pair)]) == 1
    assert f"{secrets}: is a secrets file" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_keys_of_the_hidden_test_are_refused_as_references(
    example_workspace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secrets = json.loads((example_workspace / "example/secrets.json").read_text("utf-8"))
    write_json_lines(tmp_path / "references.jsonl", secrets["references"])
    arguments = [
        "report",
        str(example_workspace / "runs/chance"),
        "--dataset",
        str(example_workspace / "cmb"),
    ]
    arguments += ["--references", str(tmp_path / "references.jsonl"), "--out", str(tmp_path / "out")]
    assert main(arguments) == 1
    assert "items of the hidden test" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_nothing_of_the_hidden_test_is_in_any_file(
    example_workspace: Path, make_report: Callable[..., Path], tmp_path: Path
) -> None:
    runs = [example_workspace / "runs" / name for name in ("signal-reader", "chance")]
    folder = make_report(tmp_path / "out", runs, example_workspace / "cmb", resamples=50)
    dataset = read_dataset(example_workspace / "cmb")
    secrets = json.loads((example_workspace / "example/secrets.json").read_text("utf-8"))
    hidden = {row["item_id"] for stage in ("s1", "s2", "s3") for row in dataset.rows[stage]["test"]}
    hidden |= {row["description"] for row in dataset.rows["s1"]["test"]}
    hidden |= {*secrets["hidden_concepts"], *secrets["salts"].values()}
    hidden |= {option["video_id"] for row in dataset.rows["s2"]["test"] for option in row["options"]}
    assert len(hidden) > 100
    texts = [
        path.read_text("utf-8")
        for path in folder.rglob("*")
        if path.suffix in (".html", ".json", ".md", ".tex", ".csv")
    ]
    assert not [word for word in hidden for text in texts if f'"{word}"' in text or f">{word}<" in text]
    page = (folder / "report.html").read_text("utf-8")
    assert not [word for word in hidden if len(word) > 15 and word in page]
    written_as_the_paper_does(folder)


def written_as_the_paper_does(folder: Path) -> None:
    """Each table in three formats, each figure in two; the CSV has the JSON's numbers."""
    tables = json.loads((folder / "report.json").read_text("utf-8"))["tables"]
    assert len({path.stem for path in (folder / "tables").iterdir()}) == len(tables)
    for table in tables:
        stem = f"{table['paper'].replace(' ', '').lower()}-{table['table']}".lstrip("-")
        rows = list(csv.DictReader((folder / "tables" / f"{stem}.csv").read_text("utf-8").splitlines()))
        assert [row["text"] for row in rows] == [number["text"] for number in table["numbers"]]
        assert (folder / "tables" / f"{stem}.tex").read_text("utf-8").count(r"\begin{tabular}") == 1
        assert (folder / "tables" / f"{stem}.md").read_text("utf-8").startswith("**")
    for path in (folder / "figures").glob("*.svg"):
        assert path.read_text("utf-8").rstrip().endswith("</svg>")
        assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("absent", ["matplotlib", "jinja2"])
def test_without_the_extra_the_error_names_it(absent: str, example_workspace: Path, tmp_path: Path) -> None:
    arguments = [
        "report",
        "runs/chance",
        "--dataset",
        "cmb",
        "--out",
        str(tmp_path / "out"),
        "--resamples",
        "20",
    ]
    code = f"""
import sys
sys.modules[{absent!r}] = None
from cmb_harness.cli import main
sys.exit(main({arguments!r}))"""
    done = subprocess.run([sys.executable, "-c", code], cwd=example_workspace, capture_output=True, text=True)
    assert done.returncode == 1
    assert 'pip install "cmb-benchmark[report]"' in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.thorough
def test_the_papers_outcomes_as_a_report(tmp_path: Path) -> None:
    script = Path(__file__).resolve().parents[2] / "scripts" / "reproduce_paper.py"
    command = [sys.executable, str(script), "--report", str(tmp_path / "out")]
    assert subprocess.run(command, capture_output=True).returncode == 0
    data = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    numbers = {
        (table["paper"], one["row"], one["column"]): one["text"]
        for table in data["tables"]
        for one in table["numbers"]
    }
    # Table 10 of the paper, last row.
    assert numbers["Table 10", "All (micro)", "Gemini 3.1 Pro"] == "77.8 [73.2, 82.4]"
    assert "no bottleneck can be named" in data["sentences"]["Gemini 3.1 Pro"]
    assert (
        "recognition is better where the name was right (+16.6 points)" in data["sentences"]["Gemini 3.1 Pro"]
    )
    assert any(table["section"] == "paper" for table in data["tables"])
