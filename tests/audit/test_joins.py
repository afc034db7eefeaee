"""Joins of hidden items: each is planted in a release, and the release as it was built has none."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from cmb_harness.construction.audit import FileFacts, Release, Settings, joins, orders

BY_DESIGN = "S2 to S1, by description or s1_item_id"


def by_check(findings) -> dict:
    return {(finding.check, finding.where): finding for finding in findings}


def test_quiet_on_a_built_release(made, settings: Settings) -> None:
    for finding in joins.join_findings(made.release(), settings):
        expected = {"note"} if finding.check == BY_DESIGN else {"ok", "not measured"}
        assert finding.severity in expected, finding


def test_public_releases_have_no_joins(made, settings: Settings) -> None:
    rows = {stage: {"train": parts["train"], "test": []} for stage, parts in made.rows.items()}
    (finding,) = joins.join_findings(made.release(rows=rows), settings)
    assert finding.severity == "not measured"


def test_one_id_in_two_stages(made) -> None:
    rows = made.changed()
    assert joins.ids_across_stages(made.release()).figure == 0
    by_description = {row["description"]: row["item_id"] for row in rows["s1"]["test"]}
    for row in rows["s2"]["test"][:12]:
        row["item_id"] = by_description[row["description"]].replace("s1-", "s2-")
    found = joins.ids_across_stages(made.release(keys=False, rows=rows))
    # 12 of 48 in each of two stages.
    assert (found.figure, found.severity) == (pytest.approx(0.25), "serious")


@pytest.mark.parametrize("shape", ["s1-{concept}", "s1-{number:04d}"])
def test_ids_that_tell(made, shape: str) -> None:
    rows = made.changed()
    for number, row in enumerate(rows["s1"]["test"]):
        row["item_id"] = shape.format(concept="KH-Dance-01", number=number)
    found = joins.ids_that_tell(made.release(keys=False, rows=rows))
    assert (found.figure, found.severity) == (0.5, "serious")
    assert joins.ids_that_tell(made.release()).severity == "ok"


def test_s2_joins_to_s1_by_design_and_only_then(made) -> None:
    assert joins.by_description(made.release()).figure == 1
    rows = made.changed()
    for row in rows["s2"]["test"]:
        row |= {"s1_item_id": None, "description": row["description"][::-1]}
    found = joins.by_description(made.release(rows=rows))
    assert (found.figure, found.severity) == (0, "ok")


def test_hidden_rows_with_what_public_rows_show(made) -> None:
    rows = made.changed()
    rows["s1"]["test"][0]["description"] = rows["s1"]["train"][5]["description"]
    rows["s1"]["test"][1]["options"][2] = next(
        row["options"][0]
        for row in rows["s1"]["train"]
        if row["category"] == rows["s1"]["test"][1]["category"]
    )
    rows["s2"]["test"][2]["options"][1]["video_id"] = rows["s3"]["train"][0]["video_id"]
    release = made.release(rows=rows)
    text, option, video = (
        check(release)
        for check in (joins.by_public_description, joins.by_public_options, joins.by_public_videos)
    )
    assert (text.figure, text.severity) == (pytest.approx(1 / 48), "serious")
    assert (option.figure, option.severity) == (pytest.approx(1 / 96), "warning")
    assert (video.figure, video.severity) == (pytest.approx(1 / 48), "warning")
    for check in (joins.by_public_description, joins.by_public_options, joins.by_public_videos):
        assert check(made.release()).severity == "ok"


def sorted_rows(made, stage: str, key) -> Release:
    rows = made.changed()
    rows[stage]["test"].sort(key=key)
    return made.release(rows=rows)


def test_orders_that_tell(made) -> None:
    concept = {row["item_id"]: row["concept_id"] for row in made.references}
    release = sorted_rows(made, "s1", lambda row: concept[row["item_id"]])
    found = by_check(orders.orders(release, 0))
    of_concepts = found["order of s1 and of the concept_ids", "test"]
    assert (of_concepts.figure, of_concepts.severity) == (pytest.approx(1.0), "serious")
    by_block = orders.orders(sorted_rows(made, "s1", lambda row: sorted(row["options"])), 0)
    assert by_check(by_block)["neighbouring rows share an option", "s1 test"].severity == "serious"
    assert by_check(by_block)["neighbouring rows share an option", "s2 test"].severity == "ok"
    place = {row["description"]: at for at, row in enumerate(made.rows["s1"]["test"])}
    together = sorted_rows(made, "s2", lambda row: -place[row["description"]])
    backwards = by_check(orders.orders(together, 0))["order of S1 and S2", "test"]
    assert (backwards.figure, backwards.severity) == (pytest.approx(-1.0), "serious")


def test_rank_correlation_is_that_of_scipy() -> None:
    rng = np.random.default_rng(0)
    one, other = rng.permutation(40), rng.permutation(40)
    expected = spearmanr(one, other)
    found = orders.rank_correlation(list(zip(one, other, strict=True)))
    assert found == pytest.approx((expected.statistic, expected.pvalue))
    assert orders.rank_correlation([(0, 5), (1, 7), (2, 9)]) == (pytest.approx(1.0), 0.0)


def test_neighbours_done_by_hand(pieces) -> None:
    item, _, _ = pieces
    rows = [item((f"A{i // 2}", f"B{i}", f"C{i}", f"D{i}")) for i in range(6)]
    found = orders.neighbours(rows, "s1", 0)
    # Rows 0-1, 2-3 and 4-5 share an option: three of five pairs. By chance it is 3 of the 15 pairs.
    assert found.figure == pytest.approx(0.6)
    assert found.chance == pytest.approx(0.2, abs=0.02)


def test_options_in_one_order_in_both_stages(made_by_the_paper, settings: Settings) -> None:
    made, rows = made_by_the_paper, made_by_the_paper.changed()
    quiet = orders.same_letters(made.release(), settings)
    assert {finding.severity for finding in quiet} == {"ok"}
    named = {record.moment[:2]: record.common_latin for record in made.records}
    by_text = {row["description"]: row for row in rows["s2"]["test"]}
    for row in rows["s1"]["test"]:
        other = by_text[row["description"]]
        row["options"] = [named[option["video_id"], option["start_s"]] for option in other["options"]]
    keys = {row["item_id"]: dict(row) for row in made.references}
    for row in rows["s1"]["test"]:
        keys[row["item_id"]]["answer"] = keys[by_text[row["description"]]["item_id"]]["answer"]
    changed = type(made)(**{**vars(made), "rows": rows, "references": list(keys.values())})
    found = by_check(orders.same_letters(changed.release(), settings))
    for check in ("a name and its moment at one letter", "the keys at one letter"):
        assert (found[check, "s1 s2 test"].figure, found[check, "s1 s2 test"].severity) == (1.0, "serious")
        assert found[check, "s1 s2 train"].severity == "ok"


def test_s3_states_the_names(make_release, settings: Settings) -> None:
    made = make_release(6, phase="localization")
    found = by_check(joins.join_findings(made.release(phase="localization"), settings))
    linked = found["S3 to S2, by s2_item_id", "test"]
    assert (linked.figure, linked.severity) == (1.0, "note")
    # In blocks each name is shown by four items, so that the name alone finds no item.
    assert found["S3 to S1, by a name that one item alone shows", "test"].figure == 0
    by_cue = found["S3 to S1, by name and cue", "s3 test"]
    assert by_cue.chance == pytest.approx(0.25)
    assert by_cue.severity == "ok"
    rows = made.changed()
    texts = {row.concept_id: row.description for row in made.records}
    concept = {row["item_id"]: row["concept_id"] for row in made.references}
    for row in rows["s3"]["test"]:
        row["cue"] = texts[concept[row["item_id"]]]
    told = by_check(joins.join_findings(made.release(rows=rows, phase="localization"), settings))
    assert told["S3 to S1, by name and cue", "s3 test"].figure == 1.0
    assert told["S3 to S1, by name and cue", "s3 test"].severity == "serious"
    lone = made.changed()
    for number, row in enumerate(lone["s1"]["test"]):
        row["options"] = [f"{name} {number}" for name in row["options"]]
    lone["s3"]["test"][0]["concept_name"] = lone["s1"]["test"][0]["options"][0]
    lone["s3"]["test"][0]["category"] = lone["s1"]["test"][0]["category"]
    (single,) = [f for f in joins.by_names_of_s3(made.release(rows=lone)) if "alone" in f.check]
    assert single.figure == pytest.approx(1 / len(lone["s3"]["test"]))


def test_files() -> None:
    built = [
        FileFacts(name, 946_684_800.0, size)
        for name, size in (
            ("README.md", 10),
            ("cmb_dataset.py", 20),
            ("s1/train-00000-of-00001.parquet", 30),
            ("s1/test-00000-of-00001.parquet", 40),
        )
    ]
    assert joins.files_finding(built).severity == "ok"
    fetched = [FileFacts(file.name, 1e9 + at * 60, file.size) for at, file in enumerate(built)]
    assert joins.files_finding(fetched).severity == "note"
    clips = [FileFacts(f"clips/{at}.mp4", 1e9, 100 + at) for at in range(3)]
    with_clips = joins.files_finding([*built, *clips])
    assert (with_clips.figure, with_clips.severity) == (3, "warning")
    assert "different sizes" in with_clips.evidence
    one_an_item = [FileFacts(f"s1/test-{at:05d}.parquet", 946_684_800.0, 9) for at in range(5)]
    assert joins.files_finding([*built, *one_an_item]).severity == "warning"
