"""``cmb score`` over files: what it prints, what it writes, what it refuses."""

import json
from pathlib import Path

import pytest
from made import answers, of_mode, reference_rows, run, write_lines

import cmb_metric

REFERENCES = reference_rows()
QUICK = ("--resamples", "50")


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    return {
        "references": write_lines(tmp_path / "references.jsonl", REFERENCES),
        "model": write_lines(
            tmp_path / "model.jsonl",
            of_mode(REFERENCES, 0.6, 1, "carry", status="ok"),
            {"model": "M", "context": "all"},
        ),
        "other": write_lines(tmp_path / "other.jsonl", of_mode(REFERENCES, 0.3, 2, "carry", model="Other")),
        "folder": tmp_path,
    }


def score(files: dict[str, Path], *more: str | Path) -> tuple[int, str, str]:
    """The first model, in carry."""
    scored = ("score", files["model"], "--references", files["references"], "--mode", "carry")
    return run(*scored, *QUICK, *more)


def test_the_json_is_the_metrics_result(files: dict[str, Path]) -> None:
    target = files["folder"] / "score.json"
    code, out, _ = score(files, "--json", target)
    assert code == 0
    written = json.loads(target.read_text("utf-8"))
    expected = cmb_metric.score(
        of_mode(REFERENCES, 0.6, 1, "carry"), REFERENCES, mode="carry", n_resamples=50, context="all"
    )
    assert {name: written[name] for name in expected} == json.loads(json.dumps(expected))
    assert (written["model"], written["mode"]) == ("M", "carry")
    assert written["n_status"]["s1"] == {"ok": 24}
    assert expected["signature"] in out
    assert "context:all" in out


def test_the_text_fits_a_terminal_and_holds_no_nan(files: dict[str, Path]) -> None:
    _, out, _ = score(files, "--cells")
    lines = [line for line in out.splitlines() if not line.startswith("cmb_metric:")]
    assert max(map(len, lines)) <= 100
    assert "nan" not in out.lower()
    for heading in (
        "S1",
        "c-mIoU",
        "Joint, ceiling",
        "macro, category",
        "Failure profile",
        "By country and category",
    ):
        assert heading in out


def test_several_models_make_one_table(files: dict[str, Path]) -> None:
    target = files["folder"] / "scores.json"
    code, out, _ = run(
        "score",
        files["model"],
        files["other"],
        "--references",
        files["references"],
        "--mode",
        "carry",
        "--json",
        target,
        *QUICK,
    )
    assert code == 0
    assert [result["model"] for result in json.loads(target.read_text("utf-8"))] == ["M", "Other"]
    assert out.splitlines()[1].split() == ["model", "S1", "S2", "mIoU", "IoU@0.3", "c-S2", "c-mIoU", "Joint"]


@pytest.mark.parametrize(
    ("suffix", "start"),
    [
        (".csv", "table,row,column,value"),
        (".md", "**M, carry"),
        (".tex", r"\begin{table}"),
        (".txt", "M, carry"),
    ],
)
def test_tables_are_written_in_every_format(files: dict[str, Path], suffix: str, start: str) -> None:
    target = files["folder"] / f"score{suffix}"
    code, _, _ = score(files, "--out", target)
    assert code == 0
    assert target.read_text("utf-8").startswith(start)


def test_an_unknown_format_is_refused_before_anything_is_written(files: dict[str, Path]) -> None:
    target = files["folder"] / "score.json"
    code, out, err = score(files, "--json", target, "--out", "score.xls")
    assert (code, out) == (1, "")
    assert "--out score.xls: expected a name that ends in" in err
    assert not target.exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (["--mode", "feedback"], "no rows of feedback full common_latin; it has carry full common_latin"),
        (["--mode", "carry", "--setting", "no-audio"], "no rows of carry no-audio common_latin"),
        (["--mode", "carry", "--variant", "common_local"], "no rows of carry full common_local"),
        (["--mode", "carry", "--resamples", "0"], "n_resamples: 0: expected a positive integer"),
        (["--mode", "carry", "--seed", "-1"], "seed: -1"),
        (["--mode", "carry", "--confidence", "95"], "confidence_level: 95.0"),
    ],
)
def test_a_selection_that_is_not_there_is_told(
    files: dict[str, Path], change: list[str], message: str
) -> None:
    code, out, err = run("score", files["model"], "--references", files["references"], *change)
    assert (code, out) == (1, "")
    assert message in err
    assert "Traceback" not in err


