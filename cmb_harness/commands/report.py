"""``cmb report``: one page about some models, with the paper's tables and figures for them."""

import argparse
import sys
from collections import Counter
from collections.abc import Container
from pathlib import Path
from typing import Any

HELP = "a page for people: bottlenecks, the paper's tables and figures, and an item browser"
EXAMPLE = "cmb report runs/signal-reader runs/chance --dataset cmb --out report"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cmb report``."""
    from cmb_harness.predictions import MODES
    from cmb_harness.report.arguments import add_bootstrap_arguments

    parser.add_argument(
        "runs", nargs="+", metavar="RUN", help="run folders, prediction files or scored records"
    )
    parser.add_argument("--dataset", metavar="DIR", help="the folder that cmb build wrote")
    parser.add_argument("--references", metavar="FILE", help="score against these reference rows instead")
    parser.add_argument(
        "--mode", choices=MODES, help="of what shows one mode; carry where there is any, if not given"
    )
    parser.add_argument(
        "--region", metavar="FILE", help="country names, role cuts, video lengths; ours if not given"
    )
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="report.html and its files")
    parser.add_argument("--holm", action="store_true", help="correct p for the number of pairs (Holm)")
    add_bootstrap_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Gather, draw, write; print where the page is and what each model's sentence says."""
    from cmb_harness.construction.similarity import light_similarity
    from cmb_harness.report.writing import write_report

    contents = _contents(arguments)
    page = write_report(contents, arguments.out, light_similarity)
    for line in contents.missing:
        print(f"cmb: {line}", file=sys.stderr)
    for sentence in contents.sentences.values():
        print(sentence)
    print(page)
    return 0


def _contents(arguments: argparse.Namespace) -> Any:
    from cmb_harness.dataset import read_dataset
    from cmb_harness.records import read_region
    from cmb_harness.report.arguments import selection_of
    from cmb_harness.report.contents import Public, chosen_mode, gather_contents, public_part
    from cmb_harness.report.hidden import refuse_hidden, refuse_secrets
    from cmb_harness.statistics.paper import gather

    given = (*arguments.runs, arguments.dataset, arguments.references, arguments.region)
    refuse_secrets(given)
    region = read_region(arguments.region)
    public = public_part(read_dataset(arguments.dataset).rows) if arguments.dataset else Public()
    runs = gather(arguments.runs, dataset=arguments.dataset, references=arguments.references)
    public_ids = {row["item_id"] for rows in public.rows.values() for row in rows}
    refuse_hidden(runs, public_ids)
    arguments.mode = chosen_mode(runs, arguments.mode)
    return gather_contents(
        runs,
        selection_of(arguments),
        region,
        public,
        own_keys=arguments.dataset is not None and arguments.references is None,
        open_items=_open_items(arguments.runs, public_ids),
        holm=arguments.holm,
    )


def _open_items(paths: list[str], public: Container[str]) -> dict[str, Counter[str]]:
    """Model → reason → public questions that its run left open, by the run's own manifest."""
    from cmb_harness.manifest import read_manifest

    found = {}
    for path in paths:
        manifest = read_manifest(path) if Path(path).is_dir() else {}
        rows = [row for row in manifest.get("open_items") or [] if row.get("item_id") in public]
        if rows:
            found[str(manifest.get("model", path))] = Counter(str(row.get("reason")) for row in rows)
    return found
