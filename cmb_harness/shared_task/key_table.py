"""The key table: read after everything that is told without it, and checked without telling what is in it."""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cmb_harness.faults import InputError
from cmb_harness.files import read_json
from cmb_harness.shared_task.asked import Asked, Row
from cmb_harness.shared_task.conditional import truth_of_naming


def read_secrets(path: str | os.PathLike[str]) -> list[Any]:
    """The reference rows of a secrets file.

    Raises:
        InputError: the file cannot be read or has none: ``cmb build`` has not put them in yet.
    """
    value = read_json(path)
    rows = value.get("references") if isinstance(value, dict) else None
    if not isinstance(rows, list) or not rows:
        raise InputError(f"{path}: references: expected the key table that cmb build --secrets writes")
    return rows


def keys_for(references: Iterable[Any], asked: Asked, stages: Iterable[str]) -> dict[str, Row]:
    """item_id → reference row, of every item of ``stages`` in the split that ``asked`` is of.

    Args:
        references: rows ``{item_id, concept_id, stage, country, category, writing_cluster, answer, span}``; others
            than those asked for are left aside.

    Raises:
        InputError: an item has no key, or the keys and the dataset were not built together. Says how many, not which.
    """
    known = {row["item_id"]: row for row in references if isinstance(row, dict) and "item_id" in row}
    wanted = [row for stage in stages for row in asked.rows[stage]]
    lacking = sum(not _has_key(known.get(row["item_id"])) for row in wanted)
    if lacking:
        raise InputError(
            f"secrets: {lacking} of {len(wanted)} items have no key: build the dataset of this phase with these "
            "secrets first"
        )
    if not all(_names_fit(asked, known)):
        raise InputError(
            "secrets: the keys of S1 are not the names that S3 states: dataset and secrets differ"
        )
    return {row["item_id"]: known[row["item_id"]] for row in wanted}


def earlier_items(asked: Asked) -> dict[str, str]:
    """item_id → the item of the stage before, of S2 and S3 items."""
    return {row["item_id"]: row["s1_item_id"] for row in asked.rows["s2"]} | {
        row["item_id"]: row["s2_item_id"] for row in asked.rows["s3"]
    }


def _has_key(row: Row | None) -> bool:
    if row is None:
        return False
    if row.get("stage") == "s3":
        span = row.get("span")
        return isinstance(span, list) and len(span) == 2
    return row.get("answer") in (0, 1, 2, 3)


def _names_fit(asked: Asked, known: Mapping[str, Row]) -> Iterator[bool]:
    """For each S3 row whether the name that it states is the key of its S1 item."""
    options = {row["item_id"]: row["options"] for row in asked.rows["s1"]}
    before = earlier_items(asked)
    for row in asked.rows["s3"]:
        s1_id = before.get(before[row["item_id"]], "")
        try:
            named = truth_of_naming(options.get(s1_id, []), row["concept_name"])
        except ValueError:
            yield False
        else:
            yield known.get(s1_id, {}).get("answer") == named
