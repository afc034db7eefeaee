"""``cmb questions``: concepts and their distractors to records."""

import argparse
from pathlib import Path

HELP = "make records, with S1 and S2 options in balanced, seeded orders, of concepts and a sample"
EXAMPLE = (
    "cmb questions example/concepts.csv example/sample.json --split example/split.json --out records.json"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cmb questions``."""
    parser.add_argument("concepts", type=Path, metavar="CONCEPTS", help="a concept table, CSV or JSON")
    parser.add_argument("sample", type=Path, metavar="SAMPLE", help="from cmb sample")
    parser.add_argument("--out", required=True, type=Path, metavar="RECORDS", help="the records, JSON")
    parser.add_argument("--split", type=Path, metavar="FILE", help="from cmb split, as given to cmb sample")
    parser.add_argument(
        "--region", type=Path, metavar="FILE", help="a region file; Southeast Asia if not given"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the records."""
    from cmb_harness.construction.concepts import read_concepts
    from cmb_harness.construction.inputs import read_sample, read_train
    from cmb_harness.construction.questions import make_records
    from cmb_harness.files import write_json
    from cmb_harness.records import read_region

    region = read_region(arguments.region)
    concepts = read_concepts(arguments.concepts, region, needs=("description", "video_A_url"))
    records = make_records(
        concepts,
        read_sample(arguments.sample, concepts, ("distractors",)),
        region.writing_clusters,
        train=read_train(arguments.split, concepts),
        seeds=region.seeds,
    )
    write_json(arguments.out, [record.as_json() for record in records])
    pairs = sum(len(record.s3_pairs) for record in records)
    print(f"{arguments.out}: {len(records)} records, {pairs} S3 pairs")
    return 0
