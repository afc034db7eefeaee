"""Figures 12, 13 and 15: one statistic by category and writing cluster, as a table of shaded cells."""

from collections.abc import Mapping, Sequence
from typing import Any

from cmb_harness.report.contents import Contents
from cmb_harness.report.figures.drawn import Drawn, Words, drawn
from cmb_harness.report.figures.style import SOFT, canvas, labels, styled, substitutes

KINDS = ("category", "writing_cluster")
# From this share of the scale on, the ground is dark and the number white.
DARK = 0.55

Cells = Mapping[str, Mapping[str, Any]]


@styled
def heat_figure(
    contents: Contents, name: str, words: tuple[str, str, str], counted: str, modes: Sequence[str]
) -> Drawn:
    """One panel a mode, one row a model, one column a category or cluster.

    Args:
        name: the statistic.
        words: file name, the paper's figure, title.
        counted: what n counts.
    """
    found = {
        mode: {
            model: _cells(result, name)
            for (model, its_mode), result in contents.results.items()
            if its_mode == mode and result[name] is not None
        }
        for mode in modes
    }
    found = {mode: models for mode, models in found.items() if models}
    models = list(dict.fromkeys(model for part in found.values() for model in part))
    columns = list(
        dict.fromkeys(code for part in found.values() for cells in part.values() for code in cells)
    )
    counts = _counts(found, columns)
    codes = labels([code for _, code in columns], "no.", 16)
    width = 2.0 + len(found) * (0.44 * len(columns) + 0.35)
    figure, grid = canvas(width, 1.35 + 0.3 * len(models), 1, len(found), sharey=True)
    top = max(
        (cell["value"] or 0 for part in found.values() for cells in part.values() for cell in cells.values()),
        default=0,
    )
    for axis, (mode, part) in zip(grid[0], found.items(), strict=True):
        _panel(axis, [[part.get(model, {}).get(code) for code in columns] for model in models], max(0.5, top))
        axis.set_xticks(
            [place + 0.5 for place in range(len(columns))],
            [f"{label} (n={n})" for label, n in zip(codes, counts, strict=True)],
            rotation=50,
            ha="right",
            rotation_mode="anchor",
        )
        axis.axvline(sum(kind == KINDS[0] for kind, _ in columns), color=SOFT, linewidth=1)
        if len(found) > 1:
            axis.set_title(mode)
    grid[0][0].set_yticks([place + 0.5 for place in range(len(models))], labels(models))
    file_name, paper, title = words
    note = (
        f"Percent; n counts {counted}. Darker is higher, by one scale over all panels.{substitutes(models)}"
    )
    note += substitutes([code for _, code in columns], "no.")
    section = "cells"
    return drawn(figure, Words(file_name, paper, section, title, note, _alt(found, columns)))


def _cells(result: Mapping[str, Any], name: str) -> dict[tuple[str, str], Any]:
    return {(kind, code): cell[name] for kind in KINDS for code, cell in result["cells"][kind].items()}


def _counts(found: Mapping[str, Any], columns: Sequence[Any]) -> list[int]:
    return [
        max(cells[code]["n"] for part in found.values() for cells in part.values() if code in cells)
        for code in columns
    ]


def _panel(axis: Any, values: Sequence[Sequence[Mapping[str, Any] | None]], top: float) -> None:
    import numpy as np

    shares = [[None if cell is None else cell["value"] for cell in row] for row in values]
    shades = np.array([[np.nan if share is None else share for share in row] for row in shares], dtype=float)
    axis.pcolormesh(shades, cmap="Blues", vmin=0, vmax=top, edgecolors="white", linewidth=1.5)
    axis.set(xlim=(0, len(shares[0])), ylim=(len(shares), 0))
    for y, row in enumerate(shares):
        for x, share in enumerate(row):
            text = "–" if share is None else f"{100 * share:.1f}"
            colour = SOFT if share is None else "white" if share > DARK * top else "black"
            axis.text(x + 0.5, y + 0.5, text, ha="center", va="center", fontsize=7.5, color=colour)
    axis.tick_params(length=0)
    axis.spines[:].set_visible(False)


def _alt(found: Mapping[str, Any], columns: Sequence[tuple[str, str]]) -> str:
    told = []
    for mode, part in found.items():
        for model, cells in part.items():
            numbers = [
                f"{code[1]} {100 * cells[code]['value']:.1f}"
                for code in columns
                if code in cells and cells[code]["value"] is not None
            ]
            told.append(f"{model}, {mode}: {', '.join(numbers)}")
    return "; ".join(told) + "."
