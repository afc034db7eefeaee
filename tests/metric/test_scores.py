"""`score`: a data set worked out by hand, the slow implementation, scipy's bootstrap, and what must always hold."""

import json
import math
import random

import numpy as np
import pytest
from definitions import (
    concepts_of,
    data_sets,
    fixed_data,
    in_cell,
    interval,
    macro,
    p_value,
    resamples,
    statistics,
)
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import cmb_metric

NAMES = (
    "s1_accuracy",
    "s2_accuracy",
    "s3_miou",
    "s3_iou@0.3",
    "s3_iou@0.5",
    "s3_iou@0.7",
    "c_s2",
    "c_miou",
    "joint",
)
KINDS = ("country", "category", "writing_cluster", "country_category")
QUICK = {"n_resamples": 40, "seed": 7}


def reference(item_id: str, stage: str, country: str, category: str, **key: object) -> dict:
    """A reference row of a Latin-script country."""
    concept_id = item_id.split("/")[0]
    common = {"concept_id": concept_id, "country": country, "category": category, "writing_cluster": "Latin"}
    return {"item_id": item_id, "stage": stage, **common, "answer": None, "span": None, **key}


HAND_REFERENCES = [
    reference("ID-Dance-01/s1", "s1", "ID", "Dance", answer=0),
    reference("ID-Dance-01/s2", "s2", "ID", "Dance", answer=3),
    reference("ID-Dance-01/s3/1", "s3", "ID", "Dance", span=[0, 10]),
    reference("ID-Dance-01/s3/2", "s3", "ID", "Dance", span=[20, 30]),
    reference("ID-Music-01/s1", "s1", "ID", "Music", answer=1),
    reference("ID-Music-01/s2", "s2", "ID", "Music", answer=1),
    reference("VN-Music-01/s1", "s1", "VN", "Music", answer=2),
    reference("VN-Music-01/s2", "s2", "VN", "Music", answer=2),
    reference("VN-Music-01/s3/1", "s3", "VN", "Music", span=[100, 110]),
]
# Concept 1: S1 right, S2 right, IoU 0.5 and (no row) 0. Concept 2: S1 right, S2 invalid, no pair.
# Concept 3: S1 wrong, S2 right, IoU 1.
HAND_PREDICTIONS = [
    {"item_id": "ID-Dance-01/s1", "choice": 0},
    {"item_id": "ID-Dance-01/s2", "choice": 3},
    {"item_id": "ID-Dance-01/s3/1", "span": [0, 5]},
    {"item_id": "ID-Music-01/s1", "choice": 1},
    {"item_id": "ID-Music-01/s2", "choice": 4},
    {"item_id": "VN-Music-01/s1", "choice": 0},
    {"item_id": "VN-Music-01/s2", "choice": 2},
    {"item_id": "VN-Music-01/s3/1", "span": [100, 110]},
]


def test_a_data_set_worked_out_by_hand() -> None:
    result = cmb_metric.score(HAND_PREDICTIONS, HAND_REFERENCES, **QUICK)
    assert {name: result[name] for name in NAMES} == {
        "s1_accuracy": pytest.approx(2 / 3),
        "s2_accuracy": pytest.approx(2 / 3),
        "s3_miou": pytest.approx((0.5 + 0 + 1) / 3),
        "s3_iou@0.3": pytest.approx(2 / 3),
        "s3_iou@0.5": pytest.approx(2 / 3),  # 0.5 counts
        "s3_iou@0.7": pytest.approx(1 / 3),
        "c_s2": pytest.approx(1 / 2),  # of concepts 1 and 2
        "c_miou": pytest.approx((0.5 + 0 + 1) / 3),  # the pairs of concepts 1 and 3
        "joint": pytest.approx(0.25 / 3),  # concept 1: mean IoU (0.5 + 0) / 2
    }
    assert result["joint_parts"] == {
        "n_s1_and_s2": 1,
        "mean_iou": pytest.approx(0.25),
        "ceiling": pytest.approx(2 / 3),
        "over_paired": pytest.approx(0.25 / 2),
    }
    assert result["n"] == {"concepts": 3, "s1": 3, "s2": 3, "pairs": 3, "concepts_without_pair": 1}
    assert result["n_conditional"] == {"c_s2": 2, "c_miou": 3, "joint": 3}
    assert result["n_invalid"] == {"s1": 0, "s2": 1, "s3": 0}
    assert result["n_missing"] == {"s1": 0, "s2": 0, "s3": 1}
    assert result["profile"] == {
        "p_s1": pytest.approx(2 / 3),
        "p_s2_given_s1": pytest.approx(1 / 2),
        "mean_iou_given_both": pytest.approx(0.25),
        "joint_gain_if_perfect": {
            "s1": pytest.approx((0.25 + 1) / 3 - 0.25 / 3),
            "s2": pytest.approx(0.0, abs=1e-12),  # concept 2 would come in, and it has no pair
            "s3": pytest.approx(1 / 3 - 0.25 / 3),
        },
    }


