"""One row a concept: the sums that every statistic is a ratio of.

The concept is the unit that is resampled (paper, D.1). Every statistic here is a sum over concepts divided by another,
so that a resample needs no more than the concepts' counts times these columns.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .items import ScoredItem
from .validation import CELL_KINDS, MetricError

IOU_THRESHOLDS = (0.3, 0.5, 0.7)

# name → (numerator, denominator), both columns of `ConceptTable.sums`.
RATIOS: Mapping[str, tuple[str, str]] = {
    "s1_accuracy": ("s1_right", "s1_asked"),
    "s2_accuracy": ("s2_right", "s2_asked"),
    "s3_miou": ("iou", "pairs"),
    **{f"s3_iou@{threshold}": (f"hits@{threshold}", "pairs") for threshold in IOU_THRESHOLDS},
    "c_s2": ("both_right", "s2_asked_s1_right"),
    "c_miou": ("iou_s2_right", "pairs_s2_right"),
    "joint": ("credit", "both_asked"),
}
# The two conditional statistics and what each is tested against (paper, Table 3).
BASELINES = {"c_s2": "s2_accuracy", "c_miou": "s3_miou"}

CellCode = tuple[str, str]


@dataclass(frozen=True)
class ConceptTable:
    """The N concepts of a scored set, sorted by id.

    Attributes:
        concept_ids: sorted.
        sums: column name → (N,) float64.
        cells: (kind, code) → (N,) bool; kinds are country, category, writing_cluster, country_category (code
            ``"ID/Dance"``). A concept whose country is None is in no country cell, and so on.
    """

    concept_ids: list[str]
    sums: Mapping[str, NDArray[np.float64]]
    cells: Mapping[CellCode, NDArray[np.bool_]]

    def total(self, column: str, where: NDArray[np.bool_] | slice = slice(None)) -> float:
        """The sum of a column over all concepts, or over those of a cell."""
        return float(self.sums[column][where].sum())


def concept_table(items: Sequence[ScoredItem]) -> ConceptTable:
    """Sum scored items by concept.

    Raises:
        MetricError: there is no item.
    """
    if not items:
        raise MetricError("there are no scored items")
    concepts = {item.concept_id: item for item in items}
    concept_ids = sorted(concepts)
    return ConceptTable(
        concept_ids,
        _sums(items, concept_ids),
        _cells([concepts[concept_id] for concept_id in concept_ids]),
    )


def mean_iou(sums: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    """(N,) mean IoU over a concept's own pairs, 0 for a concept without any: IoU_i of the Joint (paper, C.1)."""
    return np.divide(sums["iou"], sums["pairs"], out=np.zeros_like(sums["iou"]), where=sums["pairs"] > 0)


def _sums(items: Sequence[ScoredItem], concept_ids: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    position = {concept_id: index for index, concept_id in enumerate(concept_ids)}
    index = np.array([position[item.concept_id] for item in items])
    stage = np.array([item.stage for item in items])
    value = np.array([item.value for item in items])

    def by_concept(stage_name: str, weights: NDArray) -> NDArray[np.float64]:
        at = stage == stage_name
        return np.bincount(index[at], weights[at], len(concept_ids)).astype(np.float64)

    asked = np.ones(len(items))
    sums = {
        "s1_asked": by_concept("s1", asked),
        "s1_right": by_concept("s1", value),
        "s2_asked": by_concept("s2", asked),
        "s2_right": by_concept("s2", value),
        "pairs": by_concept("s3", asked),
        "iou": by_concept("s3", value),
        **{f"hits@{threshold}": by_concept("s3", value >= threshold) for threshold in IOU_THRESHOLDS},
    }
    return sums | _conditional_sums(sums)


def _conditional_sums(sums: Mapping[str, NDArray[np.float64]]) -> dict[str, NDArray[np.float64]]:
    both_right = sums["s1_right"] * sums["s2_right"]
    both_asked = sums["s1_asked"] * sums["s2_asked"]
    has_pair = (sums["pairs"] > 0).astype(np.float64)
    return {
        "s2_asked_s1_right": sums["s2_asked"] * sums["s1_right"],
        "both_right": both_right,
        "pairs_s2_right": sums["pairs"] * sums["s2_right"],
        "iou_s2_right": sums["iou"] * sums["s2_right"],
        "both_asked": both_asked,
        "credit": both_right * mean_iou(sums),
        "both_asked_paired": both_asked * has_pair,
        "both_right_paired": both_right * has_pair,
        "credit_if_s1": sums["s1_asked"] * sums["s2_right"] * mean_iou(sums),
        "credit_if_s2": sums["s1_right"] * sums["s2_asked"] * mean_iou(sums),
    }


def _cells(concepts: Sequence[ScoredItem]) -> dict[CellCode, NDArray[np.bool_]]:
    codes = {kind: [getattr(concept, kind) for concept in concepts] for kind in CELL_KINDS}
    codes["country_category"] = [
        None if country is None or category is None else f"{country}/{category}"
        for country, category in zip(codes["country"], codes["category"], strict=True)
    ]
    cells = {}
    for kind, values in codes.items():
        column = np.array(values, dtype=object)
        for code in sorted({value for value in values if value is not None}):
            cells[kind, code] = column == code
    return cells
