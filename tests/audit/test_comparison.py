"""Two releases: what changed is counted, and what the difference gives is what it must be."""

from typing import Any

import pytest

from cmb_harness.construction.audit import Settings, comparison


def found_in(new, old, settings: Settings) -> dict:
    findings = comparison.comparison_findings(new, old, settings)
    return {(finding.check, finding.where): finding for finding in findings}


def test_quiet_between_a_release_and_itself(made, settings: Settings) -> None:
    found = found_in(made.release(), made.release(), settings)
    kept = found.pop(("hidden items under their old id", "test"))
    assert (kept.figure, kept.severity) == (1.0, "note")
    for finding in found.values():
        assert finding.severity == "ok", finding
        assert finding.figure in (0, 0.25)


def test_public_items(made, settings: Settings) -> None:
    rows = made.changed()
    gone = rows["s1"]["train"].pop(0)
    rows["s2"]["train"].append({**rows["s2"]["train"][0], "item_id": "KH-Dance-99/s2"})
    rows["s1"]["train"][0]["description"] += " And more."
    rows["s1"]["train"][1]["options"][0] = "Another"
    rows["s1"]["train"][2]["options"].reverse()
    # Clips and videos are paths on somebody's disk: no change.
    rows["s2"]["train"][1]["options"][0]["clip"] = "/tmp/clip.mp4"
    rows["s3"]["train"][0]["video"] = "/tmp/video.mp4"
    found = found_in(made.release(rows=rows), made.release(), settings)
    figures = {where: found[where].figure for where in found if where[1].endswith("train")}
    assert figures == {
        ("items added", "s1 train"): 0,
        ("items gone", "s1 train"): 1,
        ("items changed", "s1 train"): 3,
        ("option sets changed", "s1 train"): 1,
        ("items added", "s2 train"): 1,
        ("items gone", "s2 train"): 0,
        ("items changed", "s2 train"): 0,
        ("option sets changed", "s2 train"): 0,
        ("items added", "s3 train"): 0,
        ("items gone", "s3 train"): 0,
        ("items changed", "s3 train"): 0,
    }
    assert found["items gone", "s1 train"].evidence == gone["item_id"]


def resampled(made, row: dict[str, Any]) -> None:
    """Other distractors in an S1 row: what two releases of one item have in common is the key alone."""
    key = next(one["answer"] for one in made.references if one["item_id"] == row["item_id"])
    row["options"] = [
        name if at == key else f"Other{at}{row['item_id']}" for at, name in enumerate(row["options"])
    ]


@pytest.mark.parametrize("keys", [True, False])
def test_hidden_items_whose_options_were_changed(made, settings: Settings, keys: bool) -> None:
    rows = made.changed()
    for row in rows["s1"]["test"][:12]:
        resampled(made, row)
    found = found_in(made.release(keys=keys, rows=rows), made.release(keys=False), settings)
    assert found["option sets changed", "s1 test"].figure == 12
    told = found["key from the earlier release", "s1 test"]
    # 12 of 48 are known, a quarter of the other 36: 21 of 48.
    assert told.figure == pytest.approx(21 / 48)
    assert told.severity == "serious"
    assert told.evidence.startswith("on the keys" if keys else "expected")
    assert "12 have fewer than four options left" in told.evidence
    assert found["key from the earlier release", "s2 test"].severity == "ok"


def test_hidden_items_that_were_public(made, settings: Settings) -> None:
    keys = {row["item_id"]: row["answer"] for row in made.references}
    before = made.changed()
    for row in before["s1"]["test"][:6]:
        public = {**row, "answer": keys[row["item_id"]], "concept_id": "KH-Dance-99", "country": "KH"}
        before["s1"]["train"].append(public)
    before["s1"]["test"] = before["s1"]["test"][6:]
    found = found_in(made.release(keys=False), made.release(keys=False, rows=before), settings)
    # 6 of 48 are known, a quarter of the other 42.
    told = found["key from the earlier release", "s1 test"]
    assert told.figure == pytest.approx((6 + 42 / 4) / 48)
    assert "6 items were public" in told.evidence
    assert found["items added", "s1 test"].figure == 6
    assert found["items gone", "s1 train"].figure == 6


def test_items_gone_and_new_salts(made, make_release, settings: Settings) -> None:
    rows = made.changed()
    rows["s2"]["test"] = rows["s2"]["test"][3:]
    for row in rows["s1"]["test"]:
        row["item_id"] = "s1-" + row["item_id"][3:][::-1]
    found = found_in(made.release(keys=False, rows=rows), made.release(), settings)
    assert found["items gone", "s2 test"].figure == 3
    assert found["hidden items under their old id", "test"].figure == pytest.approx(45 / 93)


def test_nothing_hidden(made, settings: Settings) -> None:
    rows = {stage: {"train": parts["train"], "test": []} for stage, parts in made.rows.items()}
    found = found_in(made.release(rows=rows), made.release(), settings)
    assert found["what the difference gives", "test"].severity == "not measured"