def test_cells_and_macro_by_hand() -> None:
    result = cmb_metric.score(HAND_PREDICTIONS, HAND_REFERENCES, **QUICK)
    cells = result["cells"]
    assert cells["country"]["ID"]["s1_accuracy"]["value"] == 1.0
    assert cells["country"]["ID"]["s1_accuracy"]["n"] == 2
    assert cells["country"]["ID"]["s3_miou"] == {"value": 0.25, "ci": None, "n": 2}  # one concept has pairs
    assert cells["country"]["VN"]["c_s2"] == {"value": None, "ci": None, "n": 0}
    assert cells["country_category"]["ID/Music"]["joint"] == {"value": 0.0, "ci": None, "n": 1}
    assert cells["country_category"]["ID/Music"]["s3_miou"]["value"] is None
    assert set(cells["country_category"]) == {"ID/Dance", "ID/Music", "VN/Music"}
    assert result["macro"]["country"]["s1_accuracy"]["value"] == pytest.approx((1 + 0) / 2)
    assert result["macro"]["category"]["s2_accuracy"]["value"] == pytest.approx((1 + 1 / 2) / 2)
    # VN has no concept that is named right: its c-S2 is 0/0 and no part of the mean.
    assert result["macro"]["country"]["c_s2"]["value"] == pytest.approx(1 / 2)


def test_joint_as_the_paper_works_it_out() -> None:
    """138 of 306 concepts right at S1 and S2, mean IoU 0.32 over them: 14.4%."""
    rows, answers = [], []
    for number in range(306):
        concept = f"ID-Dance-{number:03d}"
        rows += [
            reference(f"{concept}/s1", "s1", "ID", "Dance", answer=0),
            reference(f"{concept}/s2", "s2", "ID", "Dance", answer=0),
            reference(f"{concept}/s3/1", "s3", "ID", "Dance", span=[0, 100]),
        ]
        answers += [
            {"item_id": f"{concept}/s1", "choice": 0},
            {"item_id": f"{concept}/s2", "choice": 0 if number < 138 else 1},
            {"item_id": f"{concept}/s3/1", "span": [0, 32 if number < 138 else 90]},
        ]
    result = cmb_metric.score(answers, rows, n_resamples=10)
    assert result["joint_parts"]["n_s1_and_s2"] == 138
    assert result["joint_parts"]["mean_iou"] == pytest.approx(0.32)
    assert round(100 * result["joint"], 1) == 14.4


@given(data_sets())
def test_agrees_with_the_slow_implementation(data: tuple[list, list]) -> None:
    result = cmb_metric.score(*data, **QUICK)
    concepts = concepts_of(*data)
    expected = statistics(concepts)
    assert {name: result[name] for name in NAMES} == pytest.approx(expected)
    draws = [statistics(resample) for resample in resamples(concepts, 40, 7)]
    for name in NAMES:
        if result["ci"][name] is not None:
            assert result["ci"][name] == pytest.approx(interval([draw[name] for draw in draws]))


