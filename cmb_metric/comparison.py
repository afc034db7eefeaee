"""`compare`: pairs of models, the difference taken inside each resample (paper, Table 14)."""

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from .concepts import concept_table
from .estimates import KINDS, Estimates, estimate_models
from .items import ScoredItems, score_items
from .resampling import percentile_intervals, two_sided_p
from .scores import assemble, bounds_or_none, number_or_none
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
    return summarize_models(
        scored, n_resamples=n_resamples, seed=seed, confidence_level=confidence_level, with_cells=False
    )[1]


def summarize_models(
    scored: Mapping[str, ScoredItems],
    *,
    n_resamples: int = 10_000,
    seed: int = 42,
    confidence_level: float = 0.95,
    signatures: Mapping[str, str] | None = None,
    with_cells: bool = True,
) -> tuple[dict[str, dict[str, Any]], Comparison]:
    """The results of every model and the differences of every pair, all from one draw.

    Args:
        signatures: model → the line that goes into its result.
        with_cells: whether results are wanted; without, the first of the pair returned is empty.

    Raises:
        MetricError: as `compare_items`.
    """
    check_settings("reset", n_resamples, seed, confidence_level)
    if len(scored) < 2:
        raise MetricError(f"compare: expected two models or more, not {len(scored)}")
    check_same_items(scored)
    tables = [concept_table(items.items) for items in scored.values()]
    kinds = KINDS if with_cells else ()
    found = estimate_models(tables, n_resamples=n_resamples, seed=seed, kinds=kinds)
    estimates = dict(zip(scored, found, strict=True))
    results = {
        model: assemble(
            scored[model], table, estimates[model], confidence_level, (signatures or {}).get(model, "")
        )
        for model, table in zip(scored, tables, strict=True)
        if with_cells
    }
    return results, compare_estimates(estimates, confidence_level)


def compare_estimates(estimates: Mapping[str, Estimates], confidence_level: float = 0.95) -> Comparison:
    """The differences of every pair of models, taken inside the resamples that their estimates share."""
    results: Comparison = {}
    for a, b in combinations(estimates, 2):
        first, second = estimates[a], estimates[b]
        differences = first.resampled[0] - second.resampled[0]
        bounds, p = percentile_intervals(differences, confidence_level), two_sided_p(differences)
        few = np.minimum(first.n_concepts[0], second.n_concepts[0]) < 2
        bounds[few], p[few] = np.nan, np.nan
        results[a, b] = {
            name: {
                "difference": number_or_none(first.points[0, column] - second.points[0, column]),
                "ci": bounds_or_none(bounds[column]),
                "p": number_or_none(p[column]),
            }
            for column, name in enumerate(first.names)
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
