"""The failure profile with its uncertainty: which ability a model's Joint lacks most, if the data can tell."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmb_harness.statistics.scoring import STAGES, ScoredRun, Selection
from cmb_metric.concepts import ConceptTable, concept_table
from cmb_metric.resampling import TIE, percentile_intervals, resampled_ratios, two_sided_p

CHANCE = 0.25
LINKS = ("p_s1", "p_s2_given_s1", "mean_iou_given_both")
# name → (the columns that are added, the column that is taken off or None, the denominator).
RATIOS: Mapping[str, tuple[str, str | None, str]] = {
    "p_s1": ("s1_right", None, "s1_asked"),
    "p_s2_given_s1": ("both_right", None, "s2_asked_s1_right"),
    "mean_iou_given_both": ("credit", None, "both_right"),
    "s1": ("credit_if_s1", "credit", "both_asked"),
    "s2": ("credit_if_s2", "credit", "both_asked"),
    "s3": ("both_right_paired", "credit", "both_asked"),
    "s1_accuracy": ("s1_right", None, "s1_asked"),
    "s2_accuracy": ("s2_right", None, "s2_asked"),
}

Profile = dict[str, Any]


def failure_profile(run: ScoredRun, selection: Selection) -> Profile:
    """The links of the chain, what the Joint would gain if one ability were perfect, and the order of these gains.

    All from the resamples that every other number of the run comes from, so that gains are compared pair by pair
    inside each of them. The gains are arithmetic over the outcomes as they are (`cmb_metric.scores.profile`).

    Returns:
        ``asked``: the stages that have items; ``links``, ``gains``: name → ``{"value", "ci", "n"}``, shares and
        points / 100, None where undefined or where a stage that it needs was not asked;
        ``differences``: rows ``{"a", "b", "difference", "ci", "p", "significant"}`` of gains;
        ``bottleneck``: the stage whose gain is significantly above both others', if there is one;
        ``chance``: stage → ``{"value", "ci", "p", "verdict"}``, the verdict ``above``, ``below`` or None.
    """
    table = concept_table(run.scored.items)
    points, resampled = _estimates(table, selection)
    asked = [stage for stage in STAGES if any(item.stage == stage for item in run.scored.items)]
    whole = len(asked) == len(STAGES)
    alpha = 1 - selection.confidence_level
    # What rests on one concept has no interval: nothing varies in its resamples.
    several = len(table.concept_ids) > 1
    n_concepts = [int((table.sums[under] > 0).sum()) for *_, under in RATIOS.values()]
    bounds = percentile_intervals(resampled, selection.confidence_level)

    def shown(name: str, needed: Sequence[str]) -> dict[str, Any]:
        at = list(RATIOS).index(name)
        known = set(needed) <= set(asked) and not np.isnan(points[at])
        return {
            "value": float(points[at]) if known else None,
            "ci": bounds[at].tolist() if known and n_concepts[at] > 1 else None,
            "n": int(table.total(RATIOS[name][2])) if known else 0,
        }

    differences = _differences(points, resampled, selection.confidence_level) if whole and several else []
    return {
        "asked": asked,
        "links": {name: shown(name, STAGES[: at + 1]) for at, name in enumerate(LINKS)},
        "gains": {stage: shown(stage, STAGES) for stage in STAGES},
        "differences": differences,
        "bottleneck": _bottleneck(differences),
        "chance": {
            stage: shown(f"{stage}_accuracy", [stage])
            | _against_chance(resampled[list(RATIOS).index(f"{stage}_accuracy")], alpha, several)
            for stage in ("s1", "s2")
            if stage in asked
        },
    }


def _estimates(table: ConceptTable, selection: Selection) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points (K,) and resampled values (K, R) of `RATIOS`; NaN where 0/0."""
    over = np.stack(
        [
            table.sums[column] - (0 if taken is None else table.sums[taken])
            for column, taken, _ in RATIOS.values()
        ],
        axis=1,
    )
    under = np.stack([table.sums[below] for *_, below in RATIOS.values()], axis=1)
    totals = under.sum(axis=0)
    points = np.divide(over.sum(axis=0), totals, out=np.full(len(RATIOS), np.nan), where=totals > 0)
    everything = [np.ones(len(table.concept_ids), dtype=bool)]
    resampled = resampled_ratios(
        over, under, everything, n_resamples=selection.n_resamples, seed=selection.seed
    )
    return points, resampled[0]


def _differences(
    points: NDArray[np.float64], resampled: NDArray[np.float64], confidence_level: float
) -> list[dict[str, Any]]:
    names = list(RATIOS)
    rows = []
    for a, b in combinations(STAGES, 2):
        drawn = resampled[names.index(a)] - resampled[names.index(b)]
        drawn[np.abs(drawn) <= TIE] = 0.0
        bounds = percentile_intervals(drawn, confidence_level)
        p = float(two_sided_p(drawn))
        rows.append(
            {
                "a": a,
                "b": b,
                "difference": float(points[names.index(a)] - points[names.index(b)]),
                "ci": bounds.tolist(),
                "p": p,
                "significant": bool(p < 1 - confidence_level),
            }
        )
    return rows


def _bottleneck(differences: Sequence[Mapping[str, Any]]) -> str | None:
    larger = [row["a"] if row["difference"] > 0 else row["b"] for row in differences if row["significant"]]
    return next((stage for stage in STAGES if larger.count(stage) == len(STAGES) - 1), None)


def _against_chance(resampled: NDArray[np.float64], alpha: float, several: bool) -> dict[str, Any]:
    if not several:
        return {"p": None, "verdict": None}
    drawn = resampled - CHANCE
    p = float(two_sided_p(drawn))
    verdict = None if p >= alpha else "above" if np.nanmedian(drawn) > 0 else "below"
    return {"p": p, "verdict": verdict}
