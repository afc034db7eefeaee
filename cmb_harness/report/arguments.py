"""Arguments that the commands about results share."""

import argparse
from typing import Any


def add_selection_arguments(parser: argparse.ArgumentParser) -> None:
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


def add_bootstrap_arguments(parser: argparse.ArgumentParser) -> None:
    """How intervals are drawn."""
    parser.add_argument("--resamples", type=int, default=10_000, metavar="N", help="bootstrap resamples")
    parser.add_argument("--seed", type=int, default=42, help="of the bootstrap")
    parser.add_argument("--confidence", type=float, default=0.95, metavar="LEVEL", help="of the intervals")


def selection_of(arguments: argparse.Namespace, **changes: Any) -> Any:
    """The `Selection` that the arguments say, with ``changes``.

    Raises:
        InputError: a number of resamples, a seed or a level that cannot be meant.
    """
    from cmb_harness.faults import InputError
    from cmb_harness.statistics.scoring import Selection
    from cmb_metric.validation import MetricError, check_settings

    try:
        check_settings(arguments.mode, arguments.resamples, arguments.seed, arguments.confidence)
    except MetricError as error:
        raise InputError(str(error)) from None
    chosen = {
        "mode": arguments.mode,
        "setting": arguments.setting,
        "variant": arguments.variant,
        "n_resamples": arguments.resamples,
        "seed": arguments.seed,
        "confidence_level": arguments.confidence,
    }
    return Selection(**(chosen | changes))
