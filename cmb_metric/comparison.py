"""`compare`: pairs of models, the difference taken inside each resample (paper, Table 14)."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .concepts import RATIOS, ConceptTable, concept_table
from .estimates import NAMES
from .items import ScoredItems, score_items
from .resampling import TIE, percentile_intervals, resampled_ratios, two_sided_p
from .scores import bounds_or_none, number_or_none
from .validation import MetricError, Row, check_settings

Comparison = dict[tuple[str, str], dict[str, dict[str, Any]]]


def compare(
    predictions: Mapping[str, Iterable[Row]],
    references: Iterable[Row],
    *,
    mode: str = "reset",
    n_resamples: int = 10_000,
    seed: int = 42,
    confidence_level: float = 0.95,
) -> Comparison:
    """The difference of every pair of models in every statistic, paired in the same resamples.

    Args:
        predictions: model → its rows of one mode, as for `score`.
        references: rows of `references`; all models are scored on these same items.

    Returns:
        (a, b), in the order given, → name → ``{"difference": a - b, "ci": [lo, hi], "p"}``. All three are None where
        a value of a or b is 0/0; ``ci`` and ``p`` where fewer than two concepts contribute.

    Raises:
        MetricError: as `score`, with the model named; or fewer than two models are given.
    """
    check_settings(mode, n_resamples, seed, confidence_level)
    rows = list(references)
    scored = {}
    for model, answers in predictions.items():
        try:
            scored[model] = score_items(answers, rows)
        except MetricError as error:
            raise MetricError("\n".join(f"{model}: {line}" for line in str(error).splitlines())) from None
    return compare_items(scored, n_resamples=n_resamples, seed=seed, confidence_level=confidence_level)


def compare_items(
    scored: Mapping[str, ScoredItems],
    *,
    n_resamples: int = 10_000,
    seed: int = 42,
    confidence_level: float = 0.95,
) -> Comparison:
    """The result of `compare` from items that are scored already.

    Raises:
        MetricError: fewer than two models, or models that were scored on different items.
    """
    check_settings("reset", n_resamples, seed, confidence_level)
    if len(scored) < 2:
        raise MetricError(f"compare: expected two models or more, not {len(scored)}")
    check_same_items(scored)
    tables = [concept_table(items.items) for items in scored.values()]
    points, n_concepts, resampled = _resampled(tables, n_resamples, seed)
    results: Comparison = {}
    for (i, a), (j, b) in combinations(enumerate(scored), 2):
        differences = resampled[i] - resampled[j]
        # Equal on paper, some 1e-17 apart in floats.
        differences[np.abs(differences) <= TIE] = 0.0
        bounds = percentile_intervals(differences, confidence_level)
        p = two_sided_p(differences)
        hidden = np.minimum(n_concepts[i], n_concepts[j]) < 2
        bounds[hidden], p[hidden] = np.nan, np.nan
        results[a, b] = {
            name: {
                "difference": number_or_none(points[i, column] - points[j, column]),
                "ci": bounds_or_none(bounds[column]),
                "p": number_or_none(p[column]),
            }
            for column, name in enumerate(NAMES)
        }
    return results


def check_same_items(scored: Mapping[str, ScoredItems]) -> None:
    """Raise `MetricError` unless all models were scored on the same items, naming the first few that differ."""
    first, *others = scored
    wanted = {item.item_id for item in scored[first].items}
    faults = []
    for model in others:
        found = {item.item_id for item in scored[model].items}
        if found != wanted:
            faults.append(
                f"{model} and {first} were scored on different items: {len(found - wanted)} only of {model}, "
                f"{len(wanted - found)} only of {first}, first {', '.join(sorted(found ^ wanted)[:5])}"
            )
    if faults:
        raise MetricError("\n".join(faults))


def _resampled(
    tables: Sequence[ConceptTable], n_resamples: int, seed: int
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """Points (models, K), contributing concepts (models, K) and resampled values (models, K, R)."""
    over = np.hstack([_columns(table, 0) for table in tables])
    under = np.hstack([_columns(table, 1) for table in tables])
    everything = np.ones(len(over), dtype=bool)
    resampled = resampled_ratios(over, under, [everything], n_resamples=n_resamples, seed=seed)
    totals = under.sum(axis=0)
    points = np.divide(over.sum(axis=0), totals, out=np.full(len(totals), np.nan), where=totals > 0)
    shape = (len(tables), len(NAMES))
    return points.reshape(shape), (under > 0).sum(axis=0).reshape(shape), resampled.reshape(*shape, -1)


def _columns(table: ConceptTable, side: int) -> NDArray[np.float64]:
    return np.column_stack([table.sums[RATIOS[name][side]] for name in NAMES])
