"""Per-item outcomes: one number an item, kept, and everything else computed from them."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .validation import (
    N_OPTIONS,
    MetricError,
    Row,
    as_seconds,
    check_predictions,
    check_references,
    is_missing_choice,
    is_missing_span,
)

OK, INVALID, MISSING = "ok", "invalid", "missing"


@dataclass(frozen=True)
class ScoredItem:
    """What one answer is worth. Holds no text, option, answer or key, so that it may be published.

    Attributes:
        value: 1.0 or 0.0 (right or wrong) at S1 and S2; the IoU, 0 to 1, at S3.
        answered: ``ok``; ``invalid`` (a choice outside 0-3; a reversed, zero-length or non-finite span);
            ``missing`` (no row, None, -1 or []). The last two have value 0 and stay in every denominator.
    """

    item_id: str
    concept_id: str
    stage: str
    country: str | None
    category: str | None
    writing_cluster: str | None
    value: float
    answered: str


@dataclass(frozen=True)
class ScoredItems:
    """The scored items of one model in one mode, and how many predictions had no key to be scored with."""

    items: Sequence[ScoredItem]
    n_set_aside: int = 0


def span_iou(predicted: ArrayLike, reference: ArrayLike) -> NDArray[np.float64]:
    """Temporal intersection over union of spans, in continuous time (paper, section 4.1).

    Args:
        predicted: (n, 2) start and end in seconds; rows that are reversed, of zero length or not finite score 0.
        reference: (n, 2) likewise.

    Returns:
        (n,) values between 0 and 1. Spans that only touch score 0.

    Raises:
        ValueError: the shapes are not both (n, 2) with one n.
    """
    a, b = (np.asarray(spans, dtype=np.float64) for spans in (predicted, reference))
    a, b = (spans.reshape(0, 2) if spans.size == 0 else spans for spans in (a, b))
    if a.ndim != 2 or a.shape[1] != 2 or a.shape != b.shape:
        raise ValueError(f"expected two arrays of one shape (n, 2), not {a.shape} and {b.shape}")
    usable = _usable(a) & _usable(b)
    # Lengths of spans near the largest float overflow; a ratio of lengths is the same on a smaller scale.
    large = usable & (np.maximum(np.abs(a), np.abs(b)).max(axis=1, initial=0.0) > 1e300)
    scale = np.where(large, 2.0**-8, 1.0)[:, None]
    a, b = np.where(usable[:, None], a, 0.0) * scale, np.where(usable[:, None], b, 0.0) * scale
    overlap = np.minimum(a[:, 1], b[:, 1]) - np.maximum(a[:, 0], b[:, 0])
    union = np.maximum(a[:, 1], b[:, 1]) - np.minimum(a[:, 0], b[:, 0])
    # Spans that overlap leave no gap, so that their hull is their union.
    return np.divide(overlap, union, out=np.zeros(len(a)), where=usable & (overlap > 0))


def _usable(spans: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.isfinite(spans).all(axis=1) & (spans[:, 0] < spans[:, 1])


def score_items(predictions: Iterable[Row], references: Iterable[Row]) -> ScoredItems:
    """Score every item that has a key, answered or not.

    Args:
        predictions: rows ``{item_id, choice}`` or ``{item_id, span}`` of one mode, in any order.
        references: rows of `references`; those without a key are set aside and predictions to them only counted.

    Raises:
        MetricError: as `check_references` and `check_predictions`, and when no reference row has a key.
    """
    keyed, hidden = check_references(references)
    rows = check_predictions(predictions, [*keyed, *hidden])
    if not keyed:
        raise MetricError(f"references: none of the {len(hidden)} rows has a key, so nothing can be scored")
    choices = [row for row in keyed if row["stage"] != "s3"]
    spans = [row for row in keyed if row["stage"] == "s3"]
    items = [_scored(row, *_choice_outcome(rows.get(row["item_id"]), row)) for row in choices]
    items += [_scored(row, *outcome) for row, outcome in zip(spans, _span_outcomes(rows, spans), strict=True)]
    return ScoredItems(items, sum(row["item_id"] in rows for row in hidden))


def _scored(row: Row, value: float, answered: str) -> ScoredItem:
    return ScoredItem(
        row["item_id"],
        row["concept_id"],
        row["stage"],
        row.get("country"),
        row.get("category"),
        row.get("writing_cluster"),
        value,
        answered,
    )


def _choice_outcome(row: Row | None, reference: Row) -> tuple[float, str]:
    choice: Any = None if row is None else row.get("choice")
    if is_missing_choice(choice):
        return 0.0, MISSING
    if not 0 <= choice < N_OPTIONS:
        return 0.0, INVALID
    return float(choice == reference["answer"]), OK


def _span_outcomes(rows: Mapping[str, Row], references: Sequence[Row]) -> list[tuple[float, str]]:
    spans: list[Any] = [rows.get(row["item_id"], {}).get("span") for row in references]
    answered = [_span_answered(span) for span in spans]
    predicted = np.zeros((len(spans), 2))
    for position, (span, state) in enumerate(zip(spans, answered, strict=True)):
        if state == OK:
            predicted[position] = span
    keys = [[as_seconds(value) for value in row["span"]] for row in references]
    return list(zip(span_iou(predicted, keys).tolist(), answered, strict=True))


def _span_answered(span: Any) -> str:
    if is_missing_span(span):
        return MISSING
    start_s, end_s = map(as_seconds, span)
    usable = math.isfinite(start_s) and math.isfinite(end_s) and start_s < end_s
    return OK if usable else INVALID
