"""The raw texts of a run, parsed again: new predictions from old answers, and what became of each."""

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.files import write_json_lines
from cmb_harness.parsing import STATUSES
from cmb_harness.predictions import Key, Predictions, read_predictions, row_key
from cmb_harness.raw import RAW_NAME, predictions_of, read_answers

PREDICTIONS_NAME = "predictions.jsonl"

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Change:
    """One answer that is read differently now.

    Attributes:
        stage: its stage.
        before: the prediction row as it was; None if there was none.
        after: the row as it is now.
    """

    stage: str
    before: Row | None
    after: Row


@dataclass(frozen=True)
class Rescored:
    """What parsing again gives.

    Attributes:
        rows: the predictions, as the run would write them, and then those that the raw log does not know.
        changes: the answers that are read differently, in the order of the rows.
        counts: how many answers have each (stage, status).
        kept: how many predictions were kept since the raw log does not know them.
        damage: why the old predictions could not be read, one line a fault; empty if they could.
    """

    rows: list[Row]
    changes: list[Change]
    counts: Counter[tuple[str, str]]
    kept: int
    damage: list[str]


def rescore(folder: str | os.PathLike[str], *, write: bool = True) -> Rescored:
    """Parse the raw log of a run folder again and write its predictions anew.

    Args:
        folder: the run folder; its ``raw.jsonl`` is read and not changed.
        write: False leaves ``predictions.jsonl`` as it is.

    Raises:
        InputError: there is no raw log, it is damaged, or it holds no answers; nothing is written.
    """
    raw = Path(folder) / RAW_NAME
    if not raw.exists():
        raise InputError(f"{raw}: there is no such file; expected a run folder, as cmb run writes it")
    answers = read_answers(raw)
    if not answers.current:
        raise InputError(f"{raw}: holds no answers")
    old, damage = _old_predictions(Path(folder) / PREDICTIONS_NAME)
    rescored = _compare(answers.current, {key for key, _ in answers.known}, old, damage)
    if write:
        header = [{"header": old.header}] if old.header else []
        write_json_lines(Path(folder) / PREDICTIONS_NAME, [*header, *rescored.rows])
    return rescored


def report(rescored: Rescored, *, show: int) -> list[str]:
    """What ``cmb rescore`` prints, line by line: at most ``show`` changes, then the counts by stage and status."""
    changes = rescored.changes
    lines = [f"{len(changes)} of {len(rescored.rows) - rescored.kept} answers are read differently"]
    lines += [
        f"  {_key_of(change.after)}: {_answer(change.before)} → {_answer(change.after)}"
        for change in changes[:show]
    ]
    if len(changes) > show:
        lines.append(f"  … and {len(changes) - show} more (--show)")
    if rescored.kept:
        lines.append(f"{rescored.kept} predictions are not in the raw log; they stay as they are")
    return [*lines, "", *_status_table(rescored.counts)]


def _key_of(row: Row) -> str:
    return " ".join(
        str(row[name]) for name in ("item_id", "mode", "setting", "variant", "truth") if name in row
    )


def _answer(row: Row | None) -> str:
    """The answer of a prediction row in a few words: "C", "12.5-20 s", or its status."""
    if row is None:
        return "no row"
    if row.get("choice") is not None:
        return chr(ord("A") + row["choice"])
    if row.get("span"):
        return f"{row['span'][0]:g}-{row['span'][1]:g} s"
    return row.get("status") or "no answer"


def _status_table(counts: Mapping[tuple[str, str], int]) -> list[str]:
    stages = sorted({stage for stage, _ in counts})
    rows = [[stage, *(str(counts.get((stage, status), 0)) for status in STATUSES)] for stage in stages]
    table = [["stage", *STATUSES], *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in table]


def _old_predictions(path: Path) -> tuple[Predictions, list[str]]:
    if not path.exists():
        return Predictions([]), []
    try:
        return read_predictions(path), []
    except InputError as error:
        return Predictions([]), error.faults


def _compare(current: Mapping[Key, Row], known: set[Key], old: Predictions, damage: list[str]) -> Rescored:
    before = {row_key(row): row for row in old.rows}
    rows: list[Row] = [{**before.get(row_key(row), {}), **row} for row in predictions_of(current.values())]
    stages = {key: row["stage"] for key, row in current.items()}
    changes = [
        Change(stages[row_key(row)], before.get(row_key(row)), row)
        for row in rows
        if _read_differently(before.get(row_key(row)), row)
    ]
    kept = [row for key, row in before.items() if key not in known and key not in current]
    counts = Counter((stages[row_key(row)], row["status"]) for row in rows)
    return Rescored([*rows, *kept], changes, counts, len(kept), damage)


def _read_differently(before: Row | None, after: Row) -> bool:
    return before is None or any(before.get(name) != after.get(name) for name in ("choice", "span", "status"))
