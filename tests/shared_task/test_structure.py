"""Baselines that come from the form of a release alone: exact where a hand can count, simulated elsewhere."""

from typing import Any

import numpy as np
import pytest

from cmb_harness.shared_task.asked import Asked
from cmb_harness.shared_task.key_table import keys_for
from cmb_harness.shared_task.structure import (
    baselines,
    matching_answers,
    moments_by_name,
    random_span_iou,
)
from cmb_metric import span_iou


def test_a_matching_uses_no_option_twice_and_only_allowed_ones() -> None:
    # Item 0 may take 0 or 1, item 1 only 0, item 2 the rest: one matching alone is left.
    names = np.array([[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 2, 3]])
    allowed = np.array([[1, 1, 0, 0], [1, 0, 0, 0], [1, 1, 1, 0]], dtype=bool)
    for seed in range(20):
        assert matching_answers(names, allowed, np.random.default_rng(seed)).tolist() == [1, 0, 2]


def test_matchings_are_drawn_evenly_where_all_are_alike() -> None:
    names = np.tile(np.arange(4), (4, 1))
    generator = np.random.default_rng(0)
    every = np.array([matching_answers(names, np.ones((4, 4), dtype=bool), generator) for _ in range(2000)])
    shares = np.array([(every == option).mean(axis=0) for option in range(4)])
    # Standard error of a share of 1/4 in 2,000 draws: 0.0097.
    assert np.abs(shares - 0.25).max() < 0.04


def test_items_beyond_the_names_still_get_an_allowed_option() -> None:
    names = np.zeros((5, 4), dtype=int)
    allowed = np.tile([False, True, False, True], (5, 1))
    assert set(matching_answers(names, allowed, np.random.default_rng(1))) <= {1, 3}


def test_random_spans_against_a_simulation() -> None:
    generator = np.random.default_rng(0)
    spans, durations_s = np.array([[0.0, 10.0], [3.0, 4.0], [20.0, 90.0]]), np.array([10.0, 60.0, 100.0])
    for span, duration_s, found in zip(spans, durations_s, random_span_iou(spans, durations_s), strict=True):
        guesses = np.sort(generator.uniform(0, duration_s, (200_000, 2)), axis=1)
        simulated = span_iou(guesses, np.tile(span, (len(guesses), 1))).mean()
        assert found == pytest.approx(simulated, rel=0.05)
    # The whole of the video: E[length] of two uniform times is a third.
    assert random_span_iou(spans[:1], durations_s[:1])[0] == pytest.approx(1 / 3, abs=0.01)


def test_moments_that_go_along_with_names_give_s2_away() -> None:
    # Distinct distractors: name n and moment n stand in exactly the same items.
    names = np.array([[0, 1, 2, 3], [1, 4, 5, 0], [2, 0, 4, 5], [3, 4, 1, 2]])
    moments = names[:, ::-1] + 10
    assert moments_by_name(names, moments, np.zeros(4, int), np.full(4, 3)) == 1.0
    # One shared set: every moment goes along with every name alike.
    block = np.tile(np.arange(4), (4, 1))
    assert moments_by_name(block, block, np.arange(4), np.arange(4)) == 0.25


def test_blocks_give_nothing_away(localization: Any) -> None:
    asked = localization.asked("localization")
    stages = ("s1", "s2", "s3")
    key = keys_for(localization.key, asked, stages)
    found = baselines(asked, key, stages)
    assert found["chance"]["s1_accuracy"] == 0.25
    assert found["moments-by-name"] == {"s2_accuracy": 0.25}
    # 20 matchings of 16 items: a share of 1/4 has a standard error of about 0.03.
    assert found["one-to-one"]["s1_accuracy"] == pytest.approx(0.25, abs=0.12)
    assert found["one-to-one-with-countries"]["s1_accuracy"] == pytest.approx(0.25, abs=0.12)
    # Spans [3 + k, 9 + k] of 60 s: the whole video is right for 6 of 60 s, the middle third for nothing.
    assert found["whole-video"] == {"s3_miou": pytest.approx(0.1)}
    assert found["centre-span"] == {"s3_miou": 0.0}
    joint, miou = found["chance"]["joint"], found["chance"]["s3_miou"]
    # Three of four concepts have a pair.
    assert joint == pytest.approx(miou * 3 / 4 / 16, rel=0.1)
    assert baselines(asked, key, ("s1", "s2")).keys() == {
        *("chance", "one-to-one", "one-to-one-with-countries", "moments-by-name")
    }


def test_countries_narrow_the_matching_down() -> None:
    """Three countries of four concepts; the same-country distractor of 1, 2 and 3 is 0, that of 0 is 1.

    Options of the key's country alone leave two matchings a country: all right, or 0 and 1 swapped. So three quarters
    are right in expectation, by someone who knows countries.
    """
    concepts = [(country, i) for country in "ABC" for i in range(4)]
    partner = {0: 1, 1: 0, 2: 0, 3: 0}
    rows: dict[str, list[dict[str, Any]]] = {"s1": [], "s2": [], "s3": []}
    key = {}
    for place, (country, i) in enumerate(concepts):
        others = [f"{other}{(i + place) % 4}" for other in "ABC" if other != country]
        options = [f"{country}{i}", f"{country}{partner[i]}", *others]
        options = options[place % 4 :] + options[: place % 4]
        answer = options.index(f"{country}{i}")
        common = {"country": country, "answer": answer, "stage": "s1"}
        key |= {f"s1-{place}": common, f"s2-{place}": common | {"stage": "s2"}}
        rows["s1"].append({"item_id": f"s1-{place}", "options": options})
        moments = [{"video_id": name, "start_s": 0.0, "end_s": 1.0} for name in options]
        rows["s2"].append({"item_id": f"s2-{place}", "s1_item_id": f"s1-{place}", "options": moments})
    asked = Asked("recognition", rows, ("s1", "s2"), frozenset())
    found = baselines(asked, key, ("s1", "s2"))
    # 60 fair coins, each of which moves 2 of 12 items of a draw: standard error 0.03.
    assert found["one-to-one-with-countries"]["s1_accuracy"] == pytest.approx(0.75, abs=0.1)
    assert found["one-to-one"]["s1_accuracy"] < 0.6
