"""Figures 3 and 4: what sound and subtitles do for S3, as shares of pairs."""

from collections.abc import Mapping, Sequence
from typing import Any

from cmb_harness.report.contents import Contents
from cmb_harness.report.figures.drawn import Drawn, Words, drawn
from cmb_harness.report.figures.style import (
    INK,
    ROLE_COLOURS,
    ROLE_HATCHES,
    canvas,
    labels,
    styled,
    substitutes,
)

# Narrower segments hold no number.
NARROW = 5.0

Row = Mapping[str, Any]


@styled
def roles_figure(contents: Contents) -> Drawn:
    """Figure 3: one bar an ablation."""
    rows = contents.ablation
    bars = {row["setting"]: row["roles"][f"{row['cut']:g}"] for row in rows}
    figure, grid = canvas(7.5, 1.0 + 0.42 * len(bars))
    _bars(grid[0][0], bars)
    _legend(figure)
    title = "Modality roles over all S3 pairs"
    return drawn(figure, Words("roles", "Figure 3", "modalities", title, _note(rows), _alt(bars)))


@styled
def roles_by_figure(contents: Contents) -> Drawn:
    """Figure 4: the same by category, then by writing cluster; one panel an ablation."""
    rows = contents.ablation
    panels = {row["setting"]: {**row["by_category"], **row["by_cluster"][f"{row['cut']:g}"]} for row in rows}
    names = list(dict.fromkeys(name for bars in panels.values() for name in bars))
    figure, grid = canvas(3.2 * len(panels) + 1, 1.25 + 0.3 * len(names), 1, len(panels), sharey=True)
    for axis, (setting, bars) in zip(grid[0], panels.items(), strict=True):
        _bars(axis, {name: bars.get(name) for name in names})
        axis.set_title(setting)
        axis.axhline(len(rows[0]["by_category"]) - 0.5, color=INK, linewidth=0.8)
    _legend(figure)
    alt = " ".join(f"{setting}: {_alt(bars)}" for setting, bars in panels.items())
    title = "Modality roles by category and writing cluster"
    note = _note(rows) + substitutes(names, "no.")
    return drawn(figure, Words("roles-by", "Figure 4", "modalities", title, note, alt))


def _bars(axis: Any, bars: Mapping[str, Row | None]) -> None:
    for place, found in enumerate(bars.values()):
        left = 0.0
        for role, colour in ROLE_COLOURS.items():
            share = 100 * (found["shares"][role] or 0) if found else 0.0
            axis.barh(
                place,
                share,
                left=left,
                height=0.72,
                color=colour,
                edgecolor="white",
                hatch=ROLE_HATCHES[role],
            )
            if share >= NARROW:
                box = {"facecolor": colour, "edgecolor": "none", "pad": 0.8}
                light = "white" if role == "Complementary" else "black"
                axis.text(
                    left + share / 2,
                    place,
                    f"{share:.1f}",
                    ha="center",
                    va="center",
                    fontsize=8,
                    color=light,
                    bbox=box,
                )
            left += share
    axis.set_yticks(
        range(len(bars)),
        [
            f"{label} (n={found['n'] if found else 0})"
            for label, found in zip(labels(list(bars), "no.", 18), bars.values(), strict=True)
        ],
    )
    axis.set(xlim=(0, 100), ylim=(len(bars) - 0.5, -0.5), xlabel="% of S3 pairs")
    axis.tick_params(axis="y", length=0)


def _legend(figure: Any) -> None:
    from matplotlib.patches import Patch

    patches = [
        Patch(facecolor=colour, edgecolor="white", hatch=ROLE_HATCHES[role], label=role)
        for role, colour in ROLE_COLOURS.items()
    ]
    figure.legend(handles=patches, loc="outside upper center", ncols=3)


def _note(rows: Sequence[Row]) -> str:
    models = ", ".join(dict.fromkeys(model for row in rows for model in row["models"]))
    cut = f"{rows[0]['cut']:g}"
    return (
        f"What is taken away is Complementary where IoU falls by {cut} points or more, Distracting where it rises by "
        f"{cut} or more, else Redundant; the change is the mean over {models} ({rows[0]['mode']} mode)."
    )


def _alt(bars: Mapping[str, Row | None]) -> str:
    told = [
        f"{name} (n={found['n']}): "
        + ", ".join(f"{role} {100 * (share or 0):.1f}%" for role, share in found["shares"].items())
        for name, found in bars.items()
        if found
    ]
    return "; ".join(told) + "."