def test_nothing_to_score_against(files: dict[str, Path]) -> None:
    code, _, err = run("score", files["model"], "--mode", "carry")
    assert code == 1
    assert "expected --dataset or --references" in err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            '{"item_id": "nothing/s1", "mode": "reset", "choice": 1}',
            "item_id: not in the references: 'nothing/s1'",
        ),
        ('{"item_id": "ID-Dance-00/s1", "mode": "reset", "choice": "B"}', "choice"),
        ('{"item_id": "ID-Dance-00/s1", "mode": "reset", "choice": 1}', "already answered"),
        ('{"item_id": "ID-Dance-00/s1", "mode": "re', "not a whole JSON object"),
    ],
)
def test_a_bad_line_names_its_file(files: dict[str, Path], line: str, message: str) -> None:
    with files["model"].open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    code, out, err = score(files)
    assert (code, out) == (1, "")
    assert str(files["model"]) in err
    assert message in err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no reference rows"),
        ("{}\n", "line 1: expected a reference row with item_id and stage"),
        ("[1]\n", "line 1: expected a JSON object"),
        ("{\n", "line 1: not a whole JSON object"),
        (
            '{"item_id": "a/s1", "stage": "s1", "concept_id": "a", "answer": 9}\n',
            "answer: expected an integer 0-3",
        ),
    ],
)
def test_bad_references_are_told(files: dict[str, Path], content: str, message: str) -> None:
    files["references"].write_text(content, "utf-8")
    code, _, err = score(files)
    assert code == 1
    assert message in err


def test_a_stage_without_answers_is_told(files: dict[str, Path]) -> None:
    rows = [row for row in of_mode(REFERENCES, 0.6, 1, "carry") if "/s3/" not in row["item_id"]]
    write_lines(files["model"], rows)
    code, out, err = score(files)
    assert code == 0
    assert "no answer at s3: each item counts as missing" in err
    assert "mIoU                 0.0" in out


def test_a_table_of_models_tells_whose_answers_are_missing_or_invalid(files: dict[str, Path]) -> None:
    rows = of_mode(REFERENCES, 0.3, 2, "carry", model="Other")
    second = [place for place, row in enumerate(rows) if row["item_id"].endswith("/s2")]
    for place in second[:3]:
        rows[place] = {**rows[place], "choice": None}
    rows[second[3]] = {**rows[second[3]], "choice": 7}
    write_lines(files["other"], rows)
    keys = ("--references", files["references"], "--mode", "carry")
    code, out, _ = run("score", files["model"], files["other"], *keys, *QUICK)
    assert code == 0
    n = len(second)
    assert f"Other: 3 of {n} S2 answers missing, 1 of {n} S2 answers invalid; they score 0" in out
    assert "M: " not in out


def test_s1_alone_can_be_scored(files: dict[str, Path]) -> None:
    keys = write_lines(files["references"], [row for row in REFERENCES if row["stage"] == "s1"])
    rows = [{**row, "mode": "reset"} for row in answers(REFERENCES, 0.5, 1) if row["item_id"].endswith("/s1")]
    write_lines(files["model"], rows)
    code, out, _ = run("score", files["model"], "--references", keys, "--mode", "reset", *QUICK)
    assert code == 0
    assert "nan" not in out.lower()