@given(data_sets(min_concepts=4))
def test_cells_agree_with_the_slow_implementation(data: tuple[list, list]) -> None:
    result = cmb_metric.score(*data, **QUICK)
    concepts = concepts_of(*data)
    drawn = resamples(concepts, 40, 7)
    for kind in KINDS:
        assert set(result["cells"][kind]) == {concept.cells[kind] for concept in concepts}
        for code, cell in result["cells"][kind].items():
            assert {name: cell[name]["value"] for name in NAMES} == pytest.approx(
                statistics(in_cell(concepts, kind, code))
            )
            inside = [statistics(in_cell(resample, kind, code)) for resample in drawn]
            for name in NAMES:
                left_out = sum(draw[name] is None for draw in inside)
                if cell[name]["ci"] is not None:
                    assert cell[name]["ci"] == pytest.approx(interval([draw[name] for draw in inside]))
                    assert result["n_left_out"][kind].get(code, {}).get(name, 0) == left_out


@given(data_sets(min_concepts=6))
def test_macro_agrees_with_the_slow_implementation(data: tuple[list, list]) -> None:
    result = cmb_metric.score(*data, **QUICK)
    concepts = concepts_of(*data)
    drawn = resamples(concepts, 40, 7)
    for kind in ("country", "category"):
        for name in NAMES:
            defined = [
                code for code, cell in result["cells"][kind].items() if cell[name]["value"] is not None
            ]
            cell = result["macro"][kind][name]
            assert cell["value"] == pytest.approx(macro(concepts, kind, defined, name))
            if cell["ci"] is not None:
                values = [macro(resample, kind, defined, name) for resample in drawn]
                assert cell["ci"] == pytest.approx(interval(values))


@given(data_sets(min_concepts=3))
def test_p_agrees_with_the_slow_implementation(data: tuple[list, list]) -> None:
    result = cmb_metric.score(*data, **QUICK)
    draws = [statistics(resample) for resample in resamples(concepts_of(*data), 40, 7)]
    for name, baseline in (("c_s2", "s2_accuracy"), ("c_miou", "s3_miou")):
        if result["p"][name] is None:
            assert result["ci"][name] is None
        else:
            differences = [draw[name] - draw[baseline] for draw in draws if draw[name] is not None]
            assert result["p"][name] == pytest.approx(p_value(differences))


def test_intervals_are_those_of_scipy_on_the_same_resamples() -> None:
    """scipy draws ``integers(0, n, (n_resamples, n))`` from the same generator when samples are paired."""
    data = fixed_data(60)
    result = cmb_metric.score(*data, n_resamples=999, seed=42)
    concepts = concepts_of(*data)
    s1 = np.array([concept.s1 for concept in concepts], dtype=float)
    s2 = np.array([concept.s2 for concept in concepts], dtype=float)
    iou_sum = np.array([math.fsum(concept.ious) for concept in concepts])
    pairs = np.array([len(concept.ious) for concept in concepts], dtype=float)
    credit = s1 * s2 * np.divide(iou_sum, pairs, out=np.zeros(60), where=pairs > 0)
    ratios = {
        "s1_accuracy": (s1, np.ones(60)),
        "s2_accuracy": (s2, np.ones(60)),
        "s3_miou": (iou_sum, pairs),
        "c_s2": (s1 * s2, s1),
        "c_miou": (iou_sum * s2, pairs * s2),
        "joint": (credit, np.ones(60)),
    }
    for name, samples in ratios.items():
        theirs = stats.bootstrap(
            samples,
            lambda over, under, axis: over.sum(axis=axis) / under.sum(axis=axis),
            n_resamples=999,
            paired=True,
            vectorized=True,
            method="percentile",
            rng=np.random.default_rng(42),
        ).confidence_interval
        assert result["ci"][name] == pytest.approx([theirs.low, theirs.high], rel=1e-9)


