"""Scored records: what each answer was worth, with no text, option, answer or key; written, and read back.

JSON Lines, one item a line, and each line says all that it needs, so that files may be joined with ``cat``. They hold
what every statistic starts from, and may be published when predictions and keys may not.
"""

import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.files import read_json_lines, write_json_lines
from cmb_harness.predictions import MODES, SETTINGS, VARIANTS
from cmb_harness.statistics.scoring import STAGES, ScoredRun, Selection, chosen, nothing_chosen
from cmb_metric.items import INVALID, MISSING, OK, ScoredItem, ScoredItems
from cmb_metric.signature import VERSION

_ITEM_FIELDS = (
    "item_id",
    "concept_id",
    "stage",
    "country",
    "category",
    "writing_cluster",
    "answered",
    "value",
)
_TEXTS_OR_NONE = ("country", "category", "writing_cluster", "context")
_CHOICES = {
    "stage": STAGES,
    "answered": (OK, INVALID, MISSING),
    "mode": MODES,
    "setting": SETTINGS,
    "variant": VARIANTS,
}
# Ids of hidden items are random; see the dataset's docs.
_HIDDEN_ID = re.compile(r"s[123]-[0-9a-f]{16}")


def write_scored_records(path: str | os.PathLike[str], runs: Iterable[ScoredRun]) -> None:
    """Write the scored items of one run or several."""
    write_json_lines(path, (row for run in runs for row in _rows(run)))


def without_hidden(run: ScoredRun, public: Collection[str]) -> tuple[ScoredRun, int]:
    """The run without the items of the hidden test, and how many these were.

    Whether an answer was right tells much of the key, so that they stay back until the dataset itself has their keys.

    Args:
        public: item ids whose keys the dataset holds.
    """
    kept = [
        item for item in run.scored.items if item.item_id in public or not _HIDDEN_ID.fullmatch(item.item_id)
    ]
    n_hidden = len(run.scored.items) - len(kept)
    return ScoredRun(**{**vars(run), "scored": ScoredItems(kept, run.scored.n_set_aside)}), n_hidden


def is_scored_records(path: str | os.PathLike[str]) -> bool:
    """Whether the first line of a file is a scored record (and no prediction)."""
    if Path(path).is_dir():
        return False
    try:
        with open(path, encoding="utf-8-sig") as file:
            first = json.loads(next((line for line in file if line.strip()), "null"))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(first, dict) and "answered" in first and "value" in first


def read_scored_records(path: str | os.PathLike[str], selection: Selection) -> list[ScoredRun]:
    """The runs in a file of scored records, one a model, in one mode, setting and variant.

    Raises:
        InputError: a line is no scored record, was scored by another version of the metric, or contradicts another;
            or no record has the mode and setting, or the variant.
    """
    rows, faults = [], []
    for line, row in read_json_lines(path):
        found = list(_faults(row))
        faults += [f"{path}: line {line}: {fault}" for fault in found]
        if not found:
            rows.append(row)
    by_model: dict[str, dict[tuple, dict[str, Any]]] = {}
    for row in rows:
        key = (row["item_id"], row["mode"], row["setting"], row["variant"])
        known = by_model.setdefault(row["model"], {}).setdefault(key, row)
        if any(row[name] != known[name] for name in _ITEM_FIELDS):
            faults.append(f"{path}: {row['model']}, {row['item_id']}: two records that differ")
    if faults or not rows:
        raise InputError(faults or f"{path}: holds no scored records")
    return [_run(Path(path), model, list(kept.values()), selection) for model, kept in by_model.items()]


def _run(path: Path, model: str, rows: list[dict[str, Any]], selection: Selection) -> ScoredRun:
    stage_of = {row["item_id"]: row["stage"] for row in rows}
    kept = chosen(rows, stage_of, selection)
    wanted = (selection.mode, selection.setting)
    if not any((row["mode"], row["setting"]) == wanted for row in kept):
        raise InputError(nothing_chosen(path, rows, selection))
    items = [ScoredItem(**{name: row[name] for name in _ITEM_FIELDS}) for row in kept]
    said = {row["context"] for row in kept if row["mode"] == selection.mode} - {None}
    datasets = sorted({row["dataset"] for row in kept})
    return ScoredRun(
        model,
        ScoredItems(items),
        selection.mode,
        selection.setting,
        selection.variant,
        "+".join(sorted(said)) or None,
        "+".join(datasets),
        path=path,
    )


def _rows(run: ScoredRun) -> Iterator[dict[str, Any]]:
    for item in run.scored.items:
        yield {
            "dataset": run.dataset,
            "metric": VERSION,
            "model": run.model,
            "mode": "reset" if item.stage == "s1" else run.mode,
            "setting": run.setting if item.stage == "s3" else "full",
            "variant": run.variant,
            "context": run.context,
            **{name: getattr(item, name) for name in _ITEM_FIELDS},
        }


def _faults(row: Mapping[str, Any]) -> Iterator[str]:
    for name in ("dataset", "metric", "model", "item_id", "concept_id"):
        if not isinstance(row.get(name), str) or (name != "dataset" and not row[name]):
            yield f"{name}: expected a string"
    for name, allowed in _CHOICES.items():
        if row.get(name) not in allowed:
            yield f"{name}: expected one of {', '.join(allowed)}"
    for name in _TEXTS_OR_NONE:
        if name not in row or not isinstance(row[name], str | None):
            yield f"{name}: expected a string or null"
    value = row.get("value")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        yield "value: expected a number from 0 to 1"
    elif row.get("stage") in ("s1", "s2") and value not in (0, 1):
        yield "value: expected 0 or 1 at s1 and s2"
    elif value and row.get("answered") in (INVALID, MISSING):
        yield f"value: expected 0 for an answer that is {row['answered']}"
    if isinstance(row.get("metric"), str) and row["metric"].split(".")[0] != VERSION.split(".")[0]:
        yield f"metric: scored by version {row['metric']}, this is {VERSION}: score the predictions again"
