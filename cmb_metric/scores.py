"""`score`: the statistics of one model in one mode, with intervals, cells, macro averages and the failure profile."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .concepts import BASELINES, ConceptTable, concept_table
from .estimates import KINDS, MACRO_KINDS, NAMES, Estimates, estimate
from .items import INVALID, MISSING, ScoredItem, ScoredItems, score_items
from .resampling import two_sided_p
from .signature import fingerprint
from .signature import signature as signature_line
from .validation import STAGES, Row, check_settings


def score(
    predictions: Iterable[Row],
    references: Iterable[Row],
    *,
    mode: str = "reset",
    n_resamples: int = 10_000,
    seed: int = 42,
    confidence_level: float = 0.95,
    dataset: str | None = None,
    setting: str = "full",
    variant: str = "common_latin",
    context: str | None = None,
) -> dict[str, Any]:
    """Score the predictions of one model in one mode (definitions: paper, sections 4.1 to 4.3 and C.1).

    Args:
        predictions: rows ``{item_id, choice}`` (S1, S2) or ``{item_id, span}`` (S3, seconds), joined by id; items
            without a row are missing answers. Other keys are ignored.
        references: rows of `references`.
        mode, setting, variant, context: what the predictions are; they go into the signature and change no number.
        n_resamples, seed, confidence_level: of the percentile cluster bootstrap over concepts.
        dataset: name, version and hash for the signature; None prints a fingerprint of the references.

    Returns:
        A dictionary that JSON can hold: nine values between 0 and 1 (`NAMES`), None where a value is 0/0, and
        ``joint_parts``, ``ci``, ``p``, ``n``, ``n_conditional``, ``n_invalid``, ``n_missing``, ``n_set_aside``,
        ``n_left_out``, ``cells``, ``macro``, ``profile`` and ``signature``. ``docs/metric.md`` describes each.

    Raises:
        MetricError: the rows or the settings cannot be used; the message lists every fault.
    """
    check_settings(mode, n_resamples, seed, confidence_level)
    rows = list(references)
    scored = score_items(predictions, rows)
    line = signature_line(
        dataset=fingerprint(rows) if dataset is None else dataset,
        mode=mode,
        setting=setting,
        variant=variant,
        context=context,
        n_resamples=n_resamples,
        seed=seed,
        confidence_level=confidence_level,
    )
    return summarize(
        scored, n_resamples=n_resamples, seed=seed, confidence_level=confidence_level, signature=line
    )


def summarize(
    scored: ScoredItems,
    *,
    n_resamples: int = 10_000,
    seed: int = 42,
    confidence_level: float = 0.95,
    signature: str = "",
) -> dict[str, Any]:
    """The result of `score` from items that are scored already; ``signature`` is passed through."""
    check_settings("reset", n_resamples, seed, confidence_level)
    table = concept_table(scored.items)
    estimates = estimate(table, n_resamples=n_resamples, seed=seed)
    return assemble(scored, table, estimates, confidence_level, signature)


def assemble(
    scored: ScoredItems,
    table: ConceptTable,
    estimates: Estimates,
    confidence_level: float = 0.95,
    signature: str = "",
) -> dict[str, Any]:
    """The result of `score` from estimates of every statistic and cell that are there already."""
    cells = _cells(estimates, confidence_level)
    overall = cells.pop("overall")["all"]
    return {
        **{name: overall[name]["value"] for name in NAMES},
        "joint_parts": joint_parts(table),
        "ci": {name: overall[name]["ci"] for name in NAMES},
        "p": conditional_p(estimates),
        "n": _n(table),
        "n_conditional": {name: int(estimates.n[0, NAMES.index(name)]) for name in (*BASELINES, "joint")},
        "n_invalid": _n_answered(scored.items, INVALID),
        "n_missing": _n_answered(scored.items, MISSING),
        "n_set_aside": scored.n_set_aside,
        "n_left_out": _n_left_out(estimates),
        "cells": cells,
        "macro": {kind: _macro(estimates, kind, confidence_level) for kind in MACRO_KINDS},
        "profile": profile(table),
        "signature": signature,
    }


def joint_parts(table: ConceptTable) -> dict[str, float | int | None]:
    """The two factors of the Joint, its ceiling, and the Joint over the concepts that have a pair (paper, C.1).

    ``n_s1_and_s2`` / N · ``mean_iou`` = Joint. ``ceiling`` is the share of concepts with a pair: the Joint of a
    perfect model. ``mean_iou`` counts a concept without a pair as 0; ``over_paired`` leaves it out.
    """
    n_both = table.total("both_right")
    return {
        "n_s1_and_s2": int(n_both),
        "mean_iou": _ratio(table.total("credit"), n_both),
        "ceiling": _ratio(table.total("both_asked_paired"), table.total("both_asked")),
        "over_paired": _ratio(table.total("credit"), table.total("both_asked_paired")),
    }


def profile(table: ConceptTable) -> dict[str, Any]:
    """Where the chain breaks: the three links, and what the Joint would gain if one ability alone were perfect.

    The gains are arithmetic over the outcomes as they are (paper, D.9 reads such priorities off): under carry and
    feedback a better S1 would also change what S2 is shown, which no count can tell.
    """
    n = table.total("both_asked")
    credit = table.total("credit")
    perfect = {
        "s1": table.total("credit_if_s1"),
        "s2": table.total("credit_if_s2"),
        "s3": table.total("both_right_paired"),
    }
    return {
        "p_s1": _ratio(table.total("s1_right"), table.total("s1_asked")),
        "p_s2_given_s1": _ratio(table.total("both_right"), table.total("s2_asked_s1_right")),
        "mean_iou_given_both": _ratio(credit, table.total("both_right")),
        "joint_gain_if_perfect": {stage: _ratio(total - credit, n) for stage, total in perfect.items()},
    }


def conditional_p(estimates: Estimates) -> dict[str, float | None]:
    """p of c-S2 against S2 and of c-mIoU against mIoU, in the same resamples (the stars of Table 3).

    None where the conditional value has no interval.
    """
    p: dict[str, float | None] = {}
    for name, baseline in BASELINES.items():
        at, against = NAMES.index(name), NAMES.index(baseline)
        differences = estimates.resampled[0, at] - estimates.resampled[0, against]
        shown = estimates.n_concepts[0, at] >= 2
        p[name] = number_or_none(two_sided_p(differences)) if shown else None
    return p


def number_or_none(value: float | np.floating | NDArray) -> float | None:
    """A float for JSON: None for NaN."""
    return None if math.isnan(value) else float(value)


def bounds_or_none(bounds: NDArray[np.float64]) -> list[float] | None:
    """[lo, hi] for JSON: None where there is no interval."""
    return None if np.isnan(bounds).any() else bounds.tolist()


def _cells(estimates: Estimates, confidence_level: float) -> dict[str, dict[str, dict[str, Any]]]:
    intervals = estimates.intervals(confidence_level)
    cells: dict[str, dict[str, dict[str, Any]]] = {"overall": {}, **{kind: {} for kind in KINDS}}
    for row, (kind, code) in enumerate(estimates.cells):
        cells[kind][code] = {
            name: {
                "value": number_or_none(estimates.points[row, column]),
                "ci": bounds_or_none(intervals[row, column]),
                "n": int(estimates.n[row, column]),
            }
            for column, name in enumerate(estimates.names)
        }
    return cells


def _macro(estimates: Estimates, kind: str, confidence_level: float) -> dict[str, dict[str, Any]]:
    points, _ = estimates.macro(kind)
    bounds = estimates.macro_intervals(kind, confidence_level)
    return {
        name: {"value": number_or_none(points[column]), "ci": bounds_or_none(bounds[column])}
        for column, name in enumerate(estimates.names)
    }


def _n(table: ConceptTable) -> dict[str, int]:
    return {
        "concepts": len(table.concept_ids),
        "s1": int(table.total("s1_asked")),
        "s2": int(table.total("s2_asked")),
        "pairs": int(table.total("pairs")),
        "concepts_without_pair": int((table.sums["pairs"] == 0).sum()),
    }


def _n_answered(items: Sequence[ScoredItem], answered: str) -> dict[str, int]:
    return {
        stage: sum(item.stage == stage and item.answered == answered for item in items) for stage in STAGES
    }


def _n_left_out(estimates: Estimates) -> dict[str, Any]:
    """Resamples that an interval goes without, by kind, cell and statistic; only what is not 0 is listed."""
    counts = estimates.n_left_out()
    listed: dict[str, Any] = {kind: {} for kind in ("overall", *KINDS, *(f"macro_{k}" for k in MACRO_KINDS))}
    for row, (kind, code) in enumerate(estimates.cells):
        named = {name: int(n) for name, n in zip(estimates.names, counts[row], strict=True) if n}
        if named:
            listed[kind] |= named if kind == "overall" else {code: named}
    for kind in MACRO_KINDS:
        points, resampled = estimates.macro(kind)
        missing = np.isnan(resampled).sum(axis=1)
        defined = ~np.isnan(points) & (estimates.n_concepts[0] >= 2)
        listed[f"macro_{kind}"] = {
            name: int(n)
            for name, n, there in zip(estimates.names, missing, defined, strict=True)
            if n and there
        }
    return listed


def _ratio(over: float, under: float) -> float | None:
    return over / under if under else None
