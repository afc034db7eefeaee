"""``cmb score``: the metric over a run or a prediction file, printed with intervals and written as JSON."""

import argparse
import sys

HELP = "score predictions: accuracy, mIoU, c-S2, c-mIoU, Joint, cells, all with intervals"
EXAMPLE = "cmb score runs/signal-reader --dataset cmb --mode reset --json score.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cmb score``."""
    from cmb_harness.report.arguments import add_bootstrap_arguments, add_selection_arguments

    parser.add_argument(
        "runs", nargs="+", metavar="RUN|FILE", help="run folders or prediction files; several make one table"
    )
    add_selection_arguments(parser)
    parser.add_argument("--json", metavar="FILE", help="write the results here too")
    parser.add_argument("--cells", action="store_true", help="print countries, categories and clusters too")
    add_bootstrap_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Score, print, write."""
    from cmb_harness.files import write_json
    from cmb_harness.report.arguments import selection_of
    from cmb_harness.report.formats import to_text
    from cmb_harness.report.score_tables import models_table, score_tables
    from cmb_harness.statistics.scoring import (
        distinct_models,
        missing_stages,
        read_reference_set,
        read_run,
        rows_of,
        score_run,
    )

    references = read_reference_set(arguments.dataset, arguments.references)
    selection = selection_of(arguments)
    runs = distinct_models([read_run(path) for path in arguments.runs])
    results = [score_run(one, references, selection) for one in runs]
    for one in runs:
        for stage in missing_stages(rows_of(one, references, selection), references):
            print(f"cmb: {one.predictions.path}: no {stage} rows: each counts as missing", file=sys.stderr)
    if arguments.json:
        write_json(arguments.json, results[0] if len(results) == 1 else results)
    single = len(results) == 1
    tables = score_tables(results[0], cells=arguments.cells) if single else [models_table(results)]
    sys.stdout.write(to_text(tables))
    return 0
