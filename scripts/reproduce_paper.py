"""The paper's printed margins again: outcomes that meet them, through `cmb score`, beside the printed intervals.

    python scripts/reproduce_paper.py [--all] [--out DIR] [--report DIR]

Reads the paper's tables (tests/reference/paper_tables.json), finds S1 and S2 outcomes of the six models that meet every
count of Tables 10 and 11 and the c-S2 of Table 3, writes them as prediction files, scores these with `cmb score`, and
prints our numbers beside the paper's. Exit 1 if one is outside its tolerance.
"""

import argparse
import contextlib
import io
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cmb_harness.cli import main as cmb
from cmb_harness.files import write_json_lines
from cmb_harness.records import read_region
from cmb_harness.report.formats import to_text
from cmb_harness.report.tables import Cell, Number, Table, stars
from cmb_harness.statistics.margins import Margins, counts_of, fit_outcomes, outcomes

TABLES = Path(__file__).resolve().parent.parent / "tests" / "reference" / "paper_tables.json"
STAGE_TABLES = {"s1": "table10_S1_cells_point_lo_hi", "s2": "table11_S2_cells_point_lo_hi"}
NAMES = {"s1": "s1_accuracy", "s2": "s2_accuracy"}
ALL = "All (micro)"
# The draw of the paper is over its own order of concepts, so that bounds may move by a concept, and a little more.
CONCEPT_WIDTHS = 1.2
ROUNDING = 0.05
MACRO_POINTS = 0.5


@dataclass(frozen=True)
class Check:
    """One printed number beside ours, both in percent."""

    table: str
    model: str
    cell: str
    statistic: str
    printed: list[float]
    ours: list[float]
    tolerance: float

    @property
    def difference(self) -> float:
        """The largest difference of point, lower and upper bound."""
        return max(abs(a - b) for a, b in zip(self.printed, self.ours, strict=True))

    @property
    def holds(self) -> bool:
        """Whether the difference is within the tolerance."""
        return self.difference <= self.tolerance + 1e-9


def main() -> int:
    """Reproduce, print, and say whether all holds."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="keep the references, predictions and scores here"
    )
    parser.add_argument(
        "--all", action="store_true", help="print every interval, not only the largest differences"
    )
    parser.add_argument(
        "--report",
        type=Path,
        metavar="DIR",
        help="write a report of these outcomes beside the paper's numbers",
    )
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        out = arguments.out or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        paper = json.loads(TABLES.read_text("utf-8"))
        results = {model: score(model, out) for model in write_inputs(paper, out)}
        checks = [*cell_checks(paper, results), *macro_checks(paper, results)]
        printed_stars = list(star_checks(paper, results))
        tables = [summary(checks), stars_table(printed_stars), worked_example()]
        if arguments.report:
            write_page(list(results), out, [*tables, every_check(checks)], arguments.report)
    sys.stdout.write(to_text([every_check(checks), *tables] if arguments.all else tables))
    return 0 if all(check.holds for check in checks) and all(row[3] == row[4] for row in printed_stars) else 1


def write_page(models: list[str], out: Path, tables: list[Table], folder: Path) -> None:
    """Write the report of the reconstructed outcomes, with our tables of the paper's numbers at its end."""
    from cmb_harness.report.contents import Public, gather_contents
    from cmb_harness.report.layout import Placed
    from cmb_harness.report.writing import write_report
    from cmb_harness.statistics.paper import gather
    from cmb_harness.statistics.scoring import Selection

    runs = gather(
        [out / f"{file_name(model)}.jsonl" for model in models], references=out / "references.jsonl"
    )
    contents = gather_contents(runs, Selection("carry"), read_region(), Public(), own_keys=False)
    page = write_report(contents, folder, beside=[Placed("", "paper", table) for table in tables])
    print(page, file=sys.stderr)


