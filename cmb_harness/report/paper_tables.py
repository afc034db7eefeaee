"""The paper's tables and figures about one or several models, from the rows of `cmb_harness.statistics.paper`."""

from collections.abc import Mapping, Sequence
from typing import Any

from cmb_harness.report.score_tables import STATISTICS, cell_number, count, level, statistic
from cmb_harness.report.tables import Cell, Number, Table, stars

Row = Mapping[str, Any]

CELLS_BY_MODE = (("s2_accuracy", "S2"), ("s3_miou", "mIoU"), ("s3_iou@0.3", "IoU@0.3"))


def overall_table(results: Mapping[tuple[str, str], Row]) -> Table:
    """S1, and S2, mIoU and Joint in each mode (Table 2).

    Args:
        results: (model, mode) → result of the metric.
    """
    models = list(dict.fromkeys(model for model, _ in results))
    modes = list(dict.fromkeys(mode for _, mode in results))
    names = ("s2_accuracy", "s3_miou", "joint")
    rows: list[list[Cell]] = []
    for model in models:
        own = {mode: results[model, mode] for mode in modes if (model, mode) in results}
        s1 = next((result for result in own.values() if result["s1_accuracy"] is not None), None)
        numbers = [statistic(own[mode], name) if mode in own else "-" for name in names for mode in modes]
        rows.append([model, "-" if s1 is None else statistic(s1, "s1_accuracy"), *numbers])
    columns = ("model", "S1", *(f"{STATISTICS[name][0]} {mode}" for name in names for mode in modes))
    signatures = dict.fromkeys(result["signature"] for result in results.values())
    return Table("overall", "All modes, percent", columns, rows, (), "\n".join(signatures), stacked=True)


def cells_table(results: Mapping[str, Row], name: str, header: str) -> Table:
    """One statistic in every country and category, one column a model (Tables 10 to 12; Figures 12, 13 and 15).

    Args:
        results: model → result, all of one mode.
    """
    first = next(iter(results.values()))
    mode = first["mode"]
    rows: list[list[Cell]] = []
    for kind in ("country", "category", "writing_cluster"):
        for code in first["cells"][kind]:
            cells = [result["cells"][kind][code][name] for result in results.values()]
            rows.append([code, count(cells[0]["n"]), *(cell_number(cell, name) for cell in cells)])
    whole = [statistic(result, name) for result in results.values()]
    rows.append(["all", count(whole[0].n), *whole])
    return Table(
        f"cells_{name}_{mode}".replace("@", "_at_"),
        f"{header} by country, category and writing cluster, {mode}, percent",
        ("", "n", *results),
        rows,
        (f"{level(first)} intervals; none where fewer than two concepts contribute",),
        first["signature"],
        stacked=True,
    )


def macro_table(results: Mapping[str, Row]) -> Table:
    """Micro beside macro averages (Table 13)."""
    names = ("s1_accuracy", "s2_accuracy", "s3_miou", "joint")
    rows: list[list[Cell]] = []
    for model, result in results.items():
        rows.append([f"{model}, micro", *(statistic(result, name) for name in names)])
        for kind, macro in result["macro"].items():
            about = f"unweighted mean over the cells of {kind}"
            numbers = [Number(macro[name]["value"], macro[name]["ci"], definition=about) for name in names]
            rows.append([f"{model}, macro {kind}", *numbers])
    columns = ("", *(STATISTICS[name][0] for name in names))
    signature = "\n".join(dict.fromkeys(result["signature"] for result in results.values()))
    return Table("macro", "Micro and macro averages, percent", columns, rows, (), signature, stacked=True)


def profiles_table(results: Mapping[str, Row]) -> Table:
    """The failure profile of each model: the links of the chain, and what the Joint would gain (D.9)."""
    rows: list[list[Cell]] = []
    for model, result in results.items():
        found = result["profile"]
        links = [Number(found[name], definition=about) for name, about in _LINKS.items()]
        gains = [
            Number(gain, scale="points", definition=f"gain of the Joint if {stage} were perfect")
            for stage, gain in found["joint_gain_if_perfect"].items()
        ]
        rows.append([model, *links, statistic(result, "joint"), *gains])
    columns = ("model", "P(S1)", "P(S2|S1)", "IoU|both", "Joint", "if S1", "if S2", "if S3")
    notes = ["last three: what the Joint would gain, in points, if that ability alone were perfect"]
    signature = "\n".join(dict.fromkeys(result["signature"] for result in results.values()))
    return Table("profiles", "Failure profiles, percent", columns, rows, notes, signature)


