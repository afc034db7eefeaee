"""``cmb region``: check a region file."""

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cmb_harness.construction.concepts import Concept
    from cmb_harness.records import Region

HELP = "check a region file: countries, categories, ambiguity groups, cap, seeds and cuts"
EXAMPLE = "cmb region check"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cmb region``."""
    jobs = parser.add_subparsers(dest="job", metavar="JOB", required=True)
    check = jobs.add_parser("check", help="tell every fault at once, or sum the region up")
    check.add_argument(
        "region", nargs="?", type=Path, metavar="FILE", help="a region file; Southeast Asia if not given"
    )
    check.add_argument(
        "--concepts",
        type=Path,
        metavar="FILE",
        help="a concept table: its ids must be the region's, and hold every concept of an ambiguity group",
    )


def run(arguments: argparse.Namespace) -> int:
    """Check the region and print what it holds."""
    from cmb_harness.construction.concepts import read_concepts
    from cmb_harness.construction.region import inventory_path, region_faults
    from cmb_harness.faults import InputError
    from cmb_harness.records import read_region

    region = read_region(arguments.region)
    table = arguments.concepts or (inventory_path() if arguments.region is None else None)
    concepts = read_concepts(table, region) if table else None
    faults = region_faults(region, concepts)
    if faults:
        raise InputError(f"{arguments.region or region.name}: {fault}" for fault in faults)
    print("\n".join(summary(region, concepts)))
    return 0


def summary(region: "Region", concepts: Sequence["Concept"] | None) -> list[str]:
    """What a region holds, as lines of text."""
    clusters = Counter(country.writing_cluster for country in region.countries)
    lines = [
        f"region            {region.name}",
        f"countries         {', '.join(country.code for country in region.countries)}"
        f" ({', '.join(f'{n} {cluster}' for cluster, n in sorted(clusters.items()))})",
        f"categories        {', '.join(region.categories)}",
        f"ambiguity groups  {len(region.ambiguity_groups)}",
        f"cap               {region.cap:g}",
    ]
    if concepts is not None:
        lines.append(f"concepts          {len(concepts)} in the table; every group's are among them")
    return lines
