"""Faults of options, videos, times and cells: each is planted, and the clean piece beside it is left alone."""

import pytest

from cmb_harness.construction.audit import item_faults as faults
from cmb_harness.construction.audit.release import Concepts, Named

MOMENTS = [(f"vidA00000{i}x", 1.0, 4.0) for i in range(4)]


def check(finding, count: int, severity: str) -> None:
    assert (finding.figure, finding.severity) == (count, severity if count else "ok")


@pytest.mark.parametrize(
    ("options", "count"),
    [
        (("Wau", "Wau Bulan", "Coco", "Dudu"), 1),
        (("Aba", "ABA", "Coco", "Dudu"), 1),
        (("Wau", "Wauwau", "Coco", "Dudu"), 0),
    ],
)
def test_overlapping_names(pieces, options: tuple[str, ...], count: int) -> None:
    item, _, _ = pieces
    check(faults.overlapping_names([item(options)]), count, "serious")


def test_overlapping_moments(pieces) -> None:
    _, moment_item, _ = pieces
    touching = [*MOMENTS[:3], (MOMENTS[0][0], 4.0, 6.0)]
    overlapping = [*MOMENTS[:3], (MOMENTS[0][0], 3.9, 6.0)]
    check(faults.overlapping_moments([moment_item(touching)]), 0, "ok")
    check(faults.overlapping_moments([moment_item(overlapping)]), 1, "serious")


def test_broken_groups(pieces) -> None:
    item, _, _ = pieces
    ids = ("KH-Dance-01", "ID-Dance-01", "MY-Dance-01", "TH-Dance-01")
    concepts = Concepts(
        Named(one, one[:2], "Dance", name)
        for one, name in zip(ids, ("Aba", "Bebe", "Coco", "Dudu"), strict=True)
    )
    check(faults.broken_groups([item()], [["KH-Dance-01", "MY-Dance-01"]], concepts), 1, "serious")
    check(faults.broken_groups([item()], [["KH-Dance-01", "VN-Dance-01"]], concepts), 0, "ok")
    assert faults.broken_groups([item()], [], concepts).severity == "not measured"


def test_a_video_of_two_concepts(pieces) -> None:
    _, moment_item, pair_item = pieces
    one = moment_item(MOMENTS)
    other = moment_item([(MOMENTS[0][0], 9.0, 12.0), *MOMENTS[1:]])
    check(faults.moments_of_one_video([one]), 0, "ok")
    found = faults.moments_of_one_video([one, other])
    check(found, 1, "warning")
    assert found.evidence == MOMENTS[0][0]
    pairs = [pair_item(), pair_item(item_id="KH-Dance-01/s3/2"), pair_item(concept_id="KH-Dance-02")]
    check(faults.videos_of_two_concepts(pairs[:2]), 0, "ok")
    check(faults.videos_of_two_concepts(pairs), 1, "warning")


def test_a_video_of_both_stages(pieces) -> None:
    _, moment_item, pair_item = pieces
    check(faults.videos_of_both_stages([moment_item(MOMENTS)], [pair_item()]), 0, "ok")
    shared = pair_item(video_id=MOMENTS[2][0])
    found = faults.videos_of_both_stages([moment_item(MOMENTS)], [shared])
    check(found, 1, "serious")
    hidden = faults.videos_of_both_stages([moment_item(MOMENTS, hidden=True)], [shared])
    assert hidden.evidence == "1 hidden"


def test_moments_outside_their_videos(pieces) -> None:
    _, moment_item, _ = pieces
    video = MOMENTS[0][0]
    check(faults.moments_outside([moment_item(MOMENTS)], {video: 4.0}), 0, "ok")
    found = faults.moments_outside([moment_item(MOMENTS)] * 2, {video: 3.8, "another": 1.0})
    check(found, 1, "serious")
    assert found.evidence == f"of 1 moments of measured videos: {video}"
    assert faults.moments_outside([moment_item(MOMENTS)], {}).severity == "not measured"


def test_times(pieces) -> None:
    _, moment_item, pair_item = pieces
    check(faults.spans_outside([pair_item(), pair_item(duration_s=None)]), 0, "ok")
    check(faults.spans_outside([pair_item(span=(50.0, 60.5))]), 1, "serious")
    check(faults.short_times([moment_item(MOMENTS)], [pair_item()]), 0, "ok")
    short = moment_item([(MOMENTS[0][0], 1.0, 1.4), *MOMENTS[1:]])
    check(faults.short_times([short], [pair_item(span=(5.0, 5.2)), pair_item(span=None)]), 2, "warning")
    check(faults.spans_of_the_whole([pair_item(), pair_item(span=(1.0, 53.0))]), 0, "ok")
    check(faults.spans_of_the_whole([pair_item(span=(1.0, 55.0))]), 1, "note")


def test_empty_cells(made) -> None:
    cells = [(country, category) for country in ("KH", "ID", "MY", "TH") for category in ("Dance", "Game")]
    check(faults.empty_cells(made.release(), cells), 0, "ok")
    found = faults.empty_cells(made.release(), [*cells, ("VN", "Dance")])
    check(found, 1, "note")
    assert found.evidence == "VN/Dance"


def test_columns_that_should_be_withheld(made) -> None:
    check(faults.not_withheld(made.rows, "recognition"), 0, "ok")
    rows = made.changed()
    rows["s1"]["test"][3]["country"] = "KH"
    rows["s2"]["test"][0]["answer"] = 2
    found = faults.not_withheld(rows, "recognition")
    check(found, 2, "serious")
    assert found.evidence == "s1.country, s2.answer"
    assert faults.not_withheld(rows, "concluded").severity == "not measured"


def test_s3_of_hidden_concepts_before_its_time(make_release) -> None:
    rows = make_release(6, phase="localization").rows
    check(faults.not_withheld(rows, "localization"), 0, "ok")
    check(faults.not_withheld(rows, "recognition"), 1, "serious")
