"""``cmb example``: write the example release."""

import argparse

HELP = "write the example release: 64 concepts, their questions, and synthetic videos"
EXAMPLE = "cmb example example"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cmb example``."""
    parser.add_argument("directory", metavar="DIR", help="a new folder, or one of cmb example to complete")
    parser.add_argument("--no-videos", action="store_true", help="write the texts alone")


def run(arguments: argparse.Namespace) -> int:
    """Write the example, or what is missing of it."""
    from cmb_harness.example import write_example

    written = write_example(arguments.directory, videos=not arguments.no_videos, progress=True)
    print(
        f"{arguments.directory}: {written.concepts} concepts, {written.pairs} pairs; "
        f"{written.made + written.kept} videos, {written.made} of them new, {written.video_bytes / 1e6:.1f} MB"
    )
    print("This is an unreviewed example, not CMB.")
    return 0
