"""``cmb conditional``: feedback predictions out of answers that were given under every possible truth."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from cmb_harness.faults import InputError

Row = Mapping[str, Any]

HELP = "turn the rows of cmb run --truth all into feedback predictions, given the keys"
EXAMPLE = "cmb conditional runs/conditional --dataset cmb --out feedback.jsonl"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cmb conditional``."""
    parser.add_argument("run_or_file", metavar="RUN|FILE", help="a run folder, or a prediction file")
    parser.add_argument("--dataset", required=True, metavar="DIR", help="the folder that cmb build wrote")
    parser.add_argument("--references", metavar="FILE", help="keys of items that are hidden in the dataset")
    parser.add_argument("--out", required=True, metavar="FILE", help="the feedback predictions, JSON Lines")


def run(arguments: argparse.Namespace) -> int:
    """Choose the rows and write them; exit 1 when not one can be chosen."""
    from cmb_harness.dataset import read_dataset
    from cmb_harness.files import write_json_lines
    from cmb_harness.predictions import read_predictions
    from cmb_harness.statistics.scoring import read_reference_set

    predictions = read_predictions(arguments.run_or_file)
    references = read_reference_set(arguments.dataset, arguments.references)
    keys = {
        row["item_id"]: row["answer"]
        for row in references.rows
        if row["stage"] != "s3" and isinstance(row.get("answer"), int)
    }
    before = earlier_items(read_dataset(arguments.dataset).rows)
    if not any(row.get("truth") is not None for row in predictions.rows):
        raise InputError(f"{predictions.path}: holds no rows with truth: make them with cmb run --truth all")
    rows, without_key = feedback_rows(predictions.rows, before, keys)
    if without_key:
        print(
            f"cmb: left out: the rows of {without_key} items whose earlier stage has no key", file=sys.stderr
        )
    if not any(row["mode"] == "feedback" for row in rows):
        raise InputError("not one feedback row could be chosen: give the keys with --references")
    write_json_lines(arguments.out, rows)
    counts = Counter(row["mode"] for row in rows)
    print(f"{arguments.out}: {counts['feedback']} feedback rows, {counts['reset']} rows of s1")
    return 0


def earlier_items(rows: Mapping[str, Mapping[str, Iterable[Row]]]) -> dict[str, str]:
    """item_id → the item of the stage before, of every S2 and S3 item of a dataset."""
    links = {"s2": "s1_item_id", "s3": "s2_item_id"}
    return {
        row["item_id"]: row[link]
        for stage, link in links.items()
        for part in rows[stage].values()
        for row in part
        if row.get(link)
    }


def feedback_rows(
    rows: Iterable[Row], before: Mapping[str, str], keys: Mapping[str, int]
) -> tuple[list[dict[str, Any]], int]:
    """What a direct feedback run would have predicted.

    Args:
        rows: prediction rows; of S2 and S3 those with ``truth`` alone are looked at.
        before: item_id → the item of the stage before.
        keys: item_id → the key of S1 and S2 items.

    Returns:
        S1's rows, and of S2 and S3 those of the real truth, without ``truth``; and the number of items that were left
        out because the key of the stage before is not known.
    """
    from cmb_harness.shared_task.conditional import real_rows

    supposing = [row for row in rows if row["item_id"] not in before or row.get("truth") is not None]
    known = [row for row in supposing if row["item_id"] not in before or before[row["item_id"]] in keys]
    left_out = {row["item_id"] for row in supposing} - {row["item_id"] for row in known}
    chosen = real_rows(known, "feedback", before, keys)
    return [{name: value for name, value in row.items() if name != "truth"} for row in chosen], len(left_out)