def chain_table(rows: Sequence[Row]) -> Table:
    """c-S2 - S2 and c-mIoU - mIoU by model and mode (Table 3, Figure 9)."""
    by_run: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows:
        by_run.setdefault((row["model"], row["mode"]), {})[row["statistic"]] = row
    cells: list[list[Cell]] = []
    for (model, mode), found in by_run.items():
        numbers = [number for name in ("c_s2", "c_miou") for number in _chain(found[name])]
        cells.append([f"{model}, {mode}", *numbers])
    notes = ["* p<.05, ** p<.01, *** p<.001 against the unconditional value, in the same resamples"]
    columns = ("", "S2", "c-S2", "ΔS2", "mIoU", "c-mIoU", "ΔmIoU")
    signature = "\n".join(dict.fromkeys(row["signature"] for row in rows))
    return Table("chain", "Does one stage help the next?", columns, cells, notes, signature, stacked=True)


def shift_table(rows: Sequence[Row]) -> Table:
    """The mean change of IoU by setting (Table 15)."""
    cells: list[list[Cell]] = []
    for row in rows:
        shift = row["shift"]
        change = Number(
            shift["difference"] / 100,
            None if shift["ci"] is None else [bound / 100 for bound in shift["ci"]],
            n=shift["n"],
            p=shift["p"],
            scale="points",
            definition="mean over pairs of the change of IoU, itself the mean over models",
        )
        tests = [
            Number(shift["p"], scale="p", definition="cluster bootstrap over concepts"),
            Number(shift["p_wilcoxon"], scale="p", definition="Wilcoxon's signed ranks over pairs"),
        ]
        cells.append([row["setting"], count(shift["n"]), change, *tests])
    columns = ("taken away", "pairs", "mean Δ, points", "p bootstrap", "p Wilcoxon")
    return Table("shift", _over(rows, "Change of mIoU"), columns, cells, (), _signature(rows))


def roles_table(rows: Sequence[Row]) -> Table:
    """Shares of the three roles by setting and cut (Table 17, Figure 3)."""
    cells: list[list[Cell]] = [
        [f"{row['setting']}, cut {cut}", *_shares(shares)]
        for row in rows
        for cut, shares in row["roles"].items()
    ]
    return Table(
        "roles",
        _over(rows, "Role of what was taken away, % of pairs"),
        _ROLE_COLUMNS,
        cells,
        (),
        _signature(rows),
    )


def roles_by_table(rows: Sequence[Row]) -> Table:
    """Shares of the roles by category and writing cluster, at the paper's cut (Figure 4, Table 16)."""
    cells: list[list[Cell]] = []
    for row in rows:
        groups = {**row["by_category"], **row["by_cluster"][f"{row['cut']:g}"]}
        cells += [[f"{row['setting']}, {code}", *_shares(shares)] for code, shares in groups.items()]
    return Table(
        "roles_by",
        _over(rows, "Roles by category and cluster, % of pairs"),
        _ROLE_COLUMNS,
        cells,
        _gap_notes(rows),
        _signature(rows),
    )


def concepts_table(rows: Sequence[Row]) -> Table:
    """Shares of the roles of concepts, by writing cluster and category (D.3)."""
    cells: list[list[Cell]] = [
        [f"{row['setting']}, {cell['writing_cluster']}, {cell['category']}", *_shares(cell)]
        for row in rows
        for cell in row["by_concept"]
    ]
    notes = ["a concept's role is that of the mean change over its pairs; concepts without a pair have none"]
    return Table(
        "concept_roles", _over(rows, "Roles of concepts, %"), _ROLE_COLUMNS, cells, notes, _signature(rows)
    )


def variants_table(rows: Sequence[Row]) -> Table:
    """S1 by name variant (Figure 14)."""
    variants = list(dict.fromkeys(variant for row in rows for variant in row["accuracies"]))
    cells: list[list[Cell]] = [
        [
            row["model"],
            *(
                Number(row["accuracies"].get(variant), definition=f"S1 with {variant} names")
                for variant in variants
            ),
            Number(row["mean"], definition="mean over variants"),
            Number(
                row["spread_points"] / 100,
                scale="points",
                definition="maximum - minimum",
                bold=row["sensitive"],
            ),
        ]
        for row in rows
    ]
    columns = ("model", *variants, "mean", "spread")
    notes = ["† spread of 5 points or more"]
    return Table("variants", "S1 by name variant, percent", columns, cells, notes, _signature(rows))


