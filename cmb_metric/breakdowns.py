"""Other views of the same outcomes: by video length, as a distribution, by name variant, along the chain."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from .concepts import BASELINES, concept_table
from .estimates import NAMES, estimate
from .items import ScoredItems
from .resampling import percentile_intervals, resampled_ratios, two_sided_p
from .scores import bounds_or_none, number_or_none
from .validation import MetricError

SENSITIVE_POINTS = 5.0


def by_duration(
    scored: ScoredItems,
    durations_s: Mapping[str, float],
    edges_s: Sequence[float],
    *,
    spans_s: Mapping[str, float] | None = None,
    n_resamples: int = 10_000,
    seed: int = 42,
    confidence_level: float = 0.95,
) -> list[dict[str, Any]]:
    """mIoU by the length of the video (paper, Figure 10).

    Args:
        durations_s: item_id → length of its video in seconds; pairs that are not in it are in the last row.
        edges_s: inner edges, rising; a bucket holds its lower edge and not its upper one.
        spans_s: item_id → length of the true span in seconds, for the buckets' means.

    Returns:
        One row a bucket: ``{"from_s", "to_s" (None: open), "n", "mean_duration_s", "mean_span_s", "miou", "ci"}``; one
        more, with both edges None, for pairs of unknown length if there are any. Means of no pairs are None.

    Raises:
        MetricError: edges that do not rise, or a length that is no positive number.
    """
    edges = [float(edge) for edge in edges_s]
    if any(a >= b for a, b in pairwise([0.0, *edges])):
        raise MetricError(f"edges_s: {edges}: expected positive seconds, each more than the one before")
    pairs = [item for item in scored.items if item.stage == "s3"]
    lengths = np.array([durations_s.get(pair.item_id, np.nan) for pair in pairs], dtype=float)
    wrong = [
        pair.item_id for pair, length in zip(pairs, lengths, strict=True) if length <= 0 or np.isinf(length)
    ]
    if wrong:
        raise MetricError(f"durations_s: expected positive seconds: {', '.join(wrong[:5])}")
    known = ~np.isnan(lengths)
    bucket = np.where(
        known, np.searchsorted(edges, np.where(known, lengths, 0.0), side="right"), len(edges) + 1
    )
    n_buckets = len(edges) + 1 + int(not known.all())
    values = np.array([pair.value for pair in pairs])
    bounds = _bucket_intervals(scored, bucket, n_buckets, n_resamples, seed, confidence_level)
    spans = np.array([(spans_s or {}).get(pair.item_id, np.nan) for pair in pairs], dtype=float)
    limits = [0.0, *edges, None]
    return [
        {
            "from_s": limits[at] if at <= len(edges) else None,
            "to_s": limits[at + 1] if at <= len(edges) else None,
            "n": int((bucket == at).sum()),
            "mean_duration_s": _mean(lengths[bucket == at]),
            "mean_span_s": _mean(spans[bucket == at]),
            "miou": _mean(values[bucket == at]),
            "ci": bounds_or_none(bounds[at]),
        }
        for at in range(n_buckets)
    ]


def iou_distribution(
    scored: ScoredItems,
    *,
    thresholds: Sequence[float] = tuple(np.round(np.linspace(0, 1, 21), 2).tolist()),
    quantiles: Sequence[float] = (0.05, 0.25, 0.5, 0.75, 0.95),
) -> dict[str, Any]:
    """How the IoU of single pairs is spread (paper, Figure 11).

    Returns:
        ``{"n", "mean", "share_zero", "ecdf": [{"iou", "at_most", "at_least"}], "quantiles": {q: IoU}}``. ``at_least``
        is the hit rate IoU@threshold; it and ``at_most`` both count pairs at the threshold. All None without pairs.
    """
    values = np.array([item.value for item in scored.items if item.stage == "s3"])
    return {
        "n": len(values),
        "mean": _mean(values),
        "share_zero": _mean((values == 0).astype(float)),
        "ecdf": [
            {
                "iou": float(threshold),
                "at_most": _mean((values <= threshold).astype(float)),
                "at_least": _mean((values >= threshold).astype(float)),
            }
            for threshold in thresholds
        ],
        "quantiles": {f"{q:g}": float(np.quantile(values, q)) if len(values) else None for q in quantiles},
    }


def cascade(
    scored: ScoredItems, *, n_resamples: int = 10_000, seed: int = 42, confidence_level: float = 0.95
) -> dict[str, dict[str, Any]]:
    """The two conditional statistics less their baselines, in the same resamples (paper, Table 3 and Figure 9).

    Returns:
        ``c_s2`` and ``c_miou`` → ``{"value", "baseline", "difference", "ci", "p", "n"}``; None where 0/0.
    """
    estimates = estimate(concept_table(scored.items), n_resamples=n_resamples, seed=seed, kinds=())
    rows = {}
    for name, baseline in BASELINES.items():
        at, against = NAMES.index(name), NAMES.index(baseline)
        differences = estimates.resampled[0, at] - estimates.resampled[0, against]
        shown = estimates.n_concepts[0, at] >= 2
        value, base = estimates.points[0, at], estimates.points[0, against]
        rows[name] = {
            "value": number_or_none(value),
            "baseline": number_or_none(base),
            "difference": number_or_none(value - base),
            "ci": bounds_or_none(percentile_intervals(differences, confidence_level)) if shown else None,
            "p": number_or_none(two_sided_p(differences)) if shown else None,
            "n": int(estimates.n[0, at]),
        }
    return rows


def variant_spread(accuracies: Mapping[str, float | None]) -> dict[str, Any]:
    """How much S1 depends on which name variant is shown (paper, Figure 14).

    Args:
        accuracies: name variant → S1 accuracy between 0 and 1; None where it was not asked.

    Returns:
        ``{"n_variants", "spread_points" (maximum - minimum), "mean", "sensitive"}``; ``sensitive`` from 5 points on.
        None for fewer than two variants.
    """
    known = [value for value in accuracies.values() if value is not None]
    if len(known) < 2:
        return {"n_variants": len(known), "spread_points": None, "mean": None, "sensitive": None}
    spread = 100 * (max(known) - min(known))
    return {
        "n_variants": len(known),
        "spread_points": spread,
        "mean": sum(known) / len(known),
        "sensitive": spread >= SENSITIVE_POINTS - 1e-9,
    }


def _bucket_intervals(
    scored: ScoredItems,
    bucket: np.ndarray,
    n_buckets: int,
    n_resamples: int,
    seed: int,
    confidence_level: float,
) -> np.ndarray:
    """(buckets, 2) bounds of mIoU. Concepts are drawn as everywhere; buckets are cut inside each resample."""
    concept_ids = sorted({item.concept_id for item in scored.items})
    position = {concept_id: at for at, concept_id in enumerate(concept_ids)}
    pairs = [item for item in scored.items if item.stage == "s3"]
    shape = (len(concept_ids), n_buckets)
    place = np.array([position[pair.concept_id] * n_buckets for pair in pairs], dtype=np.intp) + bucket
    values = np.array([pair.value for pair in pairs])
    over = np.bincount(place, values, shape[0] * shape[1]).astype(float).reshape(shape)
    under = np.bincount(place, minlength=shape[0] * shape[1]).astype(float).reshape(shape)
    everything = [np.ones(len(concept_ids), dtype=bool)]
    resampled = resampled_ratios(over, under, everything, n_resamples=n_resamples, seed=seed)[0]
    bounds = percentile_intervals(resampled, confidence_level)
    bounds[(under > 0).sum(axis=0) < 2] = np.nan
    return bounds


def _mean(values: np.ndarray) -> float | None:
    return number_or_none(values.mean()) if len(values) else None
