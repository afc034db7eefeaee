"""What a modality does: the change of each pair's IoU when it is taken away (paper, section 4.4 and D.2 to D.4)."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .items import ScoredItem, ScoredItems
from .resampling import percentile_intervals, resampled_ratios, two_sided_p
from .scores import bounds_or_none, number_or_none
from .validation import MetricError

COMPLEMENTARY, REDUNDANT, DISTRACTING = ROLES = ("Complementary", "Redundant", "Distracting")
# A change of exactly 5 points is averaged from floats, and may come out a hair under it.
_HAIR = 1e-9

Deltas = Mapping[str, float]
Pairs = Mapping[str, ScoredItem]


def pair_deltas(full: Mapping[str, ScoredItems], ablated: Mapping[str, ScoredItems]) -> dict[str, float]:
    """The change of each pair's IoU, in points (-100 to 100), averaged over models.

    Args:
        full: model → its scored items with every modality.
        ablated: the same models, with one modality or two taken away.

    Returns:
        item_id → mean over models of 100 · (IoU ablated - IoU full); negative where the modality helps.

    Raises:
        MetricError: the models differ, or a model was scored on different pairs with and without; or there is no pair.
    """
    if not full or set(full) != set(ablated):
        missing = ", ".join(sorted(set(full) ^ set(ablated))) or "none given"
        raise MetricError(
            f"ablation: expected the same models with and without a modality; not in both: {missing}"
        )
    before = {model: ious(scored) for model, scored in full.items()}
    after = {model: ious(ablated[model]) for model in full}
    wanted = set(before[next(iter(full))])
    for model in full:
        for side, values in (("full", before[model]), ("ablated", after[model])):
            if set(values) != wanted:
                first = ", ".join(sorted(set(values) ^ wanted)[:5])
                raise MetricError(f"ablation: {model}, {side}: scored on different pairs: {first}")
    if not wanted:
        raise MetricError("ablation: there are no pairs")
    return {
        item_id: 100 * math.fsum(after[model][item_id] - before[model][item_id] for model in full) / len(full)
        for item_id in sorted(wanted)
    }


def ious(scored: ScoredItems) -> dict[str, float]:
    """item_id → IoU of every pair."""
    return {item.item_id: item.value for item in scored.items if item.stage == "s3"}


def pairs_of(scored: ScoredItems) -> dict[str, ScoredItem]:
    """item_id → pair: what deltas are grouped by."""
    return {item.item_id: item for item in scored.items if item.stage == "s3"}


def role(delta: float, cut: float = 5.0) -> str:
    """The role of a modality for a change of ``delta`` points. Both cuts are inclusive: -5 is Complementary."""
    if delta <= -cut + _HAIR:
        return COMPLEMENTARY
    if delta >= cut - _HAIR:
        return DISTRACTING
    return REDUNDANT


def role_shares(deltas: Sequence[float], cut: float = 5.0) -> dict[str, Any]:
    """``{"n", "counts": {role: n}, "shares": {role: share or None}}``; shares of no pairs are None."""
    roles = [role(delta, cut) for delta in deltas]
    counts = {name: roles.count(name) for name in ROLES}
    shares = {name: count / len(roles) if roles else None for name, count in counts.items()}
    return {"n": len(roles), "counts": counts, "shares": shares}


def roles_by(deltas: Deltas, pairs: Pairs, kind: str, cut: float = 5.0) -> dict[str, dict[str, Any]]:
    """`role_shares` over the pairs of each country, category or writing cluster (paper, Figure 4 and Table 16)."""
    groups: dict[str, list[float]] = {}
    for item_id, delta in deltas.items():
        code = getattr(pairs[item_id], kind)
        if code is not None:
            groups.setdefault(code, []).append(delta)
    return {code: role_shares(values, cut) for code, values in sorted(groups.items())}


def concept_deltas(deltas: Deltas, pairs: Pairs) -> dict[str, float]:
    """concept_id → mean change over its own pairs. Concepts without a pair are not in it."""
    by_concept: dict[str, list[float]] = {}
    for item_id, delta in deltas.items():
        by_concept.setdefault(pairs[item_id].concept_id, []).append(delta)
    return {concept_id: math.fsum(values) / len(values) for concept_id, values in sorted(by_concept.items())}


def concept_roles(
    deltas: Deltas, pairs: Pairs, concept_ids: Sequence[str] = (), cut: float = 5.0
) -> dict[str, str | None]:
    """concept_id → the role of its mean change (the record's ``audio_role``); None for a concept without a pair."""
    means = concept_deltas(deltas, pairs)
    return {
        concept_id: role(means[concept_id], cut) if concept_id in means else None
        for concept_id in sorted({*concept_ids, *means})
    }


def concept_shares(deltas: Deltas, pairs: Pairs, cut: float = 5.0) -> dict[tuple[str, str], dict[str, Any]]:
    """(writing cluster, category) → `role_shares` over its concepts with a pair (paper, D.3)."""
    cells = {pair.concept_id: (pair.writing_cluster, pair.category) for pair in pairs.values()}
    groups: dict[tuple[str, str], list[float]] = {}
    for concept_id, delta in concept_deltas(deltas, pairs).items():
        cluster, category = cells[concept_id]
        if cluster is not None and category is not None:
            groups.setdefault((cluster, category), []).append(delta)
    return {cell: role_shares(values, cut) for cell, values in sorted(groups.items())}


def mean_shift(
    deltas: Deltas,
    pairs: Pairs,
    *,
    n_resamples: int = 10_000,
    seed: int = 42,
    confidence_level: float = 0.95,
) -> dict[str, Any]:
    """The mean change over pairs, in points, with a cluster bootstrap over concepts and Wilcoxon's test over pairs.

    The paper's Table 15 says "paired tests" and no more; both are given. Wilcoxon takes pairs as independent, which
    pairs of one concept are not: the bootstrap's p is the one to quote.

    Returns:
        ``{"n", "n_concepts", "difference", "ci", "p", "p_wilcoxon"}``. ``ci`` and ``p`` are None for fewer than two
        concepts; ``p_wilcoxon`` (signed ranks, zeros dropped) is None where no pair changes.
    """
    concept_ids = sorted({pairs[item_id].concept_id for item_id in deltas})
    position = {concept_id: at for at, concept_id in enumerate(concept_ids)}
    index = np.array([position[pairs[item_id].concept_id] for item_id in deltas])
    values = np.array(list(deltas.values()))
    over = np.bincount(index, values, len(concept_ids)).astype(float)[:, None]
    under = np.bincount(index, minlength=len(concept_ids)).astype(float)[:, None]
    everything = [np.ones(len(concept_ids), dtype=bool)]
    resampled = resampled_ratios(over, under, everything, n_resamples=n_resamples, seed=seed)[0, 0]
    shown = len(concept_ids) >= 2
    return {
        "n": len(values),
        "n_concepts": len(concept_ids),
        "difference": float(values.mean()),
        "ci": bounds_or_none(percentile_intervals(resampled, confidence_level)) if shown else None,
        "p": number_or_none(two_sided_p(resampled)) if shown else None,
        "p_wilcoxon": _wilcoxon(values),
    }


def two_proportions(count_a: int, n_a: int, count_b: int, n_b: int) -> dict[str, float | None]:
    """The pooled two-proportion z-test (paper, D.3).

    Returns:
        ``{"difference", "z", "p"}``, the difference and z of a - b, p two-sided. None where a sample is empty; ``z``
        and ``p`` are None where all outcomes are alike.
    """
    if not n_a or not n_b:
        return {"difference": None, "z": None, "p": None}
    difference = count_a / n_a - count_b / n_b
    pooled = (count_a + count_b) / (n_a + n_b)
    variance = pooled * (1 - pooled) * (1 / n_a + 1 / n_b)
    if not variance:
        return {"difference": difference, "z": None, "p": None}
    z = difference / math.sqrt(variance)
    return {"difference": difference, "z": z, "p": math.erfc(abs(z) / math.sqrt(2))}


def cluster_gap(
    deltas: Deltas, pairs: Pairs, a: str, b: str, *, cut: float = 5.0, wanted: str = DISTRACTING
) -> dict[str, Any]:
    """The share of a role in writing cluster ``a`` less that in ``b``, over pairs, with the z-test (paper, D.3).

    The test takes pairs as independent, as the paper does.
    """
    shares = roles_by(deltas, pairs, "writing_cluster", cut)
    empty = role_shares([], cut)
    first, second = shares.get(a, empty), shares.get(b, empty)
    return {
        "a": {
            "cluster": a,
            "n": first["n"],
            "count": first["counts"][wanted],
            "share": first["shares"][wanted],
        },
        "b": {
            "cluster": b,
            "n": second["n"],
            "count": second["counts"][wanted],
            "share": second["shares"][wanted],
        },
        **two_proportions(first["counts"][wanted], first["n"], second["counts"][wanted], second["n"]),
    }


def _wilcoxon(values: np.ndarray) -> float | None:
    # Changes that are nothing on paper come out some 1e-15 points apart, and would take the lowest ranks.
    changed = values[np.abs(values) > _HAIR]
    if not len(changed):
        return None
    from scipy.stats import wilcoxon

    # Rounding makes ties of what is tied on paper.
    return float(wilcoxon(np.round(changed, 9)).pvalue)