def durations_table(rows: Sequence[Row]) -> Table:
    """mIoU by length of the video (Figure 10)."""
    models = list(dict.fromkeys(row["model"] for row in rows))
    buckets: dict[tuple[Any, Any], list[Row]] = {}
    for row in rows:
        buckets.setdefault((row["from_s"], row["to_s"]), []).append(row)
    cells: list[list[Cell]] = []
    for (from_s, to_s), found in buckets.items():
        about = [
            count(found[0]["n"]),
            Number(
                found[0]["mean_duration_s"], scale="plain", definition="mean length of the videos, seconds"
            ),
            Number(
                found[0]["mean_span_s"], scale="plain", definition="mean length of the true spans, seconds"
            ),
        ]
        miou = {row["model"]: Number(row["miou"], row["ci"], n=row["n"], definition="mIoU") for row in found}
        cells.append([_bucket(from_s, to_s), *about, *(miou[model] for model in models)])
    columns = ("video", "pairs", "mean s", "span s", *models)
    title = "mIoU by length of the video, percent"
    return Table("durations", title, columns, cells, (), _signature(rows), stacked=True)


def distribution_table(rows: Sequence[Row]) -> Table:
    """Quantiles of the IoU of single pairs, the share that is 0, and the hit rate at 0.3 (Figure 11)."""
    cells: list[list[Cell]] = []
    for row in rows:
        hits = next(step["at_least"] for step in row["ecdf"] if step["iou"] == 0.3)
        values = [row["mean"], *row["quantiles"].values(), row["share_zero"], hits]
        names = ["mean", *(f"q{q}" for q in row["quantiles"]), "IoU = 0", "IoU@0.3"]
        numbers = [
            Number(value, n=row["n"], definition=f"{name} of the IoU of pairs")
            for name, value in zip(names, values, strict=True)
        ]
        cells.append([row["model"], count(row["n"]), *numbers])
    columns = ("model", "pairs", *names) if rows else ("model", "pairs")
    return Table("distribution", "IoU of single pairs, percent", columns, cells, (), _signature(rows))


_LINKS = {"p_s1": "P(S1)", "p_s2_given_s1": "P(S2 | S1)", "mean_iou_given_both": "mean IoU given both"}
_ROLE_COLUMNS = ("", "n", "Complementary", "Redundant", "Distracting")


def _shares(shares: Row) -> list[Cell]:
    numbers = [
        Number(share, n=shares["n"], definition=f"share that is {role}")
        for role, share in shares["shares"].items()
    ]
    return [count(shares["n"]), *numbers]


def _chain(row: Row) -> list[Cell]:
    difference = Number(
        row["difference"],
        row["ci"],
        n=row["n"],
        p=row["p"],
        scale="points",
        definition=f"{STATISTICS[row['statistic']][0]} less the unconditional value",
        stars=stars(row["p"]),
    )
    baseline = Number(row["baseline"], definition="the unconditional value")
    return [
        baseline,
        Number(row["value"], n=row["n"], definition=STATISTICS[row["statistic"]][1]),
        difference,
    ]


def _gap_notes(rows: Sequence[Row]) -> list[str]:
    notes = []
    for row in rows:
        gap = row["gap"]
        if gap is not None and gap["z"] is not None:
            sides = (gap["a"], gap["b"])
            said = [f"{100 * side['share']:.1f}% in {side['cluster']} (n={side['n']})" for side in sides]
            test = f"z = {gap['z']:.2f}, p = {gap['p']:.2g} (pairs taken as independent)"
            notes.append(f"{row['setting']}: Distracting {' and '.join(said)}, {test}")
    return notes


def _over(rows: Sequence[Row], what: str) -> str:
    models = list(dict.fromkeys(model for row in rows for model in row["models"]))
    return f"{what}; mean over {', '.join(models)}"


def _signature(rows: Sequence[Row]) -> str:
    return "\n".join(dict.fromkeys(row["signature"] for row in rows))


def _bucket(from_s: float | None, to_s: float | None) -> str:
    if from_s is None:
        return "unknown length"
    return f"{from_s:g} s and more" if to_s is None else f"{from_s:g} – {to_s:g} s"
