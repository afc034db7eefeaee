"""``cmb run``: ask a model every open item of a built dataset."""

import argparse
import sys
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

from cmb_harness.faults import InputError

Row = Mapping[str, Any]

HELP = "ask a model every item of a dataset; run it again to go on where it stopped"
EXAMPLE = "cmb run --dataset cmb --model chance --mode carry --out runs/chance"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cmb run``."""
    from cmb_harness.modes import CONTEXTS
    from cmb_harness.predictions import MODES, SETTINGS, VARIANTS
    from cmb_harness.prompts import STAGES

    parser.add_argument("--dataset", required=True, metavar="DIR", help="the folder that cmb build wrote")
    parser.add_argument("--model", required=True, metavar="M", help="a baseline's name; see docs/running.md")
    parser.add_argument("--mode", required=True, choices=MODES, help="what the model sees of earlier stages")
    parser.add_argument("--out", required=True, type=Path, metavar="RUN", help="one folder a model")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="videos and clips, as cmb fetch left them")
    parser.add_argument("--stage", action="append", choices=STAGES, help="this stage only (may be repeated)")
    parser.add_argument("--split", choices=("train", "test"), help="this split only")
    parser.add_argument(
        "--country", action="append", metavar="CODE", help="public items of this country only"
    )
    parser.add_argument("--category", action="append", metavar="NAME", help="items of this category only")
    parser.add_argument("--limit", type=int, metavar="N", help="the first N concepts only")
    parser.add_argument("--setting", choices=SETTINGS, default="full", help="what S3's video keeps")
    parser.add_argument("--variant", choices=VARIANTS, default="common_latin", help="which names are shown")
    parser.add_argument("--context", choices=CONTEXTS, default="previous", help="how much is carried")
    parser.add_argument("--seed", type=int, default=0, help="the baselines' seed")


def run(arguments: argparse.Namespace) -> int:
    """Run the model; exit 1 when not one item has an answer."""
    from tqdm import tqdm

    from cmb_harness.dataset import read_dataset
    from cmb_harness.models import load_model
    from cmb_harness.prompts import STAGES
    from cmb_harness.run import Plan
    from cmb_harness.run import run as run_model

    model = load_model(arguments.model, seed=arguments.seed)
    if arguments.setting != "full":
        raise InputError(f"--setting {arguments.setting}: not ready yet; full is")
    dataset = read_dataset(arguments.dataset)
    plan = Plan(
        mode=arguments.mode,
        stages=tuple(arguments.stage or STAGES),
        setting=arguments.setting,
        variant=arguments.variant,
        context=arguments.context,
        cache=arguments.cache,
    )
    outcome = run_model(
        wanted_rows(
            dataset.rows,
            split=arguments.split,
            countries=arguments.country,
            categories=arguments.category,
            limit=arguments.limit,
        ),
        model,
        plan,
        arguments.out,
        dataset={"version": dataset.version, "sha256": dataset.sha256},
        progress=lambda rows, stage: tqdm(rows, desc=f"{model.name} {stage}", unit="item"),
    )
    for reason, count in sorted(outcome.open.items()):
        print(f"cmb: open: {count} items: {reason}", file=sys.stderr)
    print(
        f"{arguments.out}: {outcome.answered} items answered, {outcome.reused} answered before, "
        f"{outcome.open.total()} open"
    )
    return 0 if outcome.answered + outcome.reused else 1


def wanted_rows(
    rows: Mapping[str, Mapping[str, list[Row]]],
    *,
    split: str | None = None,
    countries: Container[str] | None = None,
    categories: Container[str] | None = None,
    limit: int | None = None,
) -> dict[str, list[Row]]:
    """Stage → the rows of the chosen concepts: chosen on S1, followed through ``s1_item_id`` and ``s2_item_id``."""
    every = {
        stage: [row for name, part in rows[stage].items() if split in (None, name) for row in part]
        for stage in ("s1", "s2", "s3")
    }
    s1 = [
        row
        for row in every["s1"]
        if (countries is None or row.get("country") in countries)
        and (categories is None or row["category"] in categories)
    ][:limit]
    s1_ids = {row["item_id"] for row in s1}
    s2 = [row for row in every["s2"] if row["s1_item_id"] in s1_ids]
    s2_ids = {row["item_id"] for row in s2}
    return {"s1": s1, "s2": s2, "s3": [row for row in every["s3"] if row["s2_item_id"] in s2_ids]}