@given(data_sets(), st.randoms(use_true_random=False))
def test_the_order_of_rows_says_nothing(data: tuple[list, list], rng: random.Random) -> None:
    predictions, references = ([*rows] for rows in data)
    rng.shuffle(predictions)
    rng.shuffle(references)
    shuffled = cmb_metric.score(predictions, references, **QUICK)
    straight = cmb_metric.score(*data, **QUICK)
    assert shuffled["signature"] == straight["signature"]
    assert flat(shuffled) == pytest.approx(flat(straight), nan_ok=True)


@given(data_sets())
def test_every_value_is_a_share_within_its_interval_of_shares(data: tuple[list, list]) -> None:
    result = cmb_metric.score(*data, **QUICK)
    for name in NAMES:
        assert result[name] is None or 0 <= result[name] <= 1
        lo, hi = result["ci"][name] or (0, 1)
        assert 0 <= lo <= hi <= 1 + 1e-12
    assert all(p is None or 1 / 40 <= p <= 1 for p in result["p"].values())


@given(data_sets())
def test_joint_is_the_product_of_its_factors_and_stays_under_its_ceiling(data: tuple[list, list]) -> None:
    result = cmb_metric.score(*data, n_resamples=1)
    parts = result["joint_parts"]
    factors = parts["n_s1_and_s2"] / result["n"]["concepts"] * (parts["mean_iou"] or 0.0)
    assert result["joint"] == pytest.approx(factors)
    assert result["joint"] <= parts["ceiling"] + 1e-12
    assert result["joint"] == pytest.approx(parts["ceiling"] * (parts["over_paired"] or 0.0))


@given(data_sets(), st.data())
def test_a_better_answer_never_lowers_a_score(data: tuple[list, list], draw: st.DataObject) -> None:
    predictions, references = data
    row = draw.draw(st.sampled_from(references))
    right = {"span": row["span"]} if row["stage"] == "s3" else {"choice": row["answer"]}
    better = [answer for answer in predictions if answer["item_id"] != row["item_id"]]
    better.append({"item_id": row["item_id"], **right})
    before = cmb_metric.score(predictions, references, n_resamples=1)
    after = cmb_metric.score(better, references, n_resamples=1)
    for name in ("s1_accuracy", "s2_accuracy", "s3_miou", "s3_iou@0.3", "s3_iou@0.5", "s3_iou@0.7", "joint"):
        assert after[name] is None or after[name] >= before[name] - 1e-12


@given(data_sets())
def test_saying_nothing_is_as_having_no_row(data: tuple[list, list]) -> None:
    predictions, references = data
    answered = {row["item_id"] for row in predictions}
    silent = [
        {"item_id": row["item_id"], **({"span": []} if row["stage"] == "s3" else {"choice": -1})}
        for row in references
        if row["item_id"] not in answered
    ]
    assert cmb_metric.score([*predictions, *silent], references, **QUICK) == cmb_metric.score(
        predictions, references, **QUICK
    )


@given(data_sets())
def test_all_right_is_all_one_and_all_wrong_all_zero(data: tuple[list, list]) -> None:
    _, references = data
    right = [
        {"item_id": row["item_id"], "choice": row["answer"], "span": row["span"] or []} for row in references
    ]
    result = cmb_metric.score(right, references, **QUICK)
    assert {result[name] for name in NAMES} - {None} <= {1.0, result["joint"]}
    assert result["joint"] == pytest.approx(result["joint_parts"]["ceiling"])
    nothing = cmb_metric.score([], references, **QUICK)
    assert {nothing[name] for name in NAMES} <= {0.0, None}
    assert nothing["c_s2"] is None
    assert sum(nothing["n_missing"].values()) == len(references)


@given(data_sets())
def test_results_hold_no_nan(data: tuple[list, list]) -> None:
    json.dumps(cmb_metric.score(*data, **QUICK), allow_nan=False)


def test_one_concept_has_values_and_no_interval() -> None:
    predictions, references = HAND_PREDICTIONS[:3], HAND_REFERENCES[:4]
    result = cmb_metric.score(predictions, references, **QUICK)
    assert result["s3_miou"] == 0.25
    assert set(result["ci"].values()) == {None}
    assert set(result["p"].values()) == {None}


