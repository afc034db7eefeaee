"""Figure 9: what a right answer at one stage does for the next, by model and mode."""

from collections.abc import Mapping, Sequence
from typing import Any

from cmb_harness.report.contents import Contents
from cmb_harness.report.figures.drawn import Drawn, Words, drawn
from cmb_harness.report.figures.style import INK, MODE_COLOURS, SOFT, canvas, labels, styled, substitutes
from cmb_harness.report.tables import stars

PANELS = (("c_s2", "ΔS2 = c-S2 - S2"), ("c_miou", "ΔmIoU = c-mIoU - mIoU"))


@styled
def chain_figure(contents: Contents) -> Drawn:
    """Two panels of bars, sorted by size, with intervals and stars."""
    parts = {
        name: sorted(
            (row for row in contents.chain if row["statistic"] == name and row["difference"] is not None),
            key=lambda row: -row["difference"],
        )
        for name, _ in PANELS
    }
    parts = {name: rows for name, rows in parts.items() if rows}
    longest = max(map(len, parts.values()))
    figure, grid = canvas(5.2 * len(parts), 0.95 + 0.24 * longest, 1, len(parts))
    names = dict(zip(contents.runs.models, labels(contents.runs.models), strict=True))
    for axis, (name, rows) in zip(grid[0], parts.items(), strict=True):
        _panel(axis, rows, names)
        axis.set_title(dict(PANELS)[name])
    _legend(figure, [row["mode"] for rows in parts.values() for row in rows])
    level = f"{100 * contents.selection.confidence_level:g}%"
    note = (
        f"Points, with {level} intervals; * p<.05, ** p<.01, *** p<.001 against the unconditional value of the same "
        f"model and mode. n: concepts named right, or pairs whose concept is recognised right."
        f"{substitutes(contents.runs.models)}"
    )
    title = "Does one stage help the next?"
    return drawn(figure, Words("chain", "Figure 9", "results", title, note, _alt(parts)))


def _panel(axis: Any, rows: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> None:
    for place, row in enumerate(rows):
        value = 100 * row["difference"]
        axis.barh(
            place, value, height=0.7, color=MODE_COLOURS.get(row["mode"], SOFT), edgecolor=INK, linewidth=0.5
        )
        reach = [value]
        if row["ci"] is not None:
            reach = [100 * bound for bound in row["ci"]]
            axis.plot(reach, [place, place], "-", color=INK, linewidth=1)
        if mark := "*" * stars(row["p"]):
            # Asterisks hang high in their line.
            axis.annotate(
                mark, (max(*reach, value, 0), place), xytext=(3, -3), textcoords="offset points", va="center"
            )
    axis.axvline(0, color=INK, linewidth=0.8)
    axis.set_yticks(
        range(len(rows)), [f"{names[row['model']]}, {row['mode']} (n={row['n']})" for row in rows]
    )
    axis.set_ylim(len(rows) - 0.4, -0.6)
    axis.set_xlabel("points")
    axis.margins(x=0.1)
    axis.grid(axis="x")
    axis.tick_params(axis="y", length=0)


def _legend(figure: Any, modes: Sequence[str]) -> None:
    from matplotlib.patches import Patch

    patches = [
        Patch(facecolor=colour, edgecolor=INK, linewidth=0.5, label=mode)
        for mode, colour in MODE_COLOURS.items()
        if mode in modes
    ]
    figure.legend(handles=patches, loc="outside upper center", ncols=len(patches))


def _alt(parts: Mapping[str, Sequence[Mapping[str, Any]]]) -> str:
    told = []
    for name, rows in parts.items():
        numbers = [
            f"{row['model']}, {row['mode']} {100 * row['difference']:+.1f}{'*' * stars(row['p'])}"
            for row in rows
        ]
        told.append(f"{dict(PANELS)[name].partition(' ')[0]}: {'; '.join(numbers)}")
    return ". ".join(told) + "."