def write_inputs(paper: Mapping[str, Any], out: Path) -> list[str]:
    """Write ``references.jsonl`` and one prediction file a model; returns the models."""
    concepts = concepts_of(paper)
    write_json_lines(
        out / "references.jsonl", [row for concept in concepts for row in reference_rows(concept)]
    )
    sizes = Counter((concept["country"], concept["category"]) for concept in concepts)
    models = [model for model in paper[STAGE_TABLES["s1"]][ALL] if model != "n"]
    for model in models:
        cells = fit_outcomes(sizes, margins_of(paper, model))
        waiting = {cell: iter(outcomes(counts)) for cell, counts in cells.items()}
        rows = [
            row
            for concept in concepts
            for row in prediction_rows(
                concept, model, *next(waiting[concept["country"], concept["category"]])
            )
        ]
        write_json_lines(out / f"{file_name(model)}.jsonl", rows)
    return models


def concepts_of(paper: Mapping[str, Any]) -> list[dict[str, str]]:
    """The inventory of Table 5 with our ids: two-digit numbers within each country and category."""
    clusters = {country.code: country.writing_cluster for country in read_region().countries}
    numbers: Counter[tuple[str, str]] = Counter()
    concepts = []
    for row in paper["table5_inventory"]:
        cell = row["country"], row["category"]
        numbers[cell] += 1
        concepts.append(
            {
                "concept_id": f"{cell[0]}-{cell[1]}-{numbers[cell]:02d}",
                "country": cell[0],
                "category": cell[1],
                "writing_cluster": clusters[cell[0]],
            }
        )
    return concepts


def margins_of(paper: Mapping[str, Any], model: str) -> Margins:
    """The counts that Tables 10, 11 and 3 print for a model; each is the only whole number that prints so."""
    counts = {stage: stage_counts(paper, stage, model) for stage in STAGE_TABLES}
    cascade = paper["table3_cascade_carry_percent"][model]
    (both,) = counts_of(cascade["c_S2"], counts["s1"][ALL])
    cells = {
        stage: {code: n for code, n in by_code.items() if code != ALL} for stage, by_code in counts.items()
    }
    return Margins(cells["s1"], cells["s2"], both)


def stage_counts(paper: Mapping[str, Any], stage: str, model: str) -> dict[str, int]:
    """Cell code → concepts right. Countries are named in the tables and coded in the region."""
    codes = country_codes()
    counts = {}
    for cell, row in paper[STAGE_TABLES[stage]].items():
        (counts[codes.get(cell, cell)],) = counts_of(row[model][0], row["n"])
    return counts


def country_codes() -> dict[str, str]:
    """Country name → code."""
    return {country.name: country.code for country in read_region().countries}


