"""``cmb sample``: three distractors for every concept."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cmb_harness.construction.statistics import PoolReport

HELP = "draw the distractors of every concept: the paper's sampler, or blocks of four"
EXAMPLE = "cmb sample example/concepts.csv --sampler block --split example/split.json --out sample.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cmb sample``."""
    parser.add_argument("concepts", type=Path, metavar="CONCEPTS", help="a concept table, CSV or JSON")
    parser.add_argument(
        "--sampler",
        required=True,
        choices=("bswa", "block"),
        help="bswa: Algorithm 1 of the paper; block: blocks whose structure gives nothing away",
    )
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="the sample")
    parser.add_argument(
        "--split", type=Path, metavar="FILE", help="from cmb split: options come from a concept's own side"
    )
    parser.add_argument(
        "--similarity",
        default="light",
        metavar="light|sbert|FILE",
        help="shared letter sequences (the default, no download), Sentence-BERT, or a matrix (.npy, .csv)",
    )
    parser.add_argument("--model", metavar="DIR", help="sbert: the weights; else an installed package")
    parser.add_argument("--cache", metavar="DIR", help="sbert: where to keep vectors for the next time")
    parser.add_argument("--seed", type=int, default=0, help="of the search for blocks (0)")
    parser.add_argument("--report", type=Path, metavar="FILE", help="also write the report as JSON")
    parser.add_argument(
        "--region", type=Path, metavar="FILE", help="a region file; Southeast Asia if not given"
    )


def run(arguments: argparse.Namespace) -> int:
    """Write the sample and print what the sampler did."""
    import sys

    from cmb_harness.construction.concepts import read_concepts
    from cmb_harness.construction.inputs import load_similarity, read_train
    from cmb_harness.construction.sampling import sample_concepts
    from cmb_harness.files import write_json
    from cmb_harness.records import read_region

    region = read_region(arguments.region)
    concepts = read_concepts(arguments.concepts, region)
    sampled = sample_concepts(
        concepts,
        load_similarity(arguments.similarity, concepts, model=arguments.model, cache=arguments.cache),
        sampler=arguments.sampler,
        ambiguity_groups=region.ambiguity_groups,
        cap=region.cap,
        seed=arguments.seed,
        train=read_train(arguments.split, concepts),
    )
    absent = sorted({name for group in region.ambiguity_groups for name in group} - set(sampled.sample))
    if absent:
        shown = ", ".join(absent[:5]) + (", …" if len(absent) > 5 else "")
        print(
            f"cmb: note: ambiguity groups also name {len(absent)} concepts that are not here: {shown}",
            file=sys.stderr,
        )
    write_json(arguments.out, sampled.sample)
    if arguments.report:
        write_json(arguments.report, [report.as_json() for report in sampled.reports])
    print("\n".join(report_lines(sampled.reports)))
    return 0


def report_lines(reports: Sequence["PoolReport"]) -> list[str]:
    """The reports as a table of text, one line a pool."""
    columns = {
        "category": "category",
        "side": "side",
        "concepts": "concepts",
        "blocks": "blocks",
        "leftovers": "leftover",
        "unfilled": "unfilled",
        "unused": "unused",
        "cap": "cap",
        "most_used": "most used",
        "over_cap": "over cap",
        "country_fallbacks": "fallback",
        "country_violations": "country",
        "ambiguity_violations": "ambiguity",
        "chosen": "chosen",
        "not_chosen": "not chosen",
    }
    rows = [list(columns.values())]
    rows += [
        [_shown(value) for name, value in report.as_json().items() if name in columns] for report in reports
    ]
    widths = [max(len(row[i]) for row in rows) for i in range(len(columns))]
    return [
        "  ".join(
            cell.ljust(w) if i < 2 else cell.rjust(w)
            for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]


def _shown(value: object) -> str:
    return "-" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)
