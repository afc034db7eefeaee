"""Scores when some media could not be had: the full set, what was there, and how far off the full set can be."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .concepts import RATIOS, ConceptTable, concept_table
from .items import ScoredItem, ScoredItems
from .validation import MetricError

Bounds = dict[str, tuple[float, float] | None]


def only(scored: ScoredItems, available: Collection[str]) -> ScoredItems:
    """The items whose ids are in ``available``. A concept all of whose pairs are gone counts as one without a pair."""
    kept = frozenset(available)
    return ScoredItems([item for item in scored.items if item.item_id in kept], scored.n_set_aside)


def bounds(scored: ScoredItems, available: Collection[str]) -> Bounds:
    """Between which values the full score must lie, whatever the unavailable items would have been answered.

    With S1 known, every statistic but c-mIoU can only rise when an answer gets better: its ends are "all wrong" and
    "all right". c-mIoU is a mean over a set that S2 decides, and its ends are found by choosing that set too.

    Args:
        scored: the full set; what it holds for unavailable items does not matter.
        available: item ids. S1 needs no media, so that all its items must be among them.

    Returns:
        name → (lowest, highest); None where the value is 0/0 whatever the answers. A c-mIoU that may be 0/0 has the
        ends of the cases in which it is not.

    Raises:
        MetricError: an S1 item is not available, or there is no item.
    """
    kept = frozenset(available)
    gone = [item.item_id for item in scored.items if item.stage == "s1" and item.item_id not in kept]
    if gone:
        raise MetricError(f"available: S1 needs no media, yet items are not available: {', '.join(gone[:5])}")
    lowest = concept_table([_with_value(item, kept, 0.0) for item in scored.items])
    highest = concept_table([_with_value(item, kept, 1.0) for item in scored.items])
    ends = {name: _ends(_ratio(lowest, name), _ratio(highest, name)) for name in RATIOS}
    ends["c_miou"] = _c_miou_ends(lowest, highest)
    return ends


def _with_value(item: ScoredItem, available: Collection[str], value: float) -> ScoredItem:
    return item if item.item_id in available else replace(item, value=value)


def _ratio(table: ConceptTable, name: str) -> float | None:
    over, under = (table.total(column) for column in RATIOS[name])
    return over / under if under else None


def _ends(lowest: float | None, highest: float | None) -> tuple[float, float] | None:
    return None if lowest is None or highest is None else (lowest, highest)


def _c_miou_ends(lowest: ConceptTable, highest: ConceptTable) -> tuple[float, float] | None:
    """S2 is certainly right where it is in ``lowest``, and perhaps where it is in ``highest`` alone."""
    paired = lowest.sums["pairs"] > 0
    certain = paired & (lowest.sums["s2_right"] > 0)
    perhaps = paired & (highest.sums["s2_right"] > 0) & ~certain
    if not (certain | perhaps).any():
        return None
    pairs = lowest.sums["pairs"]
    return (
        _extreme_mean(lowest.sums["iou"], pairs, certain, perhaps, np.less),
        _extreme_mean(highest.sums["iou"], pairs, certain, perhaps, np.greater),
    )


def _extreme_mean(
    sums: NDArray[np.float64],
    pairs: NDArray[np.float64],
    certain: NDArray[np.bool_],
    perhaps: NDArray[np.bool_],
    better: Callable[[float, float], Any],
) -> float:
    """The most extreme pair-weighted mean over ``certain`` and any of ``perhaps``: these are added while they help."""
    total, n = float(sums[certain].sum()), float(pairs[certain].sum())
    means = sums[perhaps] / pairs[perhaps]
    order = np.argsort(means if better is np.less else -means, kind="stable")
    for mean, weight in zip(means[order], pairs[perhaps][order], strict=True):
        if n and not better(mean, total / n):
            break
        total, n = total + mean * weight, n + weight
    return float(total / n)
