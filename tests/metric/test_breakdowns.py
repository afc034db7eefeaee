"""By length, as a distribution, by variant, along the chain."""

import pytest
from definitions import concepts_of, data_sets, interval, p_value, resamples, statistics
from hypothesis import given

import cmb_metric
from cmb_metric.breakdowns import by_duration, cascade, iou_distribution, variant_spread
from cmb_metric.items import ScoredItem, ScoredItems, score_items

PAIRS = {
    "a-x-1/s3/1": (0.2, 30.0),
    "a-x-1/s3/2": (0.4, 60.0),
    "b-x-1/s3/1": (0.9, 59.9),
    "b-x-2/s3/1": (0.0, 700.0),
}
SCORED = ScoredItems(
    [
        ScoredItem(i, i.split("/")[0], "s3", "ID", "Game", "Latin", value, "ok")
        for i, (value, _) in PAIRS.items()
    ]
)
LENGTHS = {item_id: length for item_id, (_, length) in PAIRS.items()}


def test_buckets_by_hand() -> None:
    rows = by_duration(SCORED, LENGTHS, [60, 600], spans_s=dict.fromkeys(PAIRS, 5.0), n_resamples=50)
    assert [(row["from_s"], row["to_s"], row["n"]) for row in rows] == [
        (0, 60, 2),
        (60, 600, 1),
        (600, None, 1),
    ]
    assert [row["miou"] for row in rows] == pytest.approx([(0.2 + 0.9) / 2, 0.4, 0.0])
    assert rows[0]["mean_duration_s"] == pytest.approx((30 + 59.9) / 2)
    assert rows[0]["mean_span_s"] == 5.0
    # Two concepts in the first bucket, one in the others.
    assert [row["ci"] is None for row in rows] == [False, True, True]


def test_buckets_are_cut_inside_each_resample() -> None:
    """A draw has a, b or c, each with its pairs in the first bucket; a draw of c alone leaves it empty."""
    rows = by_duration(SCORED, LENGTHS, [60], n_resamples=200, seed=1)
    assert rows[0]["ci"] == pytest.approx([0.2, 0.9])


def test_unknown_lengths_are_a_row_of_their_own() -> None:
    known = {item_id: length for item_id, length in LENGTHS.items() if length < 600}
    rows = by_duration(SCORED, known, [60], n_resamples=5)
    assert (rows[-1]["from_s"], rows[-1]["to_s"], rows[-1]["n"]) == (None, None, 1)
    assert sum(row["n"] for row in rows) == 4


def test_an_empty_bucket_and_no_pairs() -> None:
    rows = by_duration(SCORED, LENGTHS, [1, 2], n_resamples=5)
    assert (rows[0]["n"], rows[0]["miou"], rows[0]["ci"]) == (0, None, None)
    only_s1 = ScoredItems([ScoredItem("a/s1", "a", "s1", "ID", "Game", "Latin", 1.0, "ok")])
    assert [row["miou"] for row in by_duration(only_s1, {}, [60], n_resamples=5)] == [None, None]


@pytest.mark.parametrize(
    ("lengths", "edges", "message"),
    [
        (LENGTHS, [60, 60], "each more than the one before"),
        (LENGTHS, [0], "each more"),
        ({"a-x-1/s3/1": -1.0}, [60], "positive seconds: a-x-1/s3/1"),
    ],
)
def test_lengths_that_cannot_be_meant(lengths: dict, edges: list, message: str) -> None:
    with pytest.raises(cmb_metric.MetricError, match=message):
        by_duration(SCORED, lengths, edges)


def test_distribution_by_hand() -> None:
    spread = iou_distribution(SCORED, thresholds=[0.0, 0.4, 1.0], quantiles=[0.5])
    assert spread["share_zero"] == 0.25
    assert spread["ecdf"] == [
        {"iou": 0.0, "at_most": 0.25, "at_least": 1.0},
        {"iou": 0.4, "at_most": 0.75, "at_least": 0.5},
        {"iou": 1.0, "at_most": 1.0, "at_least": 0.0},
    ]
    assert spread["quantiles"] == {"0.5": pytest.approx((0.2 + 0.4) / 2)}


@given(data_sets())
def test_the_hit_rate_is_iou_at_the_threshold(data: tuple[list, list]) -> None:
    scored = score_items(*data)
    steps = {step["iou"]: step for step in iou_distribution(scored)["ecdf"]}
    result = cmb_metric.score(*data, n_resamples=1)
    for threshold in (0.3, 0.5, 0.7):
        assert steps[threshold]["at_least"] == pytest.approx(result[f"s3_iou@{threshold}"])


@given(data_sets(min_concepts=2))
def test_the_chain_agrees_with_the_slow_implementation(data: tuple[list, list]) -> None:
    rows = cascade(score_items(*data), n_resamples=40, seed=7)
    concepts = concepts_of(*data)
    point, draws = statistics(concepts), [statistics(one) for one in resamples(concepts, 40, 7)]
    for name, baseline in (("c_s2", "s2_accuracy"), ("c_miou", "s3_miou")):
        assert rows[name]["value"] == pytest.approx(point[name])
        if point[name] is None:
            assert rows[name]["difference"] is None
            continue
        assert rows[name]["difference"] == pytest.approx(point[name] - point[baseline])
        if rows[name]["ci"] is not None:
            differences = [draw[name] - draw[baseline] for draw in draws if draw[name] is not None]
            assert rows[name]["ci"] == pytest.approx(interval(differences), abs=1e-12)
            assert rows[name]["p"] == pytest.approx(p_value(differences))


@pytest.mark.parametrize(
    ("accuracies", "spread", "sensitive"),
    [
        (
            {"common_latin": 0.5, "official_latin": 0.45},
            5.0,
            True,
        ),  # 0.5 - 0.45 is a hair under 0.05 in floats
        ({"common_latin": 0.5, "official_latin": 0.46}, 4.0, False),
        ({"common_latin": 0.5, "official_latin": 0.5, "common_local": None}, 0.0, False),
    ],
)
def test_spread_of_variants(accuracies: dict, spread: float, sensitive: bool) -> None:
    row = variant_spread(accuracies)
    assert row["spread_points"] == pytest.approx(spread)
    assert row["sensitive"] is sensitive
    assert row["mean"] == pytest.approx(sum(v for v in accuracies.values() if v is not None) / 2)


def test_one_variant_has_no_spread() -> None:
    assert variant_spread({"common_latin": 0.4})["spread_points"] is None
