"""What differences allow to be said about an order: corrected p, ranges of ranks, agreement between weightings.

Everything takes plain results of `score` and `compare` and returns plain data.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from .comparison import Comparison
from .resampling import TIE

CELL_KINDS = ("country", "category")
WEIGHTINGS = ("micro", "macro_country", "macro_category")

Results = Mapping[str, Mapping[str, Any]]


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down correction: adjusted p, in the order given. None stays None and counts for nothing."""
    order = sorted((p, at) for at, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, at) in enumerate(order):
        highest = max(highest, min(1.0, (len(order) - rank) * p))
        adjusted[at] = highest
    return adjusted


def with_holm(comparison: Comparison) -> Comparison:
    """A comparison with ``p_holm`` beside ``p``. One family is all pairs of models in one statistic."""
    names = next(iter(comparison.values()))
    corrected: Comparison = {pair: {} for pair in comparison}
    for name in names:
        adjusted = holm([comparison[pair][name]["p"] for pair in comparison])
        for pair, p in zip(comparison, adjusted, strict=True):
            corrected[pair][name] = {**comparison[pair][name], "p_holm": p}
    return corrected


def is_significant(difference: Mapping[str, Any], alpha: float = 0.05) -> bool:
    """Whether p, or Holm's where it is there, is below ``alpha``.

    Without Holm this is the paper's rule that the interval excludes zero: the same resamples give both.
    """
    p = difference.get("p_holm", difference["p"])
    return p is not None and p < alpha


def rank_ranges(comparison: Comparison, name: str, alpha: float = 0.05) -> dict[str, dict[str, int]]:
    """The ranks that each model may hold in one statistic.

    Returns:
        model → ``{"rank", "best", "worst"}``: ``best`` is 1 + the models significantly above it, ``worst`` the number
        of models less those significantly below it. ``rank`` equals ``best``, and models share it.
    """
    models = list(dict.fromkeys(model for pair in comparison for model in pair))
    above, below = dict.fromkeys(models, 0), dict.fromkeys(models, 0)
    for (a, b), differences in comparison.items():
        difference = differences[name]
        if is_significant(difference, alpha):
            better, worse = (a, b) if difference["difference"] > 0 else (b, a)
            above[worse] += 1
            below[better] += 1
    return {
        model: {"rank": 1 + above[model], "best": 1 + above[model], "worst": len(models) - below[model]}
        for model in models
    }


def dominance(
    results: Results, name: str, kinds: Sequence[str] = CELL_KINDS
) -> dict[tuple[str, str], dict[str, int]]:
    """In how many cells one model is above another (paper, section 4.2: of 12 country and category cells).

    Args:
        results: model → result of `score`, all over the same references.

    Returns:
        (a, b) → ``{"above", "equal", "below", "cells"}`` as seen from a; cells where either value is 0/0 are in none.
    """
    values = {model: _cell_values(result, name, kinds) for model, result in results.items()}
    counts = {}
    for a, b in combinations(results, 2):
        differences = [
            x - values[b][cell]
            for cell, x in values[a].items()
            if x is not None and values[b].get(cell) is not None
        ]
        counts[a, b] = {
            "above": sum(difference > TIE for difference in differences),
            "equal": sum(abs(difference) <= TIE for difference in differences),
            "below": sum(difference < -TIE for difference in differences),
            "cells": len(differences),
        }
    return counts


def order_agreement(results: Results, name: str) -> dict[str, Any]:
    """Whether micro and macro averages put the models into one order (paper, section 4.2 and Table 13).

    Returns:
        ``{"agree", "orders": {weighting: [models, best first]}, "reversed": [{a, b, weightings}]}``. ``reversed``
        lists the pairs of models that two weightings put in opposite orders; a tie reverses nothing. Models whose
        value is 0/0 are in no order.
    """
    values = {
        weighting: {model: _average(result, weighting, name) for model, result in results.items()}
        for weighting in WEIGHTINGS
    }
    orders = {
        weighting: sorted(
            (model for model in by_model if by_model[model] is not None), key=lambda model: -by_model[model]
        )
        for weighting, by_model in values.items()
    }
    turned = [
        {"a": a, "b": b, "weightings": [first, second]}
        for a, b in combinations(results, 2)
        for first, second in combinations(WEIGHTINGS, 2)
        if _sign(values[first], a, b) * _sign(values[second], a, b) < 0
    ]
    return {"agree": not turned, "orders": orders, "reversed": turned}


def _cell_values(result: Mapping[str, Any], name: str, kinds: Sequence[str]) -> dict[tuple[str, str], Any]:
    return {
        (kind, code): cell[name]["value"] for kind in kinds for code, cell in result["cells"][kind].items()
    }


def _average(result: Mapping[str, Any], weighting: str, name: str) -> Any:
    if weighting == "micro":
        return result[name]
    return result["macro"][weighting.removeprefix("macro_")][name]["value"]


def _sign(values: Mapping[str, Any], a: str, b: str) -> int:
    if values[a] is None or values[b] is None or abs(values[a] - values[b]) <= TIE:
        return 0
    return 1 if values[a] > values[b] else -1
