"""Arguments that the commands about results share, and what becomes of the results."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def add_selection_arguments(parser: argparse.ArgumentParser, *, several_manifests: bool = False) -> None:
    """What is scored against what."""
    from cmb_harness.predictions import MODES, SETTINGS, VARIANTS

    parser.add_argument("--dataset", metavar="DIR", help="the folder that cmb build wrote")
    parser.add_argument(
        "--references",
        metavar="FILE",
        help="JSON Lines of reference rows, scored against instead of the dataset's",
    )
    parser.add_argument("--mode", required=True, choices=MODES, help="S1's rows are reset in every mode")
    parser.add_argument("--setting", choices=SETTINGS, default="full", help="what S3's videos kept")
    parser.add_argument("--variant", choices=VARIANTS, default="common_latin", help="which names were shown")
    if several_manifests:
        help_text = (
            "a cache's manifest, or one for each run in order: compare on the items that all could see"
        )
        parser.add_argument("--available", action="append", default=[], metavar="MANIFEST", help=help_text)
    else:
        help_text = "a cache's manifest: score the items whose videos it has, too"
        parser.add_argument("--available", metavar="MANIFEST", help=help_text)


def add_bootstrap_arguments(parser: argparse.ArgumentParser) -> None:
    """How intervals are drawn."""
    parser.add_argument("--resamples", type=int, default=10_000, metavar="N", help="bootstrap resamples")
    parser.add_argument("--seed", type=int, default=42, help="of the bootstrap")
    parser.add_argument("--confidence", type=float, default=0.95, metavar="LEVEL", help="of the intervals")


def add_output_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the results go besides the terminal."""
    parser.add_argument("--json", metavar="FILE", help="write the results as JSON")
    parser.add_argument(
        "--out",
        action="append",
        default=[],
        metavar="FILE",
        help="write the tables: FILE ends in .csv, .md, .tex or .txt (may be repeated)",
    )


def write_output(arguments: argparse.Namespace, tables: Sequence[Any], results: Any) -> None:
    """Write what was asked for, and print the tables.

    Raises:
        InputError: a file of a format that is none; nothing is written then.
    """
    from cmb_harness.faults import InputError
    from cmb_harness.files import write_json, write_whole
    from cmb_harness.report.formats import WRITERS, to_text

    wrong = [name for name in arguments.out if Path(name).suffix not in WRITERS]
    if wrong:
        raise InputError(
            [f"--out {name}: expected a name that ends in {', '.join(WRITERS)}" for name in wrong]
        )
    if arguments.json:
        write_json(arguments.json, results)
    for name in arguments.out:
        with write_whole(name) as file:
            file.write(WRITERS[Path(name).suffix](tables))
    sys.stdout.write(to_text(tables))


def selection_of(arguments: argparse.Namespace, **changes: Any) -> Any:
    """The `Selection` that the arguments say, with ``changes``.

    Raises:
        InputError: a number of resamples, a seed or a level that cannot be meant.
    """
    from cmb_harness.faults import InputError
    from cmb_harness.statistics.scoring import Selection
    from cmb_metric.validation import MetricError, check_settings

    chosen = {
        "mode": arguments.mode,
        "setting": getattr(arguments, "setting", "full"),
        "variant": getattr(arguments, "variant", "common_latin"),
        "n_resamples": arguments.resamples,
        "seed": arguments.seed,
        "confidence_level": arguments.confidence,
    } | changes
    try:
        check_settings(chosen["mode"], arguments.resamples, arguments.seed, arguments.confidence)
    except MetricError as error:
        raise InputError(str(error)) from None
    return Selection(**chosen)
