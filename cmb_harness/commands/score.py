"""``cmb score``: the metric over a run or a prediction file, printed with intervals and written as JSON."""

import argparse
import sys
from typing import Any

HELP = "score predictions: accuracy, mIoU, c-S2, c-mIoU, Joint, cells, all with intervals"
EXAMPLE = "cmb score runs/signal-reader --dataset cmb --mode reset --json score.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cmb score``."""
    from cmb_harness.report.arguments import (
        add_bootstrap_arguments,
        add_output_arguments,
        add_selection_arguments,
    )

    parser.add_argument(
        "runs",
        nargs="+",
        metavar="RUN|FILE",
        help="run folders, prediction files or scored records; several models make one table",
    )
    add_selection_arguments(parser)
    parser.add_argument("--cells", action="store_true", help="print countries, categories and clusters too")
    parser.add_argument("--scored", metavar="FILE", help="write what each answer was worth here (no keys)")
    add_output_arguments(parser)
    add_bootstrap_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Score, print, write."""
    from cmb_harness.report.arguments import selection_of, write_output
    from cmb_harness.report.score_tables import available_table, definitions, models_table, score_tables
    from cmb_harness.statistics.loading import load_runs
    from cmb_harness.statistics.scoring import result_of, silent_stages

    selection = selection_of(arguments)
    runs, _ = load_runs(arguments.runs, selection, dataset=arguments.dataset, references=arguments.references)
    for one in runs:
        for stage in silent_stages(one):
            print(f"cmb: {one.path}: no answer at {stage}: each item counts as missing", file=sys.stderr)
    results = [result_of(one, selection) for one in runs]
    if arguments.available:
        results = [
            result | {"available": _availability(one, arguments, selection)}
            for one, result in zip(runs, results, strict=True)
        ]
    if arguments.scored:
        _write_scored(runs, arguments)
    single = len(results) == 1
    tables = score_tables(results[0], cells=arguments.cells) if single else [models_table(results)]
    tables += [available_table(result) for result in results if "available" in result]
    written = [result | {"definitions": definitions()} for result in results]
    write_output(arguments, tables, written[0] if single else written)
    return 0


def _availability(one: Any, arguments: argparse.Namespace, selection: Any) -> dict[str, Any]:
    from cmb_harness.dataset import read_dataset
    from cmb_harness.faults import InputError
    from cmb_harness.statistics.available import available_items, media_of_items, restricted
    from cmb_harness.statistics.scoring import result_of
    from cmb_metric.availability import bounds

    if not arguments.dataset:
        raise InputError("--available: needs --dataset, which names the videos of the items")
    item_ids = [item.item_id for item in one.scored.items]
    kept = available_items(
        arguments.available, media_of_items(read_dataset(arguments.dataset).rows), item_ids
    )
    there = restricted(one, kept, f"available {len(kept)} of {len(item_ids)} items")
    return {
        "manifest": str(arguments.available),
        "n_items": len(kept),
        "n_all_items": len(item_ids),
        "bounds": {
            name: None if ends is None else list(ends) for name, ends in bounds(one.scored, kept).items()
        },
        "result": result_of(there, selection),
    }


def _write_scored(runs: Any, arguments: argparse.Namespace) -> None:
    from cmb_harness.statistics.scored_records import without_hidden, write_scored_records
    from cmb_harness.statistics.scoring import read_reference_set

    public = set()
    if arguments.dataset:
        own = read_reference_set(arguments.dataset)
        public = {row["item_id"] for row in own.rows if row["answer"] is not None or row["span"]}
    kept = [without_hidden(one, public) for one in runs]
    for one, n_hidden in kept:
        if n_hidden:
            print(f"cmb: {one.model}: {n_hidden} items of the hidden test stay back", file=sys.stderr)
    write_scored_records(arguments.scored, [one for one, _ in kept])
