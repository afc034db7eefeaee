"""Bounds of the full score, against every way in which the unavailable answers could have come out."""

from dataclasses import replace
from itertools import product

import pytest
from definitions import data_sets, fixed_data
from hypothesis import given
from hypothesis import strategies as st

from cmb_metric import MetricError
from cmb_metric.availability import bounds, only
from cmb_metric.items import ScoredItems, score_items
from cmb_metric.scores import NAMES, summarize


@given(data_sets(max_concepts=4), st.data())
def test_bounds_are_the_extremes_of_all_outcomes(data: tuple[list, list], draw: st.DataObject) -> None:
    """An unknown IoU counts most at 0 and at 1: every statistic is linear or a ratio of linear terms in it."""
    scored = score_items(*data)
    media = [item.item_id for item in scored.items if item.stage != "s1"]
    gone = draw.draw(st.lists(st.sampled_from(media), unique=True, max_size=5)) if media else []
    available = {item.item_id for item in scored.items} - set(gone)
    found = bounds(scored, available)
    outcomes: dict[str, list[float]] = {name: [] for name in NAMES}
    for values in product((0.0, 1.0), repeat=len(gone)):
        told = dict(zip(gone, values, strict=True))
        items = [replace(item, value=told.get(item.item_id, item.value)) for item in scored.items]
        result = summarize(ScoredItems(items), n_resamples=1)
        for name in NAMES:
            if result[name] is not None:
                outcomes[name].append(result[name])
    for name in NAMES:
        if outcomes[name]:
            assert found[name] == pytest.approx((min(outcomes[name]), max(outcomes[name])))
        else:
            assert found[name] is None


@given(data_sets(), st.randoms(use_true_random=False))
def test_the_full_score_lies_between(data: tuple[list, list], rng) -> None:
    scored = score_items(*data)
    available = {item.item_id for item in scored.items if item.stage == "s1" or rng.random() < 0.6}
    result = summarize(scored, n_resamples=1)
    for name, ends in bounds(scored, available).items():
        if result[name] is not None:
            assert ends is not None
            assert ends[0] - 1e-12 <= result[name] <= ends[1] + 1e-12


def test_all_available_leaves_no_room() -> None:
    scored = score_items(*fixed_data(10))
    result = summarize(scored, n_resamples=1)
    everything = {item.item_id for item in scored.items}
    for name, ends in bounds(scored, everything).items():
        assert ends == pytest.approx((result[name], result[name]))
    assert only(scored, everything).items == scored.items


def test_s1_needs_no_media() -> None:
    scored = score_items(*fixed_data(3))
    with pytest.raises(MetricError, match="S1 needs no media"):
        bounds(scored, set())
