"""The tables of a report, under the paper's numbers, with chance and structure-only baselines as their last rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cmb_harness.records import Region
from cmb_harness.report import paper_tables as paper
from cmb_harness.report.compare_tables import (
    differences_table,
    dominance_table,
    order_table,
    ranks_table,
)
from cmb_harness.report.contents import Contents
from cmb_harness.report.no_model import (
    baseline_number,
    in_cells,
    in_columns,
    in_overall,
    label,
    with_rows,
)
from cmb_harness.report.score_tables import STATISTICS, cell_number, count, statistic
from cmb_harness.report.tables import Cell, Number, Table

DIFFERENCES = ("s1_accuracy", "s2_accuracy", "s3_miou", "joint")
MODALITIES = {"no-audio": "audio", "no-subtitles": "subtitles", "visual-only": "both"}


@dataclass(frozen=True)
class Placed:
    """A table and where it belongs.

    Attributes:
        paper: the number of the paper's table, such as ``Table 2``; empty where the paper has none.
        section: of the page: ``profile``, ``results``, ``cells``, ``comparison``, ``modalities``,
            ``views``, ``paper``.
    """

    paper: str
    section: str
    table: Table

    @property
    def file_name(self) -> str:
        """Without a suffix."""
        return "-".join([*([self.paper.replace(" ", "").lower()] if self.paper else []), self.table.name])


def placed_tables(contents: Contents) -> list[Placed]:
    """All tables that the data allow, in the order of the page."""
    return [
        *_about_models(contents),
        *_about_cells(contents),
        *_about_pairs(contents),
        *_about_modalities(contents),
        *_about_spans(contents),
    ]


def _about_models(contents: Contents) -> Iterator[Placed]:
    found = contents.baselines
    yield Placed("", "profile", profile_table(contents))
    yield Placed("Table 2", "results", in_overall(paper.overall_table(contents.results), found))
    if contents.chain:
        chain = in_columns(paper.chain_table(contents.chain), found, {"S2": "s2_accuracy", "mIoU": "s3_miou"})
        yield Placed("Table 3", "results", chain)
    names = {header: name for name, (header, _) in STATISTICS.items()}
    yield Placed("Table 13", "results", in_columns(paper.macro_table(contents.shown), found, names))
    yield Placed("", "results", answers_table(contents))


def _about_cells(contents: Contents) -> Iterator[Placed]:
    tables = (
        ("Table 10", "s1_accuracy", "S1"),
        ("Table 11", "s2_accuracy", "S2"),
        ("Table 12", "s3_miou", "mIoU"),
        ("", "s3_iou@0.3", "IoU@0.3"),
    )
    for number, name, header in tables:
        results = {model: result for model, result in contents.shown.items() if result[name] is not None}
        if results:
            table = paper.cells_table(results, name, header)
            table = in_cells(_named(table, contents.region), contents.baselines, name, len(results))
            yield Placed(number, "cells", table)
    if contents.localized:
        yield Placed("Table 18", "cells", categories_table(contents))


def _about_pairs(contents: Contents) -> Iterator[Placed]:
    compared = contents.comparison
    if compared is None:
        return
    names = [
        name
        for name in DIFFERENCES
        if any(row["statistic"] == name and row["difference"] is not None for row in compared["pairs"])
    ]
    yield Placed("Table 14", "comparison", differences_table(compared, names))
    yield Placed("", "comparison", ranks_table(compared, names))
    yield Placed("", "comparison", dominance_table(compared, names))
    yield Placed("", "comparison", order_table(compared, names))


def _about_modalities(contents: Contents) -> Iterator[Placed]:
    rows = contents.ablation
    if rows:
        yield Placed("Table 15", "modalities", paper.shift_table(rows))
        yield Placed("Table 16", "modalities", clusters_table(rows))
        yield Placed("Table 17", "modalities", paper.roles_table(rows))
        yield Placed("", "modalities", paper.roles_by_table(rows))
        yield Placed("", "modalities", paper.concepts_table(rows))


def _about_spans(contents: Contents) -> Iterator[Placed]:
    if contents.durations:
        yield Placed("", "views", paper.durations_table(contents.durations))
    if contents.distribution:
        yield Placed("", "views", paper.distribution_table(contents.distribution))
    if contents.variants:
        yield Placed("", "views", paper.variants_table(contents.variants))


def profile_table(contents: Contents) -> Table:
    """The failure profile with intervals; the bottleneck, where there is one, is bold."""
    rows: list[list[Cell]] = []
    for model, profile in contents.profiles.items():
        links = [Number(found["value"], found["ci"], found["n"]) for found in profile["links"].values()]
        gains = [
            Number(
                found["value"],
                found["ci"],
                found["n"],
                scale="points",
                definition=f"gain of the Joint if {stage.upper()} were perfect",
                bold=stage == profile["bottleneck"],
            )
            for stage, found in profile["gains"].items()
        ]
        joint = statistic(contents.shown[model], "joint")
        rows.append([model, *links, joint, *gains])
    columns = ("model", "P(S1)", "P(S2|S1)", "IoU|both", "Joint", "if S1", "if S2", "if S3")
    notes = [
        "IoU|both: a concept without a pair counts as 0, as in the Joint",
        "last three: what the Joint would gain, in points, if that ability alone were perfect",
        "bold: the gain is significantly above those of both other abilities, in the same resamples",
    ]
    found = contents.baselines
    names = {"P(S1)": "s1_accuracy", "P(S2|S1)": "s2_accuracy", "Joint": "joint"}
    signature = _signatures(contents.shown.values())
    table = Table("profiles", "Failure profiles, percent", columns, rows, notes, signature, stacked=True)
    return in_columns(table, {"chance": found["chance"]}, names)


def answers_table(contents: Contents) -> Table:
    """What came back, by model, mode and stage."""
    rows: list[list[Cell]] = []
    for (model, mode), result in contents.results.items():
        for stage, name in (("s1", "s1"), ("s2", "s2"), ("s3", "pairs")):
            n, invalid, absent = result["n"][name], result["n_invalid"][stage], result["n_missing"][stage]
            if n and (stage != "s1" or mode == contents.mode):
                told = result["n_status"].get(stage, {})
                counts = (n, n - invalid - absent, invalid, absent)
                numbers = [
                    count(value) for value in (*counts, told.get("refusal", 0), told.get("ambiguous", 0))
                ]
                rows.append([f"{model}, {'reset' if stage == 's1' else mode}, {stage.upper()}", *numbers])
    columns = ("answers", "items", "usable", "invalid", "missing", "refusals", "ambiguous")
    notes = ["invalid and missing answers score 0 and stay in every denominator"]
    return Table("answers", "Answers", columns, rows, notes, _signatures(contents.shown.values()))


def categories_table(contents: Contents) -> Table:
    """mIoU by category, one column a model (Table 18, there for models that only localize)."""
    results = contents.localized
    first = next(iter(results.values()))
    rows: list[list[Cell]] = [
        [code, count(cell["s3_miou"]["n"]), *(_cell(result, code) for result in results.values())]
        for code, cell in first["cells"]["category"].items()
    ]
    whole = [statistic(result, "s3_miou") for result in results.values()]
    rows.append(["Overall", count(whole[0].n), *whole])
    table = Table(
        "categories",
        "mIoU by category, percent",
        ("", "pairs", *results),
        rows,
        ("chance and fixed spans: over pairs whose video length is known",)
        if contents.span_baselines
        else (),
        _signatures(results.values()),
        stacked=True,
    )
    return with_rows(
        table,
        [
            [label(name), "", *[baseline_number(name, values["overall"])] * len(results)]
            for name, values in contents.span_baselines.items()
        ],
    )


def clusters_table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """The share of pairs in which a modality distracts, by writing cluster (Table 16)."""
    columns = [f"Distr. {MODALITIES.get(row['setting'], row['setting'])} (%)" for row in rows]
    shares = [row["by_cluster"][f"{row['cut']:g}"] for row in rows]
    clusters = list(dict.fromkeys(code for found in shares for code in found))
    cells: list[list[Cell]] = [
        [code, *(_distracting(found.get(code)) for found in shares)] for code in clusters
    ]
    notes = [note for row in rows for note in _gap(row)]
    models = ", ".join(dict.fromkeys(model for row in rows for model in row["models"]))
    signature = "\n".join(dict.fromkeys(row["signature"] for row in rows))
    title = f"Distracting share by writing cluster, % of pairs; mean over {models}"
    return Table("clusters", title, ("cluster", *columns), cells, notes, signature)


def _named(table: Table, region: Region) -> Table:
    """The table with countries by name and the paper's name for the last row."""
    names = {country.code: country.name for country in region.countries} | {"all": "All (micro)"}
    rows = [[names.get(str(code), code), *cells] for code, *cells in table.rows]
    return replace(table, rows=rows)


def _cell(result: Mapping[str, Any], code: str) -> Cell:
    cell = result["cells"]["category"].get(code)
    return "-" if cell is None else cell_number(cell["s3_miou"], "s3_miou")


def _distracting(found: Mapping[str, Any] | None) -> Cell:
    if found is None:
        return "-"
    return Number(found["shares"]["Distracting"], n=found["n"], definition="share that is Distracting")


def _gap(row: Mapping[str, Any]) -> list[str]:
    gap = row["gap"]
    if gap is None or gap["z"] is None:
        return []
    about = f"{gap['a']['cluster']} less {gap['b']['cluster']}"
    test = f"z = {gap['z']:.2f}, p = {gap['p']:.2g}, pairs taken as independent"
    return [f"{row['setting']}: {about} {100 * gap['difference']:+.1f} points ({test})"]


def _signatures(results: Any) -> str:
    return "\n".join(dict.fromkeys(result["signature"] for result in results))
