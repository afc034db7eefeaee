"""The result of `cmb_metric.score` as tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from cmb_harness.report.tables import Cell, Number, Table, stars

# name → (column header, definition).
STATISTICS: Mapping[str, tuple[str, str]] = {
    "s1_accuracy": ("S1", "share of concepts named right"),
    "s2_accuracy": ("S2", "share of concepts recognised right"),
    "s3_miou": ("mIoU", "mean IoU over pairs"),
    "s3_iou@0.3": ("IoU@0.3", "pairs with IoU at least 0.3"),
    "s3_iou@0.5": ("IoU@0.5", "pairs with IoU at least 0.5"),
    "s3_iou@0.7": ("IoU@0.7", "pairs with IoU at least 0.7"),
    "c_s2": ("c-S2", "share recognised right among concepts named right"),
    "c_miou": ("c-mIoU", "mean IoU over pairs whose concept is recognised right"),
    "joint": ("Joint", "named x recognised x mean IoU of its pairs"),
}
CELL_STATISTICS = ("s1_accuracy", "s2_accuracy", "s3_miou", "joint")
KIND_TITLES = {
    "country": "By country",
    "category": "By category",
    "writing_cluster": "By writing cluster",
    "country_category": "By country and category",
}

Result = Mapping[str, Any]


def definitions() -> dict[str, str]:
    """What each statistic is, in a line."""
    return {name: definition for name, (_, definition) in STATISTICS.items()}


def score_tables(result: Result, *, cells: bool = False) -> list[Table]:
    """The tables of one result: statistics, macro averages, answers and failure profile; with ``cells`` those too."""
    tables = [statistics_table(result), macro_table(result), answers_table(result), profile_table(result)]
    if cells:
        tables += [cells_table(result, kind) for kind in KIND_TITLES if result["cells"][kind]]
    return tables


def statistics_table(result: Result) -> Table:
    """One row a statistic: percent, interval, n; stars where a conditional value differs from its baseline."""
    n = result["n"]
    rows: list[list[Cell]] = []
    for name, (header, definition) in STATISTICS.items():
        number = statistic(result, name)
        rows.append([header, number, count(number.n, "how many it rests on"), definition])
    parts = result["joint_parts"]
    rows.append(
        ["Joint, over paired", share(parts["over_paired"]), "", "Joint over the concepts with a pair"]
    )
    rows.append(["Joint, ceiling", share(parts["ceiling"]), "", "share of concepts with a pair"])
    notes = []
    if any(stars(p) for p in result["p"].values()):
        notes.append(
            "* p<.05, ** p<.01, *** p<.001 against S2 (c-S2) and mIoU (c-mIoU), in the same resamples"
        )
    return Table(
        "statistics",
        f"{heading(result)}: {n['concepts']} concepts, {n['pairs']} pairs "
        f"({n['concepts_without_pair']} concepts without a pair)",
        ("", f"% [{level(result)} interval]", "n", "what it is"),
        rows,
        notes,
        result["signature"],
    )


def models_table(results: Sequence[Result]) -> Table:
    """One row a model, one column a statistic, the intervals under the values."""
    names = ("s1_accuracy", "s2_accuracy", "s3_miou", "s3_iou@0.3", "c_s2", "c_miou", "joint")
    signatures = list(dict.fromkeys(result["signature"] for result in results))
    notes = ["* p<.05, ** p<.01, *** p<.001 against S2 (c-S2) and mIoU (c-mIoU), in the same resamples"]
    notes += [
        f"{result['model']}: {unusable}; they score 0"
        for result in results
        if (unusable := _unusable(result))
    ]
    return Table(
        "models",
        f"Percent, with the {level(results[0])} interval under it",
        ("model", *(STATISTICS[name][0] for name in names)),
        [[result["model"], *(statistic(result, name) for name in names)] for result in results],
        notes,
        "\n".join(signatures),
        stacked=True,
    )


def _unusable(result: Result) -> str:
    """How many answers are invalid or missing, in words; empty if none is."""
    parts = [
        f"{count} of {result['n'][items]} {stage.upper()} answers {what}"
        for what in ("missing", "invalid")
        for stage, items in (("s1", "s1"), ("s2", "s2"), ("s3", "pairs"))
        if (count := result[f"n_{what}"][stage])
    ]
    return ", ".join(parts)


def macro_table(result: Result) -> Table:
    """Micro beside macro averages (paper, Table 13)."""
    rows: list[list[Cell]] = [["micro", *(statistic(result, name) for name in CELL_STATISTICS)]]
    for kind, values in result["macro"].items():
        definition = f"unweighted mean over the cells of {kind}"
        row = [
            share(values[name]["value"], values[name]["ci"], definition=definition)
            for name in CELL_STATISTICS
        ]
        rows.append([f"macro, {kind}", *row])
    columns = ("", *(STATISTICS[name][0] for name in CELL_STATISTICS))
    return Table("macro", "Micro and macro averages", columns, rows, (), result["signature"])


def answers_table(result: Result) -> Table:
    """What came back, by stage: items scored, usable, invalid, missing; and the parser's words where rows have them."""
    status = result.get("n_status") or {}
    words = sorted({word for counts in status.values() for word in counts})
    rows: list[list[Cell]] = []
    for stage, items in (("s1", "s1"), ("s2", "s2"), ("s3", "pairs")):
        n, invalid, missing = (
            result["n"][items],
            result["n_invalid"][stage],
            result["n_missing"][stage],
        )
        told = [count(status.get(stage, {}).get(word, 0), "rows whose status says so") for word in words]
        rows.append([stage.upper(), *map(count, (n, n - invalid - missing, invalid, missing)), *told])
    notes = ["invalid and missing answers score 0 and stay in every denominator"]
    if result["n_set_aside"]:
        notes.append(f"{result['n_set_aside']} answers to items whose keys are not given were set aside")
    columns = ("answers", "items", "usable", "invalid", "missing", *(f"status {word}" for word in words))
    return Table("answers", "Answers", columns, rows, notes, result["signature"])


