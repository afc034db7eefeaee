"""Roles of modalities: hand calculations, the paper's figures, statsmodels for the z-test, Wilcoxon written out."""

import math
import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportions_ztest

from cmb_metric import MetricError
from cmb_metric.ablation import (
    cluster_gap,
    concept_roles,
    concept_shares,
    mean_shift,
    pair_deltas,
    pairs_of,
    role,
    role_shares,
    roles_by,
    two_proportions,
)
from cmb_metric.items import ScoredItem, ScoredItems


def scored(values: dict[str, float]) -> ScoredItems:
    """Pairs named ``COUNTRY-Category-NN/s3/k``; Cambodia is Local."""
    items = []
    for item_id, value in values.items():
        concept_id = item_id.split("/")[0]
        country, category, _ = concept_id.split("-")
        cluster = "Local" if country == "KH" else "Latin"
        items.append(ScoredItem(item_id, concept_id, "s3", country, category, cluster, value, "ok"))
    return ScoredItems(items)


FULL = {
    "m1": scored({"ID-Game-01/s3/1": 0.5, "ID-Game-01/s3/2": 0.4, "KH-Music-01/s3/1": 0.2}),
    "m2": scored({"ID-Game-01/s3/1": 0.3, "ID-Game-01/s3/2": 0.4, "KH-Music-01/s3/1": 0.0}),
}
# Mean changes in points: (-10 + 0) / 2 = -5; (0 + 2) / 2 = 1; (30 + 10) / 2 = 20.
ABLATED = {
    "m1": scored({"ID-Game-01/s3/1": 0.4, "ID-Game-01/s3/2": 0.4, "KH-Music-01/s3/1": 0.5}),
    "m2": scored({"ID-Game-01/s3/1": 0.3, "ID-Game-01/s3/2": 0.42, "KH-Music-01/s3/1": 0.1}),
}


def test_deltas_and_roles_by_hand() -> None:
    deltas = pair_deltas(FULL, ABLATED)
    assert deltas == pytest.approx({"ID-Game-01/s3/1": -5, "ID-Game-01/s3/2": 1, "KH-Music-01/s3/1": 20})
    pairs = pairs_of(FULL["m1"])
    # 0.4 - 0.5 is -0.09999999999999998 in floats: the cut of 5 is met all the same.
    assert role_shares(list(deltas.values()))["counts"] == {
        "Complementary": 1,
        "Redundant": 1,
        "Distracting": 1,
    }
    assert roles_by(deltas, pairs, "category")["Game"]["shares"]["Complementary"] == 0.5
    # The concept's mean change is (-5 + 1) / 2 = -2.
    assert concept_roles(deltas, pairs, ["VN-Music-09"]) == {
        "ID-Game-01": "Redundant",
        "KH-Music-01": "Distracting",
        "VN-Music-09": None,
    }
    assert concept_shares(deltas, pairs)["Local", "Music"]["counts"]["Distracting"] == 1
    gap = cluster_gap(deltas, pairs, "Local", "Latin")
    assert (gap["a"]["share"], gap["b"]["share"], gap["difference"]) == (1.0, 0.0, 1.0)


@pytest.mark.parametrize(
    ("delta", "cut", "expected"),
    [
        (-5, 5, "Complementary"),
        (-4.999, 5, "Redundant"),
        (5, 5, "Distracting"),
        (4.999, 5, "Redundant"),
        (0, 5, "Redundant"),
        (-3, 3, "Complementary"),
        (5, 7, "Redundant"),
        (7, 7, "Distracting"),
        (100 * (0.4 - 0.45), 5, "Complementary"),
    ],
)
def test_cuts_are_inclusive(delta: float, cut: float, expected: str) -> None:
    assert role(delta, cut) == expected


@given(st.lists(st.floats(-100, 100), max_size=30), st.floats(0.5, 10), st.floats(0, 10))
def test_a_wider_cut_only_feeds_redundant(deltas: list[float], cut: float, more: float) -> None:
    narrow, wide = role_shares(deltas, cut)["counts"], role_shares(deltas, cut + more)["counts"]
    assert wide["Redundant"] >= narrow["Redundant"]
    assert sum(narrow.values()) == sum(wide.values()) == len(deltas)


