"""Cheap guessers of S3: spans that no video was watched for."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cmb_harness.construction.audit.findings import Finding, Settings, score_findings, unmeasured
from cmb_harness.construction.audit.matching_checks import NO_KEYS
from cmb_harness.construction.audit.release import SPLITS, PairItem, Release
from cmb_metric import span_iou

CONSTANT, PRIOR = "best constant span", "position prior"
# Start and end quantiles that are tried as the constant.
GRID = 30
# Two uniform times: a grid of this many midpoints a side.
CHANCE_GRID = 60

Spans = NDArray[np.float64]


def span_findings(release: Release, settings: Settings) -> list[Finding]:
    """All guessers on the S3 pairs of each split whose spans are known."""
    findings = []
    public = [pair for pair in release.pairs["train"] if pair.span]
    for split in SPLITS:
        pairs = [pair for pair in release.pairs[split] if pair.span]
        where = f"s3 {split}"
        if pairs:
            findings += pair_findings(pairs, public, where, settings)
        elif release.pairs[split]:
            findings.append(unmeasured("span guessers", where, NO_KEYS))
    return findings


def pair_findings(
    pairs: Sequence[PairItem], public: Sequence[PairItem], where: str, settings: Settings
) -> list[Finding]:
    """The guessers of one split. What is learned, is learned from public pairs of other concepts alone."""
    truth, length, clusters = _columns(pairs)
    timed = ~np.isnan(length)
    scores: dict[str, NDArray[np.float64]] = {}
    for check, low, high in (("middle third", 1 / 3, 2 / 3), ("whole video", 0.0, 1.0)):
        scores[check] = span_iou(np.column_stack([low * length, high * length]), truth)
        scores[check][~timed] = np.nan
    if public:
        own, own_length, own_clusters = _columns(public)
        scores[CONSTANT] = learned_scores(truth, clusters, own, own_clusters)
        has_length = ~np.isnan(own_length)
        scores[PRIOR] = np.full(len(pairs), np.nan)
        if has_length.any():
            scores[PRIOR][timed] = learned_scores(
                truth[timed] / length[timed, None],
                [name for name, known in zip(clusters, timed, strict=True) if known],
                own[has_length] / own_length[has_length, None],
                [name for name, known in zip(own_clusters, has_length, strict=True) if known],
            )
    if not timed.any():
        return [unmeasured("span guessers", where, "no pair has a duration_s, so that chance is unknown")]
    chance = float(random_iou(truth[timed], length[timed]).mean())
    missing = f"; {int((~timed).sum())} pairs without duration_s left out" if (~timed).any() else ""
    notes = {
        CONSTANT: "seconds, learned from public pairs of other concepts",
        PRIOR: "shares of the video, learned from public pairs of other concepts" + missing,
        "middle third": missing[2:],
        "whole video": missing[2:],
    }
    return score_findings(scores, clusters, where, settings, chance=chance, evidence=notes)


def random_iou(truth: Spans, length: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n,) the expected IoU of two independent uniform times, in order, by a midpoint grid."""
    ticks = (np.arange(CHANCE_GRID) + 0.5) / CHANCE_GRID
    start, end = (ticks[side] for side in np.triu_indices(CHANCE_GRID, 1))
    means = [
        span_iou(np.column_stack([start, end]) * whole, np.broadcast_to(span, (len(start), 2))).mean()
        for span, whole in zip(truth, length, strict=True)
    ]
    # Two times fall into one cell of the grid once in so many draws, and then hardly cover anything.
    return np.array(means) * (1 - 1 / CHANCE_GRID)


def learned_scores(
    truth: Spans, clusters: Sequence[str], public: Spans, public_clusters: Sequence[str]
) -> NDArray[np.float64]:
    """(n,) IoU of the constant span that is best on the public spans of all other concepts.

    Args:
        truth: (n, 2) spans to answer; clusters: the concept of each.
        public: (m, 2) spans to learn from, on the same scale; public_clusters: the concept of each.

    Returns:
        IoU of each; NaN where no other concept is there to learn from.
    """
    tried = _tried(public)
    gains = np.stack([span_iou(np.broadcast_to(span, public.shape), public) for span in tried])
    names = np.array(public_clusters)
    total = gains.sum(axis=1)
    scores = np.full(len(truth), np.nan)
    for name in sorted(set(clusters)):
        own = names == name
        if own.all():
            continue
        best = tried[int((total - gains[:, own].sum(axis=1)).argmax())]
        at = [place for place, cluster in enumerate(clusters) if cluster == name]
        scores[at] = span_iou(np.broadcast_to(best, (len(at), 2)), truth[at])
    return scores


def _tried(public: Spans) -> Spans:
    """(k, 2) spans from quantiles of the starts and of the ends."""
    points = np.linspace(0, 1, GRID)
    start, end = (np.unique(np.quantile(public[:, side], points)) for side in (0, 1))
    spans = np.array([(low, high) for low in start for high in end if low < high])
    return spans.reshape(-1, 2)


def _columns(pairs: Sequence[PairItem]) -> tuple[Spans, NDArray[np.float64], list[str]]:
    """Spans (n, 2), lengths of the videos (n,) with NaN where unknown, concepts."""
    truth = np.array([pair.span for pair in pairs], dtype=float).reshape(-1, 2)
    length = np.array([np.nan if pair.duration_s is None else pair.duration_s for pair in pairs])
    return truth, length, [pair.cluster for pair in pairs]