def test_a_stage_that_was_not_asked_is_undefined() -> None:
    s1_only = [row for row in HAND_REFERENCES if row["stage"] == "s1"]
    answers = [row for row in HAND_PREDICTIONS if row["item_id"].endswith("s1")]
    result = cmb_metric.score(answers, s1_only, **QUICK)
    assert result["s1_accuracy"] == pytest.approx(2 / 3)
    assert {result[name] for name in NAMES if name != "s1_accuracy"} == {None}


def test_hidden_rows_are_set_aside_and_counted() -> None:
    hidden = {"item_id": "s1-00ff", "stage": "s1", "concept_id": None, "answer": None, "category": "Dance"}
    answers = [*HAND_PREDICTIONS, {"item_id": "s1-00ff", "choice": 2}]
    with_hidden = cmb_metric.score(answers, [*HAND_REFERENCES, hidden], dataset="x", **QUICK)
    without = cmb_metric.score(HAND_PREDICTIONS, HAND_REFERENCES, dataset="x", **QUICK)
    assert with_hidden == without | {"n_set_aside": 1}


def test_the_signature_says_what_makes_scores_comparable() -> None:
    result = cmb_metric.score(
        HAND_PREDICTIONS,
        HAND_REFERENCES,
        mode="carry",
        n_resamples=20,
        seed=5,
        confidence_level=0.9,
        dataset="1.2.0+abc",
        setting="no-audio",
        context="all",
    )
    assert result["signature"] == (
        f"cmb_metric:{cmb_metric.__version__}|dataset:1.2.0+abc|mode:carry|setting:no-audio|context:all|seed:5|"
        "resamples:20|ci:percentile 90%"
    )


def test_other_keys_of_a_row_are_ignored() -> None:
    noisy = [{**row, "mode": "reset", "raw": "B", "truth": None, "model": 3} for row in HAND_PREDICTIONS]
    assert cmb_metric.score(noisy, HAND_REFERENCES, **QUICK) == cmb_metric.score(
        HAND_PREDICTIONS, HAND_REFERENCES, **QUICK
    )


def test_confidence_level_and_seed_are_used() -> None:
    data = fixed_data()
    wide = cmb_metric.score(*data, n_resamples=500)["ci"]["s3_miou"]
    narrow = cmb_metric.score(*data, n_resamples=500, confidence_level=0.5)["ci"]["s3_miou"]
    other = cmb_metric.score(*data, n_resamples=500, seed=1)["ci"]["s3_miou"]
    assert wide[0] < narrow[0] < narrow[1] < wide[1]
    assert other != wide


def flat(value: object, path: str = "") -> dict[str, float]:
    """The numbers of a nested result by their path; None as NaN."""
    if isinstance(value, dict):
        return {key: n for name, part in value.items() for key, n in flat(part, f"{path}.{name}").items()}
    if isinstance(value, list):
        return {key: n for at, part in enumerate(value) for key, n in flat(part, f"{path}.{at}").items()}
    return {} if isinstance(value, str) else {path: math.nan if value is None else float(value)}  # type: ignore[arg-type]


@given(data_sets(), st.sampled_from(["s1", "s2", "s3"]))
def test_the_gains_of_the_profile_are_those_of_perfect_answers(data: tuple[list, list], stage: str) -> None:
    """Answer one stage by its keys, score again: the Joint has gained what the profile said."""
    predictions, references = data
    stages = {row["item_id"]: row["stage"] for row in references}
    perfect = [row for row in predictions if stages[row["item_id"]] != stage] + [
        {"item_id": row["item_id"], "choice": row["answer"], "span": row["span"] or []}
        for row in references
        if row["stage"] == stage
    ]
    before = cmb_metric.score(predictions, references, n_resamples=1)
    after = cmb_metric.score(perfect, references, n_resamples=1)
    gain = before["profile"]["joint_gain_if_perfect"][stage]
    assert gain == pytest.approx(after["joint"] - before["joint"], abs=1e-12)
