"""``cmb run``: ask a model every open item of a built dataset."""

import argparse
import contextlib
import sys
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cmb_harness.faults import InputError

if TYPE_CHECKING:
    from cmb_harness.questions import Plan
    from cmb_harness.run import Outcome

Row = Mapping[str, Any]

HELP = "ask a model every item of a dataset; run it again to go on where it stopped"
EXAMPLE = "cmb run --dataset cmb --model chance --mode carry --out runs/chance"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cmb run``."""
    from cmb_harness.modes import CONTEXTS
    from cmb_harness.predictions import MODES, SETTINGS, VARIANTS

    parser.add_argument("--dataset", required=True, metavar="DIR", help="the folder that cmb build wrote")
    parser.add_argument(
        "--model",
        required=True,
        metavar="M",
        help="a baseline, a preset, openai:MODEL, gemini:MODEL or command:PROGRAM; see docs/running.md",
    )
    parser.add_argument("--mode", required=True, choices=MODES, help="what the model sees of earlier stages")
    parser.add_argument("--out", required=True, type=Path, metavar="RUN", help="one folder a model")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="videos and clips, as cmb fetch left them")
    _add_what_is_asked(parser)
    parser.add_argument("--setting", choices=SETTINGS, default="full", help="what S3's video keeps")
    parser.add_argument("--variant", choices=VARIANTS, default="common_latin", help="which names are shown")
    parser.add_argument("--context", choices=CONTEXTS, default="previous", help="how much is carried")
    parser.add_argument(
        "--truth",
        choices=("all",),
        help="with --mode feedback: ask S2 and S3 under each possible truth of the stage before (no keys needed)",
    )
    _add_how_it_is_asked(parser)


def _add_what_is_asked(parser: argparse.ArgumentParser) -> None:
    from cmb_harness.prompts import STAGES

    parser.add_argument("--stage", action="append", choices=STAGES, help="this stage only (may be repeated)")
    parser.add_argument("--split", choices=("train", "test"), help="this split only")
    parser.add_argument(
        "--country", action="append", metavar="CODE", help="public items of this country only"
    )
    parser.add_argument("--category", action="append", metavar="NAME", help="items of this category only")
    parser.add_argument("--limit", type=_positive, metavar="N", help="the first N concepts only")


def _add_how_it_is_asked(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--base-url", metavar="URL", help="the model's server")
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="change a setting of the model"
    )
    parser.add_argument(
        "--probe",
        choices=("text-only", "single-frame", "shuffled-frames", "audio-only"),
        help="take this away, to see what of a score needs the video",
    )
    parser.add_argument("--prompts", type=Path, metavar="DIR", help="templates of your own")
    parser.add_argument("--parallel", type=_positive, metavar="N", help="questions at once")
    parser.add_argument(
        "--attempts", type=_positive, default=5, metavar="N", help="requests for one item (5)"
    )
    parser.add_argument("--dry-run", action="store_true", help="show what would be sent, and ask nothing")
    parser.add_argument("--seed", type=int, default=0, help="the baselines' seed")


def run(arguments: argparse.Namespace) -> int:
    """Run the model; exit 1 when not one item has an answer."""
    from cmb_harness.dataset import read_dataset
    from cmb_harness.models import load_model
    from cmb_harness.models.setup import read_changes

    plan = _plan(arguments)
    changes = read_changes(arguments.set)
    if arguments.base_url:
        changes["base_url"] = arguments.base_url
    model = load_model(
        arguments.model, seed=arguments.seed, cache=arguments.cache, probe=arguments.probe, changes=changes
    )
    dataset = read_dataset(arguments.dataset)
    rows = wanted_rows(
        dataset.rows,
        split=arguments.split,
        countries=arguments.country,
        categories=arguments.category,
        limit=arguments.limit,
    )
    if not any(rows.values()):
        raise InputError(
            f"not one item of {arguments.dataset} is asked for: see --split, --country, --category"
        )
    with contextlib.closing(model):
        if arguments.dry_run:
            return _dry_run(arguments, rows, model, plan)
        return _run(arguments, rows, model, plan, {"version": dataset.version, "sha256": dataset.sha256})


def _plan(arguments: argparse.Namespace) -> "Plan":
    from cmb_harness.prompts import STAGES, read_prompts
    from cmb_harness.questions import Plan

    if arguments.truth and arguments.mode != "feedback":
        raise InputError(f"--truth {arguments.truth}: only --mode feedback shows a truth")
    return Plan(
        mode=arguments.mode,
        stages=tuple(arguments.stage or STAGES),
        setting=arguments.setting,
        variant=arguments.variant,
        context=arguments.context,
        all_truths=arguments.truth == "all",
        cache=arguments.cache,
        prompts=read_prompts(arguments.prompts),
    )


def _run(
    arguments: argparse.Namespace,
    rows: dict[str, list[Row]],
    model: Any,
    plan: "Plan",
    dataset: dict[str, Any],
) -> int:
    from cmb_harness.models.retry import Retries
    from cmb_harness.progress import Progress
    from cmb_harness.run import run as run_model

    with Progress(model.name) as progress:
        outcome = run_model(
            rows,
            model,
            plan,
            arguments.out,
            dataset=dataset,
            parallel=arguments.parallel,
            retries=Retries(attempts=arguments.attempts),
            watch=progress.watch,
        )
    _report(arguments.out, outcome)
    return 0 if outcome.answered + outcome.reused else 1


def _dry_run(arguments: argparse.Namespace, rows: dict[str, list[Row]], model: Any, plan: "Plan") -> int:
    from cmb_harness.dry_run import show
    from cmb_harness.raw import RAW_NAME, read_raw

    estimate = show(rows, model, plan, read_raw(arguments.out / RAW_NAME), sys.stdout)
    for line in estimate.lines(getattr(model, "setup", None)):
        print(line)
    return 0 if estimate.items + estimate.done else 1


def _report(out: Path, outcome: "Outcome") -> None:
    for reason, count in sorted(outcome.open.items()):
        print(f"cmb: open: {count} items: {reason}", file=sys.stderr)
    if outcome.open:
        print(f"cmb: {out / 'manifest.json'} lists them; the same command takes them up", file=sys.stderr)
    print(
        f"{out}: {outcome.answered} items answered, {outcome.reused} answered before, "
        f"{outcome.open.total()} open"
    )


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("expected at least 1")
    return number


def wanted_rows(
    rows: Mapping[str, Mapping[str, Sequence[Row]]],
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
