"""``cmb check``: read records, tell every fault, or sum up what they hold."""

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from cmb_dataset import Record

HELP = "check records: every fault of every file at once, or a summary"
EXAMPLE = "cmb check example/records.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cmb check``."""
    parser.add_argument(
        "records", type=Path, metavar="RECORDS", help="a JSON list, JSON Lines, or a folder of them"
    )
    parser.add_argument(
        "--region", type=Path, metavar="FILE", help="a region file; Southeast Asia if not given"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the summary; faults are raised and end with 1."""
    from cmb_harness.records import read_records, read_region

    region = read_region(arguments.region)
    records = read_records(arguments.records, region)
    print("\n".join(summary(records, [country.code for country in region.countries], region.categories)))
    return 0


def summary(records: Sequence[Record], countries: Sequence[str], categories: Sequence[str]) -> list[str]:
    """What records hold, as lines of text.

    Args:
        countries, categories: of the region, in its order; those without a concept are left out.
    """
    pairs = sum(len(record.s3_pairs) for record in records)
    videos = {pair.video_url for record in records for pair in record.s3_pairs}
    known = {record.concept_id for record in records}
    unknown = {name for record in records for name in record.s1_option_concept_ids or ()} - known
    lines = [
        f"concepts               {len(records)}",
        f"S3 pairs               {pairs} on {len(videos)} videos",
        f"concepts without pair  {sum(not record.s3_pairs for record in records)}",
        f"countries              {_counts([record.country for record in records], countries)}",
        f"categories             {_counts([record.category for record in records], categories)}",
    ]
    extra = Counter(name for record in records for name in record.extra)
    if extra:
        named = ", ".join(f"{name} ({count})" for name, count in sorted(extra.items()))
        lines.append(f"fields that are no part of the format, kept as they are: {named}")
    if unknown:
        lines.append(f"option concepts that have no record here: {', '.join(sorted(unknown))}")
    return lines


def _counts(values: Sequence[str], order: Sequence[str]) -> str:
    return ", ".join(f"{name} {values.count(name)}" for name in order if name in values)
