"""``cmb compare``: the differences between models, paired in the same resamples, and the ranks that they allow."""

import argparse
import sys
from typing import Any

HELP = "compare models: paired differences, ranges of ranks, cells, orders"
EXAMPLE = "cmb compare runs/signal-reader runs/chance --dataset cmb --mode reset --json compare.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cmb compare``."""
    from cmb_harness.report.arguments import (
        add_bootstrap_arguments,
        add_output_arguments,
        add_selection_arguments,
    )

    parser.add_argument(
        "runs", nargs="+", metavar="RUN", help="run folders, prediction files or scored records"
    )
    add_selection_arguments(parser, several_manifests=True)
    parser.add_argument("--holm", action="store_true", help="correct p for the number of pairs (Holm)")
    add_output_arguments(parser)
    add_bootstrap_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Compare, print, write."""
    from cmb_harness.report.arguments import selection_of, write_output
    from cmb_harness.report.compare_tables import compare_tables
    from cmb_harness.report.score_tables import definitions
    from cmb_harness.statistics.comparing import compare_runs, disagreements
    from cmb_harness.statistics.loading import load_runs

    selection = selection_of(arguments)
    runs, _ = load_runs(arguments.runs, selection, dataset=arguments.dataset, references=arguments.references)
    if arguments.available:
        runs = _seen_by_all(runs, arguments)
    for warning in disagreements(runs):
        print(f"cmb: {warning}", file=sys.stderr)
    compared = compare_runs(runs, selection, holm=arguments.holm)
    write_output(arguments, compare_tables(compared), compared | {"definitions": definitions()})
    return 0


def _seen_by_all(runs: list[Any], arguments: argparse.Namespace) -> list[Any]:
    """The runs on the items that all of them could see: one manifest for all, or one a run in the same order."""
    from cmb_harness.dataset import read_dataset
    from cmb_harness.faults import InputError
    from cmb_harness.statistics.available import available_items, media_of_items, restricted

    manifests = arguments.available
    if len(manifests) not in (1, len(runs)):
        raise InputError(
            f"--available: {len(manifests)} manifests for {len(runs)} runs: expected one, or one each"
        )
    if not arguments.dataset:
        raise InputError("--available: needs --dataset, which names the videos of the items")
    media = media_of_items(read_dataset(arguments.dataset).rows)
    item_ids = [item.item_id for item in runs[0].scored.items]
    kept = frozenset(item_ids)
    for manifest in manifests:
        kept &= available_items(manifest, media, item_ids)
    return [restricted(one, kept, f"available to all {len(kept)} of {len(item_ids)} items") for one in runs]