class TestScoredRecords:
    def test_statistics_start_from_them(self, files: dict[str, Path]) -> None:
        records, first, second = (files["folder"] / name for name in ("scored.jsonl", "a.json", "b.json"))
        score(files, "--scored", records, "--json", first)
        code, _, _ = run("score", records, "--mode", "carry", "--json", second, *QUICK)
        assert code == 0
        a, b = (json.loads(path.read_text("utf-8")) for path in (first, second))
        assert {**a, "n_status": None} == {**b, "n_status": None}

    def test_they_hold_no_answer_and_no_key(self, files: dict[str, Path]) -> None:
        records = files["folder"] / "scored.jsonl"
        score(files, "--scored", records)
        for line in records.read_text("utf-8").splitlines():
            assert set(json.loads(line)) == {
                *("dataset", "metric", "model", "mode", "setting", "variant", "context"),
                *(
                    "item_id",
                    "concept_id",
                    "stage",
                    "country",
                    "category",
                    "writing_cluster",
                    "answered",
                    "value",
                ),
            }

    def test_files_may_be_joined(self, files: dict[str, Path]) -> None:
        parts = [files["folder"] / f"{name}.scored.jsonl" for name in ("model", "other")]
        for name, part in zip(("model", "other"), parts, strict=True):
            run(
                "score",
                files[name],
                "--references",
                files["references"],
                "--mode",
                "carry",
                "--scored",
                part,
                *QUICK,
            )
        joined = files["folder"] / "all.jsonl"
        joined.write_text("".join(part.read_text("utf-8") for part in (*parts, parts[0])), "utf-8")
        code, out, _ = run("compare", joined, "--mode", "carry", *QUICK)
        assert code == 0
        assert "M - Other" in out

    def test_items_of_the_hidden_test_stay_back(self, files: dict[str, Path]) -> None:
        hidden = {
            **REFERENCES[0],
            "item_id": "s1-0123456789abcdef",
            "concept_id": "KH-Dance-99",
            "country": "KH",
            "writing_cluster": "Local",
        }
        write_lines(files["references"], [*REFERENCES, hidden])
        records = files["folder"] / "scored.jsonl"
        code, _, err = score(files, "--scored", records)
        assert code == 0
        assert "1 items of the hidden test stay back" in err
        assert "s1-0123456789abcdef" not in records.read_text("utf-8")

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"value": 0.5, "stage": "s1"}, "value: expected 0 or 1 at s1 and s2"),
            ({"value": 1.5, "stage": "s3"}, "value: expected a number from 0 to 1"),
            ({"value": True}, "value: expected a number from 0 to 1"),
            ({"value": 1.0, "answered": "missing"}, "value: expected 0 for an answer that is missing"),
            ({"answered": "yes"}, "answered: expected one of ok, invalid, missing"),
            ({"metric": "0.9.0"}, "metric: scored by version 0.9.0"),
            ({"country": 3}, "country: expected a string or null"),
            ({"mode": "free"}, "mode: expected one of"),
        ],
    )
    def test_what_is_no_record_is_told(self, files: dict[str, Path], change: dict, message: str) -> None:
        records = files["folder"] / "scored.jsonl"
        score(files, "--scored", records)
        lines = [json.loads(line) for line in records.read_text("utf-8").splitlines()]
        at = next(n for n, row in enumerate(lines) if row["stage"] == change.get("stage", row["stage"]))
        lines[at] |= change
        write_lines(records, lines)
        code, _, err = run("score", records, "--mode", "carry", *QUICK)
        assert code == 1
        assert f"line {at + 1}: {message}" in err

    def test_records_that_contradict_each_other(self, files: dict[str, Path]) -> None:
        records = files["folder"] / "scored.jsonl"
        score(files, "--scored", records)
        lines = [json.loads(line) for line in records.read_text("utf-8").splitlines()]
        write_lines(records, [*lines, {**lines[0], "value": 1.0 - lines[0]["value"]}])
        code, _, err = run("score", records, "--mode", "carry", *QUICK)
        assert code == 1
        assert "two records that differ" in err


@pytest.mark.parametrize("concepts", [1, 2])
def test_one_concept_and_one_pair_have_values_and_no_interval(tmp_path: Path, concepts: int) -> None:
    """The first concept has one pair, a second one none: mIoU rests on one concept in both cases."""
    keys = [row for row in reference_rows() if row["concept_id"] in ("KH-Music-01", "ID-Dance-00")[:concepts]]
    assert sum(row["stage"] == "s3" for row in keys) == 1
    references = write_lines(tmp_path / "references.jsonl", keys)
    model = write_lines(tmp_path / "model.jsonl", of_mode(keys, 1.0, 1, "carry", model="m"))
    target = tmp_path / "score.json"
    code, out, _ = run(
        "score", model, "--references", references, "--mode", "carry", "--json", target, *QUICK
    )
    assert code == 0
    assert "nan" not in out.lower()
    written = json.loads(target.read_text("utf-8"))
    assert written["n"]["pairs"] == 1
    assert written["s3_miou"] is not None
    assert written["ci"]["s3_miou"] is None
    assert (written["ci"]["s1_accuracy"] is None) == (concepts == 1)


def test_the_json_says_what_each_number_is(files: dict[str, Path]) -> None:
    target = files["folder"] / "score.json"
    score(files, "--json", target)
    written = json.loads(target.read_text("utf-8"))
    assert set(written["definitions"]) == set(written["ci"])
