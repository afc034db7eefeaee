"""``cmb rescore``: parse the kept texts of a run again and write its predictions anew."""

import argparse
import sys

HELP = "parse the kept texts of a run again, and say what changed"
EXAMPLE = "cmb rescore runs/signal-reader"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cmb rescore``."""
    parser.add_argument(
        "run_folder", metavar="RUN", help="a run folder; its raw.jsonl is read, and not changed"
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would change, and write nothing")
    parser.add_argument(
        "--show", type=_count, default=20, metavar="N", help="list at most N changes (default: 20)"
    )


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text}: expected a whole number from 0 on")
    return int(text)


def run(arguments: argparse.Namespace) -> int:
    """Parse, write, tell."""
    from cmb_harness.rescore import report, rescore

    rescored = rescore(arguments.run_folder, write=not arguments.dry_run)
    for fault in rescored.damage:
        print(f"cmb: {fault}", file=sys.stderr)
    if rescored.damage:
        print("cmb: the old predictions cannot be read; all were made anew from the raw log", file=sys.stderr)
    for line in report(rescored, show=arguments.show):
        print(line)
    return 0
