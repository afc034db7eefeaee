"""Failure profiles against hand calculations and a bootstrap written out, and what sentences may say of them."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmb_harness.report.profiles import failure_profile
from cmb_harness.report.sentences import _chain, sentence
from cmb_harness.statistics.scoring import ScoredRun, Selection
from cmb_metric.items import ScoredItem, ScoredItems

SELECTION = Selection("carry", n_resamples=500)


def run_of(outcomes: list[tuple[int, int, list[float] | None]], stages: str = "123") -> ScoredRun:
    """One concept an entry: S1, S2, and the IoU of each pair (None: no pair)."""
    items = []
    for number, (s1, s2, ious) in enumerate(outcomes):
        name = f"C-{number:03d}"
        values = [("s1", 0, s1), ("s2", 0, s2), *(("s3", at, iou) for at, iou in enumerate(ious or []))]
        items += [
            ScoredItem(f"{name}/{stage}/{at}", name, stage, "ID", "Dance", "Latin", float(value), "ok")
            for stage, at, value in values
            if stage[1] in stages
        ]
    return ScoredRun("m", ScoredItems(items), "carry")


FOUR = [(1, 1, [0.5]), (1, 0, [0.4, 0.8]), (0, 1, [1.0]), (0, 0, None)]


def test_links_and_gains_by_hand() -> None:
    profile = failure_profile(run_of(FOUR), SELECTION)
    # Two of four named; one of these two recognised; its IoU is 0.5; the Joint is 0.5 / 4.
    assert [link["value"] for link in profile["links"].values()] == [0.5, 0.5, 0.5]
    assert [link["n"] for link in profile["links"].values()] == [4, 2, 1]
    # Perfect S1 adds the third concept (IoU 1); perfect S2 the second (mean IoU 0.6); perfect S3 the lacking 0.5.
    assert {stage: gain["value"] for stage, gain in profile["gains"].items()} == {
        "s1": pytest.approx(1.0 / 4),
        "s2": pytest.approx(0.6 / 4),
        "s3": pytest.approx(0.5 / 4),
    }
    # One concept alone has both right: nothing varies, so that there is no interval.
    assert profile["links"]["mean_iou_given_both"]["ci"] is None
    assert profile["links"]["p_s1"]["ci"] == [0.0, 1.0]


def test_differences_are_those_of_a_bootstrap_written_out() -> None:
    generator = np.random.default_rng(3)
    outcomes = [(int(a), int(b), [float(c)]) for a, b, c in generator.random((30, 3)).round(1) > 0.4]
    outcomes = [(s1, s2, [0.2 + 0.5 * iou[0]]) for s1, s2, iou in outcomes]
    profile = failure_profile(run_of(outcomes), SELECTION)
    s1, s2, iou = (
        np.array(column, dtype=float) for column in zip(*((a, b, c[0]) for a, b, c in outcomes), strict=True)
    )
    credit = s1 * s2 * iou
    gains = {"s1": s2 * iou - credit, "s2": s1 * iou - credit, "s3": s1 * s2 - credit}
    drawn = np.random.default_rng(42).integers(0, 30, (500, 30))
    for row in profile["differences"]:
        values = (gains[row["a"]] - gains[row["b"]])[drawn].mean(axis=1).round(12)
        p = min(1.0, max(1 / 500, 2 * min((values <= 0).mean(), (values >= 0).mean())))
        assert row["difference"] == pytest.approx((gains[row["a"]] - gains[row["b"]]).mean())
        assert row["ci"] == pytest.approx(np.percentile(values, [2.5, 97.5]).tolist(), abs=1e-9)
        assert row["p"] == pytest.approx(p)


@pytest.mark.parametrize(
    ("outcomes", "bottleneck"),
    [
        ([(1, 1, [0.1])] * 30, "s3"),
        ([(1, 0, [1.0])] * 30, "s2"),
        ([(0, 1, [1.0])] * 30, "s1"),
        ([(1, 1, [1.0])] * 30, None),
        ([(1, 0, [1.0]), (0, 1, [1.0])] * 15, None),
    ],
)
def test_the_bottleneck_is_the_gain_above_both_others(outcomes: Any, bottleneck: str | None) -> None:
    profile = failure_profile(run_of(outcomes), SELECTION)
    assert profile["bottleneck"] == bottleneck
    said = sentence("m", profile, {}, 0.05)
    assert ("is the bottleneck" in said) == (bottleneck is not None)


def test_above_and_below_chance() -> None:
    profile = failure_profile(run_of([(1, 0, [0.5])] * 40), SELECTION)
    assert {stage: found["verdict"] for stage, found in profile["chance"].items()} == {
        "s1": "above",
        "s2": "below",
    }
    said = sentence("m", profile, {}, 0.05)
    assert "naming (S1, 100.0%) is above chance" in said
    assert "recognition (S2, 0.0%) is below chance" in said


@pytest.mark.parametrize("stages", ["1", "2", "3", "12", "13", "23"])
def test_without_a_stage_no_bottleneck_is_named(stages: str) -> None:
    profile = failure_profile(run_of(FOUR, stages), SELECTION)
    assert profile["bottleneck"] is None
    assert all(gain["value"] is None for gain in profile["gains"].values())
    said = sentence("m", profile, {}, 0.05)
    absent = [stage for stage in "123" if stage not in stages]
    assert all(f"(S{stage})" in said for stage in absent)
    assert "not asked" in said


def test_the_chain_is_told_only_where_it_is_significant() -> None:
    profile = failure_profile(run_of(FOUR), SELECTION)
    rows = {"c_s2": {"difference": 0.166, "p": 0.0001}, "c_miou": {"difference": -0.02, "p": 0.2}}
    said = sentence("m", profile, rows, 0.05)
    assert "recognition is better where the name was right (+16.6 points)" in said
    assert "localization is" not in said


@given(
    st.lists(
        st.tuples(
            st.integers(0, 1),
            st.integers(0, 1),
            st.one_of(st.none(), st.lists(st.floats(0, 1), min_size=1, max_size=2)),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_a_sentence_says_nothing_that_is_not_significant(outcomes: Any) -> None:
    profile = failure_profile(run_of(outcomes), Selection("carry", n_resamples=60))
    significant = {frozenset((row["a"], row["b"])) for row in profile["differences"] if row["significant"]}
    said = sentence("m", profile, {}, 0.05)
    if profile["bottleneck"]:
        others = {"s1", "s2", "s3"} - {profile["bottleneck"]}
        assert all(frozenset((profile["bottleneck"], other)) in significant for other in others)
    assert ("significantly more than for" in said) == (profile["bottleneck"] is not None)
    if not significant:
        assert "the bottleneck:" not in said
        assert "no single bottleneck" not in said
    for stage, verdict in product(profile["chance"], ("above", "below")):
        found = profile["chance"][stage]
        if found["verdict"] == verdict:
            assert found["p"] < 0.05


def test_a_condition_met_by_none_is_not_called_worse() -> None:
    """0 of 7 comes by luck at chance (0.75 ** 7 = 0.13), but no resample of seven zeros can show it."""
    found = {"difference": -0.25, "p": 0.0001, "n": 7}
    assert _chain({"c_s2": {**found, "value": 0.0}}, 0.05) == []
    assert _chain({"c_s2": {**found, "value": 0.1}}, 0.05) == [
        "recognition is worse where the name was right (-25.0 points)"
    ]
