"""A checked submission scored: a pure function of the file, the key table and the policy.

Nothing that is printed under an open policy depends on a key but the totals that it allows, and what follows from
those as they are printed (intervals, the one-to-one flag), and the baselines, which are the same for every file. So
counts of empty or reversed answers are those of the whole file, never those of the rows that the keys select.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cmb_harness.faults import InputError
from cmb_harness.prompts import STAGES
from cmb_harness.shared_task.asked import Asked, Row
from cmb_harness.shared_task.conditional import real_rows
from cmb_harness.shared_task.flags import one_to_one, truth_ignored
from cmb_harness.shared_task.key_table import earlier_items, keys_for
from cmb_harness.shared_task.policy import Policy, bounded_interval
from cmb_harness.shared_task.structure import baselines
from cmb_harness.shared_task.submission import Submission, check_together
from cmb_metric import MetricError
from cmb_metric.concepts import RATIOS, concept_table
from cmb_metric.items import ScoredItems, score_items
from cmb_metric.scores import summarize
from cmb_metric.signature import signature

# What a phase scores: its own answers, and in localization those of the recognition file beside them.
SCORED = {"development": STAGES, "recognition": ("s1", "s2"), "localization": STAGES}
CONDITIONAL = ("c_s2", "c_miou")
NEEDS_S3 = ("s3_miou", "s3_iou@0.3", "s3_iou@0.5", "s3_iou@0.7", "c_miou", "joint")

Totals = dict[str, float | None]


def score_submission(
    submission: Submission,
    asked: Asked,
    references: Sequence[Any],
    policy: Policy,
    *,
    recognition: Submission | None = None,
    dataset: str = "",
) -> dict[str, Any]:
    """Score one file in each of its modes.

    Args:
        submission: a checked file of the phase that ``asked`` is of.
        references: the key table.
        policy: what the result holds.
        recognition: in ``localization``, the same team's checked file of ``recognition``, with its S1 and S2 answers.
        dataset: version and hash, for the signature.

    Returns:
        A dictionary that JSON can hold, equal for equal arguments: ``phase``, ``team``, ``model``, ``sha256`` of the
        files, ``n``, ``policy``, ``scores`` (mode → total → ``{value, interval}``), ``baselines`` (name → total →
        value), ``flags``, ``answers`` (counts over the whole file), ``signature`` by mode; and if the policy says
        ``whole``, ``results`` (mode → what ``cmb_metric.score`` returns) and ``items`` (mode → one row an item). In the
        ``results`` of a recognition file alone, no concept has a pair: what needs S3 is None there, and the Joint 0.

    Raises:
        InputError: the two files cannot be of one team, or the keys do not belong to the dataset or are none.
        ValueError: a recognition file is missing, or not wanted.
    """
    if (asked.phase == "localization") != (recognition is not None):
        raise ValueError("a recognition file goes with a localization file, and with no other")
    if recognition is not None:
        check_together(submission, recognition)
    key = keys_for(references, asked, SCORED[asked.phase])
    modes = [mode for mode in submission.modes if mode in policy.modes]
    scored = {mode: _scored(submission, recognition, mode, asked, key) for mode in modes}
    totals = {mode: _totals(scored[mode], asked.phase) for mode in modes}
    signatures = {mode: _signature(mode, submission.context, policy, dataset) for mode in modes}
    result: dict[str, Any] = {
        "phase": asked.phase,
        "team": submission.team,
        "model": submission.model,
        "sha256": {file.phase: file.sha256 for file in (recognition, submission) if file is not None},
        "n": _n(asked),
        "policy": {
            "shown": list(policy.shown),
            "step": policy.step,
            "whole": policy.whole,
            "modes": list(policy.modes),
        },
        "scores": {mode: _shown_scores(totals[mode], policy, asked) for mode in modes},
        "baselines": _shown_baselines(asked, key, policy),
        "flags": _flags(submission, recognition, asked, totals, policy),
        "answers": _answers(submission, asked),
        "signature": signatures,
    }
    if policy.whole:
        _add_everything(result, scored, signatures)
    return result


def _add_everything(
    result: dict[str, Any], scored: Mapping[str, ScoredItems], signatures: Mapping[str, str]
) -> None:
    results = {mode: summarize(items, signature=signatures[mode]) for mode, items in scored.items()}
    for mode, scores in result["scores"].items():
        for name, entry in scores.items():
            entry["interval"] = results[mode]["ci"][name]
    result["results"] = results
    result["items"] = {mode: _items(items) for mode, items in scored.items()}


def _scored(
    submission: Submission,
    recognition: Submission | None,
    mode: str,
    asked: Asked,
    key: Mapping[str, Row],
) -> ScoredItems:
    rows = [*(recognition.rows if recognition else ()), *submission.rows]
    answer_of = {item_id: row["answer"] for item_id, row in key.items() if row["stage"] != "s3"}
    try:
        return score_items(real_rows(rows, mode, earlier_items(asked), answer_of), key.values())
    except MetricError:
        # Its message quotes rows, and only the key table can still have faults.
        raise InputError("secrets: references: some rows are no usable keys: build them again") from None


def _totals(scored: ScoredItems, phase: str) -> Totals:
    table = concept_table(scored.items)
    sums = {name: (table.total(over), table.total(under)) for name, (over, under) in RATIOS.items()}
    # Without S3 there is no Joint: it is not 0, and not asked.
    names = [name for name in RATIOS if "s3" in SCORED[phase] or name not in NEEDS_S3]
    return {name: sums[name][0] / sums[name][1] if sums[name][1] else None for name in names}


def _shown_scores(totals: Totals, policy: Policy, asked: Asked) -> dict[str, dict[str, Any]]:
    shown = {}
    for name in policy.shown:
        if name in totals:
            value = policy.rounded(totals[name])
            interval = bounded_interval(value, _effective_n(name, asked), policy.step)
            # How many concepts a condition leaves depends on the keys.
            shown[name] = {"value": value, "interval": None if name in CONDITIONAL else interval}
    return shown


def _effective_n(name: str, asked: Asked) -> float:
    """Independent answers behind a total: concepts, or for means over pairs (Σ m)² / Σ m² over concepts of m pairs."""
    if not name.startswith("s3"):
        return len(asked.rows["s1"])
    pairs = np.array(list(Counter(row["s2_item_id"] for row in asked.rows["s3"]).values()))
    return float(pairs.sum() ** 2 / (pairs**2).sum()) if len(pairs) else 0.0


def _shown_baselines(asked: Asked, key: Mapping[str, Row], policy: Policy) -> dict[str, Totals]:
    found = baselines(asked, key, SCORED[asked.phase])
    rounded = {
        # 1/4 is no secret.
        name: {
            total: value if value == 0.25 else policy.rounded(value)
            for total, value in totals.items()
            if total in policy.shown
        }
        for name, totals in found.items()
    }
    return {name: totals for name, totals in rounded.items() if totals}


def _flags(
    submission: Submission,
    recognition: Submission | None,
    asked: Asked,
    totals: Mapping[str, Totals],
    policy: Policy,
) -> list[dict[str, Any]]:
    flags = truth_ignored(submission, asked)
    if recognition is not None or "s1" not in asked.stages:
        return flags
    printed: dict[tuple[str, str], float] = {}
    for mode in totals:
        for stage in ("s1", "s2"):
            value = policy.rounded(totals[mode][f"{stage}_accuracy"])
            own_mode = "reset" if stage == "s1" else mode
            if value is not None and own_mode != "feedback" and f"{stage}_accuracy" in policy.shown:
                printed[stage, own_mode] = min(1.0, value + (0 if policy.whole else (policy.step or 0) / 2))
    return flags + one_to_one(submission, asked, printed)


def _answers(submission: Submission, asked: Asked) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {stage: Counter() for stage in asked.stages}
    for row in submission.rows:
        empty = row.get("choice", row.get("span")) is None
        counts[asked.stage_of[row["item_id"]]].update(rows=1, empty=int(empty))
    return {stage: {"rows": count["rows"], "empty": count["empty"]} for stage, count in counts.items()}


def _n(asked: Asked) -> dict[str, int]:
    return {"concepts": len(asked.rows["s1"])} | (
        {"pairs": len(asked.rows["s3"])} if "s3" in SCORED[asked.phase] else {}
    )


def _items(scored: ScoredItems) -> list[dict[str, Any]]:
    return [
        {
            "item_id": item.item_id,
            "concept_id": item.concept_id,
            "stage": item.stage,
            "value": item.value,
            "answered": item.answered,
        }
        for item in sorted(scored.items, key=lambda item: (item.stage, item.item_id))
    ]


def _signature(mode: str, context: str | None, policy: Policy, dataset: str) -> str:
    line = signature(
        dataset=dataset,
        mode=mode,
        setting="full",
        variant="common_latin",
        context=context,
        n_resamples=10_000,
        seed=42,
        confidence_level=0.95,
    )
    if policy.whole:
        return line
    # Nothing was resampled: the interval follows from the printed value.
    kept = line.partition("|seed:")[0]
    return f"{kept}|step:{policy.step or 0:g}|ci:Wilson bound 95%"