def reference_rows(concept: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The key of every item is 0: only right and wrong matter here."""
    for stage in STAGE_TABLES:
        yield {
            "item_id": f"{concept['concept_id']}/{stage}",
            **concept,
            "stage": stage,
            "answer": 0,
            "span": None,
        }


def prediction_rows(concept: Mapping[str, str], model: str, s1: bool, s2: bool) -> Iterator[dict[str, Any]]:
    """S1 as ``reset`` (it is asked once), S2 as ``carry``: the mode of the tables."""
    for stage, mode, right in (("s1", "reset", s1), ("s2", "carry", s2)):
        item_id = f"{concept['concept_id']}/{stage}"
        yield {"item_id": item_id, "mode": mode, "choice": 0 if right else 1, "model": model}


def score(model: str, out: Path) -> dict[str, Any]:
    """Run `cmb score` on a model's file and read what it wrote."""
    target = out / f"{file_name(model)}.score.json"
    command = ["score", str(out / f"{file_name(model)}.jsonl"), "--references", str(out / "references.jsonl")]
    with contextlib.redirect_stdout(io.StringIO()):
        if cmb([*command, "--mode", "carry", "--json", str(target)]):
            raise SystemExit(1)
    result: dict[str, Any] = json.loads(target.read_text("utf-8"))
    return result


def file_name(model: str) -> str:
    """A model's name as a file name."""
    return "".join(char if char.isalnum() or char in ".-" else "_" for char in model)


def cell_checks(paper: Mapping[str, Any], results: Mapping[str, Any]) -> Iterator[Check]:
    """The 156 intervals of Tables 10 and 11."""
    codes = country_codes()
    for stage, table in STAGE_TABLES.items():
        for cell, row in paper[table].items():
            for model, result in results.items():
                ours = ours_in_cell(result, codes.get(cell, cell), NAMES[stage])
                tolerance = CONCEPT_WIDTHS * 100 / row["n"] + ROUNDING
                yield Check(table[:7], model, cell, stage, row[model], ours, tolerance)


def ours_in_cell(result: Mapping[str, Any], code: str, name: str) -> list[float]:
    """[point, lo, hi] in percent of a cell, or of the whole set."""
    if code == ALL:
        return in_percent(result[name], result["ci"][name])
    kind = "country" if code in result["cells"]["country"] else "category"
    cell = result["cells"][kind][code][name]
    return in_percent(cell["value"], cell["ci"])


def macro_checks(paper: Mapping[str, Any], results: Mapping[str, Any]) -> Iterator[Check]:
    """The S1 and S2 macro rows of Table 13; mIoU is not in the margins."""
    for model, rows in paper["table13_micro_macro_point_lo_hi"].items():
        for scope, kind in (("macro-ctry", "country"), ("macro-cat", "category")):
            for stage in STAGE_TABLES:
                macro = results[model]["macro"][kind][NAMES[stage]]
                ours = in_percent(macro["value"], macro["ci"])
                yield Check("table13", model, scope, stage, rows[scope][stage.upper()], ours, MACRO_POINTS)


def star_checks(
    paper: Mapping[str, Any], results: Mapping[str, Any]
) -> Iterator[tuple[str, float, float, int, int]]:
    """(model, c-S2 in percent, p, our stars, the stars of Table 3)."""
    for model, row in paper["table3_cascade_carry_percent"].items():
        result = results[model]
        yield model, result["c_s2"], result["p"]["c_s2"], stars(result["p"]["c_s2"]), row["c_S2_stars"]


def in_percent(value: float, ci: list[float]) -> list[float]:
    """[point, lo, hi] times 100."""
    return [100 * number for number in (value, *ci)]


def summary(checks: list[Check]) -> Table:
    """Per table and statistic: how many agree, and where the largest difference is."""
    groups: dict[tuple[str, str], list[Check]] = {}
    for check in checks:
        groups.setdefault((check.table, check.statistic), []).append(check)
    rows = []
    for (table, statistic), group in groups.items():
        worst = max(group, key=lambda check: check.difference)
        close = max(group, key=lambda check: check.difference / check.tolerance)
        rows.append(
            [
                f"{table} {statistic.upper()}",
                f"{sum(check.holds for check in group)} of {len(group)}",
                f"{worst.difference:.2f} ({worst.model}, {worst.cell})",
                f"{100 * close.difference / close.tolerance:.0f}% ({close.model}, {close.cell})",
            ]
        )
    columns = ("printed", "within tolerance", "largest difference, points", "nearest to its tolerance")
    notes = [
        f"tolerance: {CONCEPT_WIDTHS} concepts of the cell + {ROUNDING} (intervals), {MACRO_POINTS} (macro)"
    ]
    return Table("intervals", "Our percent and intervals beside the paper's", columns, rows, notes)


def every_check(checks: list[Check]) -> Table:
    """One row a printed interval."""
    rows = [
        [
            f"{check.table} {check.statistic.upper()} {check.cell}",
            check.model,
            *("{:.1f} [{:.1f}, {:.1f}]".format(*numbers) for numbers in (check.ours, check.printed)),
            f"{check.difference:.2f} of {check.tolerance:.2f}",
        ]
        for check in checks
    ]
    return Table("every_interval", "Every interval", ("", "model", "ours", "printed", "difference"), rows)


def stars_table(rows: list[tuple[str, float, float, int, int]]) -> Table:
    """c-S2 with our p and stars beside the printed stars."""
    cells: list[list[Cell]] = [
        [model, Number(value), Number(p, scale="p"), "*" * ours or "-", "*" * printed or "-"]
        for model, value, p, ours, printed in rows
    ]
    columns = ("Table 3", "c-S2", "p", "our stars", "printed stars")
    return Table("stars", "c-S2 against S2, under carry", columns, cells)


def worked_example() -> Table:
    """The Joint's example: 138 of 306 concepts right twice, mean IoU 0.32 over them."""
    rows: list[list[Cell]] = [["138/306 x 0.32", Number(138 / 306 * 0.32), "14.4"]]
    return Table("worked_example", "Joint by its two factors (C.1)", ("", "ours", "printed"), rows)


if __name__ == "__main__":
    sys.exit(main())
