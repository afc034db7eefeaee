"""Rows that no model made: chance, and what the form of the items gives away. A score is read beside them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cmb_harness.predictions import MODES
from cmb_harness.report.tables import Cell, Number, Table
from cmb_harness.shared_task.asked import Asked
from cmb_harness.shared_task.structure import baselines, random_span_iou
from cmb_harness.statistics.scoring import STAGES
from cmb_metric import span_iou

Row = Mapping[str, Any]
Rows = Mapping[str, Sequence[Row]]
# name → statistic → value between 0 and 1.
Baselines = Mapping[str, Mapping[str, float | None]]

CHANCE_ALONE: Baselines = {"chance": {"s1_accuracy": 0.25, "s2_accuracy": 0.25}}
LABEL = "baseline: "
DEFINITIONS = {
    "chance": "expected for a uniform option, and for two uniform times in order",
    "one-to-one": "each option once over all items, otherwise at random",
    "one-to-one-with-countries": "the same, by someone who knows which country a name is from",
    "moments-by-name": "S2, by someone who knows the right name: the moment that occurs with it most often",
    "centre-span": "S3, the middle third of the video",
    "whole-video": "S3, the whole video",
}


def no_model_baselines(rows: Rows) -> Baselines:
    """The baselines over the public items of a dataset (`cmb_harness.shared_task.structure.baselines`).

    Args:
        rows: stage → rows with keys. Where S1 or S2 is missing, chance alone is known.
    """
    joined = {row["s1_item_id"] for row in rows["s2"]}
    if not rows["s1"] or {row["item_id"] for row in rows["s1"]} != joined:
        return CHANCE_ALONE
    key = {row["item_id"]: row for stage in STAGES for row in rows[stage]}
    asked = Asked("development", rows, STAGES, frozenset())
    return baselines(asked, key, STAGES if rows["s3"] else STAGES[:2])


def span_baselines(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """S3 without a model, by category and ``overall``: name → code → mIoU. Only pairs of known video length count."""
    known = [row for row in rows if row.get("duration_s")]
    if not known:
        return {}
    spans = np.array([row["span"] for row in known], dtype=float)
    lengths = np.array([row["duration_s"] for row in known], dtype=float)
    guesses = {
        "chance": random_span_iou(spans, lengths),
        "centre-span": span_iou(np.stack([lengths / 3, 2 * lengths / 3], axis=1), spans),
        "whole-video": span_iou(np.stack([0 * lengths, lengths], axis=1), spans),
    }
    categories = np.array([row["category"] for row in known])
    groups = {code: categories == code for code in dict.fromkeys(categories.tolist())}
    groups["overall"] = np.ones(len(known), dtype=bool)
    return {
        name: {code: float(values[at].mean()) for code, at in groups.items()}
        for name, values in guesses.items()
    }


def label(baseline: str) -> str:
    """Of a baseline's row; a user's model may be called ``chance`` too."""
    return f"{LABEL}{baseline}"


def baseline_number(name: str, value: float | None) -> Cell:
    """A baseline's value as a cell; empty where it has none."""
    return "" if value is None else Number(value, definition=DEFINITIONS.get(name, name))


def with_rows(table: Table, rows: Sequence[Sequence[Cell]]) -> Table:
    """The table with further rows at its end."""
    return Table(
        table.name,
        table.title,
        table.columns,
        [*table.rows, *rows],
        table.notes,
        table.signature,
        table.stacked,
    )


def in_overall(table: Table, found: Baselines) -> Table:
    """Table 2 with its baselines: what looks at nothing is the same in every mode."""
    names = {"S1": "s1_accuracy", "S2": "s2_accuracy", "mIoU": "s3_miou", "Joint": "joint"}
    rows = []
    for baseline, values in found.items():
        wanted = [names[_without_mode(column)] for column in table.columns[1:]]
        rows.append([label(baseline), *(baseline_number(baseline, values.get(name)) for name in wanted)])
    return with_rows(table, rows)


def in_columns(table: Table, found: Baselines, names: Mapping[str, str]) -> Table:
    """A table of one row a model with one row a baseline; those without any value are left out.

    Args:
        names: column → the statistic that a baseline has there.
    """
    rows: list[list[Cell]] = []
    for baseline, values in found.items():
        cells = [baseline_number(baseline, values.get(names.get(column, ""))) for column in table.columns[1:]]
        if any(cell != "" for cell in cells):
            rows.append([label(baseline), *cells])
    return with_rows(table, rows)


def in_cells(table: Table, found: Baselines, name: str, n_models: int) -> Table:
    """A table of one column a model: each baseline of the statistic as a row, the same under every model."""
    rows = [
        [label(baseline), "", *[baseline_number(baseline, values[name])] * n_models]
        for baseline, values in found.items()
        if values.get(name) is not None
    ]
    return with_rows(table, rows)


def _without_mode(column: str) -> str:
    head, _, last = column.rpartition(" ")
    return head if last in MODES else column
