"""``cmb audit``: files, exits, nothing hidden in what it prints, and the same digits twice."""

import json
import re
from pathlib import Path

import pytest

from cmb_harness.cli import main


@pytest.fixture(scope="module")
def folder(example_workspace: Path) -> Path:
    return example_workspace


def audited(folder: Path, target: Path, *extra: str) -> tuple[int, dict, str]:
    code = main(
        [
            "audit",
            str(folder / "cmb"),
            "--json",
            str(target / "a.json"),
            "--markdown",
            str(target / "a.md"),
            *extra,
        ]
    )
    return code, json.loads((target / "a.json").read_text("utf-8")), (target / "a.md").read_text("utf-8")


@pytest.fixture(scope="module")
def with_secrets(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[int, dict, str]:
    return audited(
        folder, tmp_path_factory.mktemp("a"), "--secrets", str(folder / "example" / "secrets.json")
    )


def test_the_files_hold_the_table(with_secrets) -> None:
    code, found, text = with_secrets
    assert code == 0
    assert {"release", "findings", "reading"} == found.keys()
    assert found["release"]["seed"] == 42
    assert re.fullmatch("[0-9a-f]{64}", found["release"]["sha256"])
    for row in found["findings"]:
        assert row["severity"] in ("ok", "note", "warning", "serious", "not measured")
        assert row["check"].replace("_", r"\_") in text
    assert found["reading"] in text
    assert "| check | where | severity | figure | interval | chance | evidence |" in text


def test_nothing_hidden_is_printed(folder: Path, with_secrets, capsys: pytest.CaptureFixture[str]) -> None:
    _, found, text = with_secrets
    secrets = json.loads((folder / "example" / "secrets.json").read_text("utf-8"))
    records = json.loads((folder / "example" / "records.json").read_text("utf-8"))
    assert main(["audit", str(folder / "cmb"), "--secrets", str(folder / "example" / "secrets.json")]) == 0
    printed = capsys.readouterr().out + text + json.dumps(found, ensure_ascii=False)
    hidden = [record for record in records if record["concept_id"] in secrets["hidden_concepts"]]
    assert len(hidden) == 32
    told = [row["item_id"] for row in secrets["references"]] + list(secrets["salts"].values())
    told += [record[name] for record in hidden for name in ("concept_id", "description", "video_A_url")]
    told += [record["s1_options"][record["s1_correct_index"]] for record in hidden]
    assert [value for value in told if value in printed] == []


def test_faults_of_hidden_items_are_counted_only(folder: Path, tmp_path: Path) -> None:
    records = json.loads((folder / "example" / "records.json").read_text("utf-8"))
    secrets = json.loads((folder / "example" / "secrets.json").read_text("utf-8"))
    bad = next(record for record in records if record["concept_id"] in secrets["hidden_concepts"])
    bad["description"] += f" It is {bad['s1_options'][bad['s1_correct_index']]}."
    (tmp_path / "records.json").write_text(json.dumps(records), "utf-8")
    (tmp_path / "secrets.json").write_text(json.dumps(secrets), "utf-8")
    arguments = ["audit", str(tmp_path / "records.json"), "--secrets", str(tmp_path / "secrets.json")]
    assert main([*arguments, "--json", str(tmp_path / "a.json")]) == 0
    text = (tmp_path / "a.json").read_text("utf-8")
    row = next(one for one in json.loads(text)["findings"] if one["check"].startswith("an option's name in"))
    assert (row["figure"], row["severity"], row["evidence"]) == (1, "serious", "1 hidden")
    assert bad["concept_id"] not in text


def test_two_runs_agree_and_another_seed_does_not(
    folder: Path, tmp_path: Path, with_secrets, capsys: pytest.CaptureFixture[str]
) -> None:
    secrets = ("--secrets", str(folder / "example" / "secrets.json"))
    assert audited(folder, tmp_path, *secrets) == with_secrets
    other = audited(folder, tmp_path, *secrets, "--seed", "1")[1]
    assert other["findings"] != with_secrets[1]["findings"]


def test_records_are_audited_as_they_would_be_published(folder: Path, tmp_path: Path, with_secrets) -> None:
    example = folder / "example"
    named = ["--secrets", str(example / "secrets.json"), "--json", str(tmp_path / "r.json")]
    assert main(["audit", str(example / "records.json"), *named]) == 0
    of_records = json.loads((tmp_path / "r.json").read_text("utf-8"))["findings"]
    of_folder = [row for row in with_secrets[1]["findings"] if row["where"] != "release"]
    assert of_records == of_folder


def test_records_alone_are_public(folder: Path, tmp_path: Path) -> None:
    main(["audit", str(folder / "example" / "records.json"), "--json", str(tmp_path / "r.json")])
    found = json.loads((tmp_path / "r.json").read_text("utf-8"))["findings"]
    wheres = {row["where"] for row in found if row["severity"] != "not measured"}
    assert not {where for where in wheres if "s1 test" in where or "s2 test" in where}
    assert any(row["check"] == "matching" and row["n"] == 64 for row in found)


def test_lengths_come_from_the_cache(folder: Path, tmp_path: Path) -> None:
    _, found, _ = audited(folder, tmp_path, "--cache", str(folder / "cache"))
    row = next(one for one in found["findings"] if one["check"] == "a moment outside its video")
    assert (row["figure"], row["severity"]) == (0, "ok")
    _, without, _ = audited(folder, tmp_path)
    row = next(one for one in without["findings"] if one["check"] == "a moment outside its video")
    assert row["severity"] == "not measured"


def test_against_an_earlier_release(folder: Path, tmp_path: Path) -> None:
    _, found, _ = audited(folder, tmp_path, "--against", str(folder / "example" / "records.json"))
    told = [row for row in found["findings"] if row["check"] == "key from the earlier release"]
    # Everything was public in the earlier one.
    assert [(row["figure"], row["severity"]) for row in told] == [(1.0, "serious"), (1.0, "serious")]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "no such folder"),
        (["cmb", "--seed", "-1"], "--seed -1"),
        (["cmb", "--secrets", "nowhere.json"], "there is no such file"),
        (["cmb", "--secrets", "list.json"], "expected an object"),
        (["cmb", "--secrets", "empty.json"], "no key for 64 hidden items"),
        (["cmb", "--secrets", "wrong.json"], "references: expected a list"),
        (["records.json", "--secrets", "empty.json"], "hidden_concepts: expected a list"),
        (["cmb", "--region", "list.json"], "expected an object, a region"),
        (["cmb", "--inventory", "nowhere.csv"], "cannot be read"),
        (["cmb", "--cache", "nowhere"], "holds no manifest.jsonl"),
        (["cmb", "--against", "nowhere"], "no such folder"),
    ],
)
def test_bad_input_is_told(
    folder: Path, tmp_path: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "list.json").write_text("[]", "utf-8")
    (tmp_path / "empty.json").write_text('{"references": []}', "utf-8")
    (tmp_path / "wrong.json").write_text('{"references": [3]}', "utf-8")
    places = {"cmb": folder / "cmb", "records.json": folder / "example" / "records.json"}
    full = [
        str(places.get(one, tmp_path / one))
        if one in places or one.endswith((".json", ".csv", "nowhere"))
        else one
        for one in arguments
    ]
    assert main(["audit", *full]) == 1
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""
