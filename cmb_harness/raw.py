"""The raw log of a run: every text that a model gave, kept before it is parsed.

``raw.jsonl`` is only ever appended to. A row holds its key (item_id, mode, setting, variant, truth), the stage, the
options as shown (names in S1, their number in S2), duration_s (S3), the text and a fingerprint of what was asked; the
last row of a key counts. Predictions are derived from it, so that ``cmb rescore`` needs nothing else.
"""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.parsing import parse_choice, parse_span
from cmb_harness.predictions import Key, row_key
from cmb_harness.prompts import STAGES

RAW_NAME = "raw.jsonl"


class RawLog:
    """An open ``raw.jsonl``: rows are on the disk when `append` returns.

    A last line that was cut off (the process was killed while writing) is no answer: it is removed on opening.
    """

    def __init__(self, path: str | os.PathLike[str]):
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        _drop_torn_line(self.path)
        self._file = self.path.open("a", encoding="utf-8", newline="")

    def append(self, row: Mapping[str, Any]) -> None:
        """Write one row and hand it to the operating system."""
        self._file.write(json.dumps(row, ensure_ascii=False) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> "RawLog":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def read_raw(path: str | os.PathLike[str]) -> dict[Key, dict[str, Any]]:
    """The last row of each key in a raw log; an empty dict where there is no log. A torn last line is passed over.

    Raises:
        InputError: a line in the middle is damaged, or a row lacks its key, stage or text.
    """
    file = Path(path)
    if not file.exists():
        return {}
    rows: dict[Key, dict[str, Any]] = {}
    faults = []
    content = file.read_bytes()
    lines = content.split(b"\n")
    for number, line in enumerate(lines, 1):
        torn = number == len(lines)
        if not line.strip() or torn:
            continue
        try:
            row = json.loads(line)
            if not isinstance(row["text"], str) or row["stage"] not in STAGES:
                raise ValueError("text or stage")
            rows[row_key(row)] = row
        except (ValueError, KeyError, TypeError) as error:
            faults.append(f"{file}: line {number}: not a row of a raw log ({error})")
    if faults:
        raise InputError(faults)
    return rows


def parse_raw(row: Mapping[str, Any]) -> dict[str, Any]:
    """The prediction that a raw row stands for: ``choice`` (S1, S2) or ``span`` (S3), and the parser's ``status``."""
    prediction = {name: row[name] for name in ("item_id", "mode", "setting", "variant")}
    if row.get("truth") is not None:
        prediction["truth"] = row["truth"]
    if row["stage"] == "s3":
        span, status = parse_span(row["text"], row.get("duration_s"))
        prediction["span"] = None if span is None else list(span)
    else:
        prediction["choice"], status = parse_choice(row["text"], row["options"])
    return {**prediction, "status": status, "raw": row["text"], "model": row.get("model")}


def predictions_of(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The predictions of raw rows, sorted by stage and key: the order in which answers came leaves no trace."""

    def order(row: Mapping[str, Any]) -> tuple[Any, ...]:
        item_id, mode, setting, variant, truth = row_key(row)
        return row["stage"], item_id, mode, setting, variant, -1 if truth is None else truth

    return [parse_raw(row) for row in sorted(rows, key=order)]


def _drop_torn_line(path: Path) -> None:
    if not path.exists():
        return
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        os.truncate(path, whole)
