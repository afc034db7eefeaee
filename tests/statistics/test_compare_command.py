"""``cmb compare`` and ``cmb tables`` over files."""

import json
from pathlib import Path

import pytest
from made import answers, of_mode, reference_rows, run, write_lines

import cmb_metric

REFERENCES = reference_rows()
QUICK = ("--resamples", "200")
MODELS = {"strong": 0.95, "middle": 0.6, "weak": 0.1}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    paths = {"references": write_lines(tmp_path / "references.jsonl", REFERENCES)}
    for seed, (name, skill) in enumerate(MODELS.items()):
        paths[name] = write_lines(
            tmp_path / f"{name}.jsonl", of_mode(REFERENCES, skill, seed, "carry", model=name)
        )
    return paths


def compare(
    files: dict[str, Path], *more: str | Path, names: tuple[str, ...] = tuple(MODELS)
) -> tuple[int, str, str]:
    return run(
        "compare",
        *(files[name] for name in names),
        "--references",
        files["references"],
        "--mode",
        "carry",
        *QUICK,
        *more,
    )


def test_the_json_holds_all_pairs_as_rows(files: dict[str, Path], tmp_path: Path) -> None:
    code, _, _ = compare(files, "--json", tmp_path / "c.json")
    assert code == 0
    written = json.loads((tmp_path / "c.json").read_text("utf-8"))
    expected = cmb_metric.compare(
        {
            name: of_mode(REFERENCES, skill, seed, "carry")
            for seed, (name, skill) in enumerate(MODELS.items())
        },
        REFERENCES,
        n_resamples=200,
    )
    assert len(written["pairs"]) == 3 * 9
    for row in written["pairs"]:
        found = expected[row["a"], row["b"]][row["statistic"]]
        assert row["difference"] == pytest.approx(found["difference"])
        assert row["ci"] == pytest.approx(found["ci"])
        assert row["p"] == pytest.approx(found["p"])
        assert row["significant"] == (found["p"] is not None and found["p"] < 0.05)
    assert "mode:carry|" in written["signature"]


def test_the_clearly_better_is_ranked_above(files: dict[str, Path], tmp_path: Path) -> None:
    code, out, _ = compare(files, "--json", tmp_path / "c.json")
    assert code == 0
    ranks = json.loads((tmp_path / "c.json").read_text("utf-8"))["ranks"]
    s1 = {row["model"]: (row["best"], row["worst"]) for row in ranks if row["statistic"] == "s1_accuracy"}
    assert s1["strong"][0] == 1
    assert s1["weak"][1] == 3
    for heading in (
        "Paired differences",
        "Ranks that the data allow",
        "Country and category cells",
        "one order",
    ):
        assert heading in out


def test_holm_only_raises_p(files: dict[str, Path], tmp_path: Path) -> None:
    compare(files, "--json", tmp_path / "c.json", "--holm")
    written = json.loads((tmp_path / "c.json").read_text("utf-8"))
    assert written["correction"].startswith("holm")
    assert all(row["p_holm"] >= row["p"] for row in written["pairs"] if row["p"] is not None)


def test_the_same_run_twice_is_refused(files: dict[str, Path]) -> None:
    code, out, err = compare(files, names=("strong", "strong"))
    assert (code, out) == (1, "")
    assert "strong is given 2 times" in err


def test_two_runs_of_one_name_are_told_apart(files: dict[str, Path], tmp_path: Path) -> None:
    files["again"] = write_lines(
        tmp_path / "again.jsonl", of_mode(REFERENCES, 0.6, 9, "carry", model="strong")
    )
    code, out, _ = compare(files, names=("strong", "again"))
    assert code == 0
    assert "again.jsonl)" in out


def test_one_run_is_nothing_to_compare(files: dict[str, Path]) -> None:
    code, _, err = compare(files, names=("strong",))
    assert code == 1
    assert "two models or more" in err


def test_a_missing_mode_is_told_for_every_run_at_once(files: dict[str, Path]) -> None:
    code, _, err = run(
        "compare",
        files["strong"],
        files["weak"],
        "--references",
        files["references"],
        "--mode",
        "reset",
        "--setting",
        "no-audio",
    )
    assert code == 1
    assert err.count("no rows of reset no-audio") == 2


def test_models_scored_on_different_items_are_refused(files: dict[str, Path], tmp_path: Path) -> None:
    parts = {}
    for name, keys in (
        ("strong", REFERENCES),
        ("weak", [r for r in REFERENCES if r["concept_id"] != "ID-Dance-00"]),
    ):
        part = tmp_path / f"{name}.scored.jsonl"
        subset = write_lines(tmp_path / f"{name}.keys.jsonl", keys)
        known = {row["item_id"] for row in keys}
        rows = [row for row in of_mode(REFERENCES, 0.5, 1, "carry", model=name) if row["item_id"] in known]
        write_lines(files[name], rows)
        run("score", files[name], "--references", subset, "--mode", "carry", "--scored", part, *QUICK)
        parts[name] = part
    code, _, err = run("compare", *parts.values(), "--mode", "carry", *QUICK)
    assert code == 1
    assert "weak and strong were scored on different items: 0 only of weak, 2 only of strong" in err


