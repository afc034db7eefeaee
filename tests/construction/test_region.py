"""`cmb region check`: a region that can be read may still be one that nobody can mean."""

import json
from pathlib import Path

import pytest

from cmb_harness.cli import main
from cmb_harness.construction.region import inventory_path

SOUTHEAST_ASIA = json.loads((inventory_path().parent / "southeast_asia.json").read_text("utf-8"))


def put(folder: Path, **changes: object) -> str:
    path = folder / "region.json"
    path.write_text(json.dumps({**SOUTHEAST_ASIA, **changes}), encoding="utf-8")
    return str(path)


def test_ours_is_in_order_and_its_groups_are_those_of_the_paper(capsys) -> None:
    assert main(["region", "check"]) == 0
    out = capsys.readouterr().out
    assert "KH, ID, MY, MM, PH, TH, VN (4 Latin, 3 Local)" in out
    assert "ambiguity groups  17" in out
    assert "306 in the table" in out


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        (
            {"ambiguity_groups": [["ID-Dance-01"]]},
            "ambiguity_groups[0]: expected at least two different concepts",
        ),
        (
            {"ambiguity_groups": [["ID-Dance-01", "ID-Dance-01", "MY-Dance-01"]]},
            "ambiguity_groups[0]: ID-Dance-01 stands twice",
        ),
        (
            {"ambiguity_groups": [["Rebab", "ID-Dance-01"]]},
            "ambiguity_groups[0]: Rebab: expected a concept_id, <country>-<category>-<number>",
        ),
        (
            {"ambiguity_groups": [["XX-Dance-01", "ID-Dance-01"]]},
            "ambiguity_groups[0]: XX-Dance-01: country XX is not in the region",
        ),
        (
            {"ambiguity_groups": [["ID-Opera-01", "MY-Opera-01"]]},
            "ambiguity_groups[0]: ID-Opera-01: category Opera is not in the region",
        ),
        (
            {"ambiguity_groups": [["ID-Dance-01", "MY-Dance-99"]]},
            "ambiguity_groups[0]: MY-Dance-99: no concept of the table has this id",
        ),
        (
            {"ambiguity_groups": [["ID-Dance-01", "MY-Game-01"]]},
            "ambiguity_groups[0]: of several categories, Dance, Game: never in one question",
        ),
        ({"seeds": {"split": 1, "s1": 1, "bootstrap": 1}}, "seeds: s2: missing"),
        (
            {"categories": [*SOUTHEAST_ASIA["categories"], "Street food"]},
            "categories: 'Street food': expected letters A-Z alone, as concept_ids hold it",
        ),
        (
            {
                "countries": [
                    *SOUTHEAST_ASIA["countries"],
                    {"code": "la", "name": "Laos", "writing_cluster": "Lao"},
                ]
            },
            "countries: 'la': expected two capital letters, which concept_ids begin with",
        ),
        (
            {
                "countries": [
                    *SOUTHEAST_ASIA["countries"],
                    {"code": "LA", "name": "Laos", "writing_cluster": "Lao"},
                ]
            },
            "countries: LA: writing_cluster 'Lao': expected Latin or Local",
        ),
        ({"cap": 0}, "cap: expected a number above 0 and up to 1"),
        ({"countries": []}, "countries: expected a list of different countries"),
    ],
)
def test_each_fault_is_told(tmp_path, capsys, changes, fault) -> None:
    path = put(tmp_path, **changes)
    assert main(["region", "check", path, "--concepts", str(inventory_path())]) == 1
    assert f"cmb: {path}: {fault}" in capsys.readouterr().err


def test_all_faults_are_told_at_once(tmp_path, capsys) -> None:
    path = put(tmp_path, seeds={}, ambiguity_groups=[["A", "B"], ["C"]])
    assert main(["region", "check", path]) == 1
    assert "cmb: 8 faults" in capsys.readouterr().err
