"""The result of `compare_runs` as tables (paper, Tables 13 and 14, section 4.2)."""

from collections.abc import Mapping, Sequence
from typing import Any

from cmb_harness.report.score_tables import STATISTICS, models_table
from cmb_harness.report.tables import Cell, Number, Table

SHOWN = ("s1_accuracy", "s2_accuracy", "s3_miou", "joint")
DAGGER = "† significant"

Compared = Mapping[str, Any]


def compare_tables(compared: Compared, names: Sequence[str] = SHOWN) -> list[Table]:
    """Scores, paired differences, ranks, cells and orders, in the statistics ``names``."""
    return [
        models_table(list(compared["results"].values())),
        differences_table(compared, names),
        ranks_table(compared, names),
        dominance_table(compared, names),
        order_table(compared, names),
    ]


def differences_table(compared: Compared, names: Sequence[str] = SHOWN) -> Table:
    """One row a pair of models, one column a statistic, in points; significant differences are marked."""
    by_pair: dict[tuple[str, str], dict[str, Any]] = {}
    for row in compared["pairs"]:
        by_pair.setdefault((row["a"], row["b"]), {})[row["statistic"]] = row
    rows: list[list[Cell]] = [
        [f"{a} - {b}", *(_difference(found[name]) for name in names)] for (a, b), found in by_pair.items()
    ]
    test = "Holm's p" if compared["correction"] != "none" else "p"
    notes = [f"{DAGGER}: {test} below {compared['alpha']:g}, the difference taken inside each resample"]
    return Table(
        "differences",
        "Paired differences, points",
        ("", *(f"Δ{STATISTICS[name][0]}" for name in names)),
        rows,
        [*notes, f"correction for many comparisons: {compared['correction']}"],
        compared["signature"],
        stacked=True,
    )


def ranks_table(compared: Compared, names: Sequence[str] = SHOWN) -> Table:
    """One row a model: the ranks that it may hold. No order is claimed inside a range."""
    ranges = {(row["model"], row["statistic"]): row for row in compared["ranks"]}
    rows: list[list[Cell]] = [
        [model, *(_range(ranges.get((model, name))) for name in names)] for model in compared["models"]
    ]
    notes = ["1 + models significantly above, to models less those significantly below; ranks are shared"]
    columns = ("ranks", *(STATISTICS[name][0] for name in names))
    return Table("ranks", "Ranks that the data allow", columns, rows, notes, compared["signature"])


def dominance_table(compared: Compared, names: Sequence[str] = SHOWN) -> Table:
    """In how many country and category cells the first model is above the second."""
    by_pair: dict[tuple[str, str], dict[str, Any]] = {}
    for row in compared["dominance"]:
        by_pair.setdefault((row["a"], row["b"]), {})[row["statistic"]] = row
    rows: list[list[Cell]] = [
        [f"{a} above {b}", *(f"{found[name]['above']} of {found[name]['cells']}" for name in names)]
        for (a, b), found in by_pair.items()
    ]
    columns = ("cells", *(STATISTICS[name][0] for name in names))
    title = "Country and category cells in which one model is above another"
    return Table("dominance", title, columns, rows, (), compared["signature"])


def order_table(compared: Compared, names: Sequence[str] = SHOWN) -> Table:
    """Whether micro and macro averages order the models alike, and which pairs they turn round if not."""
    rows: list[list[Cell]] = []
    for name in names:
        agreement = compared["order"][name]
        turned = sorted({f"{pair['a']} / {pair['b']}" for pair in agreement["reversed"]})
        rows.append([STATISTICS[name][0], "yes" if agreement["agree"] else "no", "; ".join(turned) or "-"])
    columns = ("", "one order", "pairs that change places")
    title = "Order under micro, macro over countries, macro over categories"
    return Table("order", title, columns, rows, (), compared["signature"])


def _difference(row: Mapping[str, Any]) -> Number:
    return Number(
        row["difference"],
        row["ci"],
        n=row["n_concepts"],
        p=row.get("p_holm", row["p"]),
        scale="points",
        definition=f"a - b, {STATISTICS[row['statistic']][1]}, paired in the same resamples",
        bold=row["significant"],
    )


def _range(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return "-"
    return str(row["best"]) if row["best"] == row["worst"] else f"{row['best']}–{row['worst']}"