def test_all_right_all_wrong_and_nothing_answered(files: dict[str, Path], tmp_path: Path) -> None:
    right = [
        {"item_id": row["item_id"], "span": row["span"]}
        if row["stage"] == "s3"
        else {"item_id": row["item_id"], "choice": row["answer"]}
        for row in REFERENCES
    ]
    nothing = [
        {"item_id": row["item_id"], ("span" if row["stage"] == "s3" else "choice"): None}
        for row in REFERENCES
    ]
    for name, rows in (("right", right), ("nothing", nothing)):
        files[name] = write_lines(
            tmp_path / f"{name}.jsonl", [{**row, "mode": "reset", "model": name} for row in rows]
        )
    code, out, _ = run(
        "compare",
        files["right"],
        files["nothing"],
        "--references",
        files["references"],
        "--mode",
        "reset",
        *QUICK,
        "--json",
        tmp_path / "c.json",
    )
    assert code == 0
    assert "nan" not in out.lower()
    rows = {row["statistic"]: row for row in json.loads((tmp_path / "c.json").read_text("utf-8"))["pairs"]}
    assert (rows["s1_accuracy"]["difference"], rows["s1_accuracy"]["ci"]) == (1.0, [1.0, 1.0])
    # c-S2 of a model that names nothing right is 0/0.
    assert rows["c_s2"] | {"n_concepts": 0} == {
        **{"a": "right", "b": "nothing", "statistic": "c_s2", "difference": None, "ci": None, "p": None},
        **{"significant": False, "n_concepts": 0},
    }


@pytest.fixture
def everything(files: dict[str, Path], tmp_path: Path) -> dict[str, Path]:
    """Two models with two modes, an ablation of S3, and two name variants of S1."""
    for seed, name in enumerate(("strong", "weak")):
        rows = of_mode(REFERENCES, MODELS[name], seed, "carry", model=name)
        rows += [
            row
            for row in of_mode(REFERENCES, MODELS[name], 5, "reset", model=name)
            if not row["item_id"].endswith("/s1")
        ]
        rows += [
            {**row, "mode": "carry", "setting": "no-audio"}
            for row in answers(REFERENCES, 0.4, 7 + seed, model=name)
            if "/s3/" in row["item_id"]
        ]
        rows += [
            {**row, "mode": "reset", "variant": "common_local"}
            for row in answers(REFERENCES, 0.4, 17 + seed, model=name)
            if row["item_id"].endswith("/s1")
        ]
        write_lines(files[name], rows)
    return files


def tables(files: dict[str, Path], *more: str | Path) -> tuple[int, str, str]:
    return run(
        "tables",
        files["strong"],
        files["weak"],
        "--references",
        files["references"],
        "--mode",
        "carry",
        *QUICK,
        *more,
    )


def test_tables_of_all_that_is_there(everything: dict[str, Path], tmp_path: Path) -> None:
    code, out, _ = tables(everything, "--out", tmp_path / "tables")
    assert code == 0
    assert "nan" not in out.lower()
    for heading in (
        "All modes",
        "Does one stage help the next?",
        "Failure profiles",
        "Micro and macro averages",
        "S1 by country, category and writing cluster",
        "IoU@0.3 by country",
        "Paired differences",
        "Change of mIoU; mean over strong, weak",
        "no-audio, cut 3",
        "no-audio, cut 7",
        "no-audio, Local, Music",
        "S1 by name variant",
        "IoU of single pairs",
    ):
        assert heading in out
    assert sorted(path.name for path in (tmp_path / "tables").iterdir()) == [
        f"tables.{suffix}" for suffix in ("csv", "json", "md", "tex", "txt")
    ]


def test_every_number_says_what_it_is(everything: dict[str, Path], tmp_path: Path) -> None:
    tables(everything, "--out", tmp_path / "tables")
    written = json.loads((tmp_path / "tables" / "tables.json").read_text("utf-8"))
    numbers = [
        number for table in written["tables"] for number in table["numbers"] if number["value"] is not None
    ]
    assert len(numbers) > 200
    assert all(number["definition"] for number in numbers)
    signed = {table["table"] for table in written["tables"] if table["signature"].startswith("cmb_metric:")}
    assert signed == {table["table"] for table in written["tables"]}


def test_the_ablation_of_the_tables_is_that_of_the_functions(
    everything: dict[str, Path], tmp_path: Path
) -> None:
    tables(everything, "--out", tmp_path / "tables")
    (row,) = json.loads((tmp_path / "tables" / "tables.json").read_text("utf-8"))["data"]["ablation"]
    n_pairs = sum(reference["stage"] == "s3" for reference in REFERENCES)
    assert row["shift"]["n"] == n_pairs
    assert {cut: shares["n"] for cut, shares in row["roles"].items()} == dict.fromkeys(
        ("3", "5", "7"), n_pairs
    )
    paired = {reference["concept_id"] for reference in REFERENCES if reference["stage"] == "s3"}
    concepts = {reference["concept_id"] for reference in REFERENCES}
    assert {concept for concept, role in row["concept_roles"].items() if role is None} == concepts - paired


def test_a_setting_of_a_model_without_full_is_told(everything: dict[str, Path]) -> None:
    kept = [json.loads(line) for line in everything["weak"].read_text("utf-8").splitlines()]
    write_lines(
        everything["weak"],
        [row for row in kept if row["mode"] != "carry" or row.get("setting") == "no-audio"],
    )
    code, _, err = tables(everything)
    assert code == 1
    assert (
        "no-audio: ablation: expected the same models with and without a modality; not in both: weak" in err
    )