def profile_table(result: Result) -> Table:
    """The failure profile: the three links of the chain, and what the Joint would gain if one were perfect."""
    profile = result["profile"]
    gain = profile["joint_gain_if_perfect"]
    links = (
        ("S1, naming", profile["p_s1"], "P(S1)", gain["s1"]),
        ("S2, recognition", profile["p_s2_given_s1"], "P(S2 | S1)", gain["s2"]),
        ("S3, localization", profile["mean_iou_given_both"], "mean IoU given both", gain["s3"]),
    )
    rows: list[list[Cell]] = [
        [
            label,
            share(value, definition=definition),
            definition,
            Number(points, scale="points", definition=f"gain of the Joint if {label} were perfect"),
        ]
        for label, value, definition, points in links
    ]
    columns = ("failure profile", "%", "what it is", "Joint gains, if perfect")
    return Table("profile", "Failure profile", columns, rows, (), result["signature"])


def cells_table(result: Result, kind: str) -> Table:
    """One row a cell, with its number of concepts; a dash where a value is 0/0."""
    names = CELL_STATISTICS if kind != "country_category" else CELL_STATISTICS[:3]
    rows: list[list[Cell]] = []
    for code, values in result["cells"][kind].items():
        concepts = max(values["s1_accuracy"]["n"], values["s2_accuracy"]["n"])
        numbers = [cell_number(values[name], name) for name in names]
        rows.append([code, count(concepts, "concepts of the cell"), *numbers])
    notes = ["no interval where fewer than two concepts contribute"]
    columns = ("", "n", *(STATISTICS[name][0] for name in names))
    return Table(f"cells_{kind}", KIND_TITLES[kind], columns, rows, notes, result["signature"])


def statistic(result: Result, name: str) -> Number:
    """One statistic of a result, with its interval, n and stars.

    No stars where all resamples gave one value, such as 0 of 7: the bootstrap had nothing to vary, so that its p,
    which JSON holds all the same, says nothing.
    """
    n, ci = result["n"], result["ci"][name]
    counts = {
        "s1_accuracy": n["s1"],
        "s2_accuracy": n["s2"],
        **result["n_conditional"],
    }
    p = result["p"].get(name)
    return Number(
        result[name],
        ci,
        n=counts.get(name, n["pairs"]),
        p=p,
        definition=STATISTICS[name][1],
        stars=stars(p) if ci and ci[0] < ci[1] else 0,
    )


def cell_number(cell: Mapping[str, Any], name: str) -> Number:
    """A cell's statistic as a number."""
    return Number(cell["value"], cell["ci"], n=cell["n"], definition=STATISTICS[name][1])


def share(value: float | None, ci: Sequence[float] | None = None, *, definition: str = "") -> Number:
    """A number between 0 and 1, printed as percent."""
    return Number(value, ci, definition=definition)


def count(value: int | None, definition: str = "how many") -> Number:
    """A whole number, printed as it is."""
    return Number(value, scale="plain", definition=definition)


def heading(result: Result) -> str:
    """Model, mode, and setting and variant where they are not the defaults."""
    parts = [result.get("model", "model"), result.get("mode", "")]
    parts += [
        result[key]
        for key, usual in (("setting", "full"), ("variant", "common_latin"))
        if result.get(key, usual) != usual
    ]
    return ", ".join(part for part in parts if part)


def level(result: Result) -> str:
    """The confidence level as the signature says it: ``95%``."""
    return str(result["signature"]).rpartition(" ")[2]


def available_table(result: Result) -> Table:
    """The full set beside what was available, and the bounds between which the full score must lie."""
    part = result["available"]
    there = part["result"]
    rows: list[list[Cell]] = []
    for name, (header, definition) in STATISTICS.items():
        ends = part["bounds"][name]
        between = "-" if ends is None else " – ".join(f"{100 * end:.1f}" for end in ends)
        number = statistic(there, name)
        rows.append([header, statistic(result, name), between, number, count(number.n, definition)])
    return Table(
        "available",
        f"{heading(result)}: {part['n_items']} of {part['n_all_items']} items were available",
        ("", "all items, others missing", "bounds", "available items", "n"),
        rows,
        ["bounds: what all items would give if the others were all wrong, or all right"],
        "\n".join((result["signature"], there["signature"])),
    )
