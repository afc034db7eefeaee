"""Holm against statsmodels; ranks, cells and orders worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from cmb_metric.ranking import dominance, holm, is_significant, order_agreement, rank_ranges, with_holm

shares = st.floats(0, 1)


def difference(value: float, p: float | None) -> dict:
    return {"x": {"difference": value, "ci": None, "p": p}}


@given(st.lists(shares, min_size=1, max_size=20))
def test_holm_is_that_of_statsmodels(p_values: list[float]) -> None:
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1].tolist())


@given(st.lists(st.one_of(shares, st.none()), max_size=12))
def test_undefined_p_count_for_nothing(p_values: list[float | None]) -> None:
    adjusted = holm(p_values)
    assert [p is None for p in adjusted] == [p is None for p in p_values]
    assert [p for p in adjusted if p is not None] == pytest.approx(
        holm([p for p in p_values if p is not None])
    )


def test_holm_by_hand() -> None:
    """.01·3, then .02·2 and .03·1, which may not fall below what came before."""
    assert holm([0.03, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])


def test_a_family_is_the_pairs_of_one_statistic() -> None:
    pairs = {
        ("a", "b"): {**difference(1, 0.01), "y": {"difference": 1, "ci": None, "p": 0.01}},
        ("a", "c"): {**difference(1, 0.04), "y": {"difference": 1, "ci": None, "p": None}},
    }
    corrected = with_holm(pairs)
    assert corrected["a", "b"]["x"]["p_holm"] == pytest.approx(0.02)
    assert corrected["a", "c"]["x"]["p_holm"] == pytest.approx(0.04)
    assert corrected["a", "b"]["y"]["p_holm"] == pytest.approx(0.01)
    assert not is_significant({"difference": 1, "p": 0.01, "p_holm": 0.06})
    assert is_significant({"difference": 1, "p": 0.01})
    assert not is_significant({"difference": None, "p": None})


def test_rank_ranges_by_hand() -> None:
    """a is above c and d; b above d; nothing else is significant."""
    comparison = {
        ("a", "b"): difference(0.1, 0.2),
        ("a", "c"): difference(0.2, 0.01),
        ("a", "d"): difference(0.3, 0.01),
        ("b", "c"): difference(0.1, 0.3),
        ("b", "d"): difference(0.2, 0.04),
        ("c", "d"): difference(0.1, 0.6),
    }
    assert rank_ranges(comparison, "x") == {
        "a": {"rank": 1, "best": 1, "worst": 2},
        "b": {"rank": 1, "best": 1, "worst": 3},
        "c": {"rank": 2, "best": 2, "worst": 4},
        "d": {"rank": 3, "best": 3, "worst": 4},
    }


def test_a_negative_difference_ranks_the_second_above_the_first() -> None:
    ranges = rank_ranges({("a", "b"): difference(-0.1, 0.001)}, "x")
    assert (ranges["b"]["rank"], ranges["a"]["rank"]) == (1, 2)


def result(countries: dict, categories: dict, micro: float, macros: tuple[float, float]) -> dict:
    cells = {
        kind: {code: {"x": {"value": value}} for code, value in values.items()}
        for kind, values in (("country", countries), ("category", categories))
    }
    macro = {
        kind: {"x": {"value": value}} for kind, value in zip(("country", "category"), macros, strict=True)
    }
    return {"cells": cells, "x": micro, "macro": macro}


def test_dominance_by_hand() -> None:
    results = {
        "a": result({"ID": 0.5, "VN": 0.2, "KH": None}, {"Game": 0.4}, 0, (0, 0)),
        "b": result({"ID": 0.4, "VN": 0.3, "KH": 0.9}, {"Game": 0.4}, 0, (0, 0)),
    }
    assert dominance(results, "x") == {("a", "b"): {"above": 1, "equal": 1, "below": 1, "cells": 3}}


def test_order_agreement_by_hand() -> None:
    agreeing = {"a": result({}, {}, 0.5, (0.6, 0.4)), "b": result({}, {}, 0.4, (0.5, 0.4))}
    assert order_agreement(agreeing, "x")["agree"]
    turned = {"a": result({}, {}, 0.5, (0.6, 0.3)), "b": result({}, {}, 0.4, (0.5, 0.4))}
    agreement = order_agreement(turned, "x")
    assert not agreement["agree"]
    assert agreement["orders"]["micro"] == ["a", "b"]
    assert agreement["orders"]["macro_category"] == ["b", "a"]
    assert {"a": "a", "b": "b", "weightings": ["micro", "macro_category"]} in agreement["reversed"]