def test_shares_of_nothing_are_undefined() -> None:
    assert role_shares([])["shares"] == {"Complementary": None, "Redundant": None, "Distracting": None}


@pytest.mark.parametrize(
    ("full", "ablated", "message"),
    [
        ({}, {}, "none given"),
        (FULL, {"m1": ABLATED["m1"]}, "not in both: m2"),
        (FULL, {**ABLATED, "m2": scored({"ID-Game-01/s3/1": 0.1})}, "m2, ablated: scored on different pairs"),
        ({"m": ScoredItems([])}, {"m": ScoredItems([])}, "there are no pairs"),
    ],
)
def test_what_cannot_be_subtracted_raises(full: dict, ablated: dict, message: str) -> None:
    with pytest.raises(MetricError, match=message):
        pair_deltas(full, ablated)


@given(st.integers(0, 60), st.integers(1, 60), st.integers(0, 60), st.integers(1, 60))
def test_z_is_that_of_statsmodels(a: int, n: int, b: int, m: int) -> None:
    a, b = min(a, n), min(b, m)
    ours = two_proportions(a, n, b, m)
    if (a + b) in (0, n + m):
        assert (ours["z"], ours["p"]) == (None, None)
    else:
        z, p = proportions_ztest([a, b], [n, m])
        assert (ours["z"], ours["p"]) == (pytest.approx(z, abs=1e-9), pytest.approx(p, abs=1e-9))


def test_the_papers_shares_give_a_z_of_3_78() -> None:
    """D.3: 29.1% of 103 pairs against 14.0% of 528. (It prints 3.84, which its own shares do not give.)"""
    local, latin = round(0.291 * 103), round(0.140 * 528)
    assert (round(100 * local / 103, 1), round(100 * latin / 528, 1)) == (29.1, 14.0)
    test = two_proportions(local, 103, latin, 528)
    assert test["z"] == pytest.approx(3.78, abs=0.005)
    assert test["p"] < 0.001


def test_an_empty_sample_has_no_proportion() -> None:
    assert two_proportions(0, 0, 1, 2) == {"difference": None, "z": None, "p": None}


def wilcoxon_exact(values: list[float]) -> float:
    """Two-sided, by going through all signs: values without ties or zeros."""
    ranks = {value: rank for rank, value in enumerate(sorted(map(abs, values)), 1)}
    positive = sum(ranks[abs(value)] for value in values if value > 0)
    total = sum(ranks.values())
    sums = [
        sum(rank for rank, sign in zip(ranks.values(), signs, strict=True) if sign)
        for signs in product((0, 1), repeat=len(values))
    ]
    tail = min(positive, total - positive)
    return min(1.0, 2 * sum(value <= tail for value in sums) / len(sums))


@pytest.mark.parametrize("seed", range(4))
def test_wilcoxon_as_written_out(seed: int) -> None:
    rng = random.Random(seed)
    values = [round(rng.uniform(-30, 40), 3) for _ in range(9)]
    deltas = {f"ID-Game-{number:02d}/s3/1": value for number, value in enumerate(values)}
    pairs = pairs_of(scored(dict.fromkeys(deltas, 0.0)))
    # A pair that does not change is dropped.
    shift = mean_shift(
        {**deltas, "ID-Game-99/s3/1": 0.0},
        {**pairs, **pairs_of(scored({"ID-Game-99/s3/1": 0.0}))},
        n_resamples=10,
    )
    assert shift["p_wilcoxon"] == pytest.approx(wilcoxon_exact(values))
    assert shift["difference"] == pytest.approx(math.fsum(values) / 10)
    assert (shift["n"], shift["n_concepts"]) == (10, 10)


def test_no_change_at_all() -> None:
    shift = mean_shift(pair_deltas(FULL, FULL), pairs_of(FULL["m1"]), n_resamples=20)
    assert (shift["difference"], shift["ci"], shift["p"], shift["p_wilcoxon"]) == (0.0, [0.0, 0.0], 1.0, None)


def test_one_concept_has_no_interval() -> None:
    deltas = {"ID-Game-01/s3/1": 3.0, "ID-Game-01/s3/2": 5.0}
    shift = mean_shift(deltas, pairs_of(scored(dict.fromkeys(deltas, 0.0))), n_resamples=20)
    assert (shift["difference"], shift["ci"], shift["p"]) == (4.0, None, None)
