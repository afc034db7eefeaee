"""`compare`: paired differences against the slow implementation, scipy, and what must always hold."""

import random

import numpy as np
import pytest
from definitions import (
    concepts_of,
    data_sets,
    fixed_data,
    interval,
    p_value,
    prediction_rows,
    resamples,
    statistics,
)
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import cmb_metric

QUICK = {"n_resamples": 40, "seed": 7}


@given(data_sets(min_concepts=3), st.integers(0, 999))
def test_agrees_with_the_slow_implementation(data: tuple[list, list], seed: int) -> None:
    first, references = data
    second = prediction_rows(references, random.Random(seed), 0.8)
    compared = cmb_metric.compare({"a": first, "b": second}, references, **QUICK)["a", "b"]
    concepts = [concepts_of(rows, references) for rows in (first, second)]
    points = [statistics(one) for one in concepts]
    draws = [[statistics(resample) for resample in resamples(one, 40, 7)] for one in concepts]
    for name, result in compared.items():
        if points[0][name] is None or points[1][name] is None:
            assert result == {"difference": None, "ci": None, "p": None}
            continue
        assert result["difference"] == pytest.approx(points[0][name] - points[1][name])
        differences = [
            None if a[name] is None or b[name] is None else a[name] - b[name]
            for a, b in zip(*draws, strict=True)
        ]
        if result["ci"] is not None:
            assert result["ci"] == pytest.approx(interval(differences), abs=1e-12)
            assert result["p"] == pytest.approx(p_value([d for d in differences if d is not None]))


def test_intervals_are_those_of_scipy_on_the_same_resamples() -> None:
    first, references = fixed_data(50)
    second = prediction_rows(references, random.Random(5), 0.3)
    compared = cmb_metric.compare({"a": first, "b": second}, references, n_resamples=999)["a", "b"]
    a, b = (concepts_of(rows, references) for rows in (first, second))
    samples = (
        np.array([sum(concept.ious) for concept in a]),
        np.array([sum(concept.ious) for concept in b]),
        np.array([float(len(concept.ious)) for concept in a]),
    )
    theirs = stats.bootstrap(
        samples,
        lambda x, y, n, axis: x.sum(axis=axis) / n.sum(axis=axis) - y.sum(axis=axis) / n.sum(axis=axis),
        n_resamples=999,
        paired=True,
        vectorized=True,
        method="percentile",
        rng=np.random.default_rng(42),
    ).confidence_interval
    assert compared["s3_miou"]["ci"] == pytest.approx([theirs.low, theirs.high], rel=1e-9)


@given(data_sets(min_concepts=2))
def test_a_model_does_not_differ_from_itself(data: tuple[list, list]) -> None:
    predictions, references = data
    for result in cmb_metric.compare({"a": predictions, "b": predictions}, references, **QUICK)[
        "a", "b"
    ].values():
        assert result["difference"] in (0.0, None)
        assert result["ci"] in ([0.0, 0.0], None)
        assert result["p"] in (1.0, None)


@given(data_sets(min_concepts=2), st.integers(0, 999))
def test_turning_a_pair_round_turns_the_sign(data: tuple[list, list], seed: int) -> None:
    first, references = data
    second = prediction_rows(references, random.Random(seed))
    ab = cmb_metric.compare({"a": first, "b": second}, references, **QUICK)["a", "b"]
    ba = cmb_metric.compare({"b": second, "a": first}, references, **QUICK)["b", "a"]
    for name in ab:
        assert (ab[name]["difference"] is None) == (ba[name]["difference"] is None)
        if ab[name]["ci"] is not None:
            lo, hi = ba[name]["ci"]
            assert ab[name]["ci"] == pytest.approx([-hi, -lo])
            assert ab[name]["p"] == ba[name]["p"]


def test_all_pairs_in_the_order_given() -> None:
    predictions, references = fixed_data(6)
    models = dict.fromkeys("zxy", predictions)
    assert list(cmb_metric.compare(models, references, **QUICK)) == [("z", "x"), ("z", "y"), ("x", "y")]


def test_one_model_is_nothing_to_compare() -> None:
    predictions, references = fixed_data(6)
    with pytest.raises(cmb_metric.MetricError, match="two models or more, not 1"):
        cmb_metric.compare({"a": predictions}, references)


def test_a_fault_names_its_model() -> None:
    predictions, references = fixed_data(6)
    with pytest.raises(cmb_metric.MetricError, match=r"^b: predictions: item_id: not in the references"):
        cmb_metric.compare({"a": predictions, "b": [{"item_id": "x", "choice": 1}]}, references)
