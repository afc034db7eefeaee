"""Several scored runs compared: all pairs, ranks that may be claimed, cells, and the order under other weightings."""

from collections.abc import Sequence
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.statistics.scoring import ScoredRun, Selection, about, signature_of
from cmb_metric import MetricError
from cmb_metric.comparison import Comparison, summarize_models
from cmb_metric.estimates import NAMES
from cmb_metric.ranking import dominance, is_significant, order_agreement, rank_ranges, with_holm


def compare_runs(runs: Sequence[ScoredRun], selection: Selection, *, holm: bool = False) -> dict[str, Any]:
    """All that can be said of the differences between runs, as data that JSON can hold.

    Returns:
        ``signature``, ``models``, ``alpha``, ``correction``;
        ``pairs``: rows ``{a, b, statistic, difference, ci, p, p_holm?, significant, n_concepts}``;
        ``ranks``: rows ``{statistic, model, value, rank, best, worst}``;
        ``dominance``: rows ``{a, b, statistic, above, equal, below, cells}``;
        ``order``: statistic → `order_agreement`; ``results``: model → result.

    Raises:
        InputError: fewer than two runs, runs over different items, or runs of different modes.
    """
    modes = {(run.mode, run.setting, run.variant) for run in runs}
    if len(modes) > 1:
        raise InputError(f"compare: expected one mode, setting and variant, not {sorted(modes)}")
    scored = {run.model: run.scored for run in runs}
    try:
        results, comparison = summarize_models(
            scored,
            n_resamples=selection.n_resamples,
            seed=selection.seed,
            confidence_level=selection.confidence_level,
            signatures={run.model: signature_of(run, selection) for run in runs},
        )
    except MetricError as error:
        raise InputError(str(error).splitlines()) from None
    comparison = with_holm(comparison) if holm else comparison
    results = {run.model: about(run, results[run.model]) for run in runs}
    # 1 - 0.95 is a hair above 0.05 in floats, and a p of exactly .05 is not below it.
    alpha = round(1 - selection.confidence_level, 12)
    return {
        "signature": common_signature(runs, selection),
        "models": list(scored),
        "alpha": alpha,
        "correction": "holm over the pairs of one statistic" if holm else "none",
        "pairs": _pair_rows(comparison, results, alpha),
        "ranks": _rank_rows(comparison, results, alpha),
        "dominance": _dominance_rows(results),
        "order": {name: order_agreement(results, name) for name in NAMES},
        "results": results,
    }


def common_signature(runs: Sequence[ScoredRun], selection: Selection) -> str:
    """The signature of all runs; what they do not share stands in it as ``a+b``."""
    contexts = sorted({str(run.context) for run in runs if run.context})
    datasets = sorted({run.dataset for run in runs})
    return signature_of(
        ScoredRun(
            "",
            runs[0].scored,
            runs[0].mode,
            runs[0].setting,
            runs[0].variant,
            "+".join(contexts) or None,
            "+".join(datasets),
        ),
        selection,
    )


def disagreements(runs: Sequence[ScoredRun]) -> list[str]:
    """What runs that are compared do not share, though they should; for a warning."""
    said = {"context": {str(run.context) for run in runs}, "dataset": {run.dataset for run in runs}}
    return [
        f"the runs differ in {what}: {', '.join(sorted(values))}"
        for what, values in said.items()
        if len(values) > 1
    ]


def _pair_rows(comparison: Comparison, results: dict[str, Any], alpha: float) -> list[dict[str, Any]]:
    return [
        {
            "a": a,
            "b": b,
            "statistic": name,
            **difference,
            "significant": is_significant(difference, alpha),
            "n_concepts": results[a]["n"]["concepts"],
        }
        for (a, b), differences in comparison.items()
        for name, difference in differences.items()
    ]


def _rank_rows(comparison: Comparison, results: dict[str, Any], alpha: float) -> list[dict[str, Any]]:
    rows = []
    for name in NAMES:
        ranges = rank_ranges(comparison, name, alpha)
        known = [model for model in ranges if results[model][name] is not None]
        for model in sorted(known, key=lambda model: -results[model][name]):
            rows.append({"statistic": name, "model": model, "value": results[model][name], **ranges[model]})
    return rows


def _dominance_rows(results: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"a": a, "b": b, "statistic": name, **counts}
        for name in NAMES
        for (a, b), counts in dominance(results, name).items()
    ]
