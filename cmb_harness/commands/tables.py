"""``cmb tables``: the paper's tables for the runs of some models, as text and in a folder."""

import argparse
from pathlib import Path
from typing import Any

HELP = "the paper's tables: modes, cells, chain, differences, ablations, variants, video lengths"
EXAMPLE = "cmb tables runs/signal-reader runs/chance --dataset cmb --mode reset --out tables"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of ``cmb tables``."""
    from cmb_harness.predictions import MODES
    from cmb_harness.report.arguments import add_bootstrap_arguments

    parser.add_argument(
        "runs", nargs="+", metavar="RUN", help="run folders, prediction files or scored records"
    )
    parser.add_argument("--dataset", metavar="DIR", help="the folder that cmb build wrote")
    parser.add_argument("--references", metavar="FILE", help="score against these reference rows instead")
    parser.add_argument("--mode", choices=MODES, default="carry", help="of the tables that show one mode")
    parser.add_argument("--region", metavar="FILE", help="role cuts and video lengths; ours if not given")
    parser.add_argument("--out", metavar="DIR", help="write tables.json, .csv, .md, .tex and .txt here")
    parser.add_argument("--holm", action="store_true", help="correct p for the number of pairs (Holm)")
    add_bootstrap_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Make the tables that the runs allow, print them, write them."""
    import sys

    from cmb_harness.files import write_json, write_whole
    from cmb_harness.report.arguments import selection_of
    from cmb_harness.report.formats import WRITERS, to_json, to_text
    from cmb_harness.statistics.paper import gather

    selection = selection_of(arguments)
    runs = gather(arguments.runs, dataset=arguments.dataset, references=arguments.references)
    tables, data = _tables(runs, selection, arguments)
    if arguments.out:
        folder = Path(arguments.out)
        write_json(folder / "tables.json", {"tables": to_json(tables), "data": data})
        for suffix, writer in WRITERS.items():
            with write_whole(folder / f"tables{suffix}") as file:
                file.write(writer(tables))
    sys.stdout.write(to_text(tables))
    return 0


def _tables(runs: Any, selection: Any, arguments: argparse.Namespace) -> tuple[list[Any], dict[str, Any]]:
    from cmb_harness.records import read_region
    from cmb_harness.report import paper_tables as paper
    from cmb_harness.statistics.paper import (
        ablation_rows,
        chain_rows,
        distribution_rows,
        duration_rows,
        variant_rows,
    )
    from cmb_harness.statistics.scoring import result_of

    region = read_region(arguments.region)
    every = {
        (model, mode): result_of(one, selection)
        for mode in runs.kinds(1)
        for model, one in runs.of(mode).items()
        if any(item.stage != "s1" for item in one.scored.items) or mode == arguments.mode
    }
    shown = {model: result for (model, mode), result in every.items() if mode == arguments.mode}
    data: dict[str, Any] = {
        "chain": chain_rows(runs, selection),
        "ablation": ablation_rows(runs, selection, region.role_cuts),
        "variants": variant_rows(runs, selection),
        "durations": duration_rows(runs, selection, region.duration_edges_s),
        "distribution": distribution_rows(runs, selection),
        "results": list(every.values()),
    }
    tables = [paper.overall_table(every), paper.chain_table(data["chain"])]
    if shown:
        tables += [paper.profiles_table(shown), paper.macro_table(shown)]
        tables.append(paper.cells_table(shown, "s1_accuracy", "S1"))
    for mode in dict.fromkeys(mode for _, mode in every):
        of_mode = {model: result for (model, at), result in every.items() if at == mode}
        tables += [paper.cells_table(of_mode, name, header) for name, header in paper.CELLS_BY_MODE]
    tables += _comparison(runs, selection, arguments, data)
    if data["ablation"]:
        makers = (paper.shift_table, paper.roles_table, paper.roles_by_table, paper.concepts_table)
        tables += [make(data["ablation"]) for make in makers]
    if data["variants"]:
        tables.append(paper.variants_table(data["variants"]))
    if data["durations"]:
        tables.append(paper.durations_table(data["durations"]))
    if data["distribution"]:
        tables.append(paper.distribution_table(data["distribution"]))
    return tables, data


def _comparison(runs: Any, selection: Any, arguments: argparse.Namespace, data: dict[str, Any]) -> list[Any]:
    from cmb_harness.report.compare_tables import compare_tables
    from cmb_harness.statistics.comparing import compare_runs

    models = list(runs.of(arguments.mode).values())
    if len(models) < 2:
        return []
    compared = compare_runs(models, selection, holm=arguments.holm)
    data["comparison"] = {name: value for name, value in compared.items() if name != "results"}
    return compare_tables(compared)[1:]
