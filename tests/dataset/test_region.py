"""The region file."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cmb_harness.faults import InputError
from cmb_harness.records import read_records, read_region

REFERENCE = Path(__file__).resolve().parent.parent / "reference" / "paper_tables.json"


def test_ours_is_the_paper_s() -> None:
    region = read_region()
    # Paper: 4.4 (29% distracting in Cambodia, Myanmar and Thailand against 14% in the other four) and Table 5.
    assert region.writing_clusters == {
        "KH": "Local",
        "ID": "Latin",
        "MY": "Latin",
        "MM": "Local",
        "PH": "Latin",
        "TH": "Local",
        "VN": "Latin",
    }
    assert region.categories == ("Celebration", "Dance", "Game", "Music", "Wedding")
    assert region.cap == 0.1
    assert region.role_cuts == (3, 5, 7)
    assert ("KH-Celebration-05", "ID-Celebration-14", "MY-Celebration-16") in region.ambiguity_groups


def test_records_are_checked_against_a_region_object_or_file(
    records_file: Path, raw_records: list[dict[str, Any]], write_json: Callable[[str, Any], Path]
) -> None:
    assert len(read_records(records_file, read_region())) == 32
    for row in raw_records:
        row["writing_cluster"] = {"KH": "Latin"}.get(row["country"], row["writing_cluster"])
    path = write_json("wrong.json", raw_records)
    assert len(read_records(path)) == 32
    with pytest.raises(InputError) as caught:
        read_records(path, read_region())
    assert len(caught.value.faults) == 16


BAD = {
    "name": "",
    "countries": [],
    "categories": ["Dance", "Dance"],
    "ambiguity_groups": [["a", 1]],
    "cap": 0,
    "seeds": {"split": True},
    "role_cuts": [5, 3],
    "duration_edges_s": [60, float("nan")],
}


@pytest.mark.parametrize("name", BAD)
def test_each_field_is_checked(name: str, tmp_path: Path) -> None:
    import cmb_harness.records

    source = Path(cmb_harness.records.__file__).parent / "regions" / "southeast_asia.json"
    value = json.loads(source.read_text())
    path = tmp_path / "region.json"
    path.write_text(json.dumps({**value, name: BAD[name]}))
    with pytest.raises(InputError) as caught:
        read_region(path)
    assert [fault.partition(": expected")[0] for fault in caught.value.faults] == [f"{path}: {name}"]
    del value[name]
    path.write_text(json.dumps(value))
    with pytest.raises(InputError, match=f"{name}: missing"):
        read_region(path)


def test_what_is_no_region(tmp_path: Path) -> None:
    path = tmp_path / "region.json"
    for text in ("[]", "3", "{", ""):
        path.write_text(text)
        with pytest.raises(InputError, match=r"region\.json"):
            read_region(path)
    with pytest.raises(InputError, match="there is no such file"):
        read_records(tmp_path / "r.json", tmp_path / "none.json")
